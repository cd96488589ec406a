package io.floodgate.verification.fault;

import io.floodgate.verification.disk.Cut;
import io.floodgate.verification.disk.LossyDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;

/** One way in which a disk goes wrong. */
@FunctionalInterface
interface DiskFault {
    /**
     * What was done.
     *
     * @param words that say it
     * @param damaged the file that is not what was written, if it is one, below the data directory
     */
    record Done(String words, Optional<Path> damaged) {
        private Done(String words) {
            this(words, Optional.empty());
        }

        /** Whether the line names the damaged file, or the partition that it is of: files of all partitions have the same names. */
        boolean isNamedIn(String line) {
            if (damaged.isEmpty()) return false;
            Path file = damaged.get();
            int names = file.getNameCount();
            String directory = names < 2 ? "" : file.getName(names - 2).toString();
            String place = directory.matches(".+-\\d+")
                    ? directory
                    : file.getName(names - 1).toString();
            return line.matches(".*\\b%s(?!\\d).*".formatted(Pattern.quote(place)));
        }
    }

    int FASTEST_MILLIS = 1_000;
    int SLOWEST_MILLIS = 3_000;
    /** What holds records. Memory that is mapped from other files cannot be read, either, when a disk cannot. */
    List<String> RECORDS = List.of("*.log", "*.sst");

    /** @param data the directory on the disk */
    Done strike(LossyDisk disk, Path data, Random random) throws IOException, InterruptedException;

    /** A loss of power. No process may have a file open. */
    static DiskFault cut(Cut cut) {
        return (disk, data, random) -> new Done("power cut: " + disk.cut(cut, random.nextInt(Integer.MAX_VALUE)));
    }

    /** An error of each operation of a kind, until the disk is mended. */
    static DiskFault fail(String operation, String error) {
        return (disk, data, random) -> {
            for (String pattern : operation.equals("read") ? RECORDS : List.of("*"))
                disk.fail(operation, error, pattern);
            return new Done("each %s fails with %s".formatted(operation, error));
        };
    }

    /** Writes and syncs that take seconds, until the disk is mended. */
    static DiskFault slow() {
        return (disk, data, random) -> {
            int millis = random.nextInt(FASTEST_MILLIS, SLOWEST_MILLIS);
            disk.slow("write", millis, "*");
            disk.slow("sync", millis, "*");
            return new Done("each write and each sync takes %d ms more".formatted(millis));
        };
    }
}
