package io.floodgate.verification.fault;

import io.floodgate.verification.disk.LossyDisk;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A bit that changes while nothing runs.
 *
 * @param files whose paths below the data directory match
 * @param each whether a bit changes in each of them, and not in one
 */
record BitFlip(String files, boolean each) implements DiskFault {
    /** In one of these files. */
    BitFlip(String files) {
        this(files, false);
    }

    @Override
    public Done strike(LossyDisk disk, Path data, Random random) throws IOException {
        List<Path> candidates;
        try (Stream<Path> all = Files.walk(data)) {
            candidates = all.filter(file -> matches(data, file)).sorted().toList();
        }
        if (candidates.isEmpty()) throw new IOException("no file in %s matches %s".formatted(data, files));
        if (!each) return flip(candidates.get(random.nextInt(candidates.size())), data, random);
        for (Path file : candidates) flip(file, data, random);
        return new Done(
                "a bit of each of %d files of %s flipped".formatted(candidates.size(), files), Optional.empty());
    }

    private static Done flip(Path file, Path data, Random random) throws IOException {
        long at = random.nextLong(Files.size(file));
        int bit = random.nextInt(8);
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(at);
            int was = bytes.read();
            bytes.seek(at);
            bytes.write(was ^ 1 << bit);
        }
        return new Done(
                "bit %d of byte %d of %d of %s flipped".formatted(bit, at, Files.size(file), data.relativize(file)),
                Optional.of(data.relativize(file)));
    }

    private boolean matches(Path data, Path file) {
        return Files.isRegularFile(file)
                && file.toFile().length() > 0
                && data.relativize(file).toString().matches("(.*/)?" + files);
    }
}
