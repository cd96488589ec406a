package io.floodgate.bench.load;

import java.time.Duration;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The CPU time that a process spends within the window. Rates and latencies depend on what else runs on the machine; what
 * a unit of work costs depends on it far less.
 */
final class CpuMeter {
    private final CompletableFuture<OptionalDouble> seconds = new CompletableFuture<>();

    private CpuMeter() {}

    static CpuMeter watch(OptionalLong pid, Window window) {
        CpuMeter meter = new CpuMeter();
        if (pid.isEmpty()) meter.seconds.complete(OptionalDouble.empty());
        else Thread.ofPlatform().name("bench-cpu").daemon().start(() -> meter.read(pid.getAsLong(), window));
        return meter;
    }

    /** Waits for the end of the window. */
    OptionalDouble seconds() {
        return seconds.join();
    }

    private void read(long pid, Window window) {
        waitUntil(window.start());
        Duration before = cpuTime(pid);
        waitUntil(window.end());
        Duration after = cpuTime(pid);
        seconds.complete(
                before == null || after == null
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(after.minus(before).toNanos() / 1e9));
    }

    private static @Nullable Duration cpuTime(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(null);
    }

    private static void waitUntil(long time) {
        for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime())
            LockSupport.parkNanos(left);
    }
}
