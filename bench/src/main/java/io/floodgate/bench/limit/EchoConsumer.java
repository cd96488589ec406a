package io.floodgate.bench.limit;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Consumers that read a whole topic from its end, without a group. */
final class EchoConsumer {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private EchoConsumer() {}

    static Consumer<byte[], byte[]> of(String topic, Map<String, Object> kafka) {
        Map<String, Object> config = new HashMap<>(kafka);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
        config.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        var consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> all = consumer.partitionsFor(topic, PATIENCE).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        consumer.assign(all);
        consumer.seekToEnd(all);
        // Seeking is lazy: without asking, what is sent from now on could be missed.
        for (TopicPartition partition : all) consumer.position(partition, PATIENCE);
        return consumer;
    }
}
