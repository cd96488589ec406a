package io.floodgate.standalone.broker;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The Kafka properties of the embedded broker, each group with its reason. */
final class BrokerProperties {
    static final int NODE_ID = 1;
    static final String CONTROLLER_LISTENER = "CONTROLLER";

    private static final int LARGEST_RECORD = 32 * 1024 * 1024;

    private BrokerProperties() {}

    static Map<String, String> of(BrokerConfig config, Endpoints endpoints) {
        var kafka = new LinkedHashMap<String, Object>();
        identity(kafka, config, endpoints);
        limits(kafka);
        durability(kafka);
        clients(kafka);
        small(kafka);
        var all = new LinkedHashMap<String, String>();
        kafka.forEach((key, value) -> all.put(key, value.toString()));
        all.putAll(config.kafka());
        return all;
    }

    private static String controllerListener(Endpoints endpoints) {
        return "%s://%s:%d".formatted(CONTROLLER_LISTENER, Endpoints.LOOPBACK, endpoints.controllerPort());
    }

    private static void identity(Map<String, Object> kafka, BrokerConfig config, Endpoints at) {
        var bind = config.advertisedHost().isPresent() ? "0.0.0.0" : Endpoints.LOOPBACK;
        kafka.put("process.roles", "broker,controller");
        kafka.put("node.id", NODE_ID);
        kafka.put("controller.quorum.voters", "%d@%s:%d".formatted(NODE_ID, Endpoints.LOOPBACK, at.controllerPort()));
        kafka.put("controller.listener.names", CONTROLLER_LISTENER);
        kafka.put("listeners", "PLAINTEXT://%s:%d,%s".formatted(bind, at.clientPort(), controllerListener(at)));
        kafka.put("advertised.listeners", "PLAINTEXT://" + at.bootstrap());
        kafka.put("log.dir", config.data().toString());
    }

    /** A batch of jobs is one record, and a topic's own limit may not exceed the broker's. */
    private static void limits(Map<String, Object> kafka) {
        kafka.put("message.max.bytes", LARGEST_RECORD);
        kafka.put("replica.fetch.max.bytes", LARGEST_RECORD);
        kafka.put("replica.fetch.response.max.bytes", LARGEST_RECORD);
    }

    private static void durability(Map<String, Object> kafka) {
        kafka.put("default.replication.factor", 1);
        kafka.put("min.insync.replicas", 1);
        kafka.put("offsets.topic.replication.factor", 1);
        kafka.put("transaction.state.log.replication.factor", 1);
        kafka.put("transaction.state.log.min.isr", 1);
        kafka.put("share.coordinator.state.topic.replication.factor", 1);
        kafka.put("share.coordinator.state.topic.min.isr", 1);
        kafka.put("auto.create.topics.enable", false);
        // A group that was away for longer than this is forgotten, and with it its offsets. An installation that starts
        // after a long holiday must go on where it was.
        kafka.put("offsets.retention.minutes", Integer.MAX_VALUE);
        // After a crash, the last segment of every log is read from its beginning: smaller segments, quicker return.
        kafka.put("log.segment.bytes", 64 * 1024 * 1024);
        kafka.put(
                "log.index.size.max.bytes",
                1024 * 1024); // mapped whole, one for each segment: five times what 64 MiB need
        kafka.put("num.recovery.threads.per.data.dir", 2);
        // An idle broker would append a no-op to its metadata log twice a second, for ever.
        kafka.put("metadata.max.idle.interval.ms", 0);
    }

    private static void clients(Map<String, Object> kafka) {
        // One node is all there is: no other will join in the next seconds.
        kafka.put("group.initial.rebalance.delay.ms", 0);
        kafka.put("group.streams.initial.rebalance.delay.ms", 0);
        // A killed member is noticed after the session time-out that it asked for.
        kafka.put("group.min.session.timeout.ms", 500);
        kafka.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", 1_000);
        // No consumer reads past an open transaction: no client may leave one open for longer than a producer's
        // default.
        kafka.put("transaction.max.timeout.ms", 60_000);
        // The broker's own session: see FormerLife.
        kafka.put("broker.session.timeout.ms", 9_000);
        kafka.put("broker.heartbeat.interval.ms", 2_000);
    }

    /** Threads, topics and buffers are cut to one machine. */
    private static void small(Map<String, Object> kafka) {
        // Threads that take turns on a core only wake each other: fewer of them get more done.
        int cores = Runtime.getRuntime().availableProcessors();
        kafka.put("num.network.threads", Math.clamp(cores / 2, 1, 3));
        kafka.put("num.io.threads", Math.clamp(cores, 2, 8));
        kafka.put("background.threads", 2);
        kafka.put("group.coordinator.threads", 1);
        kafka.put("group.coordinator.background.threads", 1);
        kafka.put("share.coordinator.threads", 1);
        kafka.put("num.replica.alter.log.dirs.threads", 1);
        kafka.put("log.cleaner.threads", 1);
        kafka.put("log.cleaner.dedupe.buffer.size", 32 * 1024 * 1024);
        kafka.put("num.partitions", 1);
        kafka.put("offsets.topic.num.partitions", 4);
        kafka.put("transaction.state.log.num.partitions", 4);
        kafka.put("share.coordinator.state.topic.num.partitions", 1);
        kafka.put("log.cleaner.backoff.ms", TimeUnit.SECONDS.toMillis(15));
    }
}
