package io.floodgate.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.client.DuplicateJob;
import io.floodgate.client.EnqueueFailed;
import io.floodgate.client.EnqueueMiddleware;
import io.floodgate.client.Job;
import io.floodgate.client.JobRejected;
import io.floodgate.client.Producer;
import io.floodgate.client.ProducerListener;
import io.floodgate.client.Receipt;
import io.floodgate.topics.codec.GzipCodec;
import io.floodgate.worker.JobFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Jobs are kept, looked at, and run by drain. */
@ExtendWith(FloodgateExtension.class)
final class FakeModeTest {
    private final InMemoryFloodgate floodgate;
    private final Producer producer;

    FakeModeTest(InMemoryFloodgate floodgate) {
        this.floodgate = floodgate;
        producer = floodgate.producer();
    }

    @Test
    void jobs_are_kept_with_all_that_they_have_and_are_not_run() throws Exception {
        floodgate.handle("email.send", context -> "sent");

        Receipt receipt = producer.enqueue(
                Job.of("email.send", "ada").queue("email").priority(5).meta("trace", "t1"));

        JsonNode job = floodgate.job(receipt.id()).orElseThrow();
        assertThat(job.path("priority").asInt()).isEqualTo(5);
        assertThat(floodgate.allEnqueued()).containsExactly(job);
        floodgate.assertEnqueued("email.send");
        floodgate.assertEnqueued("email.send", "ada");
        floodgate.assertEnqueued(
                ExpectedJobs.of("email.send").queue("email").meta("trace", "t1").count(1));
        floodgate.refuteEnqueued("email.send", "bob");
        floodgate.refutePerformed("email.send");
        floodgate.assertJobState(receipt.id(), "available");
    }

    @Test
    void all_ways_of_a_producer_lead_to_the_test() throws Exception {
        producer.enqueueAll(List.of(Job.of("a", 1), Job.of("b", 2).queue("other")));
        producer.enqueueAsync(Job.of("c")).join();
        producer.enqueueAllAsync(List.of(Job.of("d"), Job.of("e"))).join();
        String submitted = producer.submit(Job.of("f"));

        assertThat(floodgate.allEnqueued().stream().map(job -> job.path("type").asString()))
                .containsExactly("a", "b", "c", "d", "e", "f");
        assertThat(floodgate.allEnqueued(ExpectedJobs.any().queue("other"))).hasSize(1);
        floodgate.assertJobState(submitted, "available");
        assertThat(producer.flush(Duration.ZERO)).isTrue();
        assertThat(producer.pending()).isZero();
    }

    @Test
    void an_assertion_says_what_was_enqueued_instead_and_why_it_does_not_match() throws Exception {
        assertThatThrownBy(() -> floodgate.assertEnqueued("email.send"))
                .isInstanceOf(AssertionError.class)
                .hasMessage("Expected a job of type 'email.send' to be enqueued, but found none. No job was enqueued.");

        producer.enqueue(Job.of("email.send", "bob", 7).queue("email").meta("a", 1));
        producer.enqueue(Job.of("report.make"));

        assertThatThrownBy(() -> floodgate.assertEnqueued(ExpectedJobs.of("email.send")
                        .args("ada", 7)
                        .queue("mail")
                        .meta("a", 2)))
                .hasMessage("""
                        Expected a job of type 'email.send' with args ["ada",7] in queue 'mail' with meta {a=2} to be enqueued, but found none. Enqueued were:
                          email.send ["bob",7] in queue 'email', available (other args, other queue, other meta.a)
                          report.make [] in queue 'default', available (other type, other args, other queue, other meta.a)""");
        assertThatThrownBy(() ->
                        floodgate.assertEnqueued(ExpectedJobs.of("email.send").count(2)))
                .hasMessageStartingWith("Expected 2 jobs of type 'email.send' to be enqueued, but found 1.");
        assertThatThrownBy(() -> floodgate.refuteEnqueued("report.make"))
                .hasMessageStartingWith("Expected no job of type 'report.make' to be enqueued, but found 1.");
        assertThatThrownBy(() -> floodgate.assertCompleted("report.make"))
                .hasMessageContaining("report.make [] in queue 'default', available (not completed, no handler)");
    }

    @Test
    void drain_runs_jobs_in_their_order_and_what_they_enqueue() throws Exception {
        List<String> run = new ArrayList<>();
        floodgate.handle(
                "first", context -> run.add("first " + context.args().get(0).asString()));
        floodgate.handle("second", context -> {
            run.add("second");
            return producer.enqueue(Job.of("first", "later")).id();
        });
        producer.enqueueAll(List.of(Job.of("second"), Job.of("first", "a"), Job.of("first", "b")));

        assertThat(floodgate.drain()).isEqualTo(4);

        assertThat(run).containsExactly("second", "first a", "first b", "first later");
        floodgate.assertCompleted(ExpectedJobs.of("first").count(3));
        floodgate.assertPerformed("second");
        assertThat(floodgate.allEnqueued(ExpectedJobs.of("first").args("later")))
                .hasSize(1);
        assertThat(floodgate.drain()).isZero();
    }

    @Test
    void drain_can_be_limited_to_a_queue_and_a_number() throws Exception {
        floodgate.handle("a", context -> null);
        producer.enqueueAll(List.of(
                Job.of("a").queue("one"), Job.of("a").queue("two"), Job.of("a").queue("two")));

        assertThat(floodgate.drain(Drain.ALL.queue("two").maxJobs(1))).isEqualTo(1);
        assertThat(floodgate.drain(Drain.ALL.queue("two"))).isEqualTo(1);
        floodgate.assertCompleted(ExpectedJobs.of("a").queue("two").count(2));
        floodgate.refutePerformed(ExpectedJobs.of("a").queue("one"));
    }

    @Test
    void a_drain_without_end_fails() throws Exception {
        floodgate.handle("again", context -> producer.submit(Job.of("again")));
        producer.submit(Job.of("again"));

        assertThatThrownBy(() -> floodgate.drain(Drain.ALL.timeout(Duration.ZERO)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(
                        "After PT0S and 0 jobs, there are still jobs to drain: the next one is of type 'again'");
    }

    @Test
    void a_job_without_a_handler_stays_available() throws Exception {
        floodgate.handle("known", context -> null);
        producer.enqueueAll(List.of(Job.of("unknown"), Job.of("known")));

        assertThat(floodgate.drain()).isEqualTo(1);
        assertThat(floodgate
                        .allEnqueued(ExpectedJobs.of("unknown"))
                        .getFirst()
                        .path("state")
                        .asString())
                .isEqualTo("available");
        assertThatIllegalStateException()
                .isThrownBy(() -> floodgate.perform("unknown"))
                .withMessageContaining("no handler for jobs of type 'unknown'")
                .withMessageContaining("[known]");
    }

    @Test
    void what_a_handler_throws_fails_its_job_but_a_failed_assertion_also_the_test() throws Exception {
        floodgate.handle("fails", context -> {
            throw JobFailure.permanent("BadAddress", "ada is no address");
        });
        floodgate.handle("asserts", context -> {
            throw new AssertionError("1 is not 2");
        });
        producer.enqueue(Job.of("fails"));

        floodgate.drain();
        floodgate.assertFailed("fails");
        JsonNode failed = floodgate.allEnqueued().getFirst();
        assertThat(failed.path("state").asString()).isEqualTo("discarded");
        assertThat(failed.at("/error/message").asString()).isEqualTo("ada is no address");

        producer.enqueue(Job.of("asserts"));
        assertThatThrownBy(floodgate::drain).isInstanceOf(AssertionError.class).hasMessage("1 is not 2");
    }

    @Test
    void perform_runs_one_job_and_returns_its_result() throws Exception {
        floodgate.handle(
                "add",
                context -> context.args().get(0).asInt() + context.args().get(1).asInt());
        producer.enqueue(Job.of("add", 0, 0));

        assertThat(floodgate.perform("add", 1, 2).asInt()).isEqualTo(3);
        floodgate.assertCompleted(ExpectedJobs.of("add").count(1));
        floodgate.worker(builder -> builder.tenants("acme"));
        assertThatIllegalStateException()
                .isThrownBy(() -> floodgate.perform("add", 1, 2))
                .withMessageContaining("The worker does not take this job");
    }

    @Test
    void middleware_of_producers_runs_and_codecs_are_seen_through() throws Exception {
        EnqueueMiddleware tenant =
                job -> job.json().path("type").asString().equals("dropped") ? null : job.tenant("acme");
        Producer own = floodgate.producer(builder ->
                builder.middleware(chain -> chain.add("tenant", tenant)).codec(new GzipCodec()));
        String text = "a".repeat(10_000);
        floodgate.worker(builder -> builder.codec(new GzipCodec())
                .handle(
                        "text.store",
                        context -> context.args().get(0).asString().length()));

        own.enqueue(Job.of("text.store", text));
        assertThat(own.enqueue(Job.of("dropped")).dropped()).isTrue();

        floodgate.assertEnqueued(ExpectedJobs.of("text.store").args(text).meta("tenant_id", "acme"));
        floodgate.refuteEnqueued("dropped");
        floodgate.drain();
        assertThat(floodgate.allEnqueued().getFirst().path("result").asInt()).isEqualTo(10_000);
    }

    @Test
    void jobs_are_rejected_as_a_server_rejects_them() throws Exception {
        assertThatThrownBy(() -> producer.enqueue(Job.of("no type"))).isInstanceOf(JobRejected.class);
        Job once = Job.of("report.make", 7)
                .with("unique", Map.of("keys", List.of("type", "args"), "on_conflict", "reject"));
        producer.enqueue(once);

        assertThatThrownBy(() -> producer.enqueue(once)).isInstanceOf(DuplicateJob.class);
        Receipt first = producer.enqueue(Job.of("a"));
        assertThat(producer.enqueue(Job.of("a").id(first.id())).wasThere()).isTrue();
        floodgate.assertEnqueued(ExpectedJobs.any().count(2));
    }

    @Test
    void a_submitted_job_that_is_rejected_is_reported_to_the_listener() {
        List<String> rejected = new ArrayList<>();
        Producer own = floodgate.producer(builder -> builder.listener(new ProducerListener() {
            @Override
            public void rejected(Job job, EnqueueFailed why) {
                rejected.add(job.json().path("type").asString() + " " + why.code());
            }
        }));
        Job once = Job.of("a").with("unique", Map.of("keys", List.of("type"), "on_conflict", "reject"));

        own.submit(once);
        own.submit(once);

        assertThat(rejected).containsExactly("a duplicate");
        assertThat(own.pending()).isZero();
    }

    @Test
    void events_of_handlers_go_nowhere_and_need_a_topic_as_ever() throws Exception {
        floodgate.handle("paid", context -> context.emit("invoice.paid", 7));
        assertThatIllegalStateException().isThrownBy(() -> floodgate.perform("paid"));

        assertThat(new InMemoryFloodgate()
                        .worker(builder -> builder.events(Map.of(), "events")
                                .handle("paid", context -> context.emit("invoice.paid", 7)))
                        .perform("paid")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void more_types_of_jobs_are_handled_than_one_fetch_can_name() throws Exception {
        for (int type = 0; type < 250; type++) floodgate.handle("type" + type, context -> null);
        producer.enqueueAll(List.of(Job.of("type0"), Job.of("type249"), Job.of("unknown")));

        assertThat(floodgate.drain()).isEqualTo(2);
    }

    @Test
    void a_cancelled_job_does_not_run_and_a_cleared_one_is_gone() throws Exception {
        floodgate.handle("a", context -> null);
        String id = producer.enqueue(Job.of("a")).id();

        assertThat(floodgate.cancel(id)).isTrue();
        assertThat(floodgate.drain()).isZero();
        floodgate.assertJobState(id, "cancelled");
        assertThat(floodgate.cancel(id)).isFalse();

        floodgate.clear();
        assertThat(floodgate.allEnqueued()).isEmpty();
        assertThat(floodgate.events()).isEmpty();
        assertThat(floodgate.job(id)).isEmpty();
        assertThatThrownBy(() -> floodgate.assertJobState(id, "cancelled"))
                .hasMessage("Expected job %s to be 'cancelled', but it does not exist.".formatted(id));
        assertThat(floodgate.drain()).isZero();
    }

    @Test
    void steps_of_a_workflow_are_enqueued_one_after_the_other() throws Exception {
        List<String> run = new ArrayList<>();
        for (String type : List.of("data.fetch", "data.load"))
            floodgate.handle(type, context -> run.add(context.job().type()));

        floodgate.workflow(Map.of(
                "type",
                "chain",
                "steps",
                List.of(
                        Map.of("type", "data.fetch", "args", List.of()),
                        Map.of("type", "data.load", "args", List.of()))));

        floodgate.assertEnqueued("data.fetch");
        floodgate.refuteEnqueued("data.load");
        assertThat(floodgate.drain()).isEqualTo(2);
        assertThat(run).containsExactly("data.fetch", "data.load");
    }

    @Test
    void threads_of_the_code_under_test_can_enqueue_at_the_same_time() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < 4; n++)
            threads.add(Thread.startVirtualThread(() -> {
                for (int job = 0; job < 25; job++) producer.submit(Job.of("a", job));
            }));
        for (Thread thread : threads) thread.join();
        floodgate.assertEnqueued(ExpectedJobs.of("a").count(100));
    }

    @Test
    void others_do_not_see_these_jobs() throws Exception {
        InMemoryFloodgate other = new InMemoryFloodgate();
        producer.enqueue(Job.of("a"));

        other.refuteEnqueued("a");
        assertThat(other.allEnqueued()).isEmpty();
    }
}
