package io.floodgate.processor.unique;

import static io.floodgate.topics.command.ErrorCode.DUPLICATE;
import static io.floodgate.topics.command.ErrorCode.QUEUE_FULL;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.Shown;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.KeyCommand.CheckKeys;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The home of the key, the partition of the queue, and that of another queue with a job of the same key. */
class UniqueAcrossPartitionsTest extends Commands {
    private static final int HOME = 0;
    private static final int QUEUE = 1;
    private static final int OTHER = 2;

    private final Cluster cluster = new Cluster(4);
    private final TestPartition home = cluster.log(HOME);
    private final TestPartition here = cluster.log(QUEUE);
    private final TestPartition there = cluster.log(OTHER);
    private final String queue = Ids.queueIn(here.id(), cluster.routing(), "queue");
    private final String other = Ids.queueIn(there.id(), cluster.routing(), "other");
    private final String key = keyIn(home.id(), 0);

    private String keyIn(PartitionId log, int number) {
        for (int n = 1; ; n++) {
            String hex = "%064x".formatted(n * 1_000L + number);
            if (cluster.routing().at(Slot.of("unique:" + hex)).equals(log)) return hex;
        }
    }

    private Commands.Job job(String nickname, String queueOfJob, String more) {
        return enqueue(nickname).to(queueOfJob).member("unique", "{\"unique_key\":\"" + key + "\"" + more + "}");
    }

    private String id(PartitionId log, String beginning) {
        return Ids.nicknameIn(log, cluster.routing(), beginning);
    }

    private final String j1 = id(here.id(), "a");
    private final String j2 = id(here.id(), "b");
    private final String t1 = id(there.id(), "c");
    private static final String REPLACE = ",\"on_conflict\":\"replace\"";

    private void receives(int partition, Ask ask) {
        cluster.receives(partition, ask);
    }

    private void settled() {
        cluster.delivers();
        for (PartitionId log : cluster.routing().logs()) {
            List<String> keys = Stored.keys(cluster.log(log));
            keys.removeAll(Stored.rows(cluster.log(log)));
            assertThat(keys).as("%s", log).isEmpty();
        }
    }

    @Test
    void a_job_is_stored_once_its_key_is_claimed() {
        receives(QUEUE, job(j1, queue, "").madeId().as("a"));
        here.keepsWaiting("a");
        settled();
        here.repliesTo("a").shown().is("available");
        assertThat(Stored.rows(home)).containsExactly(Ids.id(j1).toString());
    }

    @Test
    void a_key_is_known_from_its_claim_on_and_free_when_its_job_found_no_room() {
        receives(QUEUE, bound(queue, new QueueConfig(1L, null, Overflow.REJECT, null)));
        receives(QUEUE, enqueue(j2).to(queue));
        receives(QUEUE, job(j1, queue, "").madeId().as("a"));
        Ask check = ask(new CheckKeys(List.of(key)));
        List<Boolean> claimed = new ArrayList<>();
        while (cluster.underway() > 0) {
            cluster.deliversOne().receives(HOME, check);
            claimed.add(!Stored.keys(home).isEmpty());
            home.replies().shown().shows("known", claimed.getLast() ? 1 : 0);
        }
        assertThat(claimed).contains(true).last().isEqualTo(false);
        here.repliesTo("a").rejected(QUEUE_FULL);
    }

    @Test
    void a_duplicate_is_rejected_by_the_state_that_the_job_has_at_its_own_partition() {
        receives(QUEUE, job(j1, queue, "").madeId());
        settled();
        cluster.receives(QUEUE, fetch(queue).by("w"));
        receives(OTHER, job(t1, other, "").madeId().as("b"));
        settled();
        there.repliesTo("b")
                .rejected(DUPLICATE)
                .with("existing_job_id", Ids.id(j1).toString())
                .with("existing_job_state", "active");
        cluster.receives(QUEUE, ack(j1).by("w")).delivers();
        receives(OTHER, job(t1, other, "").madeId().as("c"));
        settled();
        there.repliesTo("c").shown().is("available");
    }

    @Test
    void the_home_counts_who_waits_for_a_key() {
        receives(QUEUE, job(j1, queue, "").madeId());
        receives(OTHER, job(t1, other, "").madeId());
        int most = 0;
        while (cluster.underway() > 0) {
            cluster.deliversOne();
            assertThat(home.anotherEngine().waitingForKeys()).isEqualTo(home.waitingForKeys());
            most = Math.max(most, home.waitingForKeys());
        }
        assertThat(most).isEqualTo(1);
        assertThat(home.waitingForKeys()).isZero();
    }

    @Test
    void of_two_at_the_same_time_one_comes_and_the_other_is_rejected() {
        receives(QUEUE, job(j1, queue, "").madeId().as("a"));
        receives(OTHER, job(t1, other, "").madeId().as("b"));
        settled();
        here.repliesTo("a").shown().is("available");
        there.repliesTo("b")
                .rejected(DUPLICATE)
                .with("existing_job_id", Ids.id(j1).toString());
    }

    @Test
    void an_end_that_the_home_has_not_heard_of_yet_frees_the_key() {
        receives(QUEUE, job(j1, queue, "").madeId());
        settled();
        cluster.receives(QUEUE, cancel(j1));
        receives(OTHER, job(t1, other, "").madeId().as("b"));
        settled();
        there.repliesTo("b").shown().is("available");
    }

    @Test
    void replace_in_the_same_queue_is_one_step() {
        receives(QUEUE, job(j1, queue, "").madeId());
        settled();
        receives(QUEUE, job(j2, queue, REPLACE).madeId().as("b"));
        settled();
        here.repliesTo("b")
                .shown()
                .is("available")
                .shows("replaced_job_id", Ids.id(j1).toString());
        here.job(j1).is("cancelled");
        assertThat(Stored.rows(home)).containsExactly(Ids.id(j2).toString());
    }

    @Test
    void replace_refreshes_a_full_queue_though_the_job_runs() {
        cluster.receives(QUEUE, bound(queue, new QueueConfig(1L, null, Overflow.REJECT, null)));
        receives(QUEUE, job(j1, queue, "").madeId());
        settled();
        cluster.receives(QUEUE, fetch(queue).by("w"));
        receives(QUEUE, job(j2, queue, REPLACE).madeId().as("b"));
        settled();
        here.repliesTo("b").shown().is("available");
        here.job(j1).is("cancelled");
    }

    @Test
    void replace_in_another_partition_cancels_the_job_before_the_new_one_is_seen() {
        receives(QUEUE, job(j1, queue, "").madeId());
        settled();
        receives(OTHER, job(t1, other, REPLACE).madeId().as("b"));
        while (cluster.underway() > 0) {
            cluster.deliversOne();
            assertThat(Stored.live(here).size() + Stored.live(there).size()).isLessThanOrEqualTo(1);
        }
        settled();
        there.repliesTo("b")
                .shown()
                .is("available")
                .shows("replaced_job_id", Ids.id(j1).toString());
        here.job(j1).is("cancelled");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void of_many_that_replace_each_other_in_several_partitions_each_is_stored_and_the_last_one_stays(long seed) {
        Random random = new Random(seed);
        List<String> names = new ArrayList<>();
        for (int n = 0; n < 40; n++) {
            boolean isHere = random.nextBoolean();
            String name = id((isHere ? here : there).id(), "r" + n + "x");
            names.add(name);
            receives(
                    isHere ? QUEUE : OTHER,
                    job(name, isHere ? queue : other, REPLACE).madeId().as(name));
            for (int some = random.nextInt(5); some > 0 && cluster.underway() > 0; some--) cluster.deliversOne();
        }
        settled();
        for (int pauses = 0; pauses < 200; pauses++)
            cluster.after(ofMillis(640)).delivers();
        int stored = 0;
        for (String name : names) {
            TestPartition log = here.knows(name) ? here : there;
            log.repliesTo(name).shown().is("available");
            stored++;
        }
        assertThat(stored).isEqualTo(40);
        assertThat(Stored.live(here).size() + Stored.live(there).size()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void batches_that_share_keys_of_several_homes_wait_for_each_other_in_any_order(long seed) {
        Random random = new Random(seed);
        String[] keys = new String[4];
        for (int n = 0; n < keys.length; n++) keys[n] = keyIn(cluster.log(n).id(), n);
        List<TestPartition> asked = new ArrayList<>();
        for (int n = 0; n < 10; n++) {
            boolean isHere = random.nextBoolean();
            List<Commands.Job> jobs = new ArrayList<>();
            for (int k = 0; k < keys.length; k++)
                jobs.add(enqueue(id((isHere ? here : there).id(), "b" + n + "k" + k + "x"))
                        .to(isHere ? queue : other)
                        .member("unique", "{\"unique_key\":\"" + keys[k] + "\",\"on_conflict\":\"ignore\"}"));
            Collections.shuffle(jobs, random);
            receives(
                    isHere ? QUEUE : OTHER,
                    batch(jobs.toArray(Commands.Job[]::new)).as("batch" + n));
            asked.add(isHere ? here : there);
            for (int some = random.nextInt(6); some > 0 && cluster.underway() > 0; some--) cluster.deliversOne();
        }
        settled();
        int stored = 0;
        for (int n = 0; n < asked.size(); n++)
            for (int k = 0; k < keys.length; k++) {
                Shown line = asked.get(n).repliesTo("batch" + n).line(k);
                if (!line.toString().contains("deduplicated")) stored++;
            }
        assertThat(stored).isEqualTo(keys.length);
        assertThat(Stored.live(here).size() + Stored.live(there).size()).isEqualTo(keys.length);
    }

    @Test
    void nothing_is_cancelled_if_the_new_job_has_no_room() {
        cluster.receives(
                OTHER,
                bound(other, new QueueConfig(1L, null, Overflow.REJECT, null)),
                enqueue("x").to(other).madeId());
        receives(QUEUE, job(j1, queue, "").madeId());
        settled();
        receives(OTHER, job(t1, other, REPLACE).madeId().as("b"));
        settled();
        there.repliesTo("b").rejected(io.floodgate.topics.command.ErrorCode.QUEUE_FULL);
        here.job(j1).is("available");
        assertThat(Stored.rows(home)).containsExactly(Ids.id(j1).toString());
    }

    @Test
    void a_producer_that_waits_for_room_has_no_key() {
        cluster.receives(
                QUEUE,
                bound(queue, new QueueConfig(1L, null, Overflow.BLOCK, null)),
                enqueue(id(here.id(), "x")).to(queue).madeId());
        receives(QUEUE, patient(ofSeconds(30), job(j1, queue, "").madeId()).as("waits"));
        cluster.delivers();
        here.keepsWaiting("waits");
        assertThat(Stored.rows(home)).isEmpty();
        receives(OTHER, job(t1, other, "").madeId().as("b"));
        cluster.delivers();
        there.repliesTo("b").shown().is("available");
        cluster.receives(QUEUE, cancel(id(here.id(), "x")));
        settled();
        here.repliesTo("waits")
                .rejected(DUPLICATE)
                .with("existing_job_id", Ids.id(t1).toString());
    }

    @Test
    void a_producer_that_has_waited_for_room_replaces_a_job_of_another_partition() {
        String full = id(here.id(), "x");
        cluster.receives(
                QUEUE,
                bound(queue, new QueueConfig(1L, null, Overflow.BLOCK, null)),
                enqueue(full).to(queue).madeId());
        receives(OTHER, job(t1, other, "").madeId());
        settled();
        receives(QUEUE, patient(ofSeconds(30), job(j1, queue, REPLACE).madeId()).as("waits"));
        cluster.delivers();
        here.keepsWaiting("waits");
        there.job(t1).is("available");
        cluster.receives(QUEUE, cancel(full));
        settled();
        here.repliesTo("waits").shown().shows("replaced_job_id", Ids.id(t1).toString());
        there.job(t1).is("cancelled");
        assertThat(Stored.rows(home)).containsExactly(Ids.id(j1).toString());
    }

    @Test
    void a_producer_that_has_waited_for_room_comes_in() {
        cluster.receives(
                QUEUE,
                bound(queue, new QueueConfig(1L, null, Overflow.BLOCK, null)),
                enqueue(id(here.id(), "x")).to(queue).madeId());
        receives(QUEUE, patient(ofSeconds(30), job(j1, queue, "").madeId()).as("waits"));
        cluster.delivers();
        cluster.receives(QUEUE, cancel(id(here.id(), "x")));
        settled();
        here.repliesTo("waits").shown().is("available");
    }

    @Test
    void a_batch_takes_all_of_its_keys_or_none() {
        receives(QUEUE, job(j1, queue, "").madeId());
        settled();
        String free = keyIn(cluster.log(3).id(), 1);
        Commands.Job second =
                enqueue(id(there.id(), "d")).to(other).member("unique", "{\"unique_key\":\"" + free + "\"}");
        receives(OTHER, batch(second, job(t1, other, "")).as("b"));
        settled();
        there.repliesTo("b").rejected(DUPLICATE).with("index", 1);
        assertThat(Stored.rows(cluster.log(3))).isEmpty();
        receives(
                OTHER,
                batch(second, job(t1, other, ",\"on_conflict\":\"ignore\"")).as("c"));
        settled();
        there.repliesTo("c").line(0).is("available");
        there.repliesTo("c")
                .line(1)
                .shows("deduplicated", true)
                .shows("existing_job_id", Ids.id(j1).toString());
        assertThat(Stored.rows(cluster.log(3))).hasSize(1);
    }

    @Test
    void a_home_that_does_not_answer_rejects_in_the_end() {
        receives(QUEUE, job(j1, queue, "").madeId().as("a"));
        cluster.losesOne();
        cluster.after(ofMinutes(2));
        settled();
        assertThat(Stored.live(here)).isEmpty();
        receives(QUEUE, job(j2, queue, "").madeId().as("b"));
        settled();
        here.repliesTo("b").shown().is("available");
    }

    @Test
    void a_claim_whose_settlement_is_lost_is_settled_after_all() {
        receives(QUEUE, job(j1, queue, "").madeId().as("a"));
        cluster.deliversOne(); // the claim
        cluster.deliversOne(); // the answer
        cluster.losesOne(); // the settlement
        cluster.after(ofMinutes(3));
        settled();
        receives(OTHER, job(t1, other, "").madeId().as("b"));
        settled();
        there.repliesTo("b").rejected(DUPLICATE);
    }

    // ---- at random

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void at_no_time_two_unfinished_jobs_of_a_key(long seed) {
        Random random = new Random(seed);
        List<String> jobs = new ArrayList<>();
        String[] keys = {
            keyIn(home.id(), 0), keyIn(here.id(), 1), keyIn(cluster.log(3).id(), 2)
        };
        String[] queues = {queue, other, Ids.queueIn(home.id(), cluster.routing(), "third")};
        Identity confined = new Identity("confined", List.of(queues), null);
        String[] conflicts = {"reject", "ignore", "replace", "replace_except_schedule", "replace"};
        for (int n = 0; n < 150; n++) {
            int partition = random.nextInt(4);
            String name = "n" + n;
            String nickname = id(cluster.log(random.nextInt(4)).id(), name + "x");
            switch (random.nextInt(8)) {
                case 0, 1, 2, 3 -> {
                    Commands.Job job = enqueue(nickname)
                            .to(queues[random.nextInt(3)])
                            .member(
                                    "unique",
                                    "{\"unique_key\":\"%s\",\"on_conflict\":\"%s\"}"
                                            .formatted(keys[random.nextInt(3)], conflicts[random.nextInt(5)]));
                    if (random.nextInt(4) == 0) job.delay(ofSeconds(1 + random.nextInt(3)));
                    Ask ask = random.nextInt(3) == 0 ? job.sentBy(confined) : job;
                    cluster.receives(partition, ask.as(name));
                    jobs.add(nickname);
                }
                case 4 -> cluster.receives(partition, fetch(queues).by("w").count(2));
                case 5 -> {
                    if (!jobs.isEmpty())
                        cluster.receives(
                                partition,
                                ack(jobs.get(random.nextInt(jobs.size()))).as("x"));
                }
                case 6 -> {
                    if (!jobs.isEmpty())
                        cluster.receives(
                                partition,
                                nack(jobs.get(random.nextInt(jobs.size()))).as("x"));
                }
                default -> {
                    if (random.nextInt(3) == 0) cluster.after(ofSeconds(random.nextInt(5)));
                    else if (!jobs.isEmpty())
                        cluster.receives(
                                partition,
                                cancel(jobs.get(random.nextInt(jobs.size()))).as("x"));
                }
            }
            for (int some = random.nextInt(7); some > 0 && cluster.underway() > 0; some--) {
                cluster.deliversOne();
                onlyOneOfEachKey(seed);
            }
            onlyOneOfEachKey(seed);
        }
        settled();
        onlyOneOfEachKey(seed);
        TreeSet<String> rows = new TreeSet<>();
        TreeSet<String> live = new TreeSet<>();
        for (PartitionId log : cluster.routing().logs()) {
            rows.addAll(Stored.rows(cluster.log(log)));
            Stored.live(cluster.log(log)).forEach(job -> live.add(job.id.toString()));
        }
        assertThat(rows).as("seed %d", seed).isEqualTo(live);
    }

    private void onlyOneOfEachKey(long seed) {
        Map<String, JobRecord> byKey = new TreeMap<>();
        for (PartitionId log : cluster.routing().logs())
            for (JobRecord job : Stored.live(cluster.log(log)))
                assertThat(byKey.put(job.tie == null ? "" : job.tie.fingerprint(), job))
                        .as("seed %d", seed)
                        .isNull();
    }
}
