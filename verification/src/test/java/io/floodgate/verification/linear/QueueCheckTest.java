package io.floodgate.verification.linear;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.verification.linear.QueueCheck.Outcome;
import io.floodgate.verification.linear.QueueCheck.Verdict;
import io.floodgate.verification.linear.QueueOperation.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Histories of a queue with room for two jobs. */
final class QueueCheckTest {
    private static final int BOUND = 2;
    private static final int MOST_POINTS = 10_000;

    private final List<QueueOperation> history = new ArrayList<>();
    private long now;

    @Test
    void one_after_the_other_is_in_order() {
        then(Kind.EMPTY, 0);
        then(Kind.ENQUEUED, 1).then(Kind.ENQUEUED, 2).then(Kind.FULL, 0);
        then(Kind.FETCHED, 1).then(Kind.FULL, 0).then(Kind.FETCHED, 2).then(Kind.EMPTY, 0);
        then(Kind.PRESENT, 1).then(Kind.ACKED, 1).then(Kind.ABSENT, 1).then(Kind.ENQUEUED, 3);

        assertThat(outcome()).isEqualTo(Outcome.LINEARIZABLE);
    }

    @Test
    void requests_at_the_same_time_have_any_order() {
        at(Kind.ENQUEUED, 1, 0, 10)
                .at(Kind.ENQUEUED, 2, 0, 10)
                .at(Kind.FULL, 0, 0, 3)
                .at(Kind.EMPTY, 0, 0, 3);
        at(Kind.FETCHED, 2, 11, 12).at(Kind.FETCHED, 1, 13, 14);

        assertThat(outcome()).isEqualTo(Outcome.LINEARIZABLE);
    }

    @Test
    void a_job_may_come_in_as_long_as_its_enqueue_is_not_answered() {
        at(Kind.ENQUEUED, 1, 0, 100).at(Kind.EMPTY, 0, 1, 2).at(Kind.FETCHED, 1, 50, 60);

        assertThat(outcome()).isEqualTo(Outcome.LINEARIZABLE);
    }

    @Test
    void a_job_that_is_lost() {
        then(Kind.ENQUEUED, 1).then(Kind.EMPTY, 0);

        assertBroken("empty");
    }

    @Test
    void an_empty_answer_although_there_is_another_job() {
        then(Kind.ENQUEUED, 1).then(Kind.ENQUEUED, 2).then(Kind.FETCHED, 1).then(Kind.EMPTY, 0);

        assertBroken("empty");
    }

    @Test
    void a_job_that_is_gone_when_it_is_looked_for() {
        then(Kind.ENQUEUED, 1).then(Kind.ABSENT, 1);

        assertBroken("absent 1");
    }

    @Test
    void a_job_that_is_handed_out_twice() {
        then(Kind.ENQUEUED, 1).then(Kind.FETCHED, 1).then(Kind.FETCHED, 1);

        assertBroken("fetched 1");
    }

    @Test
    void a_job_that_is_back_after_its_ack() {
        then(Kind.ENQUEUED, 1).then(Kind.FETCHED, 1).then(Kind.ACKED, 1).then(Kind.PRESENT, 1);

        assertBroken("present 1");
    }

    @Test
    void a_job_over_the_bound() {
        then(Kind.ENQUEUED, 1).then(Kind.FETCHED, 1).then(Kind.ENQUEUED, 2).then(Kind.ENQUEUED, 3);

        assertBroken("enqueued 3");
    }

    @Test
    void a_rejection_below_the_bound() {
        then(Kind.ENQUEUED, 1).then(Kind.FULL, 0).then(Kind.ENQUEUED, 2);

        assertBroken("full");
    }

    @Test
    void jobs_out_of_order() {
        then(Kind.ENQUEUED, 1).then(Kind.ENQUEUED, 2).then(Kind.FETCHED, 2);

        assertBroken("fetched 2");
    }

    @Test
    void a_lost_fetch_may_keep_the_first_job_or_give_it_back_to_its_place() {
        history.add(QueueOperation.lostFetch(now));
        then(Kind.ENQUEUED, 1).then(Kind.ENQUEUED, 2).then(Kind.FETCHED, 2).then(Kind.ACKED, 2);
        then(Kind.EMPTY, 0).then(Kind.ENQUEUED, 3).then(Kind.FETCHED, 1);

        assertThat(outcome()).isEqualTo(Outcome.LINEARIZABLE);
        then(Kind.ACKED, 1).then(Kind.EMPTY, 0);
        assertBroken("empty");
    }

    @Test
    void a_lost_fetch_explains_nothing_before_its_begin() {
        then(Kind.ENQUEUED, 1).then(Kind.EMPTY, 0);
        history.add(QueueOperation.lostFetch(now + 2));

        assertBroken("empty");
    }

    @Test
    void a_search_that_takes_too_long_decides_nothing() {
        for (int job = 1; job <= 9; job++) at(Kind.ENQUEUED, job, 0, 10);

        assertThat(new QueueCheck(history, 9, 5).verdict().outcome()).isEqualTo(Outcome.NOT_DECIDED);
    }

    private QueueCheckTest then(Kind kind, int job) {
        now += 2;
        return at(kind, job, now, now + 1);
    }

    private QueueCheckTest at(Kind kind, int job, long begun, long ended) {
        history.add(new QueueOperation(kind, job, begun, ended));
        return this;
    }

    private Outcome outcome() {
        return verdict().outcome();
    }

    private Verdict verdict() {
        return new QueueCheck(history, BOUND, MOST_POINTS).verdict();
    }

    private void assertBroken(String first) {
        assertThat(outcome()).isEqualTo(Outcome.BROKEN);
        assertThat(verdict().why()).startsWith(first + " [");
    }
}
