package io.floodgate.bench.load;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Has a crowd do what is due, each caller one operation at a time. */
final class CrowdLoop {
    /** After the last operation began, how long the loop waits for answers. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final long LONGEST_WAIT_MS = 100;

    private final Crowd crowd;
    private final MeasuredWindow window;
    private final Duration overtime;
    private final Samples samples;
    private final Errors errors;
    private final long[] due;
    private final Deque<Integer> free = new ArrayDeque<>();
    private long failed;

    CrowdLoop(Crowd crowd, int callers, MeasuredWindow window, Duration overtime, Samples samples, Errors errors) {
        this.crowd = crowd;
        this.window = window;
        this.overtime = overtime;
        this.samples = samples;
        this.errors = errors;
        due = new long[callers];
        for (int caller = 0; caller < callers; caller++) free.add(caller);
    }

    /**
     * @param dues when the next operation is to start, in an open loop; null for a closed one
     * @param mostFailures the number of failures that ends the run
     */
    void run(@Nullable LongSupplier dues, long mostFailures) throws Exception {
        LongSupplier starts = dues == null ? System::nanoTime : dues;
        long next = starts.getAsLong();
        while (true) {
            if (dues == null) next = starts.getAsLong();
            long now = System.nanoTime();
            boolean more = !window.isOver(next) && failed < mostFailures;
            boolean isDue = more && next - now <= 0;
            if (!more && free.size() == due.length) return;
            if (now - window.end() > overtime.plus(PATIENCE).toNanos()) {
                errors.add("unanswered", "an operation had no answer in the end", due.length - free.size());
                return;
            }
            if (isDue && now - window.end() > overtime.toNanos()) {
                errors.add("late", Load.TOO_LATE);
                next = starts.getAsLong();
            } else if (isDue && !free.isEmpty()) {
                begin(free.remove(), next);
                next = starts.getAsLong();
            } else {
                crowd.await(more && !free.isEmpty() ? rest(next - now) : LONGEST_WAIT_MS, this::ended);
            }
        }
    }

    /** What is left of a wait in milliseconds, at most; parts of one are over at once. */
    private static long rest(long nanos) {
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
        if (millis == 0) LockSupport.parkNanos(nanos);
        return Math.min(millis, LONGEST_WAIT_MS);
    }

    private void begin(int caller, long at) {
        due[caller] = at;
        try {
            crowd.begin(caller, at);
        } catch (Exception failure) {
            ended(caller, 0, failure);
        }
    }

    private void ended(int caller, int units, @Nullable Exception failure) {
        free.add(caller);
        if (failure == null) samples.add(due[caller], System.nanoTime(), units);
        else {
            errors.add(failure);
            failed++;
        }
    }
}
