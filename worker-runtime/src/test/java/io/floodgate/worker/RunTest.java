package io.floodgate.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.codec.CodecChain;
import io.floodgate.topics.command.ProgressReport;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.trace.JobTracing;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class RunTest {
    private final DomainEvents events = new DomainEvents(
            null, 1, Duration.ZERO, Clock.systemUTC(), new WorkerMeters(new SimpleMeterRegistry(), "w1"));
    private final CountDownLatch dispatched = new CountDownLatch(1);
    private final CountDownLatch processor = new CountDownLatch(1);
    private final CountDownLatch deciding = new CountDownLatch(1);
    private final CountDownLatch decides = new CountDownLatch(1);
    private final AtomicBoolean ran = new AtomicBoolean();
    private final AtomicReference<RunOutcome> reported = new AtomicReference<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    @Test
    void a_job_that_must_not_run_twice_is_not_given_back_while_its_handler_begins() throws Exception {
        // given
        AtomicReference<Thread> handling = new AtomicReference<>();
        Run run = new Run(job(), handling(), new Recorder(), new ManualAlarms(), task -> {
            handling.set(new Thread(task));
            return handling.get();
        });
        run.start();
        dispatched.await();
        // when the worker has begun to close, and then the handler is to begin
        Thread closing = Thread.ofPlatform().start(run::close);
        deciding.await();
        processor.countDown();
        WorkerFixture.until(() -> ran.get() || handling.get().getState() == Thread.State.WAITING);
        decides.countDown();
        // then
        closing.join();
        over.get(20, TimeUnit.SECONDS);
        assertThat(reported.get()).isEqualTo(RunOutcome.GivenBack.CLOSED);
        assertThat(ran).isFalse();
    }

    private Handling handling() {
        return new Handling(
                "w1",
                outputs -> context -> ran.getAndSet(true),
                Duration.ofDays(1),
                false,
                events,
                new JobTracing(OpenTelemetry.noop()),
                new CodecChain(List.of()),
                null);
    }

    /** A caller that asks what is to become of it is held up. */
    private LeasedJob job() {
        LeasedJob job = LeasedJob.read(
                """
                {"id":"%s","type":"a","queue":"default","args":[],"lease":1,"on_worker_lost":"discard"}""".formatted(JobId.make(Slot.of("default"), 1, 1)).getBytes(UTF_8));
        ObjectNode slow = new ObjectNode(JsonNodeFactory.instance) {
            private static final long serialVersionUID = 1L;

            @Override
            public JsonNode path(String name) {
                deciding.countDown();
                try {
                    decides.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return job.json().path(name);
            }
        };
        return new LeasedJob(job.id(), job.type(), job.queue(), job.args(), job.attempt(), job.lease(), null, slow);
    }

    private final class Recorder implements Run.Course {
        @Override
        public void begins(Run run) {
            dispatched.countDown();
            try {
                processor.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public CompletableFuture<Reply> says(Run run, ProgressReport report) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void handlerEnded(Run run) {}

        @Override
        public CompletableFuture<@Nullable Rejection> decided(Run run, RunOutcome outcome) {
            reported.set(outcome);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void over(Run run) {
            over.complete(null);
        }
    }
}
