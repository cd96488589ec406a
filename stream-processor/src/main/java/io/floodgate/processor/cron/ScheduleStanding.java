package io.floodgate.processor.cron;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The success of a schedule, as metrics show it.
 *
 * @param successMillis when a run ended well last, or since when one could have
 * @param intervalMillis from the last occurrence to the next one; 0 if none is known
 */
public record ScheduleStanding(long successMillis, long intervalMillis) {
    static @Nullable ScheduleStanding of(ScheduleState state) {
        if (!state.enabled) return null;
        long since = state.anchor.toEpochMilli();
        Instant success = state.lastSuccessAt;
        Instant next = state.wakeAt;
        long interval =
                next == null ? 0 : Duration.between(state.consumed, next).toMillis();
        return new ScheduleStanding(
                success == null ? since : Math.max(since, success.toEpochMilli()), Math.max(0, interval));
    }
}
