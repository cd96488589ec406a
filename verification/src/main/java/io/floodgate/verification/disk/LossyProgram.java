package io.floodgate.verification.disk;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/** The program that is the file system, compiled from C at its first use. */
final class LossyProgram {
    private static final List<String> SOURCES = List.of("lossy.c", "undo.c", "undo.h");
    private static final Path DEVICE = Path.of("/dev/fuse");

    private LossyProgram() {}

    /** The reason why it cannot run on this machine, and what to do; empty if it can. */
    static Optional<String> missing() {
        List<String> packages = new ArrayList<>();
        if (isMissing("gcc")) packages.add("gcc");
        if (!Files.exists(Path.of("/usr/include/fuse3/fuse.h"))) packages.add("libfuse3-dev");
        if (isMissing("fusermount3")) packages.add("fuse3");
        if (!packages.isEmpty())
            return Optional.of("a file system of its own takes packages that are missing: apt-get install "
                    + String.join(" ", packages));
        return Files.isWritable(DEVICE)
                ? Optional.empty()
                : Optional.of(
                        "a file system of its own takes the right to write to %s: run it as root".formatted(DEVICE));
    }

    private static boolean isMissing(String command) {
        for (String directory : System.getenv("PATH").split(":", -1))
            if (Files.isExecutable(Path.of(directory, command))) return false;
        return true;
    }

    /** Where it is; it is compiled once for each version of its sources. */
    static Path compiled() throws IOException, InterruptedException {
        Path directory = Path.of(System.getProperty("java.io.tmpdir"), "floodgate-lossy-%08x".formatted(version()));
        Path program = directory.resolve("lossy");
        if (Files.exists(program)) return program;
        Files.createDirectories(directory);
        for (String source : SOURCES) Files.write(directory.resolve(source), bytes(source));
        Path started = directory.resolve("lossy-" + ProcessHandle.current().pid());
        Process compiler = new ProcessBuilder(
                        "gcc",
                        "-O1",
                        "-D_FILE_OFFSET_BITS=64",
                        "-I/usr/include/fuse3",
                        "-o",
                        started.toString(),
                        "lossy.c",
                        "undo.c",
                        "-lfuse3",
                        "-lpthread")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (compiler.waitFor() != 0) throw new IOException("gcc cannot compile %s: %s".formatted(directory, said));
        return Files.move(started, program, StandardCopyOption.ATOMIC_MOVE);
    }

    private static long version() {
        CRC32 version = new CRC32();
        for (String source : SOURCES) version.update(bytes(source));
        return version.getValue();
    }

    private static byte[] bytes(String source) {
        try (InputStream resource = LossyProgram.class.getResourceAsStream(source)) {
            if (resource == null) throw new IllegalStateException("the resource %s is missing".formatted(source));
            return resource.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
