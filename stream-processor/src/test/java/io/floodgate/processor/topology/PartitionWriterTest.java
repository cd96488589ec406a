package io.floodgate.processor.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.client.Shortcuts;
import java.time.Clock;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class PartitionWriterTest {
    private static final String REPLIES = "ojs.replies";

    @Test
    void a_broker_that_is_about_to_start_is_waited_for() {
        int[] calls = {0};
        var producer = new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer()) {
            @Override
            public List<PartitionInfo> partitionsFor(String topic) {
                if (++calls[0] < 4) throw new TimeoutException("not present in metadata");
                return List.of(new PartitionInfo(topic, 0, Node.noNode(), new Node[0], new Node[0]));
            }
        };
        new PartitionWriter(producer, REPLIES, Shortcuts.withoutBroker(), Clock.systemUTC()).close();
        assertThat(calls[0]).isEqualTo(4);
    }

    @Test
    void what_waiting_does_not_change_ends_the_start_at_once() {
        var producer = new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer()) {
            @Override
            public List<PartitionInfo> partitionsFor(String topic) {
                throw new TopicAuthorizationException(topic);
            }
        };
        assertThatThrownBy(() -> new PartitionWriter(producer, REPLIES, Shortcuts.withoutBroker(), Clock.systemUTC()))
                .isInstanceOf(TopicAuthorizationException.class);
    }
}
