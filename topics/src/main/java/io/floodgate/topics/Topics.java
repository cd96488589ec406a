package io.floodgate.topics;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Every topic there is, with its configuration. In a cluster, a {@link Namespace} may come before the names. */
public final class Topics {
    /** Commands for queues and every other entity; {@code LogAppendTime}. Key: queue name or {@code <kind>:<key>}. */
    public static final String COMMANDS = "ojs.commands";
    /** Replies; each requester reads one partition. Key: requester. */
    public static final String REPLIES = "ojs.replies";
    /** OJS event envelopes, exactly once. Key: queue name, or the name of another subject. */
    public static final String EVENTS = "ojs.events";
    /** The latest counts and state of each queue. Key: queue name. */
    public static final String QUEUE_STATUS = "ojs.queue-status";

    private static final String OF_A_QUEUE = "ojs.queue.";

    /** Records up to this size are carried: a batch of 10,000 jobs is one record. */
    public static final int MAX_RECORD_BYTES = 32 * 1024 * 1024;

    /** More than any client has a use for. In memory, a header takes fifty times the two bytes that it may have in a record. */
    public static final int MAX_RECORD_HEADERS = 1_000;

    /**
     * Most bytes of a batch in a queue's topic: a consumer unpacks a batch with all headers before it can be looked at.
     */
    private static final int MAX_INGRESS_BATCH_BYTES = 4 * 1024 * 1024;

    /** Name of the setting for how Kafka keeps the batches of clients. */
    public static final String COMPRESSION = "compression.type";

    private static final long HOUR_MS = 3_600_000L;
    private static final long MIB = 1024L * 1024L;

    private Topics() {}

    public record Spec(String name, int partitions, Map<String, String> config) {
        /** The same, for a cluster that has the batches of clients otherwise, see {@code LocalLogs}. */
        public Spec compressed(String type) {
            if (!config.containsKey(COMPRESSION)) return this;
            Map<String, String> changed = new TreeMap<>(config);
            changed.put(COMPRESSION, type);
            return new Spec(name, partitions, changed);
        }

        /** Returns what must hold of a topic that is there already; the rest is its owner's choice. */
        public Map<String, String> required() {
            Map<String, String> required = new TreeMap<>(config);
            required.keySet().removeIf(key -> key.startsWith("segment.") || key.startsWith("min."));
            if (!name.equals(COMMANDS)) required.keySet().removeIf(key -> key.startsWith("retention."));
            return required;
        }
    }

    public static List<Spec> all(int partitions) {
        return List.of(
                new Spec(COMMANDS, partitions, logConfig()),
                new Spec(REPLIES, Math.min(partitions, 8), deleted(10 * 60_000L, 256 * MIB, 64 * MIB)),
                new Spec(EVENTS, partitions, deleted(3 * 24 * HOUR_MS, 4096 * MIB, 128 * MIB)),
                new Spec(QUEUE_STATUS, partitions, compacted()));
    }

    /** The topic of a queue's own. */
    public static String ingress(String queue) {
        return OF_A_QUEUE + queue;
    }

    /** Returns the topic of a queue. Its records are deleted once they have come into the queue. */
    public static Spec ingressSpec(String queue, int partitions) {
        Map<String, String> config = logConfig();
        config.put("max.message.bytes", Integer.toString(MAX_INGRESS_BATCH_BYTES));
        return new Spec(ingress(queue), partitions, config);
    }

    /**
     * Returns the configuration of commands. Nothing is deleted by time or size, since it might not be processed yet:
     * processors delete what they have executed.
     */
    private static Map<String, String> logConfig() {
        Map<String, String> config = deleted(-1, -1, 64 * MIB);
        config.put("message.timestamp.type", "LogAppendTime");
        config.put(COMPRESSION, "uncompressed");
        return config;
    }

    private static Map<String, String> deleted(long retentionMs, long retentionBytes, long segmentBytes) {
        Map<String, String> config = new TreeMap<>();
        config.put("cleanup.policy", "delete");
        config.put("retention.ms", Long.toString(retentionMs));
        config.put("retention.bytes", Long.toString(retentionBytes));
        config.put("segment.bytes", Long.toString(segmentBytes));
        config.put("max.message.bytes", Integer.toString(MAX_RECORD_BYTES));
        return config;
    }

    private static Map<String, String> compacted() {
        Map<String, String> config = new TreeMap<>();
        config.put("cleanup.policy", "compact");
        config.put("segment.bytes", Long.toString(16 * MIB));
        config.put("min.cleanable.dirty.ratio", "0.3");
        return config;
    }
}
