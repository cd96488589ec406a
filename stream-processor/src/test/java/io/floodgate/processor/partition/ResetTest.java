package io.floodgate.processor.partition;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands.Job;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ResetTest extends PartitionTest {
    @Test
    void forgets_everything() {
        // given
        log.receives(
                beat("w1"),
                enqueue("done"),
                enqueue("dead"),
                enqueue("active"),
                fetch().count(3).by("w1"));
        log.receives(ack("done").result("1"), nack("dead").retryable(false));
        log.receives(enqueue("later").delay(ofSeconds(9)), enqueue("waiting"), pause("q"));
        // when
        log.receives(reset()).after(ZERO).replies().shown();
        // then
        assertThat(log.state().entriesButPosition()).isEmpty();
        assertThat(log.engine().queueNames()).isEmpty();
        assertThat(log.engine().nextTimer()).isNull();
        log.agreesWithItself();
    }

    @Test
    void afterwards_everything_is_new() {
        log.receives(enqueue("j1"), pause("q"), reset(), tick(), enqueue("j1"), fetch())
                .replies()
                .jobs("j1");
    }

    @Test
    void a_client_that_waited_is_informed_that_nothing_comes() {
        log.receives(fetch().waiting(ofSeconds(60)).as("a"), reset(), tick());
        log.repliesTo("a").nothing();
    }

    @Test
    void is_a_piece_of_work_while_others_go_on() {
        log.unaudited();
        for (int i = 0; i < 5; i++) log.receives(batch(thousand(i)));
        log.receives(fetch("empty").waiting(ofSeconds(60)).as("a"), reset().as("operator"));
        int slices = 0;
        for (; !log.answers().keySet().stream().anyMatch(to -> to.requester().equals("operator")); slices++) {
            log.receives(tick());
            if (slices % 4 == 0) log.restarts();
        }
        log.repliesTo("operator").shown();
        log.repliesTo("a").nothing();
        assertThat(slices).isBetween(25, 28);
        assertThat(log.state().entriesButPosition()).isEmpty();
        log.agreesWithItself();
    }

    private static Job[] thousand(int number) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> enqueue("%d-%d".formatted(number, i)))
                .toArray(Job[]::new);
    }

    @Test
    void time_does_not_go_back() {
        log.receives(enqueue("j1"));
        log.sleeps(ofSeconds(10)).receives(reset(), tick());
        log.sleeps(ofSeconds(-10)).receives(enqueue("j2"));
        log.job("j2").shows("created_at", TestPartition.START.plusSeconds(10));
    }

    @Test
    void queues_that_are_gone_are_named_so_that_their_status_can_go() {
        log.receives(enqueue("j1"), enqueue("j2").to("other"));
        log.receives(reset(), tick());
        assertThat(log.changedQueues()).containsExactly("other", "q");
        assertThat(log.engine().status("q")).isEmpty();
    }

    @Test
    void other_logs_can_still_write_here() {
        Cluster cluster = new Cluster(2);
        TestPartition home = cluster.log(0);
        TestPartition away = cluster.log(1);
        String queue = Ids.queueIn(away.id(), cluster.routing(), "queue");
        String first = Ids.nicknameIn(home.id(), cluster.routing(), "a");
        String second = Ids.nicknameIn(home.id(), cluster.routing(), "b");
        cluster.receives(0, enqueue(first).to(queue)).delivers();
        cluster.receives(1, reset(), tick());
        cluster.receives(0, reset(), tick(), enqueue(second).to(queue)).delivers();
        away.status(queue).shows("available", 1);
    }
}
