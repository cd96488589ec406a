package io.floodgate.standalone.broker;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server;
import kafka.server.SharedServer;
import kafka.server.StandardFaultHandlerFactory;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.ServerSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the session that a killed broker left behind.
 *
 * <p>The controller refuses a broker for as long as a former life of it may still be alive: for a whole session. A
 * session as short as a restart should be would also end whenever a busy machine stalls, and then every partition is
 * without a leader for a moment. So sessions are long, and after a kill the controller is run alone first, with a short
 * one: here we know that nobody else can be alive, because the directory is locked.
 */
final class FormerLife {
    private static final Logger LOG = LoggerFactory.getLogger(FormerLife.class);
    private static final int SHORT_SESSION_MS = 50;
    private static final int PATIENCE_SECONDS = 10;

    private FormerLife() {}

    /** Whether the broker of this directory was stopped without being asked. */
    static boolean wasKilled(Path directory) {
        return Files.exists(directory.resolve("__cluster_metadata-0"))
                && Files.notExists(directory.resolve(".kafka_cleanshutdown"));
    }

    static void end(BrokerConfig broker, Endpoints endpoints) {
        var config = new KafkaConfig(BrokerProperties.controllerAlone(broker, endpoints, SHORT_SESSION_MS), false);
        var stored = KafkaRaftServer.initializeLogDirs(config, LOG, "");
        var shared = new SharedServer(
                config,
                stored._1(),
                Time.SYSTEM,
                Server.initializeMetrics(
                        config, Time.SYSTEM, stored._1().clusterId().orElseThrow()),
                CompletableFuture.completedFuture(
                        QuorumConfig.parseVoterConnections(config.quorumConfig().voters())),
                QuorumConfig.parseBootstrapServers(config.quorumConfig().bootstrapServers()),
                new StandardFaultHandlerFactory(),
                ServerSocketFactory.INSTANCE);
        var controller = new ControllerServer(shared, KafkaRaftServer.configSchema(), stored._2());
        controller.startup();
        try {
            var end = new SessionEnd();
            shared.loader().installPublishers(List.of(end)).join();
            end.await();
        } finally {
            controller.shutdown();
            controller.awaitShutdown();
        }
    }

    /** Watches the metadata until the broker counts as gone. */
    private static final class SessionEnd implements MetadataPublisher {
        private final CompletableFuture<Void> reached = new CompletableFuture<>();

        @Override
        public String name() {
            return "session end";
        }

        @Override
        public void onMetadataUpdate(MetadataDelta delta, MetadataImage image, LoaderManifest manifest) {
            var broker = image.cluster().broker(BrokerProperties.NODE_ID);
            if (broker == null || broker.fenced()) {
                reached.complete(null);
            }
        }

        void await() {
            try {
                reached.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                // The broker will wait instead.
                LOG.warn("The session of the killed broker has not ended; the new one waits for it.", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
