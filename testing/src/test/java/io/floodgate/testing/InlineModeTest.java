package io.floodgate.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.client.DuplicateJob;
import io.floodgate.client.EnqueueMiddleware;
import io.floodgate.client.Job;
import io.floodgate.client.Producer;
import io.floodgate.topics.codec.GzipCodec;
import io.floodgate.worker.JobFailure;
import io.floodgate.worker.RunMiddleware;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs run as they are enqueued. */
final class InlineModeTest {
    private final InMemoryFloodgate floodgate = new InMemoryFloodgate().inline();
    private final Producer producer = floodgate.producer();
    private final List<String> run = new ArrayList<>();

    @Test
    void a_job_has_run_in_this_thread_when_it_is_enqueued() throws Exception {
        floodgate.handle("thread.name", context -> Thread.currentThread().getName());

        String id = producer.enqueue(Job.of("thread.name")).id();
        producer.submit(Job.of("thread.name"));

        assertThat(floodgate.job(id).orElseThrow().path("result").asString())
                .isEqualTo(Thread.currentThread().getName());
        floodgate.assertCompleted(ExpectedJobs.of("thread.name").count(2));
        assertThat(floodgate.drain()).isZero();
    }

    @Test
    void the_caller_gets_what_a_handler_throws_and_nothing_is_tried_again() {
        IOException failure = new IOException("no connection");
        JobFailure permanent = JobFailure.permanent("BadAddress", "ada");
        floodgate.handle("checked", context -> {
            throw failure;
        });
        floodgate.handle("permanent", context -> {
            throw permanent;
        });

        assertThatThrownBy(() -> producer.enqueue(Job.of("checked"))).isSameAs(failure);
        assertThatThrownBy(() -> producer.enqueueAsync(Job.of("checked"))).isSameAs(failure);
        assertThatThrownBy(() -> producer.submit(Job.of("permanent"))).isSameAs(permanent);

        floodgate.assertFailed(ExpectedJobs.of("checked").count(2));
        assertThat(floodgate.allEnqueued())
                .extracting(job -> job.path("state").asString())
                .containsOnly("discarded");
        assertThat(floodgate.drain(Drain.ALL.withScheduledJobs())).isZero();
        assertThat(producer.pending()).isZero();
    }

    @Test
    void a_delay_is_ignored() throws Exception {
        floodgate.handle("reminder.send", context -> null);

        producer.enqueue(Job.of("reminder.send").delay(Duration.ofDays(1)));
        producer.enqueueAll(List.of(
                Job.of("reminder.send").at(floodgate.clock().instant().plusSeconds(60)), Job.of("reminder.send")));

        floodgate.assertCompleted(ExpectedJobs.of("reminder.send").count(3));
    }

    @Test
    void both_chains_of_middleware_run_around_the_codecs() throws Exception {
        EnqueueMiddleware enqueued = job -> {
            run.add("enqueue " + job.json().path("args"));
            return job.meta("trace", "t1");
        };
        RunMiddleware around = (context, next) -> {
            run.add("before " + context.args());
            Object result = next.handle(context);
            run.add("after " + result);
            return result;
        };
        Producer own = floodgate.producer(builder ->
                builder.middleware(chain -> chain.add("log", enqueued)).codec(new GzipCodec()));
        String text = "a".repeat(1_000);
        floodgate.worker(builder -> builder.middleware(chain -> chain.add("log", around))
                .codec(new GzipCodec())
                .handle("text.measure", context -> {
                    run.add("handle " + context.job().json().at("/meta/trace").asString());
                    return context.args().get(0).asString().length();
                }));

        own.enqueue(Job.of("text.measure", text));

        String args = "[\"" + text + "\"]";
        assertThat(run).containsExactly("enqueue " + args, "before " + args, "handle t1", "after 1000");
        floodgate.assertCompleted("text.measure", text);
    }

    @Test
    void a_job_whose_codec_its_worker_lacks_fails_the_caller() {
        Producer own = floodgate.producer(builder -> builder.codec(new GzipCodec()));
        floodgate.handle("text.measure", context -> null);

        assertThatThrownBy(() -> own.enqueue(Job.of("text.measure", "a".repeat(1_000))))
                .hasMessageContaining("There is no codec for the encoding 'gzip/plain'");
        floodgate.assertFailed("text.measure");
    }

    @Test
    void jobs_that_a_handler_enqueues_run_within_it_and_those_of_its_batch_after_it() throws Exception {
        floodgate.handle("outer", context -> {
            run.add("outer begins");
            producer.enqueue(Job.of("inner", 1));
            return run.add("outer ends");
        });
        floodgate.handle("inner", context -> run.add("inner " + context.args().get(0)));

        producer.enqueueAll(List.of(Job.of("outer"), Job.of("inner", 2)));

        assertThat(run).containsExactly("outer begins", "inner 1", "outer ends", "inner 2");
        floodgate.assertCompleted(ExpectedJobs.any().count(3));
    }

    @Test
    void a_handler_gets_what_a_job_of_its_own_throws() throws Exception {
        JobFailure failure = JobFailure.of("Broken", "inner");
        floodgate.handle("inner", context -> {
            throw failure;
        });
        floodgate.handle("outer.pass", context -> producer.enqueue(Job.of("inner")));
        floodgate.handle("outer.catch", context -> {
            try {
                return producer.enqueue(Job.of("inner"));
            } catch (Exception caught) {
                return caught.getMessage();
            }
        });

        assertThatThrownBy(() -> producer.enqueue(Job.of("outer.pass"))).isSameAs(failure);
        producer.enqueue(Job.of("outer.catch"));

        floodgate.assertFailed("outer.pass");
        floodgate.assertCompleted("outer.catch");
        floodgate.assertFailed(ExpectedJobs.of("inner").count(2));
    }

    @Test
    void the_rest_of_a_batch_waits_when_one_of_it_fails() {
        floodgate.handle("fails", context -> {
            producer.enqueue(Job.of("inner"));
            throw new IllegalStateException("broken");
        });
        floodgate.handle("inner", context -> run.add("inner"));
        floodgate.handle("fine", context -> run.add("fine"));

        assertThatThrownBy(() -> producer.enqueueAll(List.of(Job.of("fails"), Job.of("fine"))))
                .hasMessage("broken");

        floodgate.refutePerformed("fine");
        assertThat(floodgate.drain()).isEqualTo(1);
        assertThat(run).containsExactly("inner", "fine");
    }

    @Test
    void a_job_with_the_order_key_of_its_own_handler_runs_after_it() throws Exception {
        floodgate.handle("step", context -> {
            int step = context.args().get(0).asInt();
            run.add("begin " + step);
            if (step == 1) producer.enqueue(Job.of("step", 2).orderKey("k"));
            return run.add("end " + step);
        });

        producer.enqueue(Job.of("step", 1).orderKey("k"));

        assertThat(run).containsExactly("begin 1", "end 1", "begin 2", "end 2");
    }

    @Test
    void a_workflow_runs_to_its_end() {
        floodgate.handle("step", context -> run.add(context.args().get(0).asString()));

        floodgate.workflow(Map.of(
                "type",
                "chain",
                "steps",
                List.of(
                        Map.of("type", "step", "args", List.of("fetch")),
                        Map.of("type", "step", "args", List.of("load")))));

        assertThat(run).containsExactly("fetch", "load");
    }

    @Test
    void a_job_without_a_handler_is_not_enqueued() {
        floodgate.handle("known", context -> null);

        assertThatThrownBy(() -> producer.enqueue(Job.of("unknown")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "There is no handler for jobs of type 'unknown', to run one at once: there are handlers for [known].");
        floodgate.refuteEnqueued("unknown");
    }

    @Test
    void a_unique_job_is_rejected_only_while_the_other_one_has_not_ended() throws Exception {
        Job once = Job.of("report.make", 7)
                .with("unique", Map.of("keys", List.of("type", "args"), "on_conflict", "reject"));
        floodgate.handle("report.make", context -> run.size() > 3 || producer.enqueue(once) == null);

        assertThatThrownBy(() -> producer.enqueue(once)).isInstanceOf(DuplicateJob.class);
        floodgate.assertFailed(ExpectedJobs.of("report.make").count(1));
    }

    @Test
    void a_test_can_go_from_one_mode_to_the_other() throws Exception {
        floodgate.handle("a", context -> run.add("a"));

        floodgate.fake();
        producer.enqueue(Job.of("a"));
        assertThat(run).isEmpty();
        floodgate.inline();
        producer.enqueue(Job.of("a"));

        assertThat(run).containsExactly("a", "a");
    }
}
