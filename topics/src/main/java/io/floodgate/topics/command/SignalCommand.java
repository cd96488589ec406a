package io.floodgate.topics.command;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.json.Wire;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Signals, which steps of workflows wait for: each in the partition that its name leads to. Of an event and a key, the first
 * signal counts for as long as it is kept, also for steps that begin to wait later.
 */
public interface SignalCommand extends Command {
    Duration KEPT = Duration.ofDays(1);
    Duration LONGEST_KEPT = Duration.ofDays(90);
    int DATA_BYTES = 64 * 1024;

    /** Most signals that are kept in a partition. */
    int MOST = 100_000;

    /** Returns the tenant whose workflows alone it is for; null for that of jobs without one. */
    @Nullable
    String tenant();

    String event();

    String key();

    default SignalName name() {
        return SignalName.of(tenant(), event(), key());
    }

    /**
     * Something has happened.
     *
     * @param data the result of the steps that wait for it; null for none
     * @param kept for how long it is known; null for {@link #KEPT}
     */
    record SendSignal(
            @Wire.Name("tenant_id") @Nullable String tenant,
            @Wire.Matches(SignalName.EVENT) String event,
            String key,

            @Wire.AnyJson @Wire.ForClients @Wire.Most(DATA_BYTES)
            byte @Nullable [] data,

            @Wire.Name("keep_ms") @Wire.Most(90 * 24 * 3_600_000L) @Nullable
            Duration kept)
            implements SignalCommand {}

    /** The signal, and the steps that wait for it. */
    record GetSignal(
            @Wire.Name("tenant_id") @Nullable String tenant,
            @Wire.Matches(SignalName.EVENT) String event,
            String key) implements SignalCommand {}

    /** The signal is forgotten: steps that have had it go on, others wait for another one. */
    record ForgetSignal(
            @Wire.Name("tenant_id") @Nullable String tenant,
            @Wire.Matches(SignalName.EVENT) String event,
            String key) implements SignalCommand {}

    /**
     * A step begins to wait, or does so no longer.
     *
     * @param home the partition of its workflow
     */
    record AwaitSignal(
            @Wire.Name("tenant_id") @Nullable String tenant,
            @Wire.Matches(SignalName.EVENT) String event,
            String key,
            PartitionId home,
            String workflow,
            int step,
            boolean waits)
            implements SignalCommand, Message {}

    /** To the home of a workflow: what a step waits for has happened. */
    record Signalled(
            String workflow,
            int step,

            @Wire.AnyJson @Wire.Most(DATA_BYTES) byte @Nullable [] data) implements Message {}
}
