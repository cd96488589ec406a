package io.floodgate.processor.topology.disk;

import io.floodgate.topics.Topics;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refills changelogs by a producer of its own, outside of any transaction: if it fails in the middle, the topic has to
 * be made again.
 */
public final class KafkaRefills implements Refills {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaRefills.class);

    private final Map<String, Object> kafka;

    public KafkaRefills(Map<String, Object> kafka) {
        this.kafka = new HashMap<>(kafka);
        this.kafka.put(ProducerConfig.ACKS_CONFIG, "all");
        this.kafka.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        this.kafka.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.MAX_RECORD_BYTES);
    }

    @Override
    public long refill(TopicPartition changelog, Entries entries) {
        AtomicLong last = new AtomicLong(NOTHING);
        Queue<Exception> failed = new ConcurrentLinkedQueue<>();
        long written = 0;
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (byte[] key = entries.key(); key != null; key = entries.key()) {
                ProducerRecord<byte[], byte[]> record =
                        new ProducerRecord<>(changelog.topic(), changelog.partition(), key, entries.value());
                var unused = producer.send(record, (metadata, failure) -> {
                    if (failure == null) last.accumulateAndGet(metadata.offset(), Math::max);
                    else failed.add(failure);
                });
                written++;
                entries.next();
            }
            producer.flush();
        } catch (org.rocksdb.RocksDBException unreadable) {
            throw new KafkaException("The store of " + changelog + " cannot be read.", unreadable);
        }
        if (!failed.isEmpty()) throw new KafkaException(changelog + " could not be written back.", failed.peek());
        LOG.warn("{} was written back from its store: {} entries.", changelog, written);
        return last.get();
    }
}
