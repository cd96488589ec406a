package io.floodgate.standalone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
final class EmbeddedBrokerTest {
    @TempDir
    Path data;

    @Test
    void serves_what_was_written() throws Exception {
        try (var broker = EmbeddedBroker.start(BrokerConfig.in(data));
                var client = new BrokerClient(broker.bootstrap())) {
            client.createTopic("jobs");
            client.write("jobs", "a", "b");

            assertThat(client.read("jobs")).containsExactly("a", "b");
        }
    }

    @Test
    void keeps_its_data_over_a_restart() throws Exception {
        try (var broker = EmbeddedBroker.start(BrokerConfig.in(data));
                var client = new BrokerClient(broker.bootstrap())) {
            client.createTopic("jobs");
            client.write("jobs", "before");
        }

        try (var broker = EmbeddedBroker.start(BrokerConfig.in(data));
                var client = new BrokerClient(broker.bootstrap())) {
            client.write("jobs", "after");

            assertThat(client.read("jobs")).containsExactly("before", "after");
        }
    }

    @Test
    void keeps_its_data_over_a_kill() throws Exception {
        try (var process = BrokerProcess.start(data);
                var client = new BrokerClient(process.bootstrap())) {
            client.createTopic("jobs");
            client.write("jobs", "before");
            process.kill();
        }

        try (var broker = EmbeddedBroker.start(BrokerConfig.in(data));
                var client = new BrokerClient(broker.bootstrap())) {
            assertThat(client.read("jobs")).containsExactly("before");
        }
    }

    @Test
    void speaks_the_transaction_protocol_that_survives_lost_clients() throws Exception {
        try (var broker = EmbeddedBroker.start(BrokerConfig.in(data));
                var client = new BrokerClient(broker.bootstrap())) {
            assertThat(client.featureLevel("transaction.version")).isGreaterThanOrEqualTo((short) 2);
        }
    }

    @Test
    void makes_no_topic_that_no_client_asked_for() throws Exception {
        try (var broker = EmbeddedBroker.start(BrokerConfig.in(data));
                var client = new BrokerClient(broker.bootstrap())) {
            client.createTopic("jobs");
            client.write("jobs", "a");

            assertThat(client.topics()).isEqualTo(List.of("jobs"));
        }
    }

    @Test
    void a_second_broker_on_the_same_data_is_rejected() {
        try (var broker = EmbeddedBroker.start(BrokerConfig.in(data))) {
            assertThat(broker.bootstrap()).startsWith("127.0.0.1:");
            assertThatThrownBy(() -> EmbeddedBroker.start(BrokerConfig.in(data)))
                    .hasMessageContaining("another broker is running on it");
        }
    }
}
