package io.floodgate.processor.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;

/** What happens when: a simulated clock that jumps from one thing to the next. */
final class Agenda {
    private record Task(long at, long number, Runnable action) {}

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::number));
    private long now;
    private long numbers;

    Agenda(long now) {
        this.now = now;
    }

    long now() {
        return now;
    }

    void after(long millis, Runnable action) {
        at(now + millis, action);
    }

    void at(long time, Runnable action) {
        tasks.add(new Task(Math.max(time, now), numbers++, action));
    }

    void runFor(long millis) {
        long end = now + millis;
        for (Task next = tasks.peek(); next != null && next.at <= end; next = tasks.peek()) {
            tasks.remove();
            now = next.at;
            next.action.run();
        }
        now = end;
    }
}
