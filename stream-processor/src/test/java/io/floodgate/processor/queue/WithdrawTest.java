package io.floodgate.processor.queue;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.PartitionTest;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A client withdraws its fetch, or is gone. */
class WithdrawTest extends PartitionTest {
    @Test
    void a_fetch_that_is_withdrawn_is_neither_served_nor_answered() {
        // given
        log.receives(fetch().waiting(ofSeconds(20)).as("a"));
        // when
        log.receives(withdraw("a", log.lastNumber()), enqueue("j1"));
        // then
        log.keepsWaiting("a").job("j1").is("available");
        log.after(ofSeconds(30)).keepsWaiting("a");
        assertThat(log.engine().nextTimer()).isNull();
    }

    @Test
    void a_watch_that_is_withdrawn_takes_no_clients_turn() {
        log.receives(watch(ofSeconds(20)).as("gone"));
        long number = log.lastNumber();
        log.receives(watch(ofSeconds(20)).as("there"), withdraw("gone", number), enqueue("j1"));
        log.repliesTo("there").ready(true);
        log.keepsWaiting("gone");
    }

    @Test
    void only_what_is_named_is_withdrawn() {
        log.receives(fetch().waiting(ofSeconds(20)).as("a"));
        long first = log.lastNumber();
        log.receives(
                fetch("other").waiting(ofSeconds(20)).as("a"),
                fetch().waiting(ofSeconds(20)).as("b"));
        log.receives(withdraw("a", first), enqueue("j1"), enqueue("o1").to("other"));
        log.repliesTo("a").jobs("o1");
        log.repliesTo("b").jobs("j1");
    }

    @Test
    void without_numbers_everything_the_requester_waits_for_is() {
        log.receives(
                fetch().waiting(ofSeconds(20)).as("a"),
                watch(ofSeconds(20), "other").as("a"),
                fetch().waiting(ofSeconds(20)).as("b"));
        log.receives(withdraw("a"), enqueue("j1"), enqueue("o1").to("other")).keepsWaiting("a");
        log.repliesTo("b").jobs("j1");
    }

    @Test
    void it_is_answered_and_what_no_client_knows_is_no_mistake() {
        log.receives(withdraw("unknown", 7L)).emits().replies().lines();
        log.receives(withdraw("unknown")).emits().replies().lines();
    }

    @Test
    void jobs_in_a_reply_that_no_client_received_go_to_their_old_place_and_the_attempt_does_not_count() {
        // given
        log.receives(enqueue("j1"), enqueue("j2"), enqueue("j3"));
        log.receives(fetch().count(2).lease(ofHours(1)).by("w1").as("a"));
        // when
        log.receives(withdraw("a", log.lastNumber())).emits("job.available", "job.available");
        // then
        log.job("j1").is("available").shows("attempt", 0).hides("errors", "worker_id");
        log.receives(fetch().count(3)).replies().jobs("j1", "j2", "j3");
    }

    @Test
    void they_go_to_a_client_that_waits() {
        log.receives(enqueue("j1"), fetch().as("a"));
        long number = log.lastNumber();
        log.receives(fetch().waiting(ofSeconds(20)).as("b"), withdraw("a", number));
        log.repliesTo("b").jobs("j1").shown().shows("attempt", 1).shows("lease", 2);
    }

    @Test
    void so_do_those_that_were_handed_to_a_fetch_that_had_waited() {
        log.receives(fetch().waiting(ofSeconds(20)).as("a"));
        long number = log.lastNumber();
        log.receives(enqueue("j1"));
        log.repliesTo("a").jobs("j1");
        log.receives(withdraw("a", number)).job("j1").is("available");
    }

    @Test
    void a_job_of_which_something_has_been_heard_stays_where_it_is() {
        log.receives(
                enqueue("j1"),
                enqueue("j2"),
                enqueue("j3"),
                fetch().count(3).by("w1").as("a"));
        long number = log.lastNumber();
        log.receives(extend("w1", null, "j1"), ack("j2"), nack("j3").requeue(), fetch().as("b"));
        log.receives(withdraw("a", number)).emits();
        log.job("j1").is("active");
        log.job("j2").is("completed");
        log.job("j3").is("active");
    }

    @Test
    void a_fresh_start_knows_who_was_handed_what() {
        log.receives(enqueue("j1"), fetch().as("a"));
        long number = log.lastNumber();
        log.restarts().receives(withdraw("a", number)).job("j1").is("available");
        log.receives(fetch("other").waiting(ofSeconds(20)).as("b"));
        long waiting = log.lastNumber();
        log.restarts().receives(withdraw("a", waiting)).keepsWaiting("b");
        log.restarts().receives(withdraw("b", waiting));
        assertThat(log.state().entriesButPosition().keySet()).noneMatch(key -> key.startsWith("entities/4b"));
    }

    @Test
    void all_that_a_requester_was_handed_comes_back_a_slice_at_a_time() {
        // given
        int jobs = 1200;
        log.unaudited()
                .receives(batchOfMadeIds(IntStream.range(0, jobs)
                        .mapToObj(i -> enqueue("j%04d".formatted(i)))
                        .toArray(Commands.Job[]::new)));
        for (int i = 0; i < 12; i++) log.receives(fetch().count(100).as("a"));
        log.status("q").shows("active", 1200);
        // when, then
        log.receives(withdraw("a"));
        log.status("q").shows("active", 1100);
        log.restarts().after(ofMillis(10));
        log.status("q").shows("active", 0).shows("available", 1200);
        log.agreesWithItself();
        log.receives(fetch().count(1)).replies().jobs("j0000");
    }

    @Test
    void many_replies_at_once_are_taken_back_a_slice_at_a_time() {
        log.unaudited()
                .receives(batchOfMadeIds(IntStream.range(0, 1200)
                        .mapToObj(i -> enqueue("j%04d".formatted(i)))
                        .toArray(Commands.Job[]::new)));
        Long[] numbers = new Long[12];
        for (int i = 0; i < 12; i++) {
            log.receives(fetch().count(100).as("a b"));
            numbers[i] = log.lastNumber();
        }
        log.receives(withdraw("a b", numbers));
        log.status("q").shows("active", 1100);
        log.after(ofMillis(10)).status("q").shows("active", 0);
        log.agreesWithItself();
    }

    @Test
    void a_question_under_a_number_that_waits_already_takes_its_place() {
        log.receives(fetch().waiting(ofSeconds(20)).as("a"));
        var again = log.records().getLast();
        log.receivesAgain(again);
        log.receives(enqueue("j1"), enqueue("j2"));
        log.repliesTo("a").jobs("j1");
        log.job("j2").is("available");
    }
}
