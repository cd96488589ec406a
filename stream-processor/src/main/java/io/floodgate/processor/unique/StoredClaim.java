package io.floodgate.processor.unique;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.UniqueMessage.ClaimKeys;
import io.floodgate.topics.command.UniqueMessage.Holder;
import io.floodgate.topics.command.UniqueMessage.HolderSaid;
import io.floodgate.topics.command.UnreadableCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A claim of keys at their home, until its batch is settled. */
final class StoredClaim {
    private static final int VERSION = 1;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final int MOST_DOUBLINGS = 6;

    final ClaimKeys message;

    /** The identity under which the jobs come in. */
    final @Nullable Identity by;

    /** Position among all claims of this home. */
    final long place;

    /** True if the claim has its keys. */
    boolean granted;

    /** Time at which the coordinator is asked for the outcome of the batch. */
    Instant askAt;

    int asked;

    /** True while the claim waits for the batch of a job that it replaces. */
    boolean pauses;

    private int pauseNumber;

    /** True once the claim has been saved. */
    boolean stored;

    /** Jobs whose states were asked for, and the answers. */
    final Set<JobId> questions = new TreeSet<>();

    final Map<JobId, HolderSaid> answers = new TreeMap<>();

    StoredClaim(ClaimKeys message, @Nullable Identity by, long place, Instant askAt) {
        this.message = message;
        this.by = by;
        this.place = place;
        this.askAt = askAt;
    }

    String name() {
        return message.coordinator() + "#" + message.batch();
    }

    /** The next one; longer each time. */
    Duration pause() {
        return FIRST_PAUSE.multipliedBy(1L << Math.min(pauseNumber++, MOST_DOUBLINGS));
    }

    boolean isComplete() {
        return answers.keySet().containsAll(questions);
    }

    @Nullable
    Holder answer(JobId job) {
        HolderSaid said = answers.get(job);
        return said == null ? null : said.holder();
    }

    /** Forgets the answers, since they may not be true any more. */
    void forgetAnswers() {
        pauses = false;
        questions.clear();
        answers.clear();
    }

    byte[] write() {
        BinaryOut out = new BinaryOut()
                .u8(VERSION)
                .blob(CommandCodec.encode(message).value())
                .optional(Identity.written(by))
                .number(place)
                .flag(granted)
                .time(askAt)
                .number(asked)
                .flag(pauses)
                .number(pauseNumber)
                .number(questions.size());
        for (JobId job : questions) out.job(job);
        out.number(answers.size());
        for (HolderSaid said : answers.values())
            out.blob(CommandCodec.encode(said).value());
        return out.toBytes();
    }

    static StoredClaim read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "a claim of keys");
        StoredClaim claim = new StoredClaim(
                (ClaimKeys) decode("claim-keys", in.blob()),
                Identity.stored(in.optionalText()),
                in.number(),
                Instant.EPOCH);
        claim.stored = true;
        claim.granted = in.flag();
        claim.askAt = in.time();
        claim.asked = in.integer();
        claim.pauses = in.flag();
        claim.pauseNumber = in.integer();
        for (int i = in.integer(); i > 0; i--) claim.questions.add(in.job());
        for (int i = in.integer(); i > 0; i--) {
            HolderSaid said = (HolderSaid) decode("holder-said", in.blob());
            claim.answers.put(said.job(), said);
        }
        return claim;
    }

    private static Command decode(String op, byte[] value) {
        try {
            return CommandCodec.decode(op, value);
        } catch (UnreadableCommand unreadable) {
            throw new IllegalStateException("a message that could be read before", unreadable);
        }
    }
}
