package io.floodgate.testing;

import io.floodgate.client.Job;
import io.floodgate.client.Producer;
import io.floodgate.client.ProducerBuilder;
import io.floodgate.worker.JobContext;
import io.floodgate.worker.JobHandler;
import io.floodgate.worker.WorkerBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A Floodgate in the memory of one test, for unit tests: without a server, threads or waiting. Jobs go through the options,
 * codecs and middleware of a {@link Producer}, and are kept by the engine of a server.
 *
 * <p>In fake mode, which is the default, jobs are kept until {@link #drain()} runs their handlers. In {@linkplain #inline()
 * inline mode}, each job runs as it is enqueued, in the same thread, and what its handler throws is thrown to the caller. The
 * time stands still unless the test moves it.
 *
 * <pre>{@code
 * InMemoryFloodgate floodgate = new InMemoryFloodgate().handle("email.send", new SendEmail());
 * new Signup(floodgate.producer()).register("ada@example.com");
 * floodgate.assertEnqueued("email.send", "ada@example.com");
 * floodgate.drain();
 * floodgate.assertCompleted("email.send");
 * }</pre>
 */
public final class InMemoryFloodgate {
    private static final Queue<Exception> NONE = new ArrayDeque<>();
    private static final Set<String> FAILED = Set.of("retryable", "discarded");

    private final MemoryJobs jobs;
    private final Map<String, Queue<Exception>> nextFailures = new ConcurrentHashMap<>();
    private final Map<String, Exception> failures = new ConcurrentHashMap<>();

    public InMemoryFloodgate() {
        jobs = new MemoryJobs(this::fail);
    }

    // modes, producers and handlers

    /** Keeps jobs that are enqueued from now on until they are drained, as it is at first. */
    public InMemoryFloodgate fake() {
        jobs.inline(false);
        return this;
    }

    /** Runs jobs that are enqueued from now on at once, whenever they are scheduled for, and without retries. */
    public InMemoryFloodgate inline() {
        jobs.inline(true);
        return this;
    }

    /** Returns a producer for the code under test. */
    public Producer producer() {
        return producer(builder -> {});
    }

    /** Returns a producer with the middleware and codecs of the code under test. */
    public Producer producer(Consumer<ProducerBuilder> change) {
        ProducerBuilder builder = Producer.direct(jobs::enqueue);
        change.accept(builder);
        return builder.build();
    }

    public InMemoryFloodgate handle(String type, JobHandler handler) {
        return worker(builder -> builder.handle(type, handler));
    }

    /** Changes the worker that runs jobs: its handlers, middleware, codecs, versions. It takes jobs of all queues. */
    public InMemoryFloodgate worker(Consumer<WorkerBuilder> change) {
        change.accept(jobs.handlers());
        return this;
    }

    // time

    /** The time of the test, for code that takes a clock; {@code withZone} makes a {@link java.time.Clock} of it. */
    public InstantSource clock() {
        return jobs::now;
    }

    /**
     * Sets the time; at first it is that at which this was made.
     *
     * @throws IllegalArgumentException if there are jobs, and this is before the time that it was
     */
    public void freezeTime(Instant time) {
        jobs.moveTo(time);
    }

    /** Moves the time on: jobs that are due then become available, and {@link #drain()} runs them. */
    public void advanceTime(Duration duration) {
        jobs.moveTo(jobs.now().plus(duration));
    }

    // failures

    /** Has the next run of a job of this type fail, instead of its handler and middleware; one run for each call. */
    public void failNext(String type, Exception failure) {
        nextFailures.computeIfAbsent(type, key -> new ConcurrentLinkedQueue<>()).add(failure);
    }

    /** Has all runs of jobs of this type fail from now on. */
    public void failAll(String type, Exception failure) {
        failures.put(type, failure);
    }

    private @Nullable Object fail(JobContext context, JobHandler next) throws Exception {
        String type = context.job().type();
        Exception failure = nextFailures.getOrDefault(type, NONE).poll();
        if (failure == null) failure = failures.get(type);
        if (failure != null) throw failure;
        return next.handle(context);
    }

    // jobs

    /** Runs all jobs that are available and have a handler, and those that they enqueue, in this thread. */
    public int drain() {
        return drain(Drain.ALL);
    }

    /**
     * The same for some jobs, queue after queue, and in each in the order in which workers get them. What a handler throws
     * fails its job, which waits for its next attempt as its retry policy says; only an {@link AssertionError} is also thrown
     * here.
     *
     * @return how many jobs were run
     */
    public int drain(Drain what) {
        return jobs.drain(what);
    }

    /**
     * Enqueues a job and runs it at once, in whatever mode. What its handler throws is thrown.
     *
     * @return the result of its handler; a missing node if there is none
     */
    public JsonNode perform(String type, Object... args) throws InterruptedException {
        String id = producer().enqueue(Job.of(type, args)).id();
        jobs.runNow(id);
        return job(id).map(job -> job.path("result")).orElseThrow();
    }

    /** Returns all jobs that were enqueued, in their order, as they are now and with their arguments not encoded. */
    public List<JsonNode> allEnqueued() {
        return jobs.all();
    }

    public List<JsonNode> allEnqueued(ExpectedJobs which) {
        return jobs.all().stream().filter(which::match).toList();
    }

    /** Returns a job as it is now, or was last if its retention is over. */
    public Optional<JsonNode> job(String id) {
        return jobs.find(id);
    }

    /** Cancels a job, if there is one of this id that has not ended. */
    public boolean cancel(String id) {
        return jobs.cancel(id);
    }

    /**
     * Stores a workflow, as {@code POST /ojs/v1/workflows} does; {@link #drain()} runs its steps.
     *
     * @param definition anything that Jackson can write
     * @return the id
     */
    public String workflow(Object definition) {
        return jobs.workflow(definition);
    }

    /** Returns the events of all jobs and workflows (OJS events), in their order. */
    public List<JsonNode> events() {
        return jobs.events();
    }

    /** Forgets all jobs, events and failures to come; handlers, mode and time stay. */
    public void clear() {
        jobs.clear();
        nextFailures.clear();
        failures.clear();
    }

    // assertions

    /** Fails unless a job of this type was enqueued; with arguments, unless it has exactly these. */
    public void assertEnqueued(String type, Object... args) {
        assertEnqueued(expected(type, args));
    }

    public void assertEnqueued(ExpectedJobs expected) {
        check(expected, true, "enqueued", job -> true);
    }

    public void refuteEnqueued(String type, Object... args) {
        refuteEnqueued(expected(type, args));
    }

    public void refuteEnqueued(ExpectedJobs expected) {
        check(expected, false, "enqueued", job -> true);
    }

    /** Fails unless such a job was run, whatever became of it. */
    public void assertPerformed(String type, Object... args) {
        assertPerformed(expected(type, args));
    }

    public void assertPerformed(ExpectedJobs expected) {
        check(expected, true, "performed", jobs::wasPerformed);
    }

    public void refutePerformed(String type, Object... args) {
        refutePerformed(expected(type, args));
    }

    public void refutePerformed(ExpectedJobs expected) {
        check(expected, false, "performed", jobs::wasPerformed);
    }

    public void assertCompleted(String type, Object... args) {
        assertCompleted(expected(type, args));
    }

    public void assertCompleted(ExpectedJobs expected) {
        check(expected, true, "completed", job -> state(job).equals("completed"));
    }

    /** Fails unless such a job has failed: it is retryable or discarded. */
    public void assertFailed(String type, Object... args) {
        assertFailed(expected(type, args));
    }

    public void assertFailed(ExpectedJobs expected) {
        check(expected, true, "failed", job -> FAILED.contains(state(job)));
    }

    public void assertJobState(String id, String expected) {
        String found = job(id).map(job -> "is '" + state(job) + "'").orElse("does not exist");
        if (!found.equals("is '" + expected + "'"))
            throw new AssertionError("Expected job %s to be '%s', but it %s.".formatted(id, expected, found));
    }

    private static ExpectedJobs expected(String type, Object... args) {
        ExpectedJobs expected = ExpectedJobs.of(type);
        return args.length == 0 ? expected : expected.args(args);
    }

    private static String state(JsonNode job) {
        return job.path("state").asString("");
    }

    private void check(ExpectedJobs expected, boolean wanted, String what, Predicate<JsonNode> became) {
        List<JsonNode> all = allEnqueued();
        long found = all.stream().filter(expected::match).filter(became).count();
        if (wanted ? expected.isCount(found) : found == 0) return;
        StringBuilder message = new StringBuilder("Expected %s to be %s, but found %s."
                .formatted(wanted ? expected : expected.text("no job"), what, found == 0 ? "none" : found));
        message.append(all.isEmpty() ? " No job was enqueued." : " Enqueued were:");
        for (JsonNode job : all) {
            List<String> differences = new ArrayList<>(expected.differences(job));
            if (!became.test(job)) differences.add("not " + what + (jobs.handles(job) ? "" : ", no handler"));
            message.append("%n  %s %s in queue '%s', %s%s"
                    .formatted(
                            job.path("type").asString(""),
                            job.path("args"),
                            job.path("queue").asString(""),
                            state(job),
                            differences.isEmpty() ? "" : " (" + String.join(", ", differences) + ")"));
        }
        throw new AssertionError(message.toString());
    }
}
