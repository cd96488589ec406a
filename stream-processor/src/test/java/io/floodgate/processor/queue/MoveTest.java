package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.BACKEND_UNAVAILABLE;
import static io.floodgate.topics.command.ErrorCode.CONFLICT;
import static io.floodgate.topics.command.ErrorCode.DUPLICATE;
import static io.floodgate.topics.command.ErrorCode.INVALID_REQUEST;
import static io.floodgate.topics.command.ErrorCode.QUEUE_DRAINING;
import static io.floodgate.topics.command.ErrorCode.QUEUE_FULL;
import static io.floodgate.topics.queue.Deletion.DISCARD;
import static io.floodgate.topics.queue.Deletion.DRAIN;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.Shown;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The jobs of a queue that is deleted go to another one, in the same partition or in another. */
class MoveTest extends Commands {
    private static final int HERE = 0;
    private static final int THERE = 1;

    private final Cluster cluster = new Cluster(2);
    private final TestPartition here = cluster.log(HERE);
    private final TestPartition there = cluster.log(THERE);
    private final String old = Ids.queueIn(here.id(), cluster.routing(), "old");
    private final String near = Ids.queueIn(here.id(), cluster.routing(), "near");
    private final String far = Ids.queueIn(there.id(), cluster.routing(), "far");

    private String in(TestPartition log, String name) {
        return Ids.nicknameIn(log.id(), cluster.routing(), name);
    }

    private void works() {
        cluster.works();
    }

    private void asksHere(Ask... asks) {
        cluster.receives(HERE, asks).delivers();
    }

    private TestPartition logOf(String queue) {
        return queue.equals(far) ? there : here;
    }

    private void makes(String queue) {
        cluster.receives(logOf(queue).id().partition(), makeQueue(queue, QueueConfig.NONE))
                .delivers();
    }

    @Test
    void everything_unfinished_goes_with_what_is_known_of_it_and_in_its_order() {
        makes(far);
        String first = in(here, "first");
        String failed = in(here, "failed");
        String urgent = in(here, "urgent");
        String second = in(here, "second");
        String later = in(here, "later");
        String pending = in(here, "pending");
        asksHere(
                enqueue(failed).to(old).maxAttempts(5).member("args", "[\"a\",{\"b\":2}]"),
                fetch(old),
                nack(failed),
                enqueue(first).to(old).member("meta", "{\"m\":1}"),
                enqueue(second).to(old),
                enqueue(urgent).to(old).priority(7),
                enqueue(later).to(old).delay(ofHours(1)),
                enqueue(pending).to(old).pending());
        cluster.receives(THERE, enqueue(in(there, "own")).to(far)).delivers();
        // when
        asksHere(move(old, far).as("operator"));
        here.repliesTo("operator")
                .shown()
                .shows("queue", old)
                .shows("strategy", "move")
                .shows("target_queue", far)
                .shows("jobs_affected", 6)
                .shows("state", "draining");
        works();
        // then
        assertThat(here.engine().queueNames()).isEmpty();
        there.status(far).shows("depth", 7).shows("available", 4).shows("retryable", 1);
        there.job(failed)
                .is("retryable")
                .shows("queue", far)
                .shows("attempt", 1)
                .shows("max_attempts", 5)
                .showsJson("args", "['a',{'b':2}]")
                .showsJson("error.type", "'handler_error'");
        there.job(first).showsJson("meta", "{'m':1}");
        there.job(later).is("scheduled");
        there.job(pending).is("pending");
        cluster.receives(THERE, fetch(far).count(10));
        there.replies().jobs(urgent, in(there, "own"), first, second);
        here.agreesWithItself();
        there.agreesWithItself();
    }

    private List<Shown> eventsOf(String queue) {
        return logOf(queue).events().stream()
                .filter(event -> event.text("type").equals("job.moved"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"near", "far"})
    void a_move_is_reported_by_each_job_and_by_the_queue(String to) {
        String target = to.equals("near") ? near : far;
        makes(target);
        String job = in(here, "j");
        cluster.receives(HERE, enqueue(job).to(old), move(old, target));
        while (eventsOf(target).isEmpty()) {
            if (cluster.underway() == 0) cluster.receives(HERE, tick());
            else cluster.deliversOne();
        }
        logOf(target)
                .event("job.moved")
                .shows("queue", target)
                .shows("from_queue", old)
                .shows("state", "available");
        works();
        logOf(target).status(target).shows("available", 1);
        assertThat(here.engine().queueNames()).doesNotContain(old);
    }

    @Test
    void a_move_within_a_log_keeps_the_order_of_hundreds() {
        makes(near);
        Ask[] jobs = new Ask[350];
        String[] names = new String[350];
        for (int i = 0; i < jobs.length; i++) {
            names[i] = in(here, "j" + i);
            jobs[i] = enqueue(names[i]).to(old);
        }
        asksHere(jobs);
        asksHere(move(old, near));
        works();
        for (int i = 0; i < jobs.length; i += 50) {
            cluster.receives(HERE, fetch(near).count(50));
            here.replies().jobs(Arrays.copyOfRange(names, i, i + 50));
        }
        assertThat(here.engine().queueNames()).containsExactly(near);
        here.agreesWithItself();
    }

    // ---- where to

    @Test
    void there_is_no_move_to_nowhere_to_itself_or_to_a_queue_that_is_not_there() {
        asksHere(enqueue(in(here, "j")).to(old), delete(old, Deletion.MOVE));
        here.rejects(INVALID_REQUEST).with("field", "target_queue");
        asksHere(move(old, old));
        here.rejects(INVALID_REQUEST).with("field", "target_queue");
        asksHere(move(old, "No Queue"));
        here.rejects(INVALID_REQUEST).with("field", "target_queue");
        for (String unknown : new String[] {near, far}) {
            asksHere(move(old, unknown).as("operator"));
            here.repliesTo("operator").rejected(INVALID_REQUEST).with("field", "target_queue");
        }
        here.status(old).is("active").hides("deletion");
    }

    @Test
    void none_to_a_queue_that_is_deleted_itself_nor_in_a_circle() {
        makes(far);
        cluster.receives(THERE, enqueue(in(there, "t")).to(far), delete(far, DRAIN))
                .delivers();
        asksHere(enqueue(in(here, "j")).to(old), move(old, far).as("operator"));
        here.repliesTo("operator").rejected(CONFLICT);
        here.status(old).is("active");
        // a circle
        makes(near);
        asksHere(move(old, near), move(near, old).as("circle"));
        here.repliesTo("circle").rejected(CONFLICT);
        works();
        here.status(near).shows("depth", 1);
    }

    // ---- as long as the target has not answered

    @Test
    void producers_are_asked_to_try_again_until_the_target_has_answered() {
        makes(far);
        String job = in(here, "j");
        cluster.receives(HERE, enqueue(job).to(old), move(old, far).as("operator"));
        here.keepsWaiting("operator");
        cluster.receives(HERE, enqueue(in(here, "k")).to(old));
        here.rejects(BACKEND_UNAVAILABLE).with("retry_after_seconds", 1);
        works();
        cluster.receives(HERE, enqueue(in(here, "l")).to(old));
        assertThat(here.engine().queueNames()).containsExactly(old);
        there.status(far).shows("depth", 1);
    }

    @Test
    void a_target_that_does_not_answer_keeps_no_client_out_for_longer_than_ten_seconds() {
        makes(far);
        cluster.receives(HERE, enqueue(in(here, "j")).to(old), move(old, far).as("operator"));
        here.restarts().after(ofSeconds(9)).keepsWaiting("operator");
        here.after(ofSeconds(1))
                .repliesTo("operator")
                .rejected(BACKEND_UNAVAILABLE)
                .with("queue", far);
        here.status(old).is("active").hides("deletion");
        cluster.receives(HERE, enqueue(in(here, "k")).to(old));
        here.replies().shown().is("available");
        // Its answer comes late: the room that it has kept is free again.
        works();
        there.status(far).shows("depth", 0);
        here.status(old).is("active").shows("depth", 2);
        asksHere(move(old, far));
        works();
        there.status(far).shows("depth", 2);
    }

    // ---- room

    @ParameterizedTest
    @ValueSource(strings = {"near", "far"})
    void what_does_not_fit_is_not_moved_at_all(String to) {
        String target = to.equals("near") ? near : far;
        TestPartition log = logOf(target);
        cluster.receives(log.id().partition(), bound(target, new QueueConfig(3L, null, Overflow.DROP_OLDEST, null)));
        cluster.receives(log.id().partition(), enqueue(in(log, "own")).to(target))
                .delivers();
        asksHere(
                enqueue(in(here, "a")).to(old),
                enqueue(in(here, "b")).to(old),
                enqueue(in(here, "c")).to(old));
        asksHere(move(old, target).as("operator"));
        here.repliesTo("operator")
                .rejected(CONFLICT)
                .with("queue", target)
                .with("jobs", 3)
                .with("depth", 1)
                .with("max_depth", 3);
        here.status(old).is("active").shows("depth", 3);
        log.status(target).shows("depth", 1);
        asksHere(enqueue(in(here, "d")).to(old), fetch(old));
        here.replies().jobs(in(here, "a"));
    }

    @Test
    void nor_what_is_too_large() {
        cluster.receives(THERE, bound(far, new QueueConfig(null, 100L, Overflow.REJECT, null)))
                .delivers();
        asksHere(
                enqueue(in(here, "a")).to(old),
                enqueue(in(here, "b")).to(old),
                move(old, far).as("operator"));
        here.repliesTo("operator").rejected(CONFLICT).with("max_size_bytes", 100);
    }

    @Test
    void room_is_kept_from_the_decision_on_and_free_again_when_jobs_have_ended_where_they_were() {
        cluster.receives(THERE, bound(far, new QueueConfig(3L, null, Overflow.REJECT, null)))
                .delivers();
        String running = in(here, "running");
        asksHere(
                enqueue(running).to(old),
                enqueue(in(here, "a")).to(old),
                enqueue(in(here, "b")).to(old),
                fetch(old));
        asksHere(move(old, far));
        there.status(far).shows("depth", 3).shows("available", 0);
        cluster.receives(THERE, enqueue(in(there, "late")).to(far));
        there.rejects(QUEUE_FULL).with("depth", 3);
        works();
        // the active one is left, and its place kept
        there.restarts().status(far).shows("depth", 3).shows("available", 2);
        here.status(old).is("draining").shows("active", 1).shows("depth", 1);
        asksHere(ack(running));
        works();
        there.status(far).shows("depth", 2);
        assertThat(here.engine().queueNames()).isEmpty();
        cluster.receives(THERE, enqueue(in(there, "late")).to(far));
        there.replies().shown().is("available");
    }

    // ---- what comes back while it is moved

    @Test
    void an_active_job_that_fails_follows_the_others() {
        makes(far);
        String job = in(here, "j");
        asksHere(enqueue(job).to(old).maxAttempts(3), fetch(old), move(old, far));
        works();
        here.restarts();
        asksHere(nack(job).as("worker"));
        here.repliesTo("worker").shown();
        works();
        there.job(job).is("retryable").shows("attempt", 1);
        assertThat(here.engine().queueNames()).isEmpty();
    }

    @Test
    void nothing_enters_and_who_waited_for_room_is_rejected_once_the_move_is_certain() {
        makes(far);
        asksHere(
                bound(old, new QueueConfig(1L, null, Overflow.BLOCK, null)),
                enqueue(in(here, "j")).to(old));
        asksHere(patient(ofMinutes(5), enqueue(in(here, "w")).to(old)).as("producer"));
        here.keepsWaiting("producer");
        cluster.receives(HERE, move(old, far));
        here.keepsWaiting("producer");
        works();
        here.repliesTo("producer").rejected(QUEUE_DRAINING);
        there.status(far).shows("depth", 1);
    }

    @Test
    void the_queue_that_gets_jobs_may_be_deleted_itself_and_they_end_as_that_says() {
        makes(far);
        String job = in(here, "j");
        asksHere(enqueue(job).to(old), move(old, far));
        cluster.receives(THERE, delete(far, DISCARD)).delivers();
        works();
        there.job(job).is("discarded");
        assertThat(there.engine().queueNames()).isEmpty();
        assertThat(here.engine().queueNames()).isEmpty();
    }

    @Test
    void a_second_deletion_says_how_far_it_is_and_a_queue_that_drains_may_be_moved() {
        makes(far);
        asksHere(
                enqueue(in(here, "j")).to(old),
                fetch(old),
                delete(old, DRAIN),
                move(old, far).as("operator"));
        here.repliesTo("operator").shown().shows("strategy", "move").shows("state", "draining");
        asksHere(delete(old, DISCARD));
        here.replies()
                .shown()
                .shows("strategy", "move")
                .shows("target_queue", far)
                .shows("jobs_left", 1);
    }

    @Test
    void a_draining_queue_that_cannot_be_moved_goes_on_draining() {
        asksHere(
                enqueue(in(here, "j")).to(old),
                enqueue(in(here, "j2")).to(old),
                delete(old, DRAIN),
                fetch(old),
                ack(in(here, "j")),
                move(old, far).as("operator"));
        here.repliesTo("operator").rejected(INVALID_REQUEST);
        here.status(old)
                .is("draining")
                .showsJson("deletion.strategy", "'drain'")
                .showsJson("deletion.jobs_affected", "2");
        asksHere(fetch(old), ack(in(here, "j2")));
        assertThat(here.engine().queueNames()).isEmpty();
    }

    // ---- ids

    @Test
    void a_job_is_found_by_its_id_wherever_that_leads() {
        makes(far);
        String ofHere = in(here, "a");
        String ofThere = in(there, "b");
        asksHere(enqueue(ofHere).to(old));
        cluster.receives(THERE, enqueue(ofThere).to(old)).delivers();
        asksHere(move(old, far));
        works();
        asksHere(getJob(ofHere).as("asker of a"));
        there.repliesTo("asker of a").shown().isJob(ofHere).shows("queue", far);
        cluster.receives(THERE, getJob(ofThere));
        there.replies().shown().isJob(ofThere).shows("queue", far);
        // what has ended leaves nothing behind
        asksHere(cancel(ofHere));
        cluster.receives(THERE, cancel(ofThere)).delivers();
        there.job(ofHere).is("cancelled");
        cluster.after(ofDays(10));
        works();
        assertThat(here.state().entriesButPosition().keySet()).noneMatch(key -> key.startsWith("entities/49"));
        assertThat(there.state().entriesButPosition().keySet()).noneMatch(key -> key.startsWith("entities/49"));
    }

    @Test
    void an_id_that_was_moved_is_still_taken() {
        makes(far);
        String job = in(here, "a");
        asksHere(enqueue(job).to(old), move(old, far));
        works();
        asksHere(enqueue(job).to(near).as("again"));
        here.repliesTo("again").rejected(DUPLICATE);
    }
}
