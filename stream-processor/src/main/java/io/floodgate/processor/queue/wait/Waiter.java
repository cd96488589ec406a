package io.floodgate.processor.queue.wait;

import io.floodgate.processor.kernel.WaitRegistry;
import io.floodgate.processor.queue.state.Memory;
import io.floodgate.processor.queue.state.StoredTypes;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.ReplyTo;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client that waits for a job: a fetch gets jobs, a watch gets the message that there are some.
 *
 * @param number its position among all waiters of this partition
 * @param key of the requester; null for none
 */
public record Waiter(
        long number,
        boolean watch,
        Fetch fetch,
        ReplyTo replyTo,
        Instant until,
        @Nullable String key) implements WaitRegistry.Registered {
    public static final StoredForm<Waiter> STORED = new StoredForm<>(Waiter.class, 1, "a waiter");

    long bytes() {
        String worker = fetch.worker();
        return Memory.WAITER
                + replyTo.requester().length()
                + (worker == null ? 0 : worker.length())
                + bytesAtQueue() * queues().size()
                + bytesOfTypes();
    }

    /**
     * Returns the memory of its entries at a queue: one, and one for each tenant whose jobs it wants, with the wait
     * queue that it may be alone in.
     */
    long bytesAtQueue() {
        long tenants = fetch.types().tenants().size();
        return Memory.WAITER_AT_QUEUE + tenants * (Memory.WAITER_AT_QUEUE + Memory.LINE);
    }

    /** Returns the memory of its filter. */
    long bytesOfTypes() {
        return StoredTypes.bytes(fetch.types());
    }

    public List<String> queues() {
        return fetch.queues();
    }

    boolean isOf(String worker) {
        return worker.equals(fetch.worker());
    }

    /** The same, at queues that are named by these strings. */
    Waiter at(List<String> names) {
        return new Waiter(number, watch, fetch.from(names, fetch.count()), replyTo, until, key);
    }
}
