package io.floodgate.processor.limit;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.LimitCommand.ListLimits;
import io.floodgate.topics.command.PartitionSettings;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.queue.QueueConfig;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What keys of rate limits take of the memory of the partition that they lead to, wherever their jobs are. */
class LimitMemoryTest extends Commands {
    private static final int SENDER = 0;
    private static final int HOME = 1;
    private static final long MOST = 400_000;

    private final Cluster cluster = new Cluster(4);
    private final String queue = cluster.queue(SENDER, "q");
    private final Identity confined = new Identity("mine", List.of(queue), null);

    @BeforeEach
    void has_little_memory() {
        for (int log = 0; log < 4; log++) {
            cluster.log(log).unaudited();
            cluster.receives(log, configure(PartitionSettings.INITIAL.withMaxMemory(MOST)));
        }
    }

    /** Jobs of the sender's queue, each with a key of its own that leads to the same partition. */
    private List<String> floods(int count, @Nullable Identity by) {
        List<String> jobs = new ArrayList<>();
        for (int n = 0; jobs.size() < count; n++) {
            String key = "k" + n + (by == null ? "" : "@" + queue);
            if (!cluster.routing().ofLimit(key).equals(cluster.log(HOME).id())) continue;
            String name = cluster.id(SENDER, (by == null ? "j" : "c") + jobs.size() + "-");
            Ask job = enqueue(name).to(queue).member("rate_limit", "{\"key\":\"k%d\",\"concurrency\":1}".formatted(n));
            cluster.receives(SENDER, by == null ? job : job.sentBy(by));
            jobs.add(name);
        }
        cluster.delivers();
        return jobs;
    }

    private long keysAtHome() {
        cluster.receives(HOME, ask(new ListLimits(1, null)));
        return cluster.log(HOME).replies().line(0).number("total");
    }

    private List<String> fetched() {
        cluster.receives(SENDER, fetch(queue).count(200).as("worker")).delivers();
        return cluster.log(SENDER).repliesTo("worker").lines().stream()
                .map(line -> line.text("id"))
                .toList();
    }

    private void worksOff() {
        for (List<String> some = fetched(); !some.isEmpty(); some = fetched()) {
            for (String id : some) cluster.receives(SENDER, ack(id).unanswered());
            cluster.delivers();
        }
    }

    @Test
    void is_not_what_other_queues_of_that_log_need() {
        List<String> jobs = floods(200, null);
        assertThat(cluster.log(SENDER).job(jobs.getLast()).text("state")).isEqualTo("available");
        assertThat(keysAtHome()).isBetween(100L, 140L);
        assertThat(cluster.log(HOME).engine().memoryBytes()).isLessThan(MOST * 2 / 3);
        String victim = cluster.queue(HOME, "victim");
        String name = cluster.id(HOME, "v");
        cluster.receives(HOME, enqueue(name).to(victim));
        cluster.log(HOME).replies().shown().is("available");
    }

    @Test
    void is_the_same_after_a_restart() {
        floods(200, null);
        worksOff();
        long before = cluster.log(HOME).engine().memoryBytes();
        long keys = keysAtHome();
        cluster.log(HOME).restarts();
        assertThat(cluster.log(HOME).engine().memoryBytes()).isEqualTo(before);
        assertThat(keysAtHome()).isEqualTo(keys);
    }

    @Test
    void has_jobs_of_other_keys_wait_until_there_is_more() {
        List<String> jobs = floods(200, null);
        worksOff();
        String last = jobs.getLast();
        cluster.log(SENDER).job(last).shows("limited_by.strategy", "memory").shows("limited_by.limit", MOST / 2);
        cluster.after(ofSeconds(10));
        cluster.delivers();
        assertThat(fetched()).isEmpty();
        // Until keys that are not used are forgotten.
        for (int minute = 0; minute < 6; minute++) cluster.after(ofMinutes(1)).delivers();
        worksOff();
        cluster.log(SENDER).job(last).is("completed");
    }

    @Test
    void is_a_small_part_for_keys_of_one_owner_who_may_not_use_all_queues() {
        floods(100, confined);
        assertThat(keysAtHome()).isBetween(10L, 20L);
        floods(50, null);
        assertThat(keysAtHome()).isBetween(60L, 70L);
    }

    @Test
    void counts_every_start_that_a_window_remembers() {
        TestPartition log = new TestPartition().unaudited();
        for (int i = 0; i < 300; i++)
            log.receives(enqueue("j" + i)
                    .member("rate_limit", "{\"key\":\"k\",\"rate\":{\"limit\":1000,\"period\":\"PT1H\"}}"));
        long before = log.engine().memoryBytes();
        for (int i = 0; i < 300; i++) log.after(ofSeconds(1)).receives(fetch().count(1), ack("j" + i));
        long after = log.engine().memoryBytes();
        assertThat(after - before).isGreaterThan(300 * 45 - 300 * 27);
        log.restarts();
        assertThat(log.engine().memoryBytes()).isEqualTo(after);
        log.after(ofHours(2));
        assertThat(log.engine().memoryBytes()).isLessThan(before);
    }

    @Test
    void counts_what_the_window_of_a_queue_remembers() {
        TestPartition log = new TestPartition().unaudited();
        log.receives(bound("q", QueueConfig.of(new Allowance(null, new Pace(1_000, ofHours(1)), null))));
        long before = log.engine().memoryBytes();
        for (int i = 0; i < 300; i++)
            log.after(ofSeconds(1)).receives(enqueue("j" + i), fetch().count(1), ack("j" + i));
        long after = log.engine().memoryBytes();
        assertThat(after - before).isGreaterThan(300 * 45);
        log.restarts();
        assertThat(log.engine().memoryBytes()).isEqualTo(after);
    }
}
