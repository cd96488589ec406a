package io.floodgate.processor.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.ProcessorConfig;
import io.floodgate.processor.ProcessorConfig.Logs;
import io.floodgate.topics.Namespace;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.LocalPartitions;
import io.floodgate.topics.client.Replication;
import io.floodgate.topics.client.Shortcuts;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

/** What Kafka Streams makes of what operators set. */
final class StreamsSettingsTest {
    private static StreamsConfig streams(Map<String, String> kafka, String namespace, int replication) {
        return streams(kafka, namespace, replication, LocalPartitions.NONE);
    }

    private static StreamsConfig streams(
            Map<String, String> kafka, String namespace, int replication, LocalPartitions local) {
        Map<String, Object> clients = new HashMap<>(kafka);
        clients.put("bootstrap.servers", "localhost:9092");
        Cluster cluster = new Cluster(clients, new Namespace(namespace), "processor", "p1");
        ProcessorConfig config = new ProcessorConfig(
                cluster,
                Path.of("unused"),
                1,
                1,
                new Replication((short) replication),
                ProcessorConfig.QUICK_COMMITS,
                Logs.DEFAULT,
                Shortcuts.to(local));
        return new StreamsConfig(PartitionStreams.streamsConfig(config, cluster, "node-1"));
    }

    @Test
    void standbys_are_placed_in_other_zones_and_the_nearest_replica_is_read() {
        StreamsConfig streams = streams(
                Map.of("client.rack", "a", "client.tag.zone", "a", "rack.aware.assignment.tags", "zone"), "", 3);

        assertThat(streams.getClientTags()).isEqualTo(Map.of("zone", "a"));
        assertThat(streams.getList(StreamsConfig.RACK_AWARE_ASSIGNMENT_TAGS_CONFIG))
                .isEqualTo(List.of("zone"));
        assertThat(streams.getMainConsumerConfigs("g", "c", 1)).containsEntry("client.rack", "a");
        assertThat(streams.getRestoreConsumerConfigs("c")).containsEntry("client.rack", "a");
    }

    @Test
    void changelogs_are_made_so_that_one_broker_may_fail() {
        assertThat(streams(Map.of(), "", 3).originalsWithPrefix(StreamsConfig.TOPIC_PREFIX))
                .containsEntry("min.insync.replicas", "2");
        assertThat(streams(Map.of(), "", 1).originalsWithPrefix(StreamsConfig.TOPIC_PREFIX))
                .containsEntry("min.insync.replicas", "1");
    }

    @Test
    void a_namespace_is_in_every_name() {
        StreamsConfig streams = streams(Map.of(), "staging", 3);

        assertThat(streams.getString(StreamsConfig.APPLICATION_ID_CONFIG)).isEqualTo("staging.floodgate");
        assertThat(streams.getString(StreamsConfig.CLIENT_ID_CONFIG)).isEqualTo("staging.floodgate-processor-p1");
    }

    @Test
    void a_processor_beside_its_broker_is_alone_and_sends_few_heartbeats() {
        LocalPartitions local = (record, done) -> false;

        assertThat(streams(Map.of(), "", 3).getMainConsumerConfigs("g", "c", 1))
                .containsEntry("heartbeat.interval.ms", 200);
        assertThat(streams(Map.of(), "", 1, local).getMainConsumerConfigs("g", "c", 1))
                .containsEntry("heartbeat.interval.ms", 2_000);
    }

    @Test
    void what_a_transaction_writes_waits_for_its_commit() {
        assertThat(streams(Map.of(), "", 3).getProducerConfigs("c"))
                .containsEntry("linger.ms", 2 * (int) ProcessorConfig.QUICK_COMMITS.toMillis());
    }
}
