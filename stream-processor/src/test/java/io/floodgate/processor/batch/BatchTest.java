package io.floodgate.processor.batch;

import static io.floodgate.topics.command.ErrorCode.BACKEND_UNAVAILABLE;
import static io.floodgate.topics.command.ErrorCode.DUPLICATE;
import static io.floodgate.topics.command.ErrorCode.INVALID_ARGS;
import static io.floodgate.topics.command.ErrorCode.INVALID_PAYLOAD;
import static io.floodgate.topics.command.ErrorCode.INVALID_REQUEST;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BatchTest extends Commands {
    @Nested
    class of_one_log {
        private final TestPartition log = new TestPartition();

        @Test
        void stores_all_jobs_in_order() {
            log.receives(batch(
                    enqueue("j1"),
                    enqueue("j2").priority(5),
                    enqueue("j3").to("other").pending()));
            assertThat(log.replies().lines()).hasSize(3);
            log.replies().line(0).is("available").shows("priority", 0).shows("queue", "q");
            log.replies().line(1).is("available").shows("priority", 5);
            log.replies().line(2).is("pending").shows("queue", "other");
            log.emits("queue.created", "job.enqueued", "job.enqueued", "queue.created", "job.pending");
            log.receives(fetch("q", "other").count(3)).replies().jobs("j2", "j1");
        }

        @Test
        void is_rejected_whole_for_one_job_that_cannot_be_read() {
            log.receives(batch(enqueue("j1"), enqueue("j2").member("args", "{}")));
            log.rejects(INVALID_ARGS).with("index", 1).with("field", "args");
            assertThat(log.replies().message()).contains("index 1");
            assertThat(log.engine().queueNames()).isEmpty();
        }

        @Test
        void is_rejected_whole_for_an_id_that_is_taken() {
            log.receives(enqueue("j1"), batch(enqueue("j2"), enqueue("j1")));
            log.rejects(DUPLICATE).with("existing_job_id", Ids.id("j1").toString());
            assertThat(log.knows("j2")).isFalse();
        }

        @Test
        void is_rejected_for_an_id_given_twice() {
            log.receives(batch(enqueue("j1"), enqueue("j1").to("other")))
                    .rejects(DUPLICATE)
                    .with("index", 1);
        }

        @Test
        void is_rejected_for_a_job_without_an_id() {
            log.receives(batch(enqueueWithoutId())).rejects(INVALID_REQUEST).with("index", 0);
        }

        @Test
        void is_rejected_when_it_is_empty() {
            log.receives(batch()).rejects(INVALID_REQUEST);
            assertThat(log.state().entriesButPosition()).isEmpty();
        }

        @Test
        void is_rejected_when_it_is_no_array() {
            log.receivesRaw("batch", "{\"jobs\":[]}".getBytes(UTF_8)).rejects(INVALID_PAYLOAD);
            log.receivesRaw("batch", "[{\"id\":".getBytes(UTF_8)).rejects(INVALID_PAYLOAD);
        }

        @Test
        void may_have_many_jobs() {
            List<byte[]> jobs = IntStream.range(0, 2000)
                    .mapToObj(i -> enqueue("j" + i).json())
                    .toList();
            log.unaudited().receives(ask(new EnqueueBatch(jobs, true)));
            assertThat(log.replies().lines()).hasSize(2000);
            log.status("q").shows("available", 2000);
            log.agreesWithItself();
        }
    }

    @Nested
    class over_several_logs {
        private final Cluster cluster = new Cluster(4);
        private final Commands.Job[] jobs = IntStream.range(0, 3)
                .mapToObj(p -> enqueue(job(p)).to(queue(p)))
                .toArray(Commands.Job[]::new);

        private String job(int partition) {
            return cluster.id(partition, "job");
        }

        private String queue(int partition) {
            return cluster.queue(partition, "queue");
        }

        @Test
        void is_answered_once_all_have_prepared_and_in_the_order_of_the_batch() {
            cluster.receives(3, batch(jobs[2], jobs[0], jobs[1]).as("asker"));
            cluster.log(3).keepsWaiting("asker");
            cluster.delivers();
            List<String> queues = cluster.log(3).repliesTo("asker").lines().stream()
                    .map(line -> line.is("available").text("queue"))
                    .toList();
            assertThat(queues).containsExactly(queue(2), queue(0), queue(1));
            for (int p = 0; p < 3; p++)
                cluster.log(p).status(queue(p)).shows("available", 1).shows("depth", 1);
        }

        @Test
        void the_coordinator_may_take_part() {
            cluster.receives(0, batch(jobs).as("asker")).delivers();
            assertThat(cluster.log(0).repliesTo("asker").lines()).hasSize(3);
            cluster.receives(0, fetch(queue(0)));
            cluster.log(0).replies().jobs(job(0));
        }

        @Test
        void what_is_held_is_counted_but_seen_by_no_client() {
            cluster.receives(0, fetch(queue(0)).waiting(ofSeconds(60)).as("parked"), batch(jobs));
            cluster.log(0).status(queue(0)).shows("depth", 1).shows("available", 0);
            cluster.log(0).keepsWaiting("parked").emits("queue.created");
            cluster.receives(0, getJob(job(0)));
            cluster.log(0).rejects(BACKEND_UNAVAILABLE);
            cluster.receives(0, cancel(job(0)));
            cluster.log(0).rejects(BACKEND_UNAVAILABLE);
            cluster.receives(0, enqueue(job(0)).to(queue(0)));
            // Not DUPLICATE: the batch may still fail, and then there would be no such job.
            cluster.log(0).rejects(BACKEND_UNAVAILABLE);
            cluster.delivers();
            cluster.log(0).repliesTo("parked").jobs(job(0));
        }

        @Test
        void what_is_held_survives_a_restart() {
            cluster.receives(0, batch(jobs).as("asker"));
            for (int p = 0; p < 4; p++) cluster.log(p).restarts();
            cluster.delivers();
            assertThat(cluster.log(0).repliesTo("asker").lines()).hasSize(3);
            for (int p = 0; p < 3; p++) cluster.log(p).status(queue(p)).shows("available", 1);
        }

        @Test
        void is_rejected_whole_for_an_id_that_is_taken_in_any_log() {
            cluster.receives(2, enqueue(job(2)).to(queue(2)));
            cluster.receives(0, batch(jobs).as("asker")).delivers();
            cluster.log(0).repliesTo("asker").rejected(DUPLICATE);
            for (int p = 0; p < 2; p++) {
                cluster.log(p).status(queue(p)).shows("depth", 0).shows("size_bytes", 0);
                assertThat(cluster.log(p).knows(job(p))).isFalse();
            }
            cluster.receives(0, enqueue(job(0)).to(queue(0)));
            cluster.log(0).replies().shown().is("available");
        }

        @Test
        void an_id_is_claimed_where_it_is_at_home() {
            Commands.Job stranger = enqueue(job(3)).to(queue(0));
            cluster.receives(0, batch(stranger, jobs[1]).as("asker")).delivers();
            assertThat(cluster.log(0).repliesTo("asker").lines()).hasSize(2);
            cluster.receives(3, getJob(job(3)).as("reader")).delivers();
            cluster.log(0).repliesTo("reader").shown().is("available");
            cluster.receives(3, enqueue(job(3)).to(queue(3)));
            cluster.log(3).rejects(DUPLICATE);
        }

        @Test
        void a_claim_is_given_back_when_the_batch_is_rejected() {
            cluster.receives(1, enqueue(job(1)).to(queue(1)));
            cluster.receives(0, batch(enqueue(job(3)).to(queue(0)), jobs[1])).delivers();
            cluster.receives(3, enqueue(job(3)).to(queue(3)));
            cluster.log(3).replies().shown().is("available");
        }

        @Test
        void made_ids_are_not_claimed() {
            cluster.receives(0, batchOfMadeIds(jobs).as("asker")).delivers();
            assertThat(cluster.log(0).repliesTo("asker").lines()).hasSize(3);
            for (int p = 0; p < 3; p++) cluster.log(p).status(queue(p)).shows("available", 1);
        }

        @Test
        void an_id_made_for_another_queue_is_claimed_like_one_that_was_chosen() {
            cluster.receives(0, batchOfMadeIds(enqueue(job(3)).to(queue(0))).as("asker"))
                    .delivers();
            cluster.receives(3, getJob(job(3)).as("reader")).delivers();
            cluster.log(0).repliesTo("reader").shown().is("available");
        }

        @Test
        void nothing_of_it_is_left_behind() {
            cluster.receives(1, enqueue(job(1)).to(queue(1)));
            cluster.receives(3, batch(jobs)).delivers();
            assertThat(cluster.log(3).engine().unsent()).isEmpty();
            // The coordinator's books of what it has sent and received, three times each.
            assertThat(cluster.log(3).state().entriesButPosition()).hasSize(9);
        }

        @Test
        void its_rejection_is_reported_to_each_client_when_no_client_waits() {
            cluster.receives(2, enqueue(job(2)).to(queue(2)));
            cluster.receives(0, batch(jobs).unanswered());
            cluster.delivers();
            assertThat(cluster.log(0).events().stream().map(event -> event.text("type")))
                    .contains("floodgate.record_rejected");
        }
    }

    @Nested
    class in_parts {
        private final Cluster cluster = new Cluster(2);
        private final String here = cluster.queue(0, "here");
        private final String there = cluster.queue(1, "there");

        private Commands.Job job(int partition, String name) {
            String nickname = cluster.id(partition, name);
            return enqueue(nickname).to(partition == 0 ? here : there);
        }

        private long part(String asker) {
            return cluster.log(0).repliesTo(asker).line(0).number("part");
        }

        private void holdTwo() {
            cluster.receives(0, hold(0, job(0, "a"), job(0, "b")).as("first"));
            cluster.receives(0, hold(2, job(0, "c"), job(1, "d")).as("second")).delivers();
        }

        @Test
        void is_seen_by_no_client_until_it_is_stored() {
            holdTwo();
            assertThat(cluster.log(0).repliesTo("first").lines()).hasSize(3);
            cluster.log(0).repliesTo("first").line(1).is("available").shows("queue", here);
            cluster.log(0).status(here).shows("depth", 3).shows("available", 0);
            cluster.log(1).status(there).shows("depth", 1).shows("available", 0);
            List<Long> parts = List.of(part("first"), part("second"));
            cluster.receives(0, ask(new EndHold(parts, true)).as("end"));
            cluster.receives(0, tick()).receives(0, tick()).delivers();
            assertThat(cluster.log(0).repliesTo("end").lines()).hasSize(1);
            cluster.log(0).status(here).shows("depth", 3).shows("available", 3);
            cluster.log(1).status(there).shows("depth", 1).shows("available", 1);
            assertThat(cluster.log(0).engine().audit()).isEmpty();
        }

        @Test
        void is_answered_when_all_of_it_can_be_fetched() {
            holdTwo();
            cluster.receives(
                    0,
                    ask(new EndHold(List.of(part("first"), part("second")), true))
                            .as("end"));
            cluster.log(0).keepsWaiting("end");
            cluster.receives(0, tick());
            cluster.log(0).keepsWaiting("end").status(here).shows("available", 2);
            cluster.receives(0, tick());
            assertThat(cluster.log(0).repliesTo("end").lines()).hasSize(1);
            cluster.log(0).status(here).shows("available", 3);
        }

        @Test
        void is_dropped_when_its_sender_says_so() {
            holdTwo();
            cluster.receives(0, ask(new EndHold(List.of(part("first"), part("second")), false)));
            cluster.receives(0, tick()).receives(0, tick()).delivers();
            cluster.log(0).status(here).shows("depth", 0).shows("size_bytes", 0);
            cluster.log(1).status(there).shows("depth", 0);
            cluster.receives(0, enqueue(cluster.id(0, "a")).to(here));
            cluster.log(0).replies().shown().is("available");
        }

        @Test
        void is_dropped_when_its_sender_says_nothing() {
            holdTwo();
            List<Long> parts = List.of(part("first"), part("second"));
            cluster.after(Batches.PREPARED_WITHIN.plusSeconds(1))
                    .receives(0, tick())
                    .delivers();
            cluster.log(0).status(here).shows("depth", 0);
            cluster.log(1).status(there).shows("depth", 0);
            cluster.receives(0, ask(new EndHold(parts, true)));
            cluster.log(0).rejects(BACKEND_UNAVAILABLE);
        }

        @Test
        void is_not_stored_when_a_part_is_missing() {
            holdTwo();
            cluster.receives(0, ask(new EndHold(List.of(part("first"), 4711L), true)));
            cluster.log(0).rejects(BACKEND_UNAVAILABLE);
            cluster.receives(0, tick());
            cluster.log(0).status(here).shows("depth", 1);
        }

        @Test
        void names_a_job_by_its_position_in_the_whole() {
            cluster.receives(0, hold(500, job(0, "a"), job(0, "b").member("args", "{}")));
            cluster.log(0).rejects(INVALID_ARGS).with("index", 501);
            assertThat(cluster.log(0).engine().queueNames()).isEmpty();
        }

        @Test
        void a_part_may_not_be_large() {
            List<byte[]> jobs = IntStream.rangeClosed(0, Limits.JOBS_OF_A_PART)
                    .mapToObj(i -> enqueue("j" + i).json())
                    .toList();
            cluster.receives(0, ask(new HoldBatch(0, jobs, true)));
            cluster.log(0).rejects(INVALID_PAYLOAD);
        }

        @Test
        void what_is_held_survives_a_restart() {
            holdTwo();
            List<Long> parts = List.of(part("first"), part("second"));
            cluster.log(0).restarts();
            cluster.log(1).restarts();
            cluster.receives(0, ask(new EndHold(parts, true)).as("end"));
            cluster.log(0).restarts();
            cluster.receives(0, tick()).receives(0, tick()).delivers();
            cluster.log(0).status(here).shows("available", 3);
            cluster.log(1).status(there).shows("available", 1);
        }
    }
}
