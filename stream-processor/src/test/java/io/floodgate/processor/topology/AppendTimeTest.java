package io.floodgate.processor.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.kernel.LogTime;
import io.floodgate.topics.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

final class AppendTimeTest {
    private static final long STAMP = 1_767_268_800_000L;

    @Test
    void what_the_broker_has_stamped_counts() {
        assertThat(timeOf(STAMP, TimestampType.LOG_APPEND_TIME, false)).isEqualTo(Instant.ofEpochMilli(STAMP));
    }

    @Test
    void what_a_producer_says_counts_only_if_its_clock_can_be_checked() {
        assertThat(timeOf(STAMP, TimestampType.CREATE_TIME, false)).isEqualTo(LogTime.UNKNOWN);
        assertThat(timeOf(STAMP, TimestampType.CREATE_TIME, true)).isEqualTo(Instant.ofEpochMilli(STAMP));
        assertThat(timeOf(-1, TimestampType.CREATE_TIME, true)).isEqualTo(LogTime.UNKNOWN);
    }

    private static Instant timeOf(long stamp, TimestampType type, boolean sent) {
        RecordHeaders headers = new RecordHeaders();
        if (sent) headers.add(Headers.SENT, Long.toString(stamp).getBytes(StandardCharsets.US_ASCII));
        ConsumerRecord<Object, Object> record = new ConsumerRecord<>(
                "ojs.commands", 0, 7, stamp, type, 0, 0, "key", "value", headers, Optional.empty());
        return Instant.ofEpochMilli(new AppendTime().extract(record, -1));
    }
}
