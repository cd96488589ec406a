package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import java.time.Duration;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The tie of a job to its key: the key's home gets a message when the job ends. The home is stored, not derived: a job
 * that has gone to another queue still informs the partition that knows it.
 *
 * @param states that the job's own policy names
 * @param told the number of notes that the home was sent
 * @param over what the last note says: the job has ended, or is a dead letter
 */
public record KeyTie(
        PartitionId home,
        String fingerprint,
        int states,
        @Nullable Duration period,
        int told,
        boolean over) {
    /** A dead letter has ended, until an operator retries it. */
    public static JobState stateOf(JobRecord job) {
        return job.deadLetterInfo != null && job.isLive() ? JobState.DISCARDED : job.state;
    }

    public KeyTie tell(boolean isOver) {
        return new KeyTie(home, fingerprint, states, period, told + 1, isOver);
    }

    void write(BinaryOut out) {
        out.text(home.toString())
                .raw(HexFormat.of().parseHex(fingerprint))
                .number(states)
                .number(period == null ? 0 : period.toMillis())
                .number(told)
                .flag(over);
    }

    static KeyTie read(BinaryIn in) {
        PartitionId home = PartitionId.parse(in.text());
        byte[] fingerprint = new byte[32];
        for (int i = 0; i < fingerprint.length; i++) fingerprint[i] = (byte) in.u8();
        int states = in.integer();
        long period = in.number();
        return new KeyTie(
                home,
                HexFormat.of().formatHex(fingerprint),
                states,
                period == 0 ? null : Duration.ofMillis(period),
                in.integer(),
                in.flag());
    }
}
