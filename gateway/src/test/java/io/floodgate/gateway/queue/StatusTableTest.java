package io.floodgate.gateway.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StatusTableTest {
    private final StatusTable table = new StatusTable();

    private void offer(long version, boolean paused) {
        table.offer(PublishedStatus.read(QueueTest.status("q", paused, version).getBytes(UTF_8)));
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
        table.offer(PublishedStatus.read("{\"name\":\"x\",\"version\":0}".getBytes(UTF_8)));
        assertThat(table.size()).isZero();
    }

    @Test
    void forgets_what_is_removed() {
        offer(1, false);
        table.remove("q");
        assertThat(table.size()).isZero();
    }

    @Test
    void reads_counts() {
        offer(1, false);
        assertThat(table.page(0, 1).get(0).number("available")).isEqualTo(2);
        assertThat(table.page(0, 1).get(0).number("unknown")).isZero();
    }
}
