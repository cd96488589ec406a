package io.floodgate.processor.topology;

import io.floodgate.processor.kernel.PartitionTime;
import io.floodgate.topics.Headers;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The append time of a record. A topic that was made by hand may leave the time to its producers: what any of them says
 * moves no clock. Our own say it in a header, and are looked after.
 */
public final class AppendTime implements TimestampExtractor {
    /** Header of records that the broker has not stamped. */
    private static final String UNSTAMPED = "floodgate-unstamped";

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        boolean counts = record.headers().lastHeader(UNSTAMPED) == null
                || record.headers().lastHeader(Headers.SENT) != null;
        return counts ? Math.max(0, record.timestamp()) : PartitionTime.UNKNOWN.toEpochMilli();
    }

    /** Kafka Streams forgets who has stamped a record: it is noted before. */
    public static final class Marking implements ConsumerInterceptor<byte[], byte[]> {
        private static final byte[] YES = new byte[0];

        @Override
        public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
            for (ConsumerRecord<byte[], byte[]> record : records) {
                // Clients have no say in it.
                record.headers().remove(UNSTAMPED);
                if (record.timestampType() != TimestampType.LOG_APPEND_TIME)
                    record.headers().add(UNSTAMPED, YES);
            }
            return records;
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> configs) {}
    }
}
