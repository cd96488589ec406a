package io.floodgate.standalone.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.Topics;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A processor that is gone in the middle of a commit, between the positions and the end of its transaction. */
@Tag("server")
@Timeout(120)
final class AbandonedTransactionTest {
    /** Twice what the test waits for a start: the broker does not end these transactions in time. */
    private static final int TRANSACTION_TIMEOUT_MS = 60_000;

    @TempDir
    Path data;

    @Test
    void its_successor_ends_its_transaction_instead_of_waiting_for_the_time_out() throws Exception {
        try (Processing processing = new Processing(data)) {
            processing.start();
            processing.enqueue(10);
            processing.awaitProcessed();
            String changelog = changelog(processing);
            processing.stop();
            try (KafkaProducer<byte[], byte[]> gone = transaction(processing, "floodgate-gone-1", changelog);
                    KafkaProducer<byte[], byte[]> alive =
                            transaction(processing, "floodgate-alive-1", Topics.QUEUE_STATUS)) {
                gone.sendOffsetsToTransaction(
                        Map.of(Processing.COMMANDS, new OffsetAndMetadata(processing.end())), group(processing));

                processing.start();
                processing.enqueue(5);
                processing.awaitProcessed();

                assertThat(processing.enqueued()).isEqualTo(15);
                assertThatThrownBy(gone::commitTransaction).isInstanceOf(KafkaException.class);
                assertThatCode(alive::commitTransaction).doesNotThrowAnyException();
            }
        }
    }

    private static ConsumerGroupMetadata group(Processing processing) {
        try (KafkaConsumer<byte[], byte[]> member = new KafkaConsumer<>(
                Map.of("bootstrap.servers", processing.broker.bootstrap(), "group.id", Processing.GROUP),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            return member.groupMetadata();
        }
    }

    private static String changelog(Processing processing) throws Exception {
        return processing.admin.listTopics().names().get().stream()
                .filter(topic -> topic.startsWith("floodgate-") && topic.endsWith("-changelog"))
                .findFirst()
                .orElseThrow();
    }

    /** An open transaction that has written to a topic. What it wrote is nothing that a store could read. */
    private static KafkaProducer<byte[], byte[]> transaction(Processing processing, String id, String topic)
            throws Exception {
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        processing.broker.bootstrap(),
                        "transactional.id",
                        id,
                        "transaction.timeout.ms",
                        TRANSACTION_TIMEOUT_MS),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(topic, 0, new byte[] {1}, new byte[] {1}))
                .get();
        return producer;
    }
}
