package io.floodgate.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a process uses within the window: CPU time and, on Linux, context switches. Rates and latencies depend on what else
 * runs on the machine; what a unit of work costs depends on it far less.
 */
final class ServerMeter {
    private final CompletableFuture<Optional<ServerUse>> use = new CompletableFuture<>();

    private ServerMeter() {}

    static ServerMeter watch(OptionalLong pid, MeasuredWindow window) {
        ServerMeter meter = new ServerMeter();
        if (pid.isEmpty()) meter.use.complete(Optional.empty());
        else Thread.ofPlatform().name("bench-server").daemon().start(() -> meter.read(pid.getAsLong(), window));
        return meter;
    }

    /** Waits for the end of the window. */
    Optional<ServerUse> use() {
        return use.join();
    }

    private void read(long pid, MeasuredWindow window) {
        waitUntil(window.start());
        Duration before = cpuTime(pid);
        long switchesBefore = switches(pid);
        waitUntil(window.end());
        Duration after = cpuTime(pid);
        long switches = switches(pid) - switchesBefore;
        use.complete(
                before == null || after == null
                        ? Optional.empty()
                        : Optional.of(new ServerUse(after.minus(before).toNanos() / 1e9, switches)));
    }

    private static @Nullable Duration cpuTime(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(null);
    }

    /** Of all threads that are there, since they began. */
    private static long switches(long pid) {
        try (var threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            return threads.mapToLong(ServerMeter::switchesOf).sum();
        } catch (IOException notHere) {
            return 0;
        }
    }

    private static long switchesOf(Path thread) {
        try (var lines = Files.lines(thread.resolve("status"))) {
            return lines.filter(line -> line.contains("ctxt_switches:"))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                    .sum();
        } catch (IOException | RuntimeException ended) {
            return 0;
        }
    }

    private static void waitUntil(long time) {
        for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime())
            LockSupport.parkNanos(left);
    }
}
