package io.floodgate.processor.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.kernel.PartitionTime;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
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
        assertThat(timeOf(STAMP, TimestampType.CREATE_TIME, false)).isEqualTo(PartitionTime.UNKNOWN);
        assertThat(timeOf(STAMP, TimestampType.CREATE_TIME, true)).isEqualTo(Instant.ofEpochMilli(STAMP));
        assertThat(timeOf(-1, TimestampType.CREATE_TIME, true)).isEqualTo(PartitionTime.UNKNOWN);
    }

    @Test
    void a_client_cannot_say_that_the_broker_has_not_stamped_its_record() {
        RecordHeaders headers = new RecordHeaders();
        headers.add("floodgate-unstamped", new byte[0]);
        assertThat(timeOf(STAMP, TimestampType.LOG_APPEND_TIME, false, headers)).isEqualTo(Instant.ofEpochMilli(STAMP));
    }

    private static Instant timeOf(long stamp, TimestampType type, boolean sent) {
        return timeOf(stamp, type, sent, new RecordHeaders());
    }

    private static Instant timeOf(long stamp, TimestampType type, boolean sent, RecordHeaders headers) {
        if (sent)
            headers.add(io.floodgate.topics.Headers.SENT, Long.toString(stamp).getBytes(StandardCharsets.US_ASCII));
        TopicPartition log = new TopicPartition("ojs.commands", 0);
        new AppendTime.Marking()
                .onConsume(new ConsumerRecords<>(
                        Map.of(log, List.of(record(stamp, type, headers, new byte[0], new byte[0]))), Map.of()));
        // As Kafka Streams hands it on: with the same headers, and without knowing who has stamped it.
        return Instant.ofEpochMilli(new AppendTime()
                .extract(AppendTimeTest.<Object>record(stamp, TimestampType.CREATE_TIME, headers, "key", "job"), -1));
    }

    private static <T> ConsumerRecord<T, T> record(long stamp, TimestampType type, Headers headers, T key, T value) {
        return new ConsumerRecord<>("ojs.commands", 0, 7, stamp, type, 0, 0, key, value, headers, Optional.empty());
    }
}
