package io.floodgate.gateway.worker;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Workers that ask again and again, and do not say that they would rather wait. The gateway makes them wait: a job then
 * reaches them at once, instead of at their next poll. Not every program can wait: one that fetches now and then, on
 * its only thread, needs its answer now. So a worker's behaviour decides whether it waits:
 *
 * <ul>
 *   <li>It sends heartbeats: it has a thread for each, as the workers of all SDKs have. It waits the whole time, but no longer
 *       than its heartbeats come in time: a worker that stops ends them first, and would be handed a job that it no longer runs.
 *   <li>It has asked in vain twice within a few seconds, with or without jobs in between: it polls. It waits a little, until
 *       its heartbeats are heard.
 *   <li>Any other worker is answered at once.
 * </ul>
 */
final class PollingWorkers {
    private static final Duration LITTLE = Duration.ofSeconds(2);
    /** SDKs poll once a second, and send a heartbeat every five; a fetch that waited in vain is two seconds longer apart. */
    private static final Duration IN_A_ROW = Duration.ofSeconds(5);

    /** Time between two heartbeats of a worker that has not shown its own. */
    private static final Duration HEARTBEATS = Duration.ofSeconds(5);

    private static final Duration LONGEST_BETWEEN_HEARTBEATS = Duration.ofSeconds(25);
    /** A heartbeat may be late by a fifth of the time between two. */
    private static final int LATENESS = 5;
    /** Short against the time after which a silent worker is lost, long against the time between two fetches. */
    private static final Duration SIGNS_OF_LIFE = Duration.ofSeconds(10);

    private static final int MOST = 20_000;
    private static final int IN_VAIN = 2;

    private static final class Habit {
        private long heartbeat = Long.MIN_VALUE;
        private long betweenHeartbeats = HEARTBEATS.toNanos();
        private long signOfLife = Long.MIN_VALUE;
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
        long alive = nanosUntilOverdue(habit, now);
        if (alive > 0) return Duration.ofNanos(Math.min(wholeNanos, alive));
        boolean polls = habit.timesInVain >= IN_VAIN && isWithin(IN_A_ROW, habit.inVain, now);
        return polls ? Duration.ofNanos(Math.min(wholeNanos, LITTLE.toNanos())) : Duration.ZERO;
    }

    /** Returns how much longer a worker waits that has waited since then for its heartbeats. */
    synchronized Duration restOfWait(String worker, long begun, long now) {
        Habit habit = habits.get(worker);
        if (habit == null) return Duration.ZERO;
        long left = Math.min(begun + wholeNanos - now, nanosUntilOverdue(habit, now));
        return Duration.ofNanos(Math.max(0, left));
    }

    private static long nanosUntilOverdue(Habit habit, long now) {
        if (habit.heartbeat == Long.MIN_VALUE) return 0;
        return habit.heartbeat + habit.betweenHeartbeats + habit.betweenHeartbeats / LATENESS - now;
    }

    synchronized void sentHeartbeat(String worker, long now) {
        Habit habit = habits.computeIfAbsent(worker, w -> new Habit());
        if (habit.heartbeat != Long.MIN_VALUE)
            habit.betweenHeartbeats =
                    Math.clamp(now - habit.heartbeat, HEARTBEATS.toNanos(), LONGEST_BETWEEN_HEARTBEATS.toNanos());
        habit.heartbeat = now;
        habit.signOfLife = now;
    }

    /** Returns whether its fetch has to count as a heartbeat, since none has come lately; then it does from now on. */
    synchronized boolean isDueForSignOfLife(String worker, long now) {
        Habit habit = habits.computeIfAbsent(worker, w -> new Habit());
        if (isWithin(SIGNS_OF_LIFE, habit.signOfLife, now)) return false;
        habit.signOfLife = now;
        return true;
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
