package io.floodgate.processor.topology;

import io.floodgate.processor.topology.disk.Database;
import io.floodgate.topics.OwnDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of this instance on disk: its stores and the cluster they belong to, and its name in the group. The
 * directory belongs to one process at a time, and nothing in it is touched before that is certain.
 */
final class StateDir implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StateDir.class);

    private final Path root;
    private final String application;
    private final FileChannel lock;

    /** Throws an {@link IllegalStateException} when another process is using the directory. */
    StateDir(Path root, String application) {
        this.root = root;
        this.application = application;
        try {
            OwnDirectory.create(root);
            lock = lock(root);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep state in " + root, e);
        }
    }

    private static FileChannel lock(Path root) throws IOException {
        FileChannel channel =
                FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (tryLock(channel) != null) return channel;
        channel.close();
        throw new IllegalStateException(
                "Another process is using the data in %s. Stop it first, or give this one a directory of its own (--data)."
                        .formatted(root));
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException byThisProcess) {
            return null;
        }
    }

    /** Returns the name under which this instance is a member of the group: a restart takes its old assignment. */
    String nodeId() {
        Path file = root.resolve("node-id");
        try {
            if (Files.exists(file)) {
                String known = Files.readString(file).strip();
                if (!known.isEmpty()) return known;
            }
            String id = "node-" + UUID.randomUUID();
            Files.writeString(file, id);
            return id;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep this node's identity in " + file, e);
        }
    }

    /**
     * Returns the directory of the database of all stores. Files of another cluster, or of the first version, are
     * deleted.
     */
    Path stores(String clusterId) {
        try {
            claimFor(clusterId);
            deleteStoresOfTheFirstVersion();
            return database();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot prepare the stores in " + root, e);
        }
    }

    private Path database() {
        return root.resolve("stores");
    }

    /** Stores follow the changelogs of one cluster; taken for another's, they would be believed. */
    private void claimFor(String clusterId) throws IOException {
        Path file = root.resolve("cluster-id");
        boolean claimed = Files.exists(file);
        String owner = claimed ? Files.readString(file).strip() : "";
        if (owner.equals(clusterId)) return;
        if (claimed) {
            Database.deleteTree(database());
            LOG.warn(
                    "Deleted the stores in {}: they belonged to Kafka cluster {}, and this is cluster {}. They are restored from its changelogs.",
                    root,
                    owner,
                    clusterId);
        }
        Files.writeString(file, clusterId);
    }

    /** It kept a database for each store of each partition, among the files of Kafka Streams. */
    private void deleteStoresOfTheFirstVersion() throws IOException {
        Files.deleteIfExists(root.resolve("closed"));
        Path tasks = root.resolve(application);
        if (!Files.isDirectory(tasks)) return;
        List<Path> old;
        try (Stream<Path> entries = Files.list(tasks)) {
            old = entries.map(task -> task.resolve("rocksdb"))
                    .filter(Files::isDirectory)
                    .toList();
        }
        for (Path stores : old) Database.deleteTree(stores);
    }

    /** Lets go of the directory. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn("The lock on {} could not be released: {}", root, e.toString());
        }
    }
}
