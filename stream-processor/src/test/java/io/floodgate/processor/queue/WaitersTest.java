package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.BACKEND_UNAVAILABLE;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.queue.wait.Waiters;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.Identity;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Parked fetches, served with jobs, and watches, told that there are some. */
class WaitersTest extends PartitionTest {
    @Test
    void gets_a_job_the_moment_it_is_enqueued() {
        // given
        log.receives(fetch().by("w1").waiting(ofSeconds(20)).as("a")).keepsWaiting("a");
        // when
        log.sleeps(ofSeconds(5)).receives(enqueue("j1")).emits("queue.created", "job.enqueued", "job.started");
        // then
        log.repliesTo("a")
                .jobs("j1")
                .shown()
                .is("active")
                .shows("worker_id", "w1")
                .shows("started_at", log.now());
        log.receives(enqueue("j2"));
        log.job("j2").is("available");
    }

    @Test
    void the_producer_is_informed_that_its_job_became_available() {
        log.receives(fetch().waiting(ofSeconds(20)).as("a"), enqueue("j1"));
        log.replies().shown().is("available").shows("attempt", 0);
    }

    @Test
    void is_served_in_order_of_parking() {
        log.receives(
                fetch().waiting(ofSeconds(20)).as("a"),
                fetch().waiting(ofSeconds(10)).as("b"),
                fetch().waiting(ofSeconds(30)).as("c"));
        log.receives(enqueue("j1"), enqueue("j2")).keepsWaiting("c");
        log.repliesTo("a").jobs("j1");
        log.repliesTo("b").jobs("j2");
    }

    @Test
    void exactly_as_many_as_can_be_served_are() {
        log.receives(
                fetch().count(2).waiting(ofSeconds(20)).as("a"),
                fetch().count(2).waiting(ofSeconds(20)).as("b"),
                fetch().count(2).waiting(ofSeconds(20)).as("c"));
        log.receives(batch(enqueue("j1"), enqueue("j2"), enqueue("j3"))).keepsWaiting("c");
        log.repliesTo("a").jobs("j1", "j2");
        log.repliesTo("b").jobs("j3");
    }

    @Test
    void no_client_is_parked_while_there_is_a_backlog() {
        log.receives(enqueue("j1"), fetch().count(5).waiting(ofSeconds(20)).as("a"));
        log.repliesTo("a").jobs("j1");
    }

    @Test
    void a_standing_backlog_goes_before_the_job_that_wakes_the_queue() {
        log.receives(pause("q"), enqueue("j1"), fetch().waiting(ofSeconds(20)).as("a"), enqueue("j2"))
                .keepsWaiting("a");
        log.receives(resume("q"));
        log.repliesTo("a").jobs("j1");
        log.job("j2").is("available");
    }

    @Test
    void is_answered_empty_handed_when_its_time_is_up() {
        log.receives(fetch().waiting(ofSeconds(20)).as("a"));
        log.after(ofSeconds(20).minusMillis(1)).keepsWaiting("a");
        log.after(ofMillis(1)).repliesTo("a").nothing();
        log.receives(enqueue("j1"));
        log.job("j1").is("available");
    }

    @Test
    void a_job_that_comes_at_the_very_end_of_its_time_is_kept_for_others() {
        log.receives(fetch().waiting(ofSeconds(20)).as("a"));
        log.sleeps(ofSeconds(20)).receives(enqueue("j1"));
        log.repliesTo("a").nothing();
        log.job("j1").is("available");
    }

    @Test
    void waits_at_several_queues_at_once() {
        log.receives(
                fetch("a", "b").waiting(ofSeconds(20)).as("w"), enqueue("b1").to("b"));
        log.repliesTo("w").jobs("b1");
        log.receives(enqueue("a1").to("a"));
        log.job("a1").is("available");
    }

    @Test
    void leaves_no_queue_behind_where_it_waited_in_vain() {
        log.receives(fetch("nowhere").waiting(ofSeconds(1)).as("a"));
        log.after(ofSeconds(1));
        assertThat(log.engine().queueNames()).isEmpty();
    }

    @Test
    void survives_a_restart() {
        log.receives(fetch().by("w1").lease(ofSeconds(9)).waiting(ofSeconds(20)).as("a"));
        log.restarts().receives(enqueue("j1"));
        log.repliesTo("a").jobs("j1").shown().shows("lease_expires_at", TestPartition.START.plusSeconds(9));
    }

    @Test
    void a_queue_first_waited_at_is_created_by_its_first_use_whatever_happened_in_between() {
        log.receives(fetch().waiting(ofHours(1)).as("a"));
        log.sleeps(ofSeconds(5)).restarts().receives(enqueue("j1"));
        log.status("q").shows("created_at", TestPartition.START.plusSeconds(5));
    }

    @Test
    void a_fetch_no_client_waits_for_claims_nothing_and_waits_for_nothing() {
        log.receives(enqueue("j1"), fetch().unanswered())
                .emits("queue.created", "job.enqueued", "floodgate.record_rejected");
        log.receives(
                fetch("other").waiting(ofSeconds(20)).unanswered(),
                enqueue("j2").to("other"));
        log.job("j1").is("available");
        log.job("j2").is("available");
    }

    @Test
    void ends_when_its_worker_is_lost() {
        // given
        log.receives(
                beat("w1"),
                beat("w2"),
                fetch().by("w1").waiting(ofHours(1)).as("a"),
                fetch().by("w2").waiting(ofHours(1)).as("b"));
        // when
        log.after(ofSeconds(29)).receives(beat("w2")).after(ofSeconds(1));
        // then
        log.repliesTo("a").nothing();
        log.receives(enqueue("j1"));
        log.repliesTo("b").jobs("j1");
    }

    @Test
    void ends_when_its_worker_leaves() {
        log.receives(beat("w1"), fetch().by("w1").waiting(ofHours(1)).as("a"), leave("w1"));
        log.repliesTo("a").nothing();
    }

    @Test
    void a_resumed_queue_serves_a_slice_of_them_and_the_rest_soon_after() {
        // given
        int many = 1200;
        log.unaudited()
                .receives(
                        pause("q"),
                        batchOfMadeIds(IntStream.range(0, many)
                                .mapToObj(i -> enqueue("j%04d".formatted(i)))
                                .toArray(Commands.Job[]::new)));
        for (int i = 0; i < many; i++) log.receives(fetch().waiting(ofHours(1)).as("a" + i));
        // when, then
        log.receives(resume("q"));
        log.status("q").shows("active", 100);
        log.agreesWithItself();
        log.restarts().receives(tick());
        log.status("q").shows("active", 200);
        log.after(ofMillis(0));
        log.status("q").shows("active", 1200);
        for (int i = 0; i < many; i += 100) log.repliesTo("a" + i).jobs("j%04d".formatted(i));
        log.agreesWithItself();
    }

    @Test
    void what_a_step_hands_out_is_bounded_in_bytes_too() {
        String args = "[\"" + "x".repeat(900_000) + "\"]";
        log.unaudited().receives(pause("q"));
        for (int i = 0; i < 30; i++)
            log.receives(
                    enqueue("j" + i).member("args", args),
                    fetch().waiting(ofHours(1)).as("a" + i));
        log.receives(resume("q"));
        log.status("q").shows("active", 1);
        log.receives(tick()).status("q").shows("active", 2);
        log.after(ofMillis(0));
        log.status("q").shows("active", 30);
    }

    @Test
    void a_client_that_comes_while_others_are_being_served_gets_in_line_if_it_can_wait() {
        log.unaudited()
                .receives(
                        pause("q"),
                        batchOfMadeIds(IntStream.range(0, 200)
                                .mapToObj(i -> enqueue("j%04d".formatted(i)))
                                .toArray(Commands.Job[]::new)));
        for (int i = 0; i < 200; i++) log.receives(fetch().waiting(ofHours(1)).as("a" + i));
        log.receives(resume("q"), fetch().waiting(ofHours(1)).as("late"), fetch().as("hasty"));
        log.repliesTo("a99").jobs("j0099");
        log.keepsWaiting("late").repliesTo("hasty").jobs("j0100");
        log.receives(tick()).repliesTo("a198").jobs("j0199");
        log.keepsWaiting("a199").keepsWaiting("late");
        log.receives(enqueue("x"), enqueue("y"));
        log.repliesTo("a199").jobs("x");
        log.repliesTo("late").jobs("y");
    }

    @Test
    void after_large_jobs_a_client_that_can_wait_is_served_with_the_next_tick() {
        String args = "[\"" + "x".repeat(100_000) + "\"]";
        log.unaudited();
        for (int i = 0; i < 4; i++) log.receives(enqueue("j" + i).member("args", args));
        log.receives(fetch().waiting(ofHours(1)).as("a")).repliesTo("a").jobs("j0");
        log.receives(fetch("other", "q").waiting(ofHours(1)).as("b")).keepsWaiting("b");
        log.receives(fetch().as("hasty")).repliesTo("hasty").jobs("j1");
        log.receives(tick()).repliesTo("b").jobs("j2");
        log.receives(fetch().waiting(ofHours(1)).as("c")).repliesTo("c").jobs("j3");
    }

    @Test
    void who_gets_in_line_gets_what_another_of_its_queues_has_by_then() {
        String args = "[\"" + "x".repeat(100_000) + "\"]";
        log.unaudited()
                .receives(
                        enqueue("j0").member("args", args),
                        enqueue("j1").member("args", args),
                        enqueue("k").to("other"));
        log.receives(fetch().waiting(ofHours(1)).as("a")).repliesTo("a").jobs("j0");
        log.receives(fetch("q", "other").waiting(ofHours(1)).as("b")).keepsWaiting("b");
        log.receives(fetch().as("hasty")).repliesTo("hasty").jobs("j1");
        log.receives(tick()).repliesTo("b").jobs("k");
    }

    @Test
    void gets_a_job_that_is_due() {
        log.receives(
                        enqueue("j1").delay(ofSeconds(5)),
                        fetch().waiting(ofSeconds(20)).as("a"))
                .keepsWaiting("a");
        log.after(ofSeconds(5)).repliesTo("a").jobs("j1");
    }

    @Test
    void gets_a_job_whose_lease_has_ended() {
        log.receives(
                enqueue("j1"),
                fetch().lease(ofSeconds(3)),
                fetch().waiting(ofSeconds(20)).as("a"));
        log.after(ofSeconds(3))
                .repliesTo("a")
                .jobs("j1")
                .shown()
                .shows("attempt", 2)
                .shows("lease", 2);
    }

    @Test
    void gets_a_job_that_is_given_back_activated_or_retried() {
        log.receives(
                enqueue("j1"),
                fetch(),
                fetch().waiting(ofSeconds(20)).as("a"),
                nack("j1").requeue());
        log.repliesTo("a").jobs("j1");
        log.receives(enqueue("j2").pending(), fetch().waiting(ofSeconds(20)).as("b"), activate("j2"));
        log.repliesTo("b").jobs("j2");
        log.receives(nack("j2").retryable(false), fetch().waiting(ofSeconds(20)).as("c"), retryDead("j2"));
        log.repliesTo("c").jobs("j2");
    }

    @Test
    void is_not_given_a_job_that_has_expired() {
        log.receives(
                pause("q"),
                enqueue("j1").ttl(ofSeconds(1)),
                fetch().waiting(ofSeconds(20)).as("a"));
        log.sleeps(ofSeconds(1)).receives(resume("q")).keepsWaiting("a");
        log.job("j1").is("discarded");
    }

    @Test
    void an_ack_makes_nothing_ready() {
        log.receives(enqueue("j1"), fetch(), fetch().waiting(ofSeconds(20)).as("a"), ack("j1"))
                .keepsWaiting("a");
    }

    // watch: told that there is something, without getting it

    @Test
    void a_watch_is_informed_at_once_when_something_is_ready() {
        log.receives(enqueue("j1"), watch(ofSeconds(20)).as("a"));
        log.repliesTo("a").ready(true);
        log.job("j1").is("available");
    }

    @Test
    void a_watch_that_is_answered_at_once_names_the_leftmost_queue_with_a_job() {
        log.receives(enqueue("j1").to("r"), enqueue("j2").to("s"), watch(ofSeconds(0), "q", "r", "s"));
        log.replies().ready(true).shown().shows("queue", "r");
    }

    @Test
    void a_watch_is_informed_when_something_becomes_ready() {
        log.receives(watch(ofSeconds(20), "q", "r").as("a"), enqueue("j1").to("r"));
        log.repliesTo("a").ready(true);
        log.job("j1").is("available");
    }

    @Test
    void a_watch_is_informed_that_nothing_came() {
        log.receives(watch(ofSeconds(20)).as("a"));
        log.after(ofSeconds(20)).repliesTo("a").ready(false);
    }

    @Test
    void a_watch_that_does_not_wait_is_answered_at_once() {
        log.receives(watch(ofSeconds(0))).replies().ready(false);
    }

    @Test
    void no_more_watches_are_informed_than_there_are_jobs() {
        log.receives(
                watch(ofSeconds(20)).as("a"),
                watch(ofSeconds(20)).as("b"),
                watch(ofSeconds(20)).as("c"));
        log.receives(batch(enqueue("j1"), enqueue("j2"))).keepsWaiting("c");
        log.repliesTo("a").ready(true);
        log.repliesTo("b").ready(true);
    }

    @Test
    void no_job_is_kept_for_a_watch_while_a_fetch_waits() {
        log.receives(
                watch(ofSeconds(20)).as("watch"), fetch().waiting(ofSeconds(20)).as("fetch"));
        log.receives(enqueue("j1")).keepsWaiting("watch");
        log.repliesTo("fetch").jobs("j1");
        log.receives(enqueue("j2"));
        log.repliesTo("watch").ready(true);
    }

    @Test
    void a_watch_of_a_paused_queue_is_informed_when_it_is_resumed() {
        log.receives(pause("q"), enqueue("j1"), watch(ofSeconds(20)).as("a")).keepsWaiting("a");
        log.receives(resume("q")).repliesTo("a").ready(true);
    }

    @Test
    void when_a_watch_was_informed_and_no_client_came_the_next_one_is() {
        // given
        log.receives(watch(ofHours(1)).as("gone"), watch(ofHours(1)).as("there"));
        // when
        log.receives(enqueue("j1")).keepsWaiting("there");
        log.repliesTo("gone").ready(true);
        log.after(ofMillis(99)).keepsWaiting("there");
        // then
        log.after(ofMillis(1)).repliesTo("there").ready(true);
        assertThat(log.engine().nextTimer()).isNull();
    }

    @Test
    void when_a_watch_was_informed_and_declines_the_next_one_is_reported_at_once() {
        log.receives(watch(ofHours(1)).as("gone"), watch(ofHours(1)).as("there"), enqueue("j1"));
        log.keepsWaiting("there");
        log.receives(decline("q").as("gone"));
        log.repliesTo("there").ready(true).shown().shows("queue", "q");
        assertThat(log.engine().nextTimer()).isNull();
    }

    @Test
    void what_is_declined_twice_or_was_never_reported_changes_nothing() {
        log.receives(
                watch(ofHours(1)).as("a"),
                watch(ofHours(1)).as("b"),
                watch(ofHours(1)).as("c"),
                enqueue("j1"));
        log.receives(decline("q", "q", "never").as("a"), decline("other").as("other"))
                .keepsWaiting("c");
        log.receives(fetch(), decline("q").as("b")).keepsWaiting("c");
    }

    @Test
    void also_after_a_restart() {
        log.receives(watch(ofHours(1)).as("gone"), watch(ofHours(1)).as("there"), enqueue("j1"));
        log.restarts().after(ofMillis(100)).repliesTo("there").ready(true);
    }

    @Test
    void when_a_watch_was_answered_and_its_job_fetched_no_other_is() {
        log.receives(watch(ofHours(1)).as("a"), watch(ofHours(1)).as("b"), enqueue("j1"), fetch());
        log.after(ofSeconds(1)).keepsWaiting("b");
        assertThat(log.engine().nextTimer()).isEqualTo(TestPartition.START.plusSeconds(1800));
    }

    // how many there can be

    @Test
    void there_are_at_most_so_many_at_a_queue() {
        log.unaudited();
        for (int i = 0; i < Waiters.MOST_OF_A_QUEUE; i++)
            log.receives(fetch().waiting(ofHours(1)).as("a" + i));
        log.receives(fetch().waiting(ofHours(1)).as("fetch"), watch(ofHours(1)).as("watch"));
        log.repliesTo("fetch").nothing();
        log.repliesTo("watch").rejected(BACKEND_UNAVAILABLE);
        log.receives(fetch("other").waiting(ofHours(1)).as("elsewhere")).keepsWaiting("elsewhere");
        log.receives(enqueue("j1"), fetch().waiting(ofHours(1)).as("next")).keepsWaiting("next");
        log.repliesTo("a0").jobs("j1");
    }

    @Test
    void what_they_wait_for_takes_little_memory_and_is_bounded() {
        log.unaudited();
        String[] queues =
                IntStream.range(0, 1000).mapToObj(i -> "queue-%d".formatted(i)).toArray(String[]::new);
        int waiting = 0;
        while (waiting < 5_000) {
            log.receives(fetch(queues).waiting(ofHours(1)).as("a" + waiting));
            if (log.answers().size() > 0) break;
            waiting++;
        }
        assertThat(waiting).isBetween(1_500, 2_500);
        assertThat(log.engine().memoryBytes()).isLessThan(100_000_000L);
        log.repliesTo("a" + waiting).nothing();
    }

    @Test
    void of_one_key_leave_room_to_others() {
        log.unaudited();
        Identity flood = new Identity("flood", null, null);
        Identity other = new Identity("other", null, null);
        String[] queues =
                IntStream.range(0, 1000).mapToObj(i -> "queue-%d".formatted(i)).toArray(String[]::new);
        int waiting = 0;
        while (waiting < 5_000) {
            log.receives(fetch(queues).waiting(ofHours(1)).sentBy(flood).as("a" + waiting));
            if (log.answers().size() > 0) break;
            waiting++;
        }
        assertThat(waiting).isBetween(750, 1_250);
        log.receives(fetch(queues).waiting(ofHours(1)).sentBy(other).as("other"))
                .keepsWaiting("other");
    }
}
