package io.floodgate.gateway.event;

import static io.floodgate.gateway.event.OjsEventTest.event;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.event.OjsEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EventLogTest {
    private static final EventFilter ALL = new EventFilter(Set.of(), Set.of(), Set.of(), null, null, null, null);

    private static List<String> ids(EventLog log) {
        return log.newest(ALL, 0, 1_000).events().stream().map(OjsEvent::id).toList();
    }

    @Test
    void keeps_the_newest_by_number() {
        EventLog log = new EventLog(2, 1_000_000);

        log.add(List.of(event(1, "a", "q"), event(2, "a", "q"), event(3, "a", "q")));

        assertThat(ids(log)).containsExactly("evt_2", "evt_3");
    }

    @Test
    void keeps_the_newest_by_size() {
        int size = event(1, "a", "q").json().length;
        EventLog log = new EventLog(1_000, 2L * size + 1);

        for (int i = 1; i <= 5; i++) log.add(List.of(event(i, "a", "q")));

        assertThat(ids(log)).containsExactly("evt_4", "evt_5");
    }

    @Test
    void forgets_on_request() {
        EventLog log = new EventLog(10, 10_000);
        log.add(List.of(event(1, "a", "q")));

        log.clear();

        assertThat(ids(log)).isEmpty();
    }

    @Test
    void tells_a_slow_reader_how_many_it_lost() throws Exception {
        EventLog log = new EventLog(1_000, 1_000_000);
        List<OjsEvent> many = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) many.add(event(i, "a", "q"));

        log.add(many);

        EventLog.Batch batch = log.await(0, 100, Duration.ZERO);
        assertThat(batch.lost()).isEqualTo(1_500);
        assertThat(log.lost()).isEqualTo(1_500);
        assertThat(batch.events()).hasSize(100);
        assertThat(batch.events().get(0).id()).isEqualTo("evt_1500");
        assertThat(log.await(batch.position(), 100, Duration.ZERO).lost()).isZero();
    }

    @Test
    void of_two_gateways_can_be_read_with_one_cursor() {
        List<OjsEvent> first = List.of(of(0, 1), of(0, 2), of(0, 3), of(0, 5));
        List<OjsEvent> second = List.of(of(1, 10), of(1, 11), of(1, 14));
        EventLog here = new EventLog(100, 1_000_000);
        EventLog there = new EventLog(100, 1_000_000);
        // The partitions reach each gateway in another order.
        here.add(first);
        here.add(second);
        there.add(second.subList(0, 1));
        there.add(first.subList(0, 3));
        there.add(second.subList(1, 3));
        there.add(first.subList(3, 4));

        List<OjsEvent> read = new ArrayList<>();
        EventCursor cursor = EventCursor.beginning();
        for (int i = 0; i < 10; i++) {
            EventLog.Page page = (i % 2 == 0 ? here : there).after(cursor, ALL, 1);
            read.addAll(page.events());
            cursor = EventCursor.parse(page.cursor().toString()).orElseThrow();
        }

        assertThat(read.stream().map(e -> e.partition() + "/" + e.offset()).toList())
                .containsExactlyInAnyOrder("0/1", "0/2", "0/3", "0/5", "1/10", "1/11", "1/14");
    }

    @Test
    void wakes_a_client_that_waits_for_a_job() {
        EventLog log = new EventLog(10, 10_000);
        try (JobWatches.Watch watch = log.watch("job7")) {
            log.add(List.of(event(6, "job.completed", "q")));
            assertThat(watch.happened()).isNotDone();
            log.add(List.of(event(7, "job.completed", "q")));
            assertThat(watch.happened()).isDone();
        }
        assertThat(log.watches().size()).isZero();
    }

    private static OjsEvent of(int partition, long offset) {
        return OjsEvent.read(partition, offset, "{\"id\":\"e\",\"type\":\"a\",\"time\":\"t\"}".getBytes(UTF_8));
    }
}
