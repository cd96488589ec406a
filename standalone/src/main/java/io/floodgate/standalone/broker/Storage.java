package io.floodgate.standalone.broker;

import io.floodgate.topics.OwnDirectory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.metadata.storage.Formatter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The broker's directory: formatted on first use, and ours alone for as long as this is open. */
final class Storage implements AutoCloseable {
    private static final String PROPERTIES = "meta.properties";

    /** The folder of all data, and the name of that in the one above. */
    private static final int MADE_ABOVE = 2;

    private static final long LEAST_ROOM = 32 * 1024 * 1024;

    private static final int COPIED_AT_ONCE = 64 * 1024;

    /** Writes what the operating system has of a file to the disk. */
    interface Sync {
        void force(FileChannel channel) throws IOException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(Storage.class);

    private final FileChannel lock;

    private final Path directory;

    private Storage(Path directory, FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /** Opens the storage for the one broker of a cluster of its own. */
    static Storage open(Path directory) {
        return open(directory, BrokerProperties.NODE_ID, Uuid.randomUuid().toString());
    }

    static Storage open(Path directory, int node, String cluster) {
        try {
            OwnDirectory.create(directory);
            requireRoom(directory);
            var storage = new Storage(directory, lock(directory));
            format(directory, node, cluster);
            return storage;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use " + directory + " as data directory: " + e.getMessage(), e);
        }
    }

    /** Kafka writes files while it starts, and ends the process where it cannot. */
    private static void requireRoom(Path directory) throws IOException {
        long free = Files.getFileStore(directory).getUsableSpace();
        if (free < LEAST_ROOM)
            throw new IOException(
                    "its disk has %d KiB left, and a start needs %d. Make room; what is stored there stays as it is"
                            .formatted(free / 1024, LEAST_ROOM / 1024));
    }

    /** Kafka locks its directory too, but answers a second broker by halting the process. */
    private static FileChannel lock(Path directory) throws IOException {
        var channel = FileChannel.open(
                directory.resolve("floodgate.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (tryLock(channel) == null) {
            channel.close();
            throw new IOException("another broker is running on it");
        }
        return channel;
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    /** Formats the directory: it is formatted once its properties are there, which come last. */
    private static void format(Path directory, int node, String cluster) throws IOException {
        // It may also be there when all was moved out of it, and Kafka does not start beside it.
        Path made = directory.resolve("unfinished");
        Utils.delete(made.toFile());
        if (Files.exists(directory.resolve(PROPERTIES))) return;
        format(Files.createDirectory(made), node, cluster, directory);
        writeToDisk(made);
        try (Stream<Path> files = Files.list(made)) {
            for (Path file : files.filter(each -> !each.endsWith(PROPERTIES)).toList()) move(file, directory);
        }
        move(made.resolve(PROPERTIES), directory);
        Files.delete(made);
    }

    private static void move(Path file, Path directory) throws IOException {
        Path moved = directory.resolve(file.getFileName());
        Utils.delete(moved.toFile());
        Files.move(file, moved);
        Utils.flushDir(directory);
    }

    private static void format(Path made, int node, String cluster, Path directory) throws IOException {
        try {
            new Formatter()
                    .setNodeId(node)
                    .setClusterId(cluster)
                    .setControllerListenerName(BrokerProperties.CONTROLLER_LISTENER)
                    .addDirectory(made.toString())
                    .setMetadataLogDirectory(made.toString())
                    .setPrintStream(new PrintStream(
                            OutputStream.nullOutputStream(), false, java.nio.charset.StandardCharsets.UTF_8))
                    .run();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("formatting of " + directory + " failed", e);
        }
    }

    /** Writes what is there to the disk: a broker that was killed may have relied on it, and so will this one. */
    void writeToDisk() {
        try {
            writeToDisk(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("what is in %s could not be written to the disk".formatted(directory), e);
        }
    }

    /** Writes the names of what the broker has made while it started, and its own, to the disk. */
    void writeNamesToDisk() {
        try {
            Utils.flushDir(directory);
            Path above = directory.toAbsolutePath().getParent();
            for (int i = 0; i < MADE_ABOVE && above != null && Files.isReadable(above); i++) {
                Utils.flushDir(above);
                above = above.getParent();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the names in %s could not be written to the disk".formatted(directory), e);
        }
    }

    private static void writeToDisk(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.toList()) {
                if (Files.isDirectory(each)) Utils.flushDir(each);
                else writeFileToDisk(each);
            }
        }
    }

    private static void writeFileToDisk(Path file) throws IOException {
        writeFileToDisk(file, channel -> channel.force(true));
    }

    /**
     * Writes a file to the disk. A failure may be one of the former process that no call has reported yet: then the memory of the
     * operating system has what the disk has not, and takes it for written.
     */
    static void writeFileToDisk(Path file, Sync sync) throws IOException {
        // Kafka's snapshots can only be read.
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            sync.force(channel);
        } catch (IOException e) {
            LOG.warn("{} was not written to the disk completely ({}). It is written again.", file, e.getMessage());
            writeAgain(file, sync);
        }
    }

    private static void writeAgain(Path file, Sync sync) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.allocate(COPIED_AT_ONCE);
            for (long at = 0; channel.read(bytes, at) > 0; bytes.clear()) {
                bytes.flip();
                while (bytes.hasRemaining()) at += channel.write(bytes, at);
            }
            sync.force(channel);
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
