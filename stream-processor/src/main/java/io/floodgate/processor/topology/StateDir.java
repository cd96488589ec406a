package io.floodgate.processor.topology;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this instance keeps on disk: its stores and the cluster they belong to, its name in the group, and whether it last
 * stopped in good order.
 *
 * <p>Under exactly-once, Kafka Streams throws stores away that were not closed, and reads them back from their changelogs;
 * but it first opens all of them, twice, to find out. A mark tells at once, and saves a restart seconds.
 */
final class StateDir {
    private static final Logger LOG = LoggerFactory.getLogger(StateDir.class);
    private static final Pattern TASK = Pattern.compile("\\d+_\\d+");

    private final Path root;
    private final String application;

    StateDir(Path root, String application) {
        this.root = root;
        this.application = application;
        try {
            Files.createDirectories(root);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep state in " + root, e);
        }
    }

    /** The name under which this instance is a member of the group: a restart takes its old place. */
    String nodeId() {
        Path file = root.resolve("node-id");
        try {
            if (Files.exists(file)) return Files.readString(file).strip();
            String id = "node-" + UUID.randomUUID();
            Files.writeString(file, id);
            return id;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep this node's identity in " + file, e);
        }
    }

    /** To be called before the stores are opened: drops what an unclean stop left behind, and what is another cluster's. */
    void begin(String clusterId) {
        try {
            if (!Files.deleteIfExists(cleanMark())) deleteStores();
            claimFor(clusterId);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot prepare the stores in " + root, e);
        }
    }

    /** Stores follow the changelogs of one cluster; taken for another's, they would be believed. */
    private void claimFor(String clusterId) throws IOException {
        Path file = root.resolve("cluster-id");
        boolean claimed = Files.exists(file);
        String owner = claimed ? Files.readString(file).strip() : "";
        if (owner.equals(clusterId)) return;
        if (claimed) {
            deleteStores();
            LOG.warn(
                    "Deleted the stores in {}: they belonged to Kafka cluster {}, and this is cluster {}. They are restored from its changelogs.",
                    root,
                    owner,
                    clusterId);
        }
        Files.writeString(file, clusterId);
    }

    /** To be called once the stores are closed. */
    void end() {
        try {
            Files.writeString(cleanMark(), "The stores were closed. Removed at the next start.\n");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot mark the stores in " + root + " as closed", e);
        }
    }

    private Path cleanMark() {
        return root.resolve("closed");
    }

    private void deleteStores() throws IOException {
        Path stores = root.resolve(application);
        if (!Files.isDirectory(stores)) return;
        List<Path> tasks;
        try (Stream<Path> entries = Files.list(stores)) {
            tasks = entries.filter(p -> TASK.matcher(p.getFileName().toString()).matches())
                    .toList();
        }
        for (Path task : tasks) deleteTree(task);
    }

    private static void deleteTree(Path tree) throws IOException {
        List<Path> all;
        try (Stream<Path> found = Files.walk(tree)) {
            all = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) Files.delete(path);
    }
}
