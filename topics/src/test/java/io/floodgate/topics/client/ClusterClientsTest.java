package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Kafka's clients have the fields by which they leave a broker. */
class ClusterClientsTest {
    private static final Node BROKER = new Node(1, "127.0.0.1", 1);

    private static Map<String, Object> config() {
        return new HashMap<>(BrokerTimeouts.in(Map.of("bootstrap.servers", "127.0.0.1:1")));
    }

    @Test
    void a_consumer_leaves_a_broker() {
        var consumer = new ClusterConsumer<>(config(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        assertThatCode(() -> consumer.leave(BROKER)).doesNotThrowAnyException();
        // A broker that it was never connected to does not end the thread that reads.
        assertThatCode(() -> consumer.listTopics(Duration.ofMillis(1)))
                .isInstanceOf(org.apache.kafka.common.errors.TimeoutException.class);
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }

    @Test
    void a_producer_leaves_a_broker_and_forgets_it_as_coordinator() {
        Map<String, Object> config = config();
        config.put("transactional.id", "one");
        var producer = new ClusterProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        assertThatCode(() -> producer.leave(BROKER)).doesNotThrowAnyException();
        producer.close(Duration.ZERO);
    }

    @Test
    void an_admin_client_leaves_a_broker() {
        var admin = new ClusterAdmin(config());
        assertThatCode(() -> admin.leave(BROKER)).doesNotThrowAnyException();
        admin.close(Duration.ZERO);
    }
}
