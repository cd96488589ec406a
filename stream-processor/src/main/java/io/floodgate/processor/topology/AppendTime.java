package io.floodgate.processor.topology;

import io.floodgate.processor.kernel.LogTime;
import io.floodgate.topics.Headers;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The append time of a record. A topic that was made by hand may leave the time to its producers: what any of them says
 * moves no clock. Our own say it in a header, and are looked after.
 */
public final class AppendTime implements TimestampExtractor {
    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        boolean counts = record.timestampType() == TimestampType.LOG_APPEND_TIME
                || record.headers().lastHeader(Headers.SENT) != null;
        return counts ? Math.max(0, record.timestamp()) : LogTime.UNKNOWN.toEpochMilli();
    }
}
