package io.floodgate.verification.cost;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Processor time that a Java process has spent on compiling its own code, where Linux says so; elsewhere none. */
final class Compiling {
    /** Names of threads are cut off there. */
    private static final List<String> COMPILERS = List.of("C1 CompilerThre", "C2 CompilerThre");

    private static final long MILLIS_PER_TICK = 10;

    private Compiling() {}

    static Duration of(long process) {
        Path threads = Path.of("/proc", Long.toString(process), "task");
        if (!Files.isDirectory(threads)) return Duration.ZERO;
        try (Stream<Path> all = Files.list(threads)) {
            return Duration.ofMillis(all.mapToLong(Compiling::millis).sum());
        } catch (IOException ended) {
            return Duration.ZERO;
        }
    }

    private static long millis(Path thread) {
        try {
            if (!COMPILERS.contains(Files.readString(thread.resolve("comm")).strip())) return 0;
            String stat = Files.readString(thread.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * MILLIS_PER_TICK;
        } catch (IOException ended) {
            return 0;
        }
    }
}
