package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.CONFLICT;
import static io.floodgate.topics.command.ErrorCode.INVALID_PAYLOAD;
import static io.floodgate.topics.command.ErrorCode.NOT_FOUND;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Answered;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.Shown;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLetterTest extends PartitionTest {
    private void dies(String nickname, String queue) {
        log.sleeps(ofSeconds(1))
                .receives(
                        enqueue(nickname).to(queue),
                        fetch(queue),
                        nack(nickname).retryable(false));
    }

    /** The jobs on the page behind its first line. */
    private static List<String> jobsOn(Answered page) {
        return page.lines().stream().skip(1).map(line -> line.text("id")).toList();
    }

    private static List<String> ids(String... nicknames) {
        return Stream.of(nicknames).map(nickname -> Ids.id(nickname).toString()).toList();
    }

    @Test
    void are_listed_newest_first_with_their_errors() {
        dies("j1", "q");
        dies("j2", "other");
        log.receives(listDead(null, 10, null));
        log.replies().shown().shows("total", 2).hides("next");
        assertThat(jobsOn(log.replies())).isEqualTo(ids("j2", "j1"));
        log.replies()
                .line(2)
                .is("discarded")
                .shows("error.type", "handler_error")
                .shows("errors.0.attempt", 1);
    }

    @Test
    void come_page_by_page() {
        for (int i = 1; i <= 5; i++) dies("j" + i, "q");
        List<String> seen = new ArrayList<>();
        String after = null;
        for (int page = 0; page < 3; page++) {
            log.receives(listDead(null, 2, after));
            Shown head = log.replies().shown().shows("total", 5);
            seen.addAll(jobsOn(log.replies()));
            if (page == 2) head.hides("next");
            else after = head.text("next");
        }
        assertThat(seen).isEqualTo(ids("j5", "j4", "j3", "j2", "j1"));
    }

    @Test
    void a_page_that_ends_exactly_with_the_last_has_no_next() {
        dies("j1", "q");
        dies("j2", "q");
        log.receives(listDead(null, 2, null)).replies().shown().hides("next");
    }

    @Test
    void those_of_the_same_millisecond_are_not_skipped_between_pages() {
        log.receives(enqueue("j1"), enqueue("j2"), enqueue("j3"), fetch().count(3));
        log.receives(
                nack("j1").retryable(false),
                nack("j2").retryable(false),
                nack("j3").retryable(false));
        log.receives(listDead(null, 2, null));
        List<String> seen = new ArrayList<>(jobsOn(log.replies()));
        log.receives(listDead(null, 2, log.replies().shown().text("next")));
        seen.addAll(jobsOn(log.replies()));
        assertThat(seen).containsExactlyInAnyOrderElementsOf(ids("j1", "j2", "j3"));
    }

    @Test
    void of_one_queue_only() {
        for (int i = 1; i <= 3; i++) {
            dies("a" + i, "a");
            dies("b" + i, "b");
        }
        log.receives(listDead("a", 2, null)).replies().shown().shows("total", 3);
        assertThat(jobsOn(log.replies())).isEqualTo(ids("a3", "a2"));
        log.receives(listDead("a", 2, log.replies().shown().text("next")));
        assertThat(jobsOn(log.replies())).isEqualTo(ids("a1"));
        log.receives(listDead("nowhere", 2, null)).replies().shown().shows("total", 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "zz", "000000000000000000000000000000000000000000000000"})
    void a_cursor_no_client_made_begins_at_the_beginning(String cursor) {
        dies("j1", "q");
        log.receives(listDead(null, 2, cursor));
        assertThat(jobsOn(log.replies())).isEqualTo(ids("j1"));
    }

    @Test
    void a_page_has_at_most_two_hundred() {
        for (int i = 0; i < 205; i++) dies("j" + i, "q");
        log.receives(listDead(null, 0, null)).rejects(INVALID_PAYLOAD);
        log.receives(listDead(null, 9999, null));
        assertThat(jobsOn(log.replies())).hasSize(200);
    }

    @Test
    void a_search_that_finds_little_stops_after_a_while_and_can_be_continued() {
        log.unaudited();
        dies("wanted", "rare");
        for (int i = 0; i < 2100; i++) dies("j" + i, "q");
        log.receives(listDead("rare", 10, null)).replies().shown().shows("total", 1);
        assertThat(jobsOn(log.replies())).isEmpty();
        log.receives(listDead("rare", 10, log.replies().shown().text("next")))
                .replies()
                .shown()
                .hides("next");
        assertThat(jobsOn(log.replies())).isEqualTo(ids("wanted"));
    }

    @Test
    void large_ones_make_a_short_page() {
        String args = "[\"" + "x".repeat(1000 * 1000) + "\"]";
        log.unaudited();
        for (int i = 0; i < 10; i++)
            log.sleeps(ofSeconds(1))
                    .receives(
                            enqueue("j" + i).member("args", args),
                            fetch(),
                            nack("j" + i).retryable(false));
        log.receives(listDead(null, 10, null));
        List<String> seen = new ArrayList<>(jobsOn(log.replies()));
        assertThat(seen).hasSize(9);
        log.receives(listDead(null, 10, log.replies().shown().text("next")));
        seen.addAll(jobsOn(log.replies()));
        assertThat(seen).hasSize(10).doesNotHaveDuplicates();
    }

    @Test
    void a_retry_makes_one_available_as_if_it_were_new() {
        dies("j1", "q");
        log.sleeps(ofSeconds(9)).receives(retryDead("j1")).emits("dead_letter.retried");
        log.replies()
                .shown()
                .is("available")
                .shows("attempt", 0)
                .shows("re_enqueued_at", log.now())
                .hides("discarded_at", "completed_at", "started_at", "retry_delay_ms");
        log.job("j1").shows("errors.0.attempt", 1);
        log.status("q")
                .shows("available", 1)
                .shows("discarded", 0)
                .shows("dead", 0)
                .shows("depth", 1);
        log.receives(listDead(null, 10, null)).replies().shown().shows("total", 0);
        log.receives(fetch(), ack("j1")).replies().shown().is("completed").shows("attempt", 1);
    }

    @Test
    void a_retried_one_joins_the_end_of_the_line_and_may_die_again() {
        dies("j1", "q");
        log.receives(enqueue("j2"), retryDead("j1"), fetch().count(2)).replies().jobs("j2", "j1");
        log.receives(nack("j1").retryable(false)).emits("job.failed", "job.discarded", "dead_letter.added");
        log.receives(listDead(null, 10, null));
        assertThat(jobsOn(log.replies())).isEqualTo(ids("j1"));
    }

    @Test
    void a_discarded_job_that_is_no_dead_letter_can_be_retried_too() {
        log.receives(enqueue("j1"), fetch(), nack("j1").code("DISCARD"), retryDead("j1"));
        log.replies().shown().is("available");
    }

    @Test
    void a_delete_removes_every_trace() {
        log.receives(enqueue("keep"));
        var before = log.state().entriesButPosition();
        dies("j1", "other");
        log.receives(deleteDead("j1")).emits("dead_letter.deleted");
        log.replies().shown().shows("deleted", true).isJob("j1");
        assertThat(log.knows("j1")).isFalse();
        log.status("other").shows("discarded", 0).shows("dead", 0);
        log.receives(listDead(null, 10, null)).replies().shown().shows("total", 0);
        // What stays is the note to look after it once its time has come, and the queue.
        assertThat(log.state().entriesButPosition().keySet()).hasSize(before.size() + 3);
    }

    @Test
    void only_discarded_jobs_are_retried_or_deleted() {
        log.receives(enqueue("j1"), retryDead("j1")).rejects(CONFLICT).with("expected_state", "discarded");
        log.receives(deleteDead("j1")).rejects(CONFLICT);
        log.receives(fetch(), ack("j1"), retryDead("j1")).rejects(CONFLICT).with("current_state", "completed");
        log.receives(retryDead("unknown")).rejects(NOT_FOUND);
        log.receives(deleteDead("unknown")).rejects(NOT_FOUND);
    }
}
