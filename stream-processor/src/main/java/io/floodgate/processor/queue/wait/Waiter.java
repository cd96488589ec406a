package io.floodgate.processor.queue.wait;

import io.floodgate.processor.kernel.WaitRegistry;
import io.floodgate.processor.queue.state.Memory;
import io.floodgate.processor.queue.state.StoredTypes;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.WantedJobs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
    private static final int VERSION = 1;

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

    public byte[] write() {
        BinaryOut out = new BinaryOut()
                .u8(VERSION)
                .flag(watch)
                .time(until)
                .text(replyTo.toString())
                .number(fetch.count())
                .optional(fetch.worker())
                .optional(key)
                .optional(
                        fetch.visibility() == null
                                ? null
                                : (Long) fetch.visibility().toMillis())
                .number(fetch.queues().size());
        fetch.queues().forEach(out::text);
        WantedJobs types = fetch.types();
        if (types.areAll()) return out.toBytes();
        StoredTypes.writeNames(types, out);
        if (!types.versions().isEmpty() || types.nameTenants()) StoredTypes.writeVersions(types, out);
        if (types.nameTenants()) StoredTypes.writeTenants(types, out);
        return out.toBytes();
    }

    public static Waiter read(long number, byte[] value) {
        BinaryIn in = new BinaryIn(value);
        in.version(VERSION, () -> "a waiter");
        boolean watch = in.flag();
        Instant until = in.time();
        ReplyTo replyTo = ReplyTo.parse(in.text());
        int count = in.integer();
        String worker = in.optionalText();
        String key = in.optionalText();
        Long visibility = in.optionalNumber();
        int size = in.integer();
        List<String> queues = new ArrayList<>(size);
        for (int i = 0; i < size; i++) queues.add(in.text());
        Fetch fetch = new Fetch(
                queues,
                count,
                worker,
                visibility == null ? null : Duration.ofMillis(visibility),
                Duration.ZERO,
                in.hasMore() ? types(in) : WantedJobs.ALL);
        return new Waiter(number, watch, fetch, replyTo, until, key);
    }

    private static WantedJobs types(BinaryIn in) {
        WantedJobs types = StoredTypes.readNames(in);
        if (in.hasMore()) types = types.accepting(StoredTypes.readVersions(in));
        return in.hasMore() ? types.ofTenants(StoredTypes.readTenants(in)) : types;
    }
}
