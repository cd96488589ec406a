package io.floodgate.gateway.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PastRecordsTest {
    private static final TopicPartition BUSY = new TopicPartition("ojs.events", 0);
    private static final TopicPartition QUIET = new TopicPartition("ojs.events", 1);
    private static final TopicPartition EMPTY = new TopicPartition("ojs.events", 2);

    private static final long NOW = 1_800_000_000_000L;
    private static final Map<TopicPartition, Long> FIRSTS = Map.of(BUSY, 0L, QUIET, 0L, EMPTY, 0L);
    private static final Map<TopicPartition, Long> ENDS = Map.of(BUSY, 1_000_000L, QUIET, 100L, EMPTY, 0L);

    /** One has a record each 10 ms, the other one each hour, until now. */
    private static Map<TopicPartition, Long> since(long time) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        long back = NOW - time;
        if (back >= 10) offsets.put(BUSY, Math.max(0, 1_000_000 - back / 10));
        if (back >= 3_600_000) offsets.put(QUIET, Math.max(0, 100 - back / 3_600_000));
        return offsets;
    }

    private static Map<TopicPartition, Long> begin(long most) {
        return PastRecords.begin(most, FIRSTS, ENDS, PastRecordsTest::since, NOW);
    }

    @Test
    void a_busy_partition_is_read_as_far_back_in_time_as_a_quiet_one() {
        Map<TopicPartition, Long> begin = begin(20_000);
        assertThat(begin.get(BUSY)).isBetween(980_000L, 980_500L);
        assertThat(begin.get(QUIET)).isEqualTo(100);
        begin = begin(800_000);
        assertThat(begin.get(BUSY)).isBetween(200_000L, 200_500L);
        assertThat(begin.get(QUIET)).isEqualTo(98);
        assertThat(begin.get(EMPTY)).isZero();
    }

    @Test
    void what_fits_is_read_from_its_beginning() {
        assertThat(begin(1_000_100)).isEqualTo(FIRSTS);
        assertThat(begin(TopicReader.EVERYTHING)).isEqualTo(FIRSTS);
    }

    @Test
    void of_more_records_at_one_time_than_fit_none_is_read() {
        assertThat(PastRecords.begin(5, FIRSTS, ENDS, time -> FIRSTS, NOW)).isEqualTo(ENDS);
    }
}
