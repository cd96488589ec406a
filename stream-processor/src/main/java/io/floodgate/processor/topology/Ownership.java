package io.floodgate.processor.topology;

import io.floodgate.topics.Namespace;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Topics;
import io.floodgate.topics.client.AdminAnswers;
import io.floodgate.topics.client.ClusterAdmin;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.LagInfo;
import org.apache.kafka.streams.TaskMetadata;
import org.apache.kafka.streams.ThreadMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of this processor: which it owns, which it keeps warm, how far these are behind, and how long commits
 * take.
 */
final class Ownership {
    static final Duration PERIOD = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String THREADS = "stream-thread-metrics";

    private final KafkaStreams streams;
    private final ClusterAdmin admin;
    private final Presence presence;
    private final Namespace namespace;
    private final Meters meters;
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile long standbyLag;

    Ownership(KafkaStreams streams, ClusterAdmin admin, Presence presence, Namespace namespace, Meters meters) {
        this.streams = streams;
        this.admin = admin;
        this.presence = presence;
        this.namespace = namespace;
        this.meters = meters;
        meters.gauge(Meter.PARTITIONS, () -> owned().size());
        meters.gauge(Meter.STANDBYS, () -> standbys().size());
        meters.gauge(Meter.STANDBY_LAG, () -> standbyLag);
        meters.gauge(Meter.BROKERS_OUT_OF_REACH, () -> admin.brokersOutOfReach().size());
        meters.gauge(Meter.COMMIT_SECONDS_MAX, () -> longest("commit-latency-max") / 1e3);
    }

    /** Asks the cluster; to be called from time to time, on a thread that holds up nothing else. */
    void look() {
        if (!looking.compareAndSet(false, true)) return;
        Thread.startVirtualThread(() -> {
            try {
                lookAtStandbys();
                lookAtLogs();
            } catch (KafkaException | IllegalStateException e) {
                LOG.debug("How far what is behind is not known.", e);
            } finally {
                looking.set(false);
            }
        });
    }

    private void lookAtStandbys() {
        if (standbys().isEmpty()) {
            standbyLag = 0;
            return;
        }
        standbyLag = streams.allLocalStorePartitionLags().values().stream()
                .flatMap(partitions -> partitions.values().stream())
                .mapToLong(LagInfo::offsetLag)
                .sum();
    }

    private void lookAtLogs() {
        Set<Integer> owned = owned();
        if (owned.isEmpty()) return;
        Map<TopicPartition, OffsetSpec> ends = owned.stream()
                .collect(Collectors.toMap(
                        partition -> new TopicPartition(namespace.of(Topics.COMMANDS), partition),
                        partition -> OffsetSpec.latest()));
        AdminAnswers.await(admin.listOffsets(ends).all(), PATIENCE)
                .forEach((partition, end) -> meters.behind(new PartitionId(partition.partition()), end.offset()));
    }

    private Set<Integer> owned() {
        return partitions(ThreadMetadata::activeTasks);
    }

    private Set<Integer> standbys() {
        return partitions(ThreadMetadata::standbyTasks);
    }

    private Set<Integer> partitions(Function<ThreadMetadata, Set<TaskMetadata>> of) {
        State state = streams.state();
        // Otherwise it does not say.
        if (!state.isRunningOrRebalancing()) return Set.of();
        return streams.metadataForLocalThreads().stream()
                .flatMap(thread -> of.apply(thread).stream())
                .map(task -> task.taskId().partition())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private double longest(String metric) {
        return streams.metrics().values().stream()
                .filter(value -> value.metricName().name().equals(metric)
                        && value.metricName().group().equals(THREADS))
                .map(value -> value.metricValue())
                .filter(value -> value instanceof Double number && !number.isNaN())
                .mapToDouble(value -> (Double) value)
                .max()
                .orElse(0);
    }

    /** Returns the state for operators. */
    String json() {
        JsonOut out = new JsonOut().beginObject();
        boolean absent = presence.isAbsent();
        out.field("ready", streams.state() == State.RUNNING && !absent);
        out.field("state", absent ? "absent" : streams.state().name().toLowerCase(Locale.ROOT));
        out.name("partitions").beginArray();
        owned().forEach(partition -> out.value((long) partition));
        out.endArray().name("standbys").beginArray();
        standbys().forEach(partition -> out.value((long) partition));
        out.endArray();
        out.field("standby_lag", standbyLag).field("rebalances", meters.counted(Meter.REBALANCES));
        out.name("brokers_out_of_reach").beginArray();
        admin.brokersOutOfReach().forEach(out::value);
        return out.endArray().endObject().toString();
    }
}
