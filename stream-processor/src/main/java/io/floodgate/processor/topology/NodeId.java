package io.floodgate.processor.topology;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** The name under which this instance is a member of the group, kept with its state: a restart takes its old place. */
final class NodeId {
    private NodeId() {}

    static String in(Path stateDir) {
        Path file = stateDir.resolve("node-id");
        try {
            Files.createDirectories(stateDir);
            if (Files.exists(file)) return Files.readString(file).strip();
            String id = "node-" + UUID.randomUUID();
            Files.writeString(file, id);
            return id;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep this node's identity in " + file, e);
        }
    }
}
