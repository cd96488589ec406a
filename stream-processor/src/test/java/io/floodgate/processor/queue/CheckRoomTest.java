package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.BATCH_EXCEEDS_BOUND;
import static io.floodgate.topics.command.ErrorCode.JOB_TYPE_NOT_ALLOWED;
import static io.floodgate.topics.command.ErrorCode.QUEUE_FULL;
import static io.floodgate.topics.command.ErrorCode.TENANT_LIMIT_EXCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.QueueCommand.CheckIds;
import io.floodgate.topics.command.QueueCommand.CheckRoom;
import io.floodgate.topics.command.QueueCommand.CountRejected;
import io.floodgate.topics.command.QueueDemand;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Gateways ask whether there is room before they write what seems to have none. */
class CheckRoomTest extends PartitionTest {
    private static Ask check(long jobs) {
        return check(jobs, "email.send", Map.of());
    }

    private static Ask check(long jobs, String type, Map<String, Long> tenants) {
        return ask(new CheckRoom(new QueueDemand("q", jobs, 100 * jobs, type, tenants)));
    }

    private static Ask checkIds(String... jobs) {
        return ask(new CheckIds(Arrays.stream(jobs).map(Ids::id).toList()));
    }

    @Test
    void says_that_there_is_room_and_keeps_none() {
        log.receives(bound(2, Overflow.REJECT), enqueue("a"));
        log.receives(check(1));
        assertThat(log.replies().line(1).toString()).contains("\"depth\":1,\"max_depth\":2");
        log.receives(check(1)).replies();
        log.receives(enqueue("b")).replies();
        log.status("q").shows("depth", 2).shows("rejected", 0);
    }

    @Test
    void is_rejected_and_counted_as_the_jobs_would_be() {
        log.receives(bound(2, Overflow.REJECT), enqueue("a"));
        log.receives(check(2)).rejects(QUEUE_FULL).with("depth", 1).with("bound", 2);
        log.status("q").shows("depth", 1).shows("rejected", 2);
        log.receives(check(3)).rejects(BATCH_EXCEEDS_BOUND);
    }

    @Test
    void waits_for_nothing_and_drops_nothing() {
        log.receives(bound(1, Overflow.BLOCK), enqueue("a"));
        log.receives(check(1)).rejects(QUEUE_FULL).with("strategy", "block");
        log.status("q").shows("blocked", 0);
        log.receives(bound(1, Overflow.DROP_OLDEST), check(1));
        log.replies();
        log.job("a").is("available");
    }

    @Test
    void is_rejected_for_the_reason_that_comes_first() {
        log.receives(bound(1, Overflow.REJECT), enqueue("a"));
        log.receives(bound("q", QueueConfig.of(QueuePolicy.NONE.with(new Access(List.of("email.*"), null)))));
        log.receives(check(1, "other", Map.of())).rejects(JOB_TYPE_NOT_ALLOWED);
        log.status("q").shows("restricted", true);
    }

    @Test
    void knows_what_tenants_may_have() {
        log.receives(boundOf("acme", 1), enqueue("a").member("meta", "{\"tenant_id\":\"acme\"}"));
        log.receives(check(1, "x", Map.of("acme", 1L)))
                .rejects(TENANT_LIMIT_EXCEEDED)
                .with("tenant_id", "acme");
        log.receives(check(1, "x", Map.of("beta", 1L)));
        log.replies();
        log.receives(ask(new CountRejected("q", 7, "x", "acme"))).replies();
        log.status("q").shows("rejected", 8);
    }

    @Test
    void makes_no_queue() {
        log.receives(check(1)).replies();
        assertThat(log.receives(getQueue("q")).replies().line(0).toString()).doesNotContain("created_at");
    }

    @Test
    void ids_are_known_where_they_lead_to_from_when_their_job_is_on_its_way() {
        Cluster cluster = new Cluster(2);
        TestPartition home = cluster.log(0);
        TestPartition other = cluster.log(1);
        String job = Ids.nicknameIn(home.id(), cluster.routing(), "job");
        String queue = Ids.queueIn(other.id(), cluster.routing(), "queue");
        home.receives(checkIds(job)).replies().line(0).shows("known", 0);

        home.receives(enqueue(job).to(queue));
        home.receives(checkIds(job)).replies().line(0).shows("known", 1);
        cluster.delivers();
        home.receives(checkIds(job)).replies().line(0).shows("known", 1);
    }
}
