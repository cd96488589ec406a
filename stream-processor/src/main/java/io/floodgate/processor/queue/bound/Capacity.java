package io.floodgate.processor.queue.bound;

import io.floodgate.processor.kernel.LogicVersion;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.PartitionSettings;
import io.floodgate.topics.command.Rejection;
import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory that the queues of a partition may take, and take: when it is spent, only commands that free some go on.
 *
 * @param users what each part of the partition's state takes in memory
 */
public record Capacity(Queues queues, LogicVersion rules, List<LongSupplier> users) {
    public long bytes() {
        long bytes = 0;
        for (LongSupplier user : users) bytes += user.getAsLong();
        return bytes;
    }

    /** Returns whether no new job may come in. */
    public boolean isSpent() {
        long most = rules.settings().maxMemoryBytes();
        return most > 0 && bytes() >= most;
    }

    /** Returns why no job can be taken into these queues; null when one can. */
    @Nullable
    public Rejection reject(Collection<String> names) {
        if (isSpent()) return rejectAll();
        if (queues.size() + names.size() <= Queues.MOST / 2) return null;
        long more = names.stream().filter(name -> queues.find(name) == null).count();
        if (more == 0) return null;
        if (queues.size() + more <= Queues.MOST) return queues.leavesRoom(more) ? null : tooManyOfOne();
        return Rejection.of(
                        ErrorCode.TOO_MANY_QUEUES,
                        "The partition of this queue has %d queues; no more than %d can be in use."
                                .formatted(queues.size(), Queues.MOST))
                .with("max_queues", Queues.MOST);
    }

    private static Rejection tooManyOfOne() {
        return Rejection.of(
                        ErrorCode.TOO_MANY_QUEUES,
                        "Your key has created as many queues in this queue's partition as it may, so that others have room for theirs. Use names of queues that there are, or wait until unused ones are forgotten.")
                .with("max_queues", Queues.MOST);
    }

    private Rejection rejectAll() {
        long most = rules.settings().maxMemoryBytes();
        if (most == PartitionSettings.NO_DISK)
            return Rejection.of(
                    ErrorCode.MEMORY_FULL,
                    "The disk of this queue's partition is nearly full; jobs that are there can be fetched and completed.");
        return Rejection.of(
                        ErrorCode.MEMORY_FULL,
                        "The partition of this queue has no memory left for more; jobs that are there can be fetched and completed.")
                .with("max_memory_bytes", most);
    }
}
