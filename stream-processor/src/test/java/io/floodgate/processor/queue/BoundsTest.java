package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.BATCH_EXCEEDS_BOUND;
import static io.floodgate.topics.command.ErrorCode.INVALID_QUEUE;
import static io.floodgate.topics.command.ErrorCode.QUEUE_FULL;
import static io.floodgate.topics.queue.Deletion.DISCARD;
import static io.floodgate.topics.queue.Overflow.BLOCK;
import static io.floodgate.topics.queue.Overflow.DROP_OLDEST;
import static io.floodgate.topics.queue.Overflow.REJECT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BoundsTest extends PartitionTest {
    private static final QueueConfig SMALL = new QueueConfig(null, 200L, null, null);

    private List<String> types() {
        return log.events().stream().map(event -> event.text("type")).toList();
    }

    private double rate(String name) {
        return log.status("q").json().get(name).doubleValue();
    }

    @Nested
    class a_configuration {
        @Test
        void is_merged_shown_and_reported() {
            log.receives(bound("q", new QueueConfig(10L, null, null, 0.5)));
            log.replies().line(0).showsJson("decided", "{\"max_depth\":10,\"warning_threshold\":0.5}");
            log.emits("queue.created", "queue.config_updated");
            assertThat(log.events().getLast().json().at("/data/depth").longValue(-1))
                    .isZero();
            log.receives(bound("q", new QueueConfig(null, 0L, DROP_OLDEST, null), "warning_threshold"));
            log.replies()
                    .line(0)
                    .showsJson("decided", "{\"max_depth\":10,\"max_size_bytes\":0,\"strategy\":\"drop_oldest\"}");
            log.receives(bound("q", QueueConfig.NONE));
            log.emits();
        }

        @Test
        void keeps_an_unused_queue_from_being_forgotten() {
            log.receives(bound(10, REJECT));
            log.restarts();
            log.after(ofDays(365)).receives(getQueue("q"));
            log.replies().line(0).showsJson("decided", "{\"max_depth\":10,\"strategy\":\"reject\"}");
        }

        @Test
        void is_rejected_for_what_cannot_be_a_queue() {
            log.receives(bound("NO", SMALL)).rejects(INVALID_QUEUE);
        }
    }

    /** So that readers of the events can count along. */
    @Test
    void the_events_of_a_bounded_queue_say_how_large_its_jobs_are() {
        log.receives(enqueue("j1"), bound(10, REJECT));
        log.receives(enqueue("j2"));
        assertThat(log.events().getFirst().json().at("/data/size_bytes").longValue() * 2)
                .isEqualTo(log.status("q").number("size_bytes"));
    }

    @Nested
    class reject {
        @Test
        void rejects_the_job_that_would_be_one_too_many() {
            log.receives(bound(2, REJECT), enqueue("j1"), enqueue("j2"));
            log.replies()
                    .line(1)
                    .showsJson(
                            "load",
                            "{\"queue\":\"q\",\"depth\":2,\"max_depth\":2,\"size_bytes\":%s,\"strategy\":\"reject\",\"pressure\":1.0,\"warning\":true,\"version\":%s}"
                                    .formatted(size(), version()));
            log.receives(enqueue("j3"));
            log.rejects(QUEUE_FULL)
                    .with("queue", "q")
                    .with("depth", 2)
                    .with("bound", 2)
                    .with("strategy", "reject")
                    .with("dimension", "depth")
                    .with("retry_after_seconds", 5);
            assertThat(log.replies().message()).isEqualTo("Queue 'q' has reached its depth bound (2)");
            assertThat(log.knows("j3")).isFalse();
            log.status("q").shows("depth", 2).shows("rejected", 1).shows("level", "full");
        }

        private long version() {
            return log.status("q").number("version");
        }

        private long size() {
            return log.status("q").number("size_bytes");
        }

        @Test
        void counts_active_scheduled_pending_and_held_jobs() {
            log.receives(bound(4, REJECT), enqueue("j1"), fetch(), enqueue("j2").delay(ofSeconds(60)));
            log.receives(enqueue("j3").pending(), hold(0, enqueue("j4")));
            log.receives(enqueue("j5")).rejects(QUEUE_FULL);
        }

        @Test
        void gives_room_that_was_freed_to_the_next_one() {
            log.receives(bound(1, REJECT), enqueue("j1"), fetch().as("a"), ack("j1"), enqueue("j2"));
            log.replies().line(0).is("available");
            log.receives(cancel("j2"), enqueue("j3"));
            log.replies().line(0).is("available");
        }

        @Test
        void a_failed_job_keeps_its_place() {
            log.receives(bound(1, REJECT), enqueue("j1"), fetch(), nack("j1"));
            log.receives(enqueue("j2")).rejects(QUEUE_FULL);
            log.after(ofSeconds(10)).receives(fetch()).replies().jobs("j1");
        }

        @Test
        void a_dead_letter_that_is_retried_needs_room() {
            log.receives(bound(1, REJECT), enqueue("j1").maxAttempts(1), fetch(), nack("j1"), enqueue("j2"));
            log.receives(retryDead("j1")).rejects(QUEUE_FULL);
            log.receives(getJob("j1")).replies().shown().is("discarded");
            log.receives(cancel("j2"), retryDead("j1")).replies().shown().is("available");
        }

        @Test
        void lowering_drops_nothing() {
            log.receives(bound(3, REJECT), enqueue("j1"), enqueue("j2"), bound(1, REJECT));
            log.status("q").shows("depth", 2).shows("pressure", 2.0);
            log.receives(enqueue("j3")).rejects(QUEUE_FULL);
            log.receives(cancel("j1"), enqueue("j3")).rejects(QUEUE_FULL);
            log.receives(bound(0, REJECT), enqueue("j3"));
            log.replies().line(0).is("available");
        }

        @Test
        void says_how_long_it_takes_by_the_rate_at_which_the_queue_drains() {
            log.unaudited().receives(bound(10, REJECT));
            log.after(ofMinutes(4));
            for (int i = 0; i < 120; i++) log.after(ofMillis(100)).receives(enqueue("j" + i), fetch(), ack("j" + i));
            for (int i = 0; i < 10; i++) log.receives(enqueue("k" + i));
            log.receives(enqueue("x")).rejects(QUEUE_FULL).with("retry_after_seconds", 1);
            log.receives(bound(90, REJECT), batch(jobs("x", 90))).rejects(QUEUE_FULL);
            // 10 leave in a second, 10 are too many
            assertThat(retryAfter()).isBetween(1L, 2L);
        }

        private static Commands.Job[] jobs(String name, int count) {
            return IntStream.range(0, count).mapToObj(i -> enqueue(name + i)).toArray(Commands.Job[]::new);
        }

        @Test
        void says_that_a_batch_has_no_room_where_the_bound_is_not_reached() {
            log.receives(bound(3, REJECT), enqueue("a"));
            log.receives(batch(enqueue("b"), enqueue("c"), enqueue("d"))).rejects(QUEUE_FULL);
            assertThat(log.replies().message())
                    .isEqualTo("Queue 'q' has no room for the batch within its depth bound (3)");
        }

        @Test
        void shows_the_pressure_of_each_percent_as_it_is() {
            log.unaudited().receives(bound(100, REJECT));
            for (int i = 0; i < 57; i++) log.receives(enqueue("p" + i));
            log.status("q").shows("pressure", 0.57);
        }

        private long retryAfter() {
            String seconds = ((Reply.Rejected) log.replies().reply())
                    .rejection().details().stream()
                            .filter(detail -> detail.name().equals("retry_after_seconds"))
                            .findFirst()
                            .orElseThrow()
                            .json();
            return Long.parseLong(seconds);
        }

        /** A job whose run has failed keeps its place: nothing leaves the queue, however busy its workers are. */
        @Test
        void does_not_promise_room_when_every_run_fails_and_is_retried() {
            log.unaudited().receives(bound(10, REJECT));
            String oftenAndSoon =
                    "{\"max_attempts\":1000,\"initial_interval\":\"PT1S\",\"backoff_coefficient\":1.0,\"jitter\":false}";
            for (int i = 0; i < 10; i++) log.receives(enqueue("j" + i).retry(oftenAndSoon));
            for (int second = 0; second < 45; second++) {
                log.receives(fetch().count(10));
                for (int i = 0; i < 10; i++) log.receives(nack("j" + i));
                log.after(ofMillis(1_001));
            }
            log.status("q").shows("failed_last_hour", 450);
            log.receives(enqueue("x")).rejects(QUEUE_FULL).with("retry_after_seconds", 30);
            log.status("q").shows("depth", 10).shows("drains_per_second", 0.0).showsJson("room_in_seconds", "null");
        }

        @Test
        void counts_whatever_leaves_the_queue_not_only_what_was_run() {
            log.unaudited().receives(bound(30, REJECT), makeQueue("other", QueueConfig.NONE));
            for (int i = 0; i < 20; i++) log.receives(enqueue("j" + i));
            for (int i = 0; i < 10; i++) log.receives(enqueue("k" + i).priority(-1));
            for (int i = 0; i < 20; i++) log.after(ofMillis(500)).receives(cancel("j" + i));
            assertThat(rate("drains_per_second")).isBetween(1.5, 2.5);
            log.receives(bound(10, DROP_OLDEST));
            for (int i = 0; i < 20; i++) log.after(ofMillis(500)).receives(enqueue("l" + i));
            log.status("q").shows("dropped", 20);
            assertThat(rate("drains_per_second")).isBetween(1.5, 2.5);
            log.receives(move("q", "other"), tick());
            log.status("other").shows("depth", 10).shows("fills_per_second", 0.1);
        }

        @Test
        void says_how_long_it_takes_until_as_many_bytes_have_left_as_are_missing() {
            String half = "[\"%s\"]".formatted("x".repeat(500_000));
            log.unaudited().receives(bound("q", new QueueConfig(null, 1_000_000L, null, null)));
            for (int i = 0; i < 9; i++) log.receives(enqueue("j" + i).member("args", small(100_000)));
            // 600 kB in 60 s
            for (int i = 0; i < 6; i++) log.after(ofSeconds(10)).receives(cancel("j" + i));
            log.after(ofSeconds(10));
            for (int i = 0; i < 6; i++) log.receives(enqueue("k" + i).member("args", small(100_000)));
            log.receives(enqueue("large").member("args", half)).rejects(QUEUE_FULL);
            // 400 kB are missing: 40 s, and no more than 30 are ever asked for
            assertThat(retryAfter()).isEqualTo(30);
            log.receives(enqueue("less").member("args", small(200_000))).rejects(QUEUE_FULL);
            assertThat(retryAfter()).isBetween(9L, 11L);
        }

        private static String small(int length) {
            return "[\"%s\"]".formatted("x".repeat(length));
        }

        @Test
        void whichever_of_two_bounds_is_reached_first_counts() {
            log.receives(bound("q", new QueueConfig(3L, 250L, null, null)), enqueue("j1"), enqueue("j2"));
            log.receives(enqueue("j3"))
                    .rejects(QUEUE_FULL)
                    .with("dimension", "size")
                    .with("bound", 250)
                    .with("max_depth", 3);
            log.receives(bound("q", new QueueConfig(2L, 10_000L, null, null)), enqueue("j3"));
            log.rejects(QUEUE_FULL).with("dimension", "depth").with("bound", 2);
        }

        @Test
        void a_size_bound_counts_bytes() {
            log.receives(bound("q", SMALL), enqueue("j1").member("args", "[\"%s\"]".formatted("x".repeat(60))));
            log.receives(enqueue("j2").member("args", "[\"%s\"]".formatted("x".repeat(60))));
            log.rejects(QUEUE_FULL).with("dimension", "size").with("bound", 200).with("max_size_bytes", 200);
            log.receives(enqueue("j3").member("args", "[\"%s\"]".formatted("x".repeat(300))));
            log.rejects(BATCH_EXCEEDS_BOUND).with("reason", "batch_exceeds_bound");
        }
    }

    @Nested
    class the_status {
        @Test
        void says_how_fast_a_queue_fills_and_drains_and_when_there_is_room() {
            log.unaudited().receives(bound(31, REJECT));
            fillsTwiceAsFastAsItDrains();
            log.status("q").hides("room_in_seconds");
            log.receives(enqueue("k"));
            log.status("q").shows("room_in_seconds", 2);
            double fills = rate("fills_per_second");
            double drains = rate("drains_per_second");
            log.restarts().receives(getQueue("q"));
            log.status("q").shows("fills_per_second", fills).shows("drains_per_second", drains);
            log.after(ofMinutes(6)).receives(getQueue("q"));
            log.status("q").shows("fills_per_second", 0.0).shows("drains_per_second", 0.0);
        }

        @Test
        void of_a_queue_without_a_bound_says_how_fast_it_fills_and_drains() {
            log.unaudited();
            fillsTwiceAsFastAsItDrains();
            log.status("q").hides("room_in_seconds", "level", "pressure");
        }

        private void fillsTwiceAsFastAsItDrains() {
            for (int i = 0; i < 60; i++) {
                log.after(ofSeconds(1)).receives(enqueue("j" + i));
                if (i % 2 == 1) log.receives(fetch(), ack("j" + i / 2));
            }
            assertThat(rate("fills_per_second")).isBetween(0.9, 1.1);
            assertThat(rate("drains_per_second")).isBetween(0.45, 0.55);
        }

        /** What comes in at the bound is what leaves: only what is offered says that the queue will stay full. */
        @Test
        void says_how_much_is_offered_to_a_queue_that_has_been_full_for_long() {
            log.unaudited().receives(bound(20, REJECT));
            for (int i = 0; i < 20; i++) log.receives(enqueue("first" + i));
            for (int second = 0; second < 660; second++) {
                log.after(ofSeconds(1)).receives(fetch(), ack(second < 20 ? "first" + second : "j" + (second - 20)));
                log.receives(enqueue("j" + second));
                // half of the rejections are those of a gateway
                if (second % 2 == 0) log.receives(enqueue("x" + second)).rejects(QUEUE_FULL);
                else log.receives(countRejected(1));
            }
            log.status("q").shows("depth", 20).shows("rejected", 660);
            double fills = rate("fills_per_second");
            assertThat(rate("drains_per_second")).isBetween(0.8, 1.2);
            assertThat(fills).isBetween(1.6, 2.5);
        }

        @Test
        void counts_a_job_that_waits_for_room_once() {
            log.receives(bound(1, BLOCK), enqueue("a"));
            log.receives(
                    patient(ofSeconds(30), enqueue("b")).as("b"),
                    patient(ofSeconds(30), enqueue("c")).as("c"));
            log.after(ofSeconds(9)).receives(cancel("a"));
            log.after(ofSeconds(21)).receives(getQueue("q"));
            log.status("q").shows("depth", 1).shows("rejected", 1).shows("fills_per_second", 0.03);
        }
    }

    @Nested
    class a_batch {
        @Test
        void is_stored_whole_or_not_at_all() {
            log.receives(bound(3, REJECT), enqueue("j0"), batch(enqueue("j1"), enqueue("j2"), enqueue("j3")));
            log.rejects(QUEUE_FULL);
            log.status("q").shows("depth", 1).shows("rejected", 3);
            log.receives(batch(enqueue("j1"), enqueue("j2")));
            assertThat(log.replies().lines()).hasSize(3);
            log.status("q").shows("depth", 3);
        }

        @Test
        void that_can_never_fit_is_rejected_as_such() {
            log.receives(bound(1, REJECT), batch(enqueue("j1"), enqueue("j2"))).rejects(BATCH_EXCEEDS_BOUND);
            assertThat(log.knows("j1")).isFalse();
        }

        @Test
        void drops_nothing_when_another_queue_is_full() {
            log.receives(bound(1, DROP_OLDEST), enqueue("old"), bound("r", new QueueConfig(1L, null, REJECT, null)));
            log.receives(
                    enqueue("full").to("r"),
                    batch(enqueue("new"), enqueue("more").to("r")));
            log.rejects(QUEUE_FULL).with("queue", "r");
            log.receives(getJob("old")).replies().shown().is("available");
        }

        @Test
        void over_several_logs_is_rejected_when_one_of_them_has_no_room() {
            Cluster cluster = new Cluster(2);
            String here = cluster.queue(0, "here");
            String there = cluster.queue(1, "there");
            String a = cluster.id(0, "a");
            String b = cluster.id(1, "b");
            String c = cluster.id(1, "c");
            cluster.receives(
                    1,
                    bound(there, new QueueConfig(1L, null, null, null)),
                    enqueue(c).to(there));
            cluster.receives(0, bound(here, new QueueConfig(1L, null, null, null)));
            cluster.receives(0, batch(enqueue(a).to(here), enqueue(b).to(there)).as("asker"))
                    .delivers();
            cluster.log(0).repliesTo("asker").rejected(QUEUE_FULL).with("queue", there);
            cluster.log(0).status(here).shows("depth", 0);
            cluster.receives(1, cancel(c));
            cluster.receives(0, batch(enqueue(a).to(here), enqueue(b).to(there)).as("again"))
                    .delivers();
            assertThat(cluster.log(0).repliesTo("again").lines()).hasSize(4);
        }

        @Test
        void in_parts_has_to_fit_part_by_part() {
            log.receives(bound(2, REJECT), hold(0, enqueue("j1"), enqueue("j2")).as("first"));
            long part = log.repliesTo("first").line(0).number("part");
            log.receives(hold(2, enqueue("j3"))).rejects(QUEUE_FULL);
            log.receives(ask(new EndHold(List.of(part), false)), tick());
            log.status("q").shows("depth", 0);
        }
    }

    @Nested
    class drop_oldest {
        @Test
        void makes_room_with_the_least_urgent_and_then_oldest() {
            log.receives(bound(3, DROP_OLDEST), enqueue("a").priority(1), enqueue("b"), enqueue("c"));
            log.receives(enqueue("d"));
            log.replies().line(0).is("available");
            assertThat(types())
                    .containsSubsequence("job.discarded", "backpressure.dropped", "queue.overflow", "job.enqueued");
            log.receives(getJob("b")).replies().shown().is("discarded");
            log.status("q")
                    .shows("depth", 3)
                    .shows("dropped", 1)
                    .shows("dead", 0)
                    .shows("rejected", 0);
            log.receives(fetch().count(5)).replies().jobs("a", "c", "d");
        }

        @Test
        void rejects_when_nothing_can_be_dropped() {
            log.receives(
                    bound(2, DROP_OLDEST), enqueue("a"), fetch(), enqueue("b").delay(ofSeconds(60)));
            log.receives(enqueue("c")).rejects(QUEUE_FULL).with("strategy", "drop_oldest");
            log.status("q").shows("depth", 2).shows("dropped", 0);
        }

        @Test
        void scheduled_jobs_come_in_for_more_urgent_ones_and_are_not_dropped_for_them() {
            log.receives(
                    bound(2, DROP_OLDEST),
                    enqueue("a").priority(10),
                    enqueue("b").priority(10));
            log.receives(
                    enqueue("c").priority(-10).delay(ofSeconds(60)),
                    enqueue("d").priority(-10).delay(ofSeconds(60)));
            log.job("a").is("discarded");
            log.job("b").is("discarded");
            assertThat(log.receives(enqueue("e").priority(50))
                            .rejects(QUEUE_FULL)
                            .message())
                    .isEqualTo(
                            "Queue 'q' has reached its depth bound (2), and only available jobs can be dropped: it has 0");
        }

        @Test
        void makes_room_for_a_whole_batch_or_drops_nothing() {
            log.receives(bound(3, DROP_OLDEST), enqueue("a"), fetch(), enqueue("b"), enqueue("c"));
            log.receives(batch(enqueue("d"), enqueue("e"), enqueue("f"))).rejects(QUEUE_FULL);
            log.status("q").shows("depth", 3).shows("dropped", 0);
            log.receives(batch(enqueue("d"), enqueue("e")));
            assertThat(log.replies().lines()).hasSize(3);
            log.status("q").shows("depth", 3).shows("dropped", 2);
            log.receives(fetch().count(5)).replies().jobs("d", "e");
        }

        @Test
        void drops_as_many_bytes_as_are_missing() {
            String args = "[\"%s\"]".formatted("x".repeat(100));
            log.receives(bound("q", new QueueConfig(null, 500L, DROP_OLDEST, null)));
            log.receives(enqueue("a"), enqueue("b"), enqueue("c").member("args", args));
            log.receives(enqueue("d").member("args", args), enqueue("e").member("args", args));
            log.receives(getJob("a")).replies().shown().is("discarded");
            assertThat(log.status("q").number("size_bytes")).isLessThanOrEqualTo(500);
        }

        /** The next job that comes does not cost all that is above a lowered bound. */
        @Test
        void takes_in_what_comes_above_a_lowered_bound_and_drops_one_more_than_that_needs() {
            log.receives(bound(6, DROP_OLDEST));
            for (int i = 0; i < 6; i++) log.receives(enqueue("j" + i));
            log.receives(bound(3, DROP_OLDEST)).emits("queue.config_updated");
            log.receives(enqueue("a"));
            log.replies().line(0).is("available");
            log.status("q").shows("depth", 5).shows("dropped", 2);
            log.receives(batch(enqueue("b"), enqueue("c")));
            log.status("q").shows("depth", 3).shows("dropped", 6);
            log.receives(enqueue("d"));
            log.status("q").shows("depth", 3).shows("dropped", 7);
            log.receives(fetch().count(5)).replies().jobs("b", "c", "d");
        }

        @Test
        void takes_jobs_in_though_more_are_too_many_than_can_go_in_one_step() {
            log.unaudited().receives(bound(2_000, DROP_OLDEST));
            for (int i = 0; i < 1_200; i++) log.receives(enqueue("j" + i));
            log.receives(bound(10, DROP_OLDEST), enqueue("late"));
            log.replies().line(0).is("available");
            log.status("q").shows("depth", 1_199).shows("dropped", 2);
        }

        /** A thousand in each step, which others come between. */
        @Test
        void takes_a_large_job_in_though_more_small_ones_make_room_for_it_than_can_go_in_one_step() {
            log.unaudited().receives(bound("q", new QueueConfig(null, 300_000L, DROP_OLDEST, null)));
            for (int i = 0; i < 2_700; i++) log.receives(enqueue("j" + i));
            log.status("q").shows("dropped", 0);
            String args = "[\"%s\"]".formatted("x".repeat(280_000));
            log.receives(enqueue("large").member("args", args).as("producer")).keepsWaiting("producer");
            log.status("q").shows("dropped", 1_000);
            log.receives(enqueue("between"));
            log.replies().line(0).is("available");
            log.restarts().receives(tick()).repliesTo("producer").line(0).is("available");
            log.status("q").shows("rejected", 0).shows("blocked", 0);
            assertThat(log.status("q").number("size_bytes")).isLessThanOrEqualTo(300_000);
            assertThat(log.job("large").text("state")).isEqualTo("available");
        }

        @Test
        void counts_before_it_drops_so_that_a_queue_of_running_jobs_loses_none() {
            log.receives(bound(4, DROP_OLDEST), enqueue("a"), enqueue("b"), enqueue("c"), fetch().count(3));
            log.receives(enqueue("d"), bound(2, DROP_OLDEST));
            log.receives(batch(enqueue("e"), enqueue("f"))).rejects(QUEUE_FULL);
            log.status("q").shows("depth", 4).shows("dropped", 0);
            log.receives(enqueue("g"));
            log.replies().line(0).is("available");
            log.status("q").shows("depth", 4).shows("dropped", 1);
        }

        /** OJS backpressure §5.3: "The new job is accepted normally", whatever its priority. */
        @Test
        void takes_in_a_job_that_is_less_urgent_than_those_that_make_room_for_it() {
            log.receives(bound(1, DROP_OLDEST), enqueue("urgent").priority(10), enqueue("not_urgent"));
            log.replies().line(0).is("available");
            log.job("urgent").is("discarded");
        }

        @Test
        void works_on_a_paused_queue() {
            log.receives(bound(1, DROP_OLDEST), pause("q"), enqueue("a"), enqueue("b"));
            log.receives(getJob("a")).replies().shown().is("discarded");
        }
    }

    /** The first of two logs drops the oldest, the second one decides. */
    @Nested
    class drop_oldest_for_a_batch_over_two_logs {
        private final Cluster cluster = new Cluster(2);

        private String queue(int partition) {
            return cluster.queue(partition, "queue");
        }

        private String id(int partition, String name) {
            return cluster.id(partition, name);
        }

        private Commands.Job job(int partition, String name) {
            return enqueue(id(partition, name)).to(queue(partition));
        }

        private void areBounded(long depth, Overflow other) {
            cluster.receives(0, bound(queue(0), new QueueConfig(depth, null, DROP_OLDEST, null)));
            cluster.receives(1, bound(queue(1), new QueueConfig(1L, null, other, null)));
        }

        private void isThere(int partition, String name) {
            cluster.receives(partition, job(partition, name));
            cluster.log(partition).replies().line(0).is("available");
        }

        private Shown queue() {
            assertThat(cluster.log(0).engine().audit()).isEmpty();
            return cluster.log(0).status(queue(0));
        }

        private void is(String name, String state) {
            cluster.log(0).job(id(0, name)).is(state);
        }

        @Test
        void drops_when_all_have_room() {
            areBounded(2, REJECT);
            isThere(0, "a");
            isThere(0, "b");
            cluster.receives(1, batch(job(0, "x"), job(1, "y")).as("batch")).delivers();
            assertThat(cluster.log(1).repliesTo("batch").lines()).hasSize(4);
            is("a", "discarded");
            is("b", "available");
            queue().shows("depth", 2).shows("dropped", 1);
        }

        @Test
        void drops_nothing_when_another_log_rejects() {
            areBounded(2, REJECT);
            isThere(0, "a");
            isThere(0, "b");
            isThere(1, "c");
            cluster.receives(1, batch(job(0, "x"), job(1, "y")).as("batch")).delivers();
            cluster.log(1).repliesTo("batch").rejected(QUEUE_FULL).with("queue", queue(1));
            is("a", "available");
            queue().shows("depth", 2).shows("dropped", 0).shows("available", 2);
            cluster.receives(0, fetch(queue(0)).count(5));
            cluster.log(0).replies().jobs(id(0, "a"), id(0, "b"));
        }

        @Test
        void drops_nothing_while_it_waits_for_another_log() {
            areBounded(1, BLOCK);
            isThere(0, "a");
            isThere(1, "c");
            List<byte[]> jobs = List.of(job(0, "x").json(), job(1, "y").json());
            cluster.receives(
                            1, ask(new EnqueueBatch(jobs, false, ofSeconds(30))).as("batch"))
                    .delivers();
            is("a", "available");
            cluster.receives(1, cancel(id(1, "c"))).delivers();
            assertThat(cluster.log(1).repliesTo("batch").lines()).hasSize(4);
            is("a", "discarded");
            queue().shows("depth", 1);
        }

        @Test
        void no_client_gets_a_job_that_is_to_make_room() {
            areBounded(2, REJECT);
            isThere(0, "a");
            isThere(0, "b");
            cluster.receives(1, batch(job(0, "x"), job(0, "z"), job(1, "y")));
            arrivesAtTheFirst();
            cluster.receives(0, fetch(queue(0)).count(5));
            cluster.log(0).replies().jobs();
            queue().shows("depth", 2);
            // Nor does another one count on the same jobs.
            cluster.receives(0, job(0, "late"));
            cluster.log(0).rejects(QUEUE_FULL);
            cluster.log(0).restarts();
            cluster.delivers();
            queue().shows("depth", 2).shows("dropped", 2);
            cluster.receives(0, fetch(queue(0)).count(5));
            cluster.log(0).replies().jobs(id(0, "x"), id(0, "z"));
        }

        private void arrivesAtTheFirst() {
            cluster.deliversOne();
        }

        /** Its end is still to be told, and then that the other one comes. */
        @Test
        void a_job_that_is_to_make_room_is_among_those_that_a_new_bound_finds() {
            areBounded(2, REJECT);
            isThere(0, "a");
            isThere(0, "b");
            long size = queue().number("size_bytes");
            cluster.receives(1, batch(job(0, "x"), job(1, "y")));
            arrivesAtTheFirst();
            cluster.receives(0, bound(queue(0), new QueueConfig(1L, null, REJECT, null)));
            queue().shows("depth", 2);
            cluster.log(0).event("queue.config_updated").shows("depth", 3).shows("size_bytes", size + size / 2);
            cluster.log(0).restarts();
            cluster.receives(0, bound(queue(0), new QueueConfig(2L, null, REJECT, null)));
            cluster.log(0).event("queue.config_updated").shows("depth", 3);
            cluster.delivers();
            cluster.receives(0, bound(queue(0), new QueueConfig(1L, null, REJECT, null)));
            cluster.log(0).event("queue.config_updated").shows("depth", 2);
        }

        @Test
        void a_job_that_ends_before_it_has_made_room_has_made_it_all_the_same() {
            areBounded(1, REJECT);
            isThere(0, "a");
            cluster.receives(1, batch(job(0, "x"), job(1, "y")).as("batch"));
            arrivesAtTheFirst();
            cluster.receives(0, cancel(id(0, "a")));
            queue().shows("depth", 1);
            cluster.delivers();
            is("a", "cancelled");
            queue().shows("depth", 1).shows("dropped", 0);
        }

        @Test
        void what_is_larger_than_the_batch_keeps_its_room_until_that_is_stored() {
            String large = "[\"%s\"]".formatted("x".repeat(300));
            areBounded(0, REJECT);
            cluster.receives(0, bound(queue(0), new QueueConfig(3L, 600L, null, null)));
            cluster.receives(0, job(0, "large").member("args", large));
            isThere(0, "small");
            long before = queue().number("size_bytes");
            cluster.receives(1, job(1, "c"));
            Commands.Job middle = job(0, "x").member("args", "[\"%s\"]".formatted("x".repeat(150)));
            cluster.receives(1, batch(middle, job(1, "y")).as("batch"));
            arrivesAtTheFirst();
            // Should the batch be rejected, the large one is there again.
            assertThat(queue().number("size_bytes")).isEqualTo(before);
            cluster.delivers();
            cluster.log(1).repliesTo("batch").rejected(QUEUE_FULL);
            assertThat(queue().number("size_bytes")).isEqualTo(before);
            is("large", "available");
        }
    }

    @Nested
    class what_is_told {
        @Test
        void edges_once_each() {
            log.receives(bound("q", new QueueConfig(10L, null, null, 0.5)));
            for (int i = 0; i < 4; i++) log.receives(enqueue("j" + i));
            log.receives(enqueue("j4"));
            log.emits("job.enqueued", "backpressure.warning");
            log.receives(enqueue("j5")).emits("job.enqueued");
            log.receives(cancel("j5")).emits("job.cancelled");
            log.receives(cancel("j4")).emits("job.cancelled", "backpressure.cleared");
            log.receives(cancel("j3")).emits("job.cancelled");
        }

        @Test
        void the_fields_that_the_specification_lists() {
            log.receives(bound("q", new QueueConfig(2L, null, null, 1.0)), enqueue("j1"), enqueue("j2"));
            told("backpressure.warning", "{\"queue\":\"q\",\"depth\":2,\"bound\":2}");
            log.receives(enqueue("j3"));
            told(
                    "backpressure.rejected",
                    "{\"queue\":\"q\",\"depth\":2,\"bound\":2,\"job_type\":\"test.job\",\"strategy\":\"reject\",\"count\":1}");
            log.receives(cancel("j1"));
            told("backpressure.cleared", "{\"queue\":\"q\",\"depth\":1,\"bound\":2}");
            log.receives(bound(1, DROP_OLDEST), enqueue("j4"));
            log.event("backpressure.dropped")
                    .shows("queue", "q")
                    .shows("job_id", Ids.id("j2").toString())
                    .shows("job_type", "test.job");
            log.event("queue.overflow").shows("policy", "drop_oldest");
        }

        private void told(String type, String data) {
            assertThat(log.event(type).json()).isEqualTo(Json.tree(data.getBytes(UTF_8)));
        }

        @Test
        void levels_of_pressure_without_flapping() {
            log.unaudited().receives(bound("q", new QueueConfig(100L, null, null, 1.0)));
            for (int i = 0; i < 80; i++) log.receives(enqueue("j" + i));
            log.receives(enqueue("a")).emits("job.enqueued", "queue.pressure_warning");
            log.receives(cancel("a")).emits("job.cancelled");
            log.receives(enqueue("b")).emits("job.enqueued");
            log.status("q").shows("level", "warning");
            for (int i = 0; i < 14; i++) log.receives(enqueue("k" + i));
            log.receives(enqueue("c")).emits("job.enqueued", "queue.pressure_critical");
            for (int i = 0; i < 3; i++) log.receives(enqueue("l" + i));
            log.receives(enqueue("d")).emits("job.enqueued", "backpressure.warning", "queue.full");
            log.status("q").shows("level", "full");
        }

        @Test
        void to_a_client_that_reports_on_a_job_how_full_its_queue_is() {
            log.receives(bound(2, REJECT), enqueue("j1"), enqueue("j2"), fetch(), fetch());
            log.receives(ack("j1"));
            assertThat(log.replies().lines()).hasSize(3);
            assertThat(log.replies().line(1).json()).isEmpty();
            log.replies().line(2).shows("load.depth", 1).shows("load.version", version());
            log.receives(nack("j2"));
            assertThat(log.replies().lines()).hasSize(3);
            log.replies().line(1).shows("error.attempt", 1);
            log.replies().line(2).shows("load.depth", 1).shows("load.version", version());
            log.receives(getJob("j1"));
            log.replies().line(2).shows("load.depth", 1);
            log.receives(cancel("j2"));
            log.replies().line(2).shows("load.depth", 0).shows("load.version", version());
        }

        @Test
        void nothing_of_a_queue_without_a_bound() {
            log.receives(enqueue("j1"), fetch(), ack("j1"));
            assertThat(log.replies().lines()).hasSize(1);
        }

        @Test
        void with_a_rejection_which_of_two_is_the_newer() {
            log.receives(bound(1, REJECT), enqueue("j1"), enqueue("j2"));
            log.rejects(QUEUE_FULL).with("version", version());
            log.receives(enqueue("j3")).rejects(QUEUE_FULL).with("version", version());
        }

        private long version() {
            return log.status("q").number("version");
        }

        @Test
        void rejections_that_a_gateway_has_given_with_the_others() {
            log.receives(bound(1, REJECT), enqueue("j1"), enqueue("j2"));
            log.receives(countRejected(100)).emits();
            log.replies().line(1).shows("load.depth", 1);
            log.receives(countRejected(20)).emits();
            log.after(ofSeconds(1)).event("backpressure.rejected").shows("count", 120);
            log.status("q").shows("rejected", 121);
        }

        @Test
        void nothing_of_rejections_at_a_queue_that_is_gone_or_has_no_bound() {
            log.receives(countRejected(7)).emits();
            log.receives(enqueue("j1"));
            log.receives(countRejected(7)).emits();
            log.status("q").shows("rejected", 0);
        }

        @Test
        void rejections_at_once_and_then_summed_up_within_a_second() {
            log.receives(bound(1, REJECT), enqueue("j1"));
            log.receives(enqueue("j2")).emits("backpressure.rejected", "queue.overflow");
            for (int i = 0; i < 5; i++) log.receives(enqueue("x" + i)).emits();
            log.after(ofSeconds(1))
                    .event("backpressure.rejected")
                    .shows("count", 5)
                    .shows("job_type", "test.job");
            log.after(ofSeconds(5)).emits();
            log.receives(enqueue("z")).emits("backpressure.rejected", "queue.overflow");
            log.status("q").shows("rejected", 7);
        }

        @Test
        void every_rejection_also_after_a_restart_and_when_its_queue_is_deleted() {
            log.receives(bound(1, REJECT), enqueue("j1"), enqueue("j2"), enqueue("j3"), enqueue("j4"));
            log.restarts().after(ofSeconds(1)).event("backpressure.rejected").shows("count", 2);
            log.receives(enqueue("j5"), enqueue("j6"), delete("q", DISCARD), tick());
            assertThat(types()).containsSubsequence("backpressure.rejected", "queue.deleted");
            assertThat(counts()).isEqualTo(2);
        }

        private long counts() {
            return log.events().stream()
                    .filter(event -> event.text("type").equals("backpressure.rejected"))
                    .mapToLong(event -> event.json().at("/data/count").longValue())
                    .sum();
        }

        @Test
        void rejections_of_each_type_apart_and_of_very_many_types_sooner() {
            log.receives(bound(1, REJECT), enqueue("j1"), enqueue("j2"));
            log.receives(
                            enqueue("a").type("one"),
                            enqueue("b").type("two"),
                            enqueue("c").type("two"))
                    .emits();
            log.after(ofSeconds(1));
            assertThat(log.events().stream()
                            .filter(event -> event.text("type").equals("backpressure.rejected"))
                            .map(event -> event.json().at("/data/job_type").stringValue()
                                    + event.json().at("/data/count").longValue()))
                    .containsExactly("one1", "two2");
            assertThat(types()).containsOnlyOnce("queue.overflow");
            for (int i = 0; i < 19; i++)
                log.receives(enqueue("d" + i).type("t" + i)).emits();
            log.receives(enqueue("d19").type("t19"));
            assertThat(counts()).isEqualTo(20);
        }

        @Test
        void a_threshold_is_reached_exactly_there() {
            log.unaudited().receives(bound("q", new QueueConfig(100L, null, null, 0.57)));
            for (int i = 0; i < 56; i++) log.receives(enqueue("j" + i));
            log.replies().line(1).shows("load.warning", false);
            log.receives(enqueue("j56")).emits("job.enqueued", "backpressure.warning");
            log.replies().line(1).shows("load.warning", true);
        }

        @Test
        void both_levels_that_one_batch_crosses() {
            log.receives(bound("q", new QueueConfig(10L, null, null, 1.0)), batch(jobs(10)));
            assertThat(types()).containsSubsequence("queue.pressure_warning", "queue.pressure_critical", "queue.full");
        }

        private static Commands.Job[] jobs(int count) {
            return IntStream.range(0, count).mapToObj(i -> enqueue("j" + i)).toArray(Commands.Job[]::new);
        }

        @Test
        void that_producers_are_held_from_now_on() {
            log.receives(bound(1, BLOCK), enqueue("a"));
            log.receives(patient(ofSeconds(30), enqueue("b")).as("b")).emits("queue.overflow");
            log.event("queue.overflow")
                    .shows("policy", "block")
                    .shows("depth", 1)
                    .shows("bound", 1);
            log.receives(patient(ofSeconds(30), enqueue("c")).as("c")).emits();
            log.receives(cancel("a"), cancel("b"), cancel("c"));
            log.after(ofSeconds(2)).receives(enqueue("d"));
            log.receives(patient(ofSeconds(30), enqueue("e")).as("e")).emits("queue.overflow");
        }

        @Test
        void to_a_client_that_stands_behind_a_batch_that_waits_why_it_does_not_come_in() {
            log.unaudited().receives(bound(10, BLOCK), enqueue("a"));
            log.receives(ask(new EnqueueBatch(
                            Stream.of(jobs(10)).map(Commands.Job::json).toList(), false, ofSeconds(30)))
                    .as("batch"));
            log.keepsWaiting("batch");
            log.after(ofSeconds(20)).receives(enqueue("z"));
            log.rejects(QUEUE_FULL)
                    .with("reason", "others_wait")
                    .with("depth", 1)
                    .with("max_depth", 10);
            assertThat(log.replies().message())
                    .startsWith(
                            "Queue 'q' has no room for a newcomer: producers wait in it (1), the first of them for room for 10 jobs");
        }
    }
}
