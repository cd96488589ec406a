package io.floodgate.verification.disk;

import io.floodgate.verification.process.NativeProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The program that is the file system, compiled from C at its first use. */
final class LossyProgram {
    private static final NativeProgram PROGRAM = new NativeProgram(
            LossyProgram.class,
            List.of("lossy.c", "undo.c", "undo.h"),
            List.of("-D_FILE_OFFSET_BITS=64", "-I/usr/include/fuse3", "-lfuse3", "-lpthread"));
    private static final Path DEVICE = Path.of("/dev/fuse");

    private LossyProgram() {}

    /** The reason why it cannot run on this machine, and what to do; empty if it can. */
    static Optional<String> missing() {
        List<String> packages = new ArrayList<>();
        if (NativeProgram.isMissing("gcc")) packages.add("gcc");
        if (!Files.exists(Path.of("/usr/include/fuse3/fuse.h"))) packages.add("libfuse3-dev");
        if (NativeProgram.isMissing("fusermount3")) packages.add("fuse3");
        if (!packages.isEmpty())
            return Optional.of("a file system of its own takes packages that are missing: apt-get install "
                    + String.join(" ", packages));
        return Files.isWritable(DEVICE)
                ? Optional.empty()
                : Optional.of(
                        "a file system of its own takes the right to write to %s: run it as root".formatted(DEVICE));
    }

    static Path compiled() throws IOException, InterruptedException {
        return PROGRAM.compiled();
    }
}
