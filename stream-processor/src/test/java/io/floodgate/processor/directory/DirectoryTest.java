package io.floodgate.processor.directory;

import static io.floodgate.topics.command.ErrorCode.DUPLICATE;
import static io.floodgate.topics.command.ErrorCode.NOT_FOUND;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Message.Readdress;
import org.junit.jupiter.api.Test;

/** Two logs: the id's own, where it is claimed, and the one its queue lives in. */
class DirectoryTest extends Commands {
    private static final int HOME = 0;
    private static final int AWAY = 1;

    private final Cluster cluster = new Cluster(2);
    private final TestPartition home = cluster.log(HOME);
    private final TestPartition away = cluster.log(AWAY);
    private final String job = Ids.nicknameIn(home.id(), cluster.routing(), "job");
    private final String queue = Ids.queueIn(away.id(), cluster.routing(), "queue");

    private Commands.Job job() {
        return enqueue(job).to(queue);
    }

    /** What is asked at the id's own partition is answered by whichever log can. */
    private void asks(Ask ask) {
        cluster.receives(HOME, ask.as("asker")).delivers();
    }

    @Test
    void a_chosen_id_is_claimed_in_its_own_log_and_the_job_placed_in_its_queues_log() {
        cluster.receives(HOME, job().as("asker"));
        home.keepsWaiting("asker");
        assertThat(home.engine().queueNames()).isEmpty();
        cluster.delivers();
        away.repliesTo("asker").shown().is("available");
        away.status(queue).shows("available", 1);
    }

    @Test
    void an_enqueue_that_arrives_elsewhere_is_passed_on() {
        cluster.receives(AWAY, job().as("asker")).delivers();
        away.repliesTo("asker").shown().is("available");
        asks(getJob(job));
        away.repliesTo("asker").shown().isJob(job);
    }

    @Test
    void where_the_id_and_the_queue_share_a_log_no_message_is_needed() {
        String near = Ids.queueIn(home.id(), cluster.routing(), "queue");
        cluster.receives(HOME, enqueue(job).to(near));
        home.replies().shown().is("available");
        assertThat(cluster.underway()).isZero();
    }

    @Test
    void an_id_exists_once_in_the_whole_cluster() {
        cluster.receives(HOME, job()).delivers();
        cluster.receives(HOME, job().as("twice")).delivers();
        away.repliesTo("twice")
                .rejected(DUPLICATE)
                .with("existing_job_id", Ids.id(job).toString());
        cluster.receives(HOME, enqueue(job).to(Ids.queueIn(home.id(), cluster.routing(), "queue")));
        home.rejects(DUPLICATE);
        cluster.receives(AWAY, job().as("late")).delivers();
        home.repliesTo("late").rejected(DUPLICATE);
        away.status(queue).shows("available", 1);
    }

    @Test
    void commands_by_id_find_the_job() {
        cluster.receives(HOME, job()).delivers();
        cluster.receives(AWAY, fetch(queue).by("w1"));
        asks(ack(job).by("w1").result("7"));
        away.repliesTo("asker").shown().is("completed").shows("result", 7);
        asks(cancel(job));
        away.repliesTo("asker").rejected(io.floodgate.topics.command.ErrorCode.CONFLICT);
        asks(getJob(job));
        away.repliesTo("asker").shown().is("completed");
    }

    @Test
    void a_command_for_an_id_no_client_knows_is_rejected_where_it_arrives() {
        cluster.receives(HOME, getJob(job));
        home.rejects(NOT_FOUND);
        assertThat(cluster.underway()).isZero();
    }

    @Test
    void a_heartbeat_learns_in_which_queue_the_job_is() {
        cluster.receives(HOME, job()).delivers();
        cluster.receives(AWAY, fetch(queue).by("w1"));
        cluster.receives(HOME, extend("w1", ofMinutes(1), job));
        home.replies()
                .shown()
                .showsJson("extended", "[]")
                .shows("elsewhere.0.job_id", Ids.id(job).toString())
                .shows("elsewhere.0.queue", queue);
        cluster.receives(AWAY, extend("w1", ofMinutes(1), job));
        away.replies().shown().shows("extended.0", Ids.id(job).toString());
    }

    @Test
    void a_deleted_jobs_id_is_free_again() {
        cluster.receives(HOME, job()).delivers();
        cluster.receives(AWAY, fetch(queue), nack(job).retryable(false));
        asks(deleteDead(job));
        away.repliesTo("asker").shown().shows("deleted", true);
        cluster.receives(HOME, getJob(job));
        home.rejects(NOT_FOUND);
        cluster.receives(HOME, job().as("again")).delivers();
        away.repliesTo("again").shown().is("available");
    }

    @Test
    void a_forgotten_jobs_id_is_free_again() {
        cluster.receives(HOME, job()).delivers();
        cluster.receives(AWAY, fetch(queue), ack(job));
        cluster.after(ofDays(7)).delivers();
        assertThat(away.knows(job)).isFalse();
        cluster.receives(HOME, job().as("again")).delivers();
        away.repliesTo("again").shown().is("available");
    }

    @Test
    void a_claim_survives_a_restart() {
        cluster.receives(HOME, job()).delivers();
        home.restarts();
        cluster.receives(HOME, job().as("again")).delivers();
        away.repliesTo("again").rejected(DUPLICATE);
        home.restarts();
        cluster.receives(HOME, job());
        home.rejects(DUPLICATE);
    }

    @Test
    void a_message_that_comes_twice_is_heard_once() {
        home.receives(job());
        var place = home.outgoing().getFirst();
        away.receives(home.id(), place);
        away.receives(home.id(), place).emits();
        away.status(queue).shows("available", 1);
    }

    @Test
    void a_message_that_comes_before_its_time_is_not_heard() {
        String second = Ids.nicknameIn(home.id(), cluster.routing(), "second");
        home.receives(job(), enqueue(second).to(queue));
        var places = java.util.List.copyOf(home.outgoing());
        away.receives(home.id(), places.get(1)).emits();
        assertThat(away.engine().queueNames()).isEmpty();
        away.receives(home.id(), places.get(0));
        away.receives(home.id(), places.get(1));
        away.status(queue).shows("available", 2);
    }

    @Test
    void what_is_not_appended_yet_is_sent_again_after_a_restart() {
        home.receives(job());
        home.restarts();
        var unsent = home.engine().unsent();
        assertThat(unsent).hasSize(1);
        away.receives(home.id(), unsent.getFirst());
        away.status(queue).shows("available", 1);
        home.engine().appended(away.id(), unsent.getFirst().sequence());
        assertThat(home.engine().unsent()).isEmpty();
    }

    @Test
    void a_job_without_an_id_that_lands_in_the_wrong_log_gets_one_in_the_right_one() {
        cluster.receives(HOME, enqueueWithoutId().to(queue).as("asker")).delivers();
        away.repliesTo("asker").shown().is("available");
        away.status(queue).shows("available", 1);
    }

    @Test
    void an_id_made_for_another_queue_is_claimed_like_one_that_was_chosen() {
        cluster.receives(AWAY, job().madeId().as("asker")).delivers();
        away.repliesTo("asker").shown().is("available");
        asks(getJob(job));
        away.repliesTo("asker").shown().isJob(job);
    }

    @Test
    void a_made_id_is_not_looked_up() {
        String made = Ids.nicknameIn(away.id(), cluster.routing(), "made");
        cluster.receives(AWAY, enqueue(made).to(queue).madeId());
        away.replies().shown().is("available");
        assertThat(cluster.underway()).isZero();
    }

    @Test
    void what_is_asked_of_a_queue_in_the_wrong_log_is_passed_on() {
        cluster.receives(HOME, pause(queue).as("pauser")).delivers();
        away.repliesTo("pauser").shown().is("paused");
        cluster.receives(HOME, getQueue(queue).as("reader")).delivers();
        away.repliesTo("reader").shown().is("paused");
        assertThat(home.engine().queueNames()).isEmpty();
    }

    /** The partition it came from first may be heard last. */
    @Test
    void a_job_that_has_moved_twice_is_where_it_went_last_whichever_log_is_heard_first() {
        Cluster four = new Cluster(4);
        TestPartition directory = four.log(0);
        String twice = Ids.nicknameIn(directory.id(), four.routing(), "job");
        String first = Ids.queueIn(four.log(1).id(), four.routing(), "queue");
        String second = Ids.queueIn(four.log(2).id(), four.routing(), "queue");
        String third = Ids.queueIn(four.log(3).id(), four.routing(), "queue");
        directory.receives(enqueue(twice).to(first));
        PartitionId from = four.log(1).id();
        PartitionId over = four.log(2).id();

        directory.receives(over, 1, new Readdress(over, Ids.id(twice), third, 2), null);
        directory.receives(from, 1, new Readdress(from, Ids.id(twice), second, 1), null);

        assertThat(directory.outgoing().getLast().op()).isEqualTo("readdressed");
        directory.receives(getJob(twice).as("asker"));
        assertThat(directory.outgoing())
                .singleElement()
                .satisfies(
                        passed -> assertThat(passed.to()).isEqualTo(four.log(3).id()));
    }
}
