package io.floodgate.standalone.broker;

import io.floodgate.standalone.broker.disk.GroupSync;
import io.floodgate.standalone.broker.disk.SyncedBroker;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.ReplicaManager;
import kafka.server.Server$;
import kafka.server.SharedServer;
import kafka.server.StandardFaultHandlerFactory;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.ServerSocketFactory;
import org.slf4j.LoggerFactory;

/** A broker and its controller, as {@link KafkaRaftServer} makes them; that one keeps to itself what we have to reach. */
final class Node {
    private final SyncedBroker broker;
    private final ControllerServer controller;

    Node(KafkaConfig config) {
        var directories = KafkaRaftServer.initializeLogDirs(
                config, LoggerFactory.getLogger(KafkaRaftServer.class), "[floodgate] ");
        var quorum = config.quorumConfig();
        var shared = new SharedServer(
                config,
                directories._1,
                Time.SYSTEM,
                Server$.MODULE$.initializeMetrics(
                        config, Time.SYSTEM, directories._1.clusterId().orElseThrow()),
                CompletableFuture.completedFuture(QuorumConfig.parseVoterConnections(quorum.voters())),
                QuorumConfig.parseBootstrapServers(quorum.bootstrapServers()),
                new StandardFaultHandlerFactory(),
                ServerSocketFactory.INSTANCE);
        broker = new SyncedBroker(shared);
        controller = new ControllerServer(shared, KafkaRaftServer.configSchema(), directories._2);
    }

    void start() {
        controller.startup(); // which knows where brokers find it
        broker.startup();
    }

    /** Returns the partitions that the broker leads and follows. */
    ReplicaManager replicas() {
        return Objects.requireNonNull(broker.replicaManager());
    }

    GroupSync sync() {
        return broker.sync();
    }

    void stop() {
        broker.shutdown(); // while there is still a controller to tell
        controller.shutdown();
        broker.awaitShutdown();
        controller.awaitShutdown();
    }
}
