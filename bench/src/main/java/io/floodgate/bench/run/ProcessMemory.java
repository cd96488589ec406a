package io.floodgate.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory of another process, as Linux reports it. */
final class ProcessMemory {
    private static final String RESIDENT = "VmRSS:";

    private ProcessMemory() {}

    static String of(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                    .filter(line -> line.startsWith(RESIDENT))
                    .map(line -> line.substring(RESIDENT.length()).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown (" + e.getMessage() + ")";
        }
    }
}
