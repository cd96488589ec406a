package io.floodgate.gateway.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayLimits;
import io.floodgate.gateway.feed.TopicReader.Feed;
import org.junit.jupiter.api.Test;

class FeedTest {
    @Test
    void as_many_records_are_read_back_as_events_are_kept() {
        Feed events = new Feed("events", GatewayLimits.DEFAULT_EVENTS, (records, news) -> {});
        assertThat(events.begin(0, 100_000, 4)).isEqualTo(95_000);
        assertThat(events.begin(98_000, 100_000, 4)).isEqualTo(98_000);
        assertThat(events.begin(0, 10, 4)).isZero();
    }

    @Test
    void what_is_a_table_is_read_from_its_beginning() {
        Feed table = new Feed("status", TopicReader.EVERYTHING, (records, news) -> {});
        assertThat(table.begin(7, Long.MAX_VALUE / 2, 1)).isEqualTo(7);
    }
}
