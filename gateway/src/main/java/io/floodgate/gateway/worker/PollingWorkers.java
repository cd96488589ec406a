package io.floodgate.gateway.worker;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Workers that ask again and again, and do not say that they would rather wait. They are made to wait, for a job then reaches
 * them at once, where it would lie until they ask next. Not everybody can bear that: a program that fetches now and then, on its only
 * thread, wants its answer now. So who waits is told by what a worker does:
 *
 * <ul>
 *   <li>It sends heartbeats: it has a thread for each, as the workers of all SDKs have. It waits the whole time.
 *   <li>It has asked in vain twice within a few seconds, with or without jobs in between: it polls. It waits a little, until
 *       its heartbeats are heard.
 *   <li>Anybody else is answered at once.
 * </ul>
 */
final class PollingWorkers {
    private static final Duration LITTLE = Duration.ofSeconds(2);
    /** SDKs poll once a second, and send a heartbeat every five; a fetch that waited in vain is two seconds longer apart. */
    private static final Duration IN_A_ROW = Duration.ofSeconds(5);

    private static final Duration HEARTBEAT_HEARD = Duration.ofSeconds(30);
    private static final int MOST = 20_000;
    private static final int IN_VAIN = 2;

    private static final class Habit {
        private long heartbeat = Long.MIN_VALUE;
        private long inVain = Long.MIN_VALUE;
        private int timesInVain;
    }

    private final long wholeNanos;
    private final Map<String, Habit> habits = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Habit> eldest) {
            return size() > MOST;
        }
    };

    /** @param whole how long a worker waits that does not say how long; zero for not at all */
    PollingWorkers(Duration whole) {
        wholeNanos = whole.toNanos();
    }

    synchronized Duration waitOf(String worker, long now) {
        Habit habit = habits.get(worker);
        if (habit == null || wholeNanos == 0) return Duration.ZERO;
        if (isWithin(HEARTBEAT_HEARD, habit.heartbeat, now)) return Duration.ofNanos(wholeNanos);
        boolean polls = habit.timesInVain >= IN_VAIN && isWithin(IN_A_ROW, habit.inVain, now);
        return polls ? Duration.ofNanos(Math.min(wholeNanos, LITTLE.toNanos())) : Duration.ZERO;
    }

    synchronized void sentHeartbeat(String worker, long now) {
        habits.computeIfAbsent(worker, w -> new Habit()).heartbeat = now;
    }

    synchronized void fetched(String worker, boolean inVain, long now) {
        Habit habit = habits.computeIfAbsent(worker, w -> new Habit());
        boolean lately = isWithin(IN_A_ROW, habit.inVain, now);
        if (inVain) habit.timesInVain = lately ? habit.timesInVain + 1 : 1;
        // Who polls goes on polling, however many jobs it gets.
        if (inVain || (lately && habit.timesInVain >= IN_VAIN)) habit.inVain = now;
    }

    private static boolean isWithin(Duration time, long since, long now) {
        return since != Long.MIN_VALUE && now - since <= time.toNanos();
    }
}
