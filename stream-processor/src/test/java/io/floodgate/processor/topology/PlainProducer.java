package io.floodgate.processor.topology;

import io.floodgate.topics.Topics;
import io.floodgate.topics.client.Shortcuts;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** The producer of replies, messages and ticks, without a broker. */
final class PlainProducer {
    private static final Map<String, Integer> PARTITIONS = Map.of(Topics.REPLIES, 2, Topics.COMMANDS, 4);

    final MockProducer<String, byte[]> producer;

    /** @param acknowledging every append is acknowledged at once; else the test does it */
    PlainProducer(boolean acknowledging) {
        producer =
                new MockProducer<>(cluster(), acknowledging, null, new StringSerializer(), new ByteArraySerializer());
    }

    private static Cluster cluster() {
        Node node = new Node(0, "localhost", 9092);
        Node[] nodes = {node};
        List<PartitionInfo> partitions = new ArrayList<>();
        PARTITIONS.forEach((topic, number) -> {
            for (int p = 0; p < number; p++) partitions.add(new PartitionInfo(topic, p, node, nodes, nodes));
        });
        return new Cluster("test", List.of(node), partitions, java.util.Set.of(), java.util.Set.of());
    }

    PartitionWriter writer() {
        return new PartitionWriter(
                producer, Topics.REPLIES, Shortcuts.withoutBroker(), Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
    }

    List<ProducerRecord<String, byte[]>> sentTo(String topic) {
        return producer.history().stream()
                .filter(record -> record.topic().equals(topic))
                .toList();
    }

    static @Nullable String header(ProducerRecord<String, byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), StandardCharsets.US_ASCII);
    }
}
