package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.INVALID_QUEUE;
import static io.floodgate.topics.command.ErrorCode.INVALID_REQUEST;
import static io.floodgate.topics.command.ErrorCode.QUEUE_FULL;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.queue.JobDefaults;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.queue.TenantBounds;
import io.floodgate.topics.retry.RetryOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is decided about all queues, in all partitions. */
class DefaultPolicyTest extends Commands {
    private static final String ALL = QueueConfig.DEFAULT;
    private static final int LOGS = 4;

    private final Cluster cluster = new Cluster(LOGS);
    private final int home = cluster.routing().ofQueue(ALL).partition();

    private static QueuePolicy timeout(int seconds) {
        return QueuePolicy.NONE.with(new JobDefaults(ofSeconds(seconds), null, RetryOptions.NONE, null));
    }

    private void everyLogHas(int seconds) {
        for (int i = 0; i < LOGS; i++) {
            TestPartition log = cluster.log(i);
            String queue = Ids.queueIn(log.id(), cluster.routing(), "queue");
            assertThat(log.look(getQueue(queue)).toString())
                    .contains("\"default_timeout_ms\":" + seconds * 1_000 + ",");
        }
    }

    @Test
    void is_in_every_log_when_a_client_that_changed_it_is_answered() {
        cluster.receives(home, decide(ALL, timeout(7)).as("operator"));
        TestPartition last = cluster.log((home + LOGS - 1) % LOGS);
        last.keepsWaiting("operator");
        cluster.delivers();
        last.repliesTo("operator").shown().shows("name", ALL).shows("config.default_timeout_ms", 7_000);
        everyLogHas(7);
    }

    @Test
    void can_be_decided_and_asked_for_anywhere() {
        int elsewhere = (home + 1) % LOGS;
        cluster.receives(elsewhere, decide(ALL, timeout(9)).as("operator")).delivers();
        everyLogHas(9);
        cluster.receives(elsewhere, getQueue(ALL).as("reader")).delivers();
        cluster.log(home).repliesTo("reader").shown().shows("config.default_timeout_ms", 9_000);
    }

    @Test
    void of_two_changes_under_way_the_later_one_holds_everywhere() {
        cluster.receives(home, decide(ALL, timeout(1)), decide(ALL, timeout(2))).delivers();
        everyLogHas(2);
        cluster.receives(home, decide(ALL, timeout(2)).as("again")).delivers();
        cluster.log((home + LOGS - 1) % LOGS).repliesTo("again").shown().shows("config.default_timeout_ms", 2_000);
    }

    @Test
    void reaches_a_log_that_has_lost_messages() {
        int other = (home + 2) % LOGS;
        TestPartition unaware = cluster.log(other);
        cluster.receives(home, decide(ALL, timeout(3)).unanswered());
        for (int log = 0; log < other; log++) if (log != home) cluster.deliversOne();
        cluster.losesOne().delivers();
        String queue = Ids.queueIn(unaware.id(), cluster.routing(), "queue");
        assertThat(unaware.look(getQueue(queue)).toString()).doesNotContain("\"default_timeout_ms\":3000");
        // The next message from there shows the loss.
        cluster.receives(home, pause(queue)).delivers();
        everyLogHas(3);
    }

    @Test
    void is_shown_again_with_every_queue_that_has_not_decided_otherwise_a_slice_at_a_time() {
        TestPartition log = new TestPartition();
        for (int i = 0; i < 250; i++) log.receives(pause("q" + i));
        log.unaudited().receives(bound(ALL, new QueueConfig(5L, null, null, null)));
        assertThat(log.changedQueues()).isEmpty();
        log.receives(io.floodgate.processor.testing.Commands.tick());
        assertThat(log.changedQueues()).hasSize(200);
        log.after(ofSeconds(1));
        log.status("q7").shows("config.max_depth", 5);
    }

    /** OJS backpressure §5.3: it must be configured for each queue. */
    @Test
    void never_makes_a_queue_drop_jobs() {
        TestPartition log = new TestPartition();
        log.receives(bound(2, null), enqueue("j1"), enqueue("j2"));
        log.receives(bound(ALL, new QueueConfig(null, null, Overflow.DROP_OLDEST, null)));
        log.rejects(INVALID_REQUEST).with("field", "strategy");
        log.receives(enqueue("j3")).rejects(QUEUE_FULL);
        log.job("j1").is("available");
        log.receives(bound(ALL, new QueueConfig(null, null, Overflow.BLOCK, null)));
        log.after(ofSeconds(1)).status("q").shows("config.strategy", "block");
    }

    @Test
    void wakes_those_who_wait_for_jobs_that_its_limits_held_back() {
        TestPartition log = new TestPartition();
        log.receives(bound(ALL, QueueConfig.of(new Allowance(1L, null, null))), enqueue("j1"), enqueue("j2"));
        log.receives(fetch()).replies().jobs("j1");
        log.receives(fetch().waiting(ofSeconds(20)).as("worker")).keepsWaiting("worker");
        log.receives(bound(ALL, QueueConfig.NONE, "concurrency"));
        log.after(ofSeconds(1)).repliesTo("worker").jobs("j2");
    }

    @Test
    void has_no_bounds_of_tenants_and_is_no_queue() {
        TestPartition log = new TestPartition();
        log.receives(bound(ALL, QueueConfig.of(new TenantBounds(Map.of("acme", 5L)))))
                .rejects(INVALID_REQUEST)
                .with("field", "tenants");
        log.receives(pause(ALL)).rejects(INVALID_QUEUE);
        log.receives(enqueue("j1").to(ALL)).rejects(INVALID_QUEUE);
    }
}
