package io.floodgate.verification.fault;

import io.floodgate.verification.disk.LossyDisk;
import io.floodgate.verification.process.Child;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** A process that is struck, and what its log says from then on. */
final class Victim {
    static final String NOT_REPORTED = "not reported";

    private final Child child;
    private final LossyDisk disk;
    private final Path data;
    private int logSize;
    private Optional<DiskFault.Done> done = Optional.empty();

    Victim(Child child, LossyDisk disk, Path data) {
        this.child = child;
        this.disk = disk;
        this.data = data;
    }

    Child child() {
        return child;
    }

    Path data() {
        return data;
    }

    LossyDisk disk() {
        return disk;
    }

    /** Returns what was done, in words. */
    String strike(DiskFault fault, Random random) throws IOException, InterruptedException {
        logSize = log().length();
        DiskFault.Done now = fault.strike(disk, data, random);
        done = Optional.of(now);
        return "%s: %s".formatted(child.name(), now.words());
    }

    /** What holds records is read from the disk and not from memory when it is read next: it is opened, which drops its pages. */
    void readAgain() throws IOException {
        try (Stream<Path> all = Files.walk(data)) {
            for (Path file : all.filter(file -> file.toString().matches(".*\\.(log|sst)"))
                    .toList()) Files.newByteChannel(file).close();
        } catch (NoSuchFileException | UncheckedIOException gone) {
            // the process has deleted one meanwhile
        }
    }

    /** How it ended, in words, with the last error that it logged. */
    String end() throws IOException {
        String error = said("ERROR|FATAL").reduce((first, last) -> last).orElse("no error in its log");
        return "%s ended by itself with exit code %d: %s".formatted(child.name(), child.exitCode(), error);
    }

    /** What it said of its damaged file; empty if there is none. */
    Optional<String> report() throws IOException {
        if (done.isEmpty() || done.get().damaged().isEmpty()) return Optional.empty();
        return Optional.of(said("WARN|ERROR")
                .filter(done.get()::isNamedIn)
                .findFirst()
                .map(line -> "reported: " + line)
                .orElse(NOT_REPORTED));
    }

    /** Lines of these levels since the strike. */
    private Stream<String> said(String levels) throws IOException {
        return log().substring(logSize).lines().filter(line -> line.matches("[0-9:.]+ (%s) .*".formatted(levels)));
    }

    private String log() throws IOException {
        return new String(Files.readAllBytes(child.log()), StandardCharsets.UTF_8);
    }
}
