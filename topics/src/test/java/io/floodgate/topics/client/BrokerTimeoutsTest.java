package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

final class BrokerTimeoutsTest {
    /** Of Kafka, {@code broker.session.timeout.ms}: how long a broker that hangs keeps what it leads. */
    private static final int BROKER_SESSION_MS = 9_000;

    @Test
    void a_transaction_outlasts_a_broker_that_hangs_and_the_requests_behind_it() {
        BrokerTimeouts timeouts = BrokerTimeouts.of(Map.of());

        assertThat(timeouts.transactionMs()).isGreaterThanOrEqualTo(BROKER_SESSION_MS + 3 * timeouts.requestMs());
    }

    @Test
    void all_follow_from_the_time_out_of_a_request() {
        Map<String, Object> kafka = Map.of("request.timeout.ms", "4000");

        assertThat(BrokerTimeouts.in(kafka))
                .containsEntry("request.timeout.ms", "4000")
                .containsEntry("default.api.timeout.ms", 20_000)
                .containsEntry("socket.connection.setup.timeout.ms", 2_000)
                .containsEntry("socket.connection.setup.timeout.max.ms", 4_000);
        assertThat(BrokerTimeouts.of(kafka).transactionMs()).isEqualTo(36_000);
        assertThat(BrokerTimeouts.of(kafka).idleFetchMs()).isEqualTo(2_000);
    }

    @Test
    void no_transaction_is_longer_than_brokers_allow() {
        assertThat(BrokerTimeouts.of(Map.of("request.timeout.ms", "30000")).transactionMs())
                .isEqualTo(60_000);
    }

    @Test
    void what_is_named_stays_as_it_is() {
        assertThat(BrokerTimeouts.in(Map.of("default.api.timeout.ms", "1234")))
                .containsEntry("default.api.timeout.ms", "1234");
    }

    @Test
    void a_command_is_given_up_after_what_several_requests_take() {
        Map<String, Object> config = KafkaCommandClient.producerConfig(Map.of());

        assertThat(config)
                .containsEntry(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 2_000)
                .containsEntry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
    }
}
