package io.floodgate.gateway.event;

import static io.floodgate.gateway.event.EventTest.event;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EventLogTest {
    private static final EventFilter ALL = new EventFilter(Set.of(), Set.of(), Set.of(), null, null);

    private static List<String> ids(EventLog log) {
        return log.page(ALL, null, 1_000).events().stream().map(Event::id).toList();
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
    void forgets_when_told_so() {
        EventLog log = new EventLog(10, 10_000);
        log.add(List.of(event(1, "a", "q")));

        log.clear();

        assertThat(ids(log)).isEmpty();
    }

    @Test
    void drops_for_a_slow_reader_and_counts_it() throws Exception {
        EventLog log = new EventLog(10, 10_000);
        Subscriber slow = log.subscribe(ALL, null);
        long before = log.dropped();
        List<Event> many = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) many.add(event(i, "a", "q"));

        log.add(many);

        assertThat(log.dropped() - before).isEqualTo(2_000 - 1_024);
        assertThat(slow.next(Duration.ZERO).id()).isEqualTo("evt_0");
    }
}
