package io.floodgate.verification.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A clock of a process's own, which can be set ahead and back. Only the time of day changes: what measures durations goes
 * on. It takes libfaketime, which Debian has as a package.
 */
public final class SetClock {
    private static final String LIBRARY = "libfaketimeMT.so.1";
    private static final String VARIABLE = "FLOODGATE_LIBFAKETIME";

    private final Path library;
    private final Path offset;

    private SetClock(Path library, Path offset) {
        this.library = library;
        this.offset = offset;
    }

    /** Where libfaketime is, if it is installed. */
    public static Optional<Path> library() {
        String named = System.getenv(VARIABLE);
        if (named != null) return Optional.of(Path.of(named)).filter(Files::exists);
        try (Stream<Path> architectures = Files.list(Path.of("/usr/lib"))) {
            return architectures
                    .map(each -> each.resolve("faketime").resolve(LIBRARY))
                    .filter(Files::exists)
                    .findFirst();
        } catch (IOException none) {
            return Optional.empty();
        }
    }

    public static String howToInstall() {
        return "clocks are set by %s: apt-get install libfaketime, or name the file in %s".formatted(LIBRARY, VARIABLE);
    }

    /** It shows the right time at first. */
    static SetClock of(Path library, Path offset) throws IOException {
        Files.createDirectories(offset.getParent());
        SetClock clock = new SetClock(library, offset);
        clock.set(Duration.ZERO);
        return clock;
    }

    /** What the process has to stand behind. */
    List<String> wrapper() {
        return List.of(
                "env",
                "LD_PRELOAD=" + library,
                "FAKETIME_TIMESTAMP_FILE=" + offset,
                "FAKETIME_CACHE_DURATION=1",
                "FAKETIME_DONT_FAKE_MONOTONIC=1",
                // What it mends is not broken here, and each of Java's waits would end at once.
                "FAKETIME_FORCE_MONOTONIC_FIX=0");
    }

    /** How far it is ahead of the right time, within a second. */
    void set(Duration ahead) throws IOException {
        Path next = offset.resolveSibling(offset.getFileName() + ".next");
        Files.writeString(next, "%+d%n".formatted(ahead.toSeconds()));
        Files.move(next, offset, StandardCopyOption.ATOMIC_MOVE);
    }
}
