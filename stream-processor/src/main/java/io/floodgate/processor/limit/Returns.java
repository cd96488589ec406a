package io.floodgate.processor.limit;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.Strategy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides when partitions report that runs under a key have ended: at once where its concurrency is nearly used up,
 * otherwise with their next message. So a limit that is far away costs no message for each run. If permits become rare
 * after all, all partitions that may have unused ones are asked. The answer that the limit is reached is sent after
 * theirs.
 */
record Returns(Effects out) {
    /** Time after which a partition without an answer counts as using all that it is believed to have. */
    private static final Duration ANSWERED_WITHIN = Duration.ofMillis(250);

    /** Returns whether partitions may soon wait for what another one gives back. */
    static boolean areUrgent(Limit limit) {
        Long concurrency = limit.allowance().concurrency();
        return concurrency != null && 2 * limit.outstanding() >= concurrency;
    }

    /**
     * Returns the partitions to ask for unused permits, if some are missing.
     *
     * @param asker has just reported what it has
     */
    List<Holder> recall(Limit limit, @Nullable Held held, @Nullable Holder asker) {
        List<Holder> recalled = new ArrayList<>();
        if (!isMissing(held) || limit.wanting() == 0) return recalled;
        for (Holder holder : limit.holders()) {
            if (holder == asker || holder.returnsAtOnce || holder.outstanding() == 0) continue;
            holder.recalledAt = out.now().toEpochMilli();
            recalled.add(holder);
        }
        return recalled;
    }

    private static boolean isMissing(@Nullable Held held) {
        return held != null && held.strategy() == Strategy.CONCURRENCY;
    }

    /**
     * Returns whether unused permits of other partitions are still awaited, so that the limit may only seem to be
     * reached.
     */
    boolean areAwaited(Limit limit, @Nullable Held held) {
        return isMissing(held) && settledAt(limit).isAfter(out.now());
    }

    /** Returns when the limit is looked at again: at this time, or once the partitions have answered. */
    Instant awaitedUntil(Limit limit, @Nullable Instant at) {
        Instant settled = settledAt(limit);
        return at == null || settled.isBefore(at) ? settled : at;
    }

    private static Instant settledAt(Limit limit) {
        long latest = 0;
        for (Holder holder : limit.holders()) latest = Math.max(latest, holder.recalledAt);
        return Instant.ofEpochMilli(latest).plus(ANSWERED_WITHIN);
    }
}
