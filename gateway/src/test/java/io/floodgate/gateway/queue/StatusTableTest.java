package io.floodgate.gateway.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.capacity.CapacityCache;
import org.junit.jupiter.api.Test;

class StatusTableTest {
    private final StatusTable table = new StatusTable(3, new CapacityCache(3, () -> 0));

    private void offer(long version, boolean paused) {
        table.published(
                PublishedStatus.read(QueueTest.status("q", paused, version).getBytes(UTF_8)));
    }

    @Test
    void keeps_the_newer_of_two_whichever_comes_first() {
        offer(2, true);
        offer(1, false);
        assertThat(table.page(0, 10).get(0).version()).isEqualTo(2);
        offer(3, false);
        assertThat(table.page(0, 10).get(0).version()).isEqualTo(3);
        assertThat(table.size()).isEqualTo(1);
    }

    @Test
    void takes_the_last_of_two_of_the_same_version() {
        offer(1, false);
        offer(1, true);
        assertThat(new String(table.page(0, 1).get(0).json(), UTF_8)).contains("\"paused\":true");
    }

    @Test
    void does_not_list_a_queue_that_was_only_asked_about() {
        table.published(PublishedStatus.read("{\"name\":\"x\",\"version\":0}".getBytes(UTF_8)));
        assertThat(table.size()).isZero();
    }

    @Test
    void forgets_what_is_removed() {
        offer(1, false);
        table.removed("q");
        assertThat(table.size()).isZero();
    }

    @Test
    void reads_counts() {
        offer(1, false);
        assertThat(table.page(0, 1).get(0).number("available")).isEqualTo(2);
        assertThat(table.page(0, 1).get(0).number("unknown")).isZero();
    }

    @Test
    void is_not_brought_back_by_a_late_reply() {
        offer(5, false);
        table.removed("q");

        table.answered(status("q", 5));
        table.answered(status("q", 4));
        assertThat(table.size()).isZero();

        table.published(status("q", 1));
        assertThat(table.size()).isEqualTo(1);
        table.answered(status("q", 2));
        assertThat(table.page(0, 1).get(0).version()).isEqualTo(2);
    }

    @Test
    void lists_so_many_queues_those_that_changed_last() {
        for (String name : new String[] {"d", "c", "b"}) table.published(status(name, 1));
        table.published(status("d", 2));

        table.published(status("a", 1));

        assertThat(table.page(0, 10)).extracting(PublishedStatus::name).containsExactly("a", "b", "d");
    }

    private static PublishedStatus status(String name, int version) {
        return PublishedStatus.read("{\"name\":\"%s\",\"version\":%d,\"created_at\":\"t\"}"
                .formatted(name, version)
                .getBytes(UTF_8));
    }
}
