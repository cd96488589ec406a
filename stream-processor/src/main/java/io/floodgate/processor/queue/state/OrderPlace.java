package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.queue.KeyOrder;
import io.floodgate.topics.queue.OrderKey;
import io.floodgate.topics.queue.TenantId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The place of a job among those with the same order key.
 *
 * @param line of its queue, tenant and key, see {@link OrderKey#line}
 * @param number in the order in which the jobs of the line have come
 * @param isPassed the job has failed, or an operator has decided so: until it can be fetched again, it keeps no other job back
 * @param holdsUntil the time from which on it is passed whenever it has failed; null if there is none
 */
public record OrderPlace(
        String key,
        long line,
        long number,
        boolean isPassed,
        @Nullable Instant holdsUntil) {
    /** Of a job that has not come into its queue yet. */
    public static OrderPlace of(String queue, String tenant, String key) {
        return new OrderPlace(key, OrderKey.line(queue, tenant, key), 0, false, null);
    }

    /** Returns the place of a job that has left another queue. */
    public static @Nullable OrderPlace in(String queue, byte[] payload, @Nullable OrderPlace before) {
        return before == null ? null : of(queue, TenantId.of(payload), before.key);
    }

    /** Returns the last place of the line: the job has come, or comes again as if it were new. */
    public OrderPlace at(long last) {
        return new OrderPlace(key, line, last, false, null);
    }

    public OrderPlace passed() {
        return new OrderPlace(key, line, number, true, holdsUntil);
    }

    /** Returns the place of a job that waits again, and not because it has failed. */
    public OrderPlace inLine() {
        return isPassed ? new OrderPlace(key, line, number, false, holdsUntil) : this;
    }

    /** Returns the place of a job that has failed and is to be tried again. */
    public OrderPlace afterFailure(KeyOrder order, Instant now) {
        if (order.isSkipping()) return passed();
        Duration most = order.blockAtMost();
        Instant until = most == null || holdsUntil != null ? holdsUntil : now.plus(most);
        boolean holds = until == null || until.isAfter(now);
        return new OrderPlace(key, line, number, !holds, until);
    }

    void write(BinaryOut out) {
        out.text(key).number(line).number(number).flag(isPassed).optional(holdsUntil);
    }

    static OrderPlace read(BinaryIn in) {
        return new OrderPlace(in.text(), in.number(), in.number(), in.flag(), in.optionalTime());
    }
}
