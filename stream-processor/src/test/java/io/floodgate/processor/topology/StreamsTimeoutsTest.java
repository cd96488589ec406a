package io.floodgate.processor.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.ProcessorConfig;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.Replication;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

final class StreamsTimeoutsTest {
    private final Cluster cluster = Cluster.at(Map.of("bootstrap.servers", "localhost:9092"));
    private final StreamsConfig config = new StreamsConfig(PartitionStreams.streamsConfig(
            new ProcessorConfig(
                    cluster, Path.of("unused"), 1, 1, new Replication((short) 3), ProcessorConfig.Logs.DEFAULT),
            cluster,
            "node-1"));

    @Test
    void no_client_of_kafka_streams_waits_for_half_a_minute_for_a_broker_that_hangs() {
        for (Map<String, Object> client : clients())
            assertThat(client)
                    .containsEntry("request.timeout.ms", 2_000)
                    .containsEntry("socket.connection.setup.timeout.ms", 1_000);
        assertThat(config.getMainConsumerConfigs("floodgate", "client", 1))
                .containsEntry("default.api.timeout.ms", 10_000)
                .containsEntry("heartbeat.interval.ms", 200)
                .containsEntry("session.timeout.ms", 6_000);
        assertThat(config.getAdminConfigs("client")).containsEntry("default.api.timeout.ms", 10_000);
    }

    private Iterable<Map<String, Object>> clients() {
        return List.of(
                config.getMainConsumerConfigs("floodgate", "client", 1),
                config.getRestoreConsumerConfigs("client"),
                config.getProducerConfigs("client"),
                config.getAdminConfigs("client"));
    }

    @Test
    void a_transaction_is_not_lost_before_the_cluster_has_given_up_a_broker_that_hangs() {
        assertThat(config.getProducerConfigs("client"))
                .containsEntry("transaction.timeout.ms", 18_000)
                .containsEntry("max.block.ms", 18_000);
    }

    @Test
    void one_that_comes_back_is_looked_after_within_a_minute() {
        assertThat(config.getLong(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG))
                .isEqualTo(60_000);
    }
}
