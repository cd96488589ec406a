package io.floodgate.standalone.broker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** The little that these tests ask of a broker. */
final class BrokerClient implements AutoCloseable {
    private final Map<String, Object> config;
    private final Admin admin;

    BrokerClient(String bootstrap) {
        config = Map.of("bootstrap.servers", bootstrap);
        admin = Admin.create(config);
    }

    void createTopic(String name) throws ExecutionException, InterruptedException {
        admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
    }

    List<String> topics() throws ExecutionException, InterruptedException {
        return admin.listTopics().names().get().stream().sorted().toList();
    }

    short featureLevel(String feature) throws ExecutionException, InterruptedException {
        return admin.describeFeatures()
                .featureMetadata()
                .get()
                .finalizedFeatures()
                .get(feature)
                .maxVersionLevel();
    }

    void write(String topic, String... values) throws ExecutionException, InterruptedException {
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            for (var value : values) {
                producer.send(new ProducerRecord<>(topic, value)).get();
            }
        }
    }

    List<String> read(String topic) {
        var partition = new TopicPartition(topic, 0);
        var values = new ArrayList<String>();
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofSeconds(1)).forEach(record -> values.add(record.value()));
            }
        }
        return values;
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
