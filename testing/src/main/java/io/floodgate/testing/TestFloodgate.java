package io.floodgate.testing;

import io.floodgate.worker.Worker;
import io.floodgate.worker.WorkerBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A Floodgate as one test has it: queues of its own, and waits for the outcomes of jobs. A wait that ends in vain fails
 * with the server's explanation of the job.
 */
public final class TestFloodgate implements AutoCloseable {
    /** Default time of waits. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);
    private static final Set<String> FINAL = Set.of("completed", "cancelled", "discarded");

    private final URI http;
    private final String bootstrap;
    private final TestApi api;
    private final String suffix = "-" + UUID.randomUUID().toString().substring(0, 8);
    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    /** With a server that runs: {@link FloodgateExtension} starts one. */
    public TestFloodgate(URI http, String bootstrap) {
        this.http = http;
        this.bootstrap = bootstrap;
        api = new TestApi(http);
    }

    /** Returns the address of the HTTP API, without a path. */
    public URI http() {
        return http;
    }

    /** Returns what Kafka clients take as {@code bootstrap.servers}. */
    public String bootstrap() {
        return bootstrap;
    }

    /** The queue that this test has under a name. Other tests have others under the same name. */
    public String queue(String name) {
        return name + suffix;
    }

    /** A worker for {@linkplain #queue queues} of this test, without handlers: {@link #start} it when it has some. */
    public WorkerBuilder worker(String... queues) {
        String[] own = Arrays.stream(queues).map(this::queue).toArray(String[]::new);
        return Worker.kafka(Map.of("bootstrap.servers", bootstrap)).queues(own);
    }

    /** Starts a worker that is closed after the test. */
    public Worker start(WorkerBuilder builder) {
        Worker worker = builder.start();
        started.push(worker);
        return worker;
    }

    /**
     * Enqueues a job in a {@linkplain #queue queue} of this test.
     *
     * @param args anything that Jackson can write
     * @return the job's id
     */
    public String enqueue(String queue, String type, Object... args) {
        return enqueue(queue, Map.of("type", type, "args", args));
    }

    /**
     * Enqueues a job with other members beside its type and arguments, {@code retry} or {@code priority} for instance.
     *
     * @return the job's id
     */
    public String enqueue(String queue, Map<String, ?> job) {
        return api.enqueue(queue(queue), job);
    }

    /** A job as it is now. */
    public JsonNode job(String id) {
        return api.job(id);
    }

    /** The jobs that are in a {@linkplain #queue queue} of this test, finished ones included; 100 at most. */
    public List<JsonNode> jobs(String queue) {
        return api.jobs(queue(queue));
    }

    /** Waits for a job of this type in a {@linkplain #queue queue} of this test, which the code under test enqueues. */
    public JsonNode awaitEnqueued(String queue, String type) {
        return awaitEnqueued(queue, type, PATIENCE);
    }

    public JsonNode awaitEnqueued(String queue, String type, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            List<JsonNode> found = jobs(queue);
            for (JsonNode job : found) if (job.path("type").asString("").equals(type)) return job;
            if (System.nanoTime() >= deadline) {
                List<String> others = new ArrayList<>();
                for (JsonNode job : found) others.add(job.path("type").asString(""));
                throw new AssertionError("Expected a job of type '%s' in queue '%s' (%s) within %s, but found %s."
                        .formatted(type, queue, queue(queue), text(patience), others.isEmpty() ? "none" : others));
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
    }

    /** Waits until a job is completed. It fails at once if the job ends otherwise. */
    public JsonNode awaitCompleted(String id) {
        return awaitCompleted(id, PATIENCE);
    }

    public JsonNode awaitCompleted(String id, Duration patience) {
        return awaitEnd(id, "completed", patience);
    }

    /** Waits until a job has failed for good. It fails at once if the job ends otherwise. */
    public JsonNode awaitDiscarded(String id) {
        return awaitDiscarded(id, PATIENCE);
    }

    public JsonNode awaitDiscarded(String id, Duration patience) {
        return awaitEnd(id, "discarded", patience);
    }

    /** Waits until a job is cancelled. It fails at once if the job ends otherwise. */
    public JsonNode awaitCancelled(String id) {
        return awaitEnd(id, "cancelled", PATIENCE);
    }

    /**
     * Waits until a job is as it should be.
     *
     * @param what for the message, such as {@code "to be on its second attempt"}
     */
    public JsonNode await(String id, String what, Predicate<JsonNode> expected, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            JsonNode job = job(id);
            if (expected.test(job)) return job;
            boolean ended = FINAL.contains(state(job));
            if (ended || System.nanoTime() >= deadline) throw vain(job, what, ended ? null : patience);
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
    }

    private JsonNode awaitEnd(String id, String state, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            Duration left = Duration.ofNanos(deadline - System.nanoTime());
            if (!left.isPositive()) throw vain(job(id), "to be " + state, patience);
            if (!api.awaitEnd(id, left)) continue;
            JsonNode job = job(id);
            if (state(job).equals(state)) return job;
            throw vain(job, "to be " + state, null);
        }
    }

    private AssertionError vain(JsonNode job, String what, @Nullable Duration patience) {
        String id = job.path("id").asString("");
        return new AssertionError(
                "Expected job %s of type '%s' in queue '%s' %s%s, but it is '%s' after %d of %d attempts.%s%n%n%s"
                        .formatted(
                                id,
                                job.path("type").asString(""),
                                job.path("queue").asString(""),
                                what,
                                patience == null ? "" : " within " + text(patience),
                                state(job),
                                job.path("attempt").asInt(0),
                                job.path("max_attempts").asInt(0),
                                job.has("error") ? System.lineSeparator() + "Its last error: " + job.get("error") : "",
                                api.explanation(id)));
    }

    private static String state(JsonNode job) {
        return job.path("state").asString("");
    }

    private static String text(Duration patience) {
        return patience.toMillis() % 1000 == 0 ? patience.toSeconds() + " s" : patience.toMillis() + " ms";
    }

    /** Closes the workers that the test has started, the last one first. */
    @Override
    public void close() throws Exception {
        while (!started.isEmpty()) started.pop().close();
    }
}
