package io.floodgate.bench.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Lets the callers of several parts work at the same time, and measures each part. */
public final class Load {
    private static final long LONGEST = Duration.ofDays(1).toNanos();

    private final long begun = System.nanoTime();
    private final long start;
    private final MeasuredWindow window;
    private final BooleanSupplier isOver;
    private final OptionalLong server;

    /**
     * Makes a load whose warm-up begins now.
     *
     * @param server the process whose CPU time is measured: unlike rates it depends little on what else the machine does
     */
    public Load(Duration warmup, Duration measured, OptionalLong server) {
        start = begun + warmup.toNanos();
        window = new MeasuredWindow(start, start + measured.toNanos());
        isOver = () -> false;
        this.server = server;
    }

    /** Makes a load that begins now and goes on until its work is done. Latencies count whenever their operation was due. */
    public Load(BooleanSupplier isOver) {
        start = begun;
        window = new MeasuredWindow(begun - LONGEST, begun + LONGEST);
        this.isOver = isOver;
        server = OptionalLong.empty();
    }

    /** Returns each part, and after it the steps of it. The CPU time of the server is shown with the first part. */
    public List<Measurement> run(Part... parts) throws Exception {
        List<Callers> all = new ArrayList<>();
        Duration used = Duration.ZERO;
        try {
            for (Part part : parts) all.add(new Callers(part, begun, window, isOver));
            List<Thread> threads =
                    all.stream().flatMap(each -> each.start().stream()).toList();
            if (server.isPresent()) {
                waitUntil(window.start());
                Duration before = cpuTime();
                waitUntil(window.end());
                used = cpuTime().minus(before);
            }
            for (Thread thread : threads) thread.join();
        } finally {
            all.forEach(Callers::close);
        }
        long end = Math.min(System.nanoTime() - window.end(), 0) + window.end();
        List<Measurement> measured = new ArrayList<>();
        for (Callers each : all) {
            measured.addAll(each.measured(Duration.ofNanos(end - start), used));
            used = Duration.ZERO;
        }
        return measured;
    }

    private Duration cpuTime() {
        return ProcessHandle.of(server.orElseThrow())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }

    /** @param due in {@code System.nanoTime()} */
    public static void waitUntil(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) LockSupport.parkNanos(left);
    }
}
