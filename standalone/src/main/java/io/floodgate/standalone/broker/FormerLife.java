package io.floodgate.standalone.broker;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the session that a killed broker left behind.
 *
 * <p>The controller rejects a broker for as long as a former life of it may still be alive: for a whole session. A
 * session as short as a restart should be would also end whenever a busy machine stalls, and then every partition is
 * without a leader for a moment. So sessions are long. After a kill, this class appends to the metadata log that the
 * broker is fenced, as the controller would, before the controller reads it: no former life can be alive, because the
 * directory is locked.
 */
final class FormerLife {
    private static final Logger LOG = LoggerFactory.getLogger(FormerLife.class);

    private FormerLife() {}

    /** Returns whether this directory had a broker that was stopped without being asked. */
    static boolean wasKilled(Path directory) {
        return Files.exists(metadataIn(directory).resolve("quorum-state"))
                && Files.notExists(directory.resolve(".kafka_cleanshutdown"));
    }

    /** Ends the session of the broker's former life. Does nothing if the last record about the broker fences it. */
    static void end(Path directory) {
        try {
            var metadata = MetadataLog.read(metadataIn(directory));
            var registration = metadata.registration();
            if (registration.isPresent() && !registration.get().fenced())
                append(metadata, registration.get().epoch());
        } catch (IOException | RuntimeException unreadable) {
            LOG.warn("The session of the killed broker could not be ended; the new one waits for it.", unreadable);
        }
    }

    private static void append(MetadataLog metadata, long brokerEpoch) throws IOException {
        try (var log = FileChannel.open(metadata.segment(), StandardOpenOption.WRITE)) {
            // As the start after a kill does: what comes behind the last whole batch was never acknowledged.
            log.truncate(metadata.validBytes());
            log.position(metadata.validBytes());
            var batch = metadata.fence(brokerEpoch);
            while (batch.hasRemaining()) log.write(batch);
            log.force(true);
        }
    }

    private static Path metadataIn(Path directory) {
        return directory.resolve("__cluster_metadata-0");
    }
}
