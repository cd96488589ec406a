package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.standalone.broker.BrokerConfig;
import io.floodgate.standalone.broker.EmbeddedBroker;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.Provisioner;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that restarts while a role starts. */
@Tag("server")
final class AbsentBrokerTest {
    @TempDir
    Path data;

    @Test
    void a_start_waits_longer_for_each_answer_than_clients_do_otherwise() throws Exception {
        int port = Ports.free();
        Cluster cluster = Cluster.at(Map.of("bootstrap.servers", "127.0.0.1:" + port, "request.timeout.ms", "100"));
        try (Provisioner provisioner = new Provisioner(cluster);
                Admin other = Admin.create(cluster.kafka())) {
            var id = CompletableFuture.supplyAsync(provisioner::clusterId);
            assertThatThrownBy(() -> other.describeCluster().clusterId().get())
                    .hasCauseInstanceOf(TimeoutException.class);

            // when
            var config = new BrokerConfig(data, port, Optional.empty(), Map.of());
            try (var broker = EmbeddedBroker.start(config)) {
                // then
                assertThat(id.get()).isEqualTo(provisioner.clusterId());
                assertThat(broker.bootstrap()).endsWith(":" + port);
            }
        }
    }
}
