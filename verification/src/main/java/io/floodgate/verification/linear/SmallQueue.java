package io.floodgate.verification.linear;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.FinalJobs;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.history.FinalState;
import io.floodgate.verification.history.Span;
import io.floodgate.verification.linear.QueueCheck.Outcome;
import io.floodgate.verification.linear.QueueCheck.Verdict;
import io.floodgate.verification.linear.QueueOperation.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** A bounded queue with a few clients, whose answers must be those of a queue that does one thing after the other. */
public final class SmallQueue implements AutoCloseable {
    static final int BOUND = 10;

    private static final int CLIENTS = 6;
    private static final int MOST_POINTS = 300_000;
    private static final Duration PATIENCE_WITH_ONE_REQUEST = Duration.ofSeconds(5);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(300);
    /** Until each request is known, once all is served. */
    private static final Duration TO_END = Duration.ofSeconds(30);
    /** So old may be what a gateway knows of room that was made through another one. */
    private static final Duration KNOWN_WITHIN = Duration.ofSeconds(2);

    private static final Set<String> UNFINISHED = Set.of("available", "active");

    /** @param words which say why */
    public record Judgement(boolean passed, String words) {}

    /** A job by its number here, and by its id. */
    record Named(int number, String id) {}

    private final List<String> urls;
    private final String name;
    private final Random random;
    private final Queue<QueueOperation> operations = new ConcurrentLinkedQueue<>();
    private final Queue<QueueOperation> open = new ConcurrentLinkedQueue<>();
    private final List<Named> jobs = new ArrayList<>();
    private final CountDownLatch configured = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean works = true;
    private volatile boolean asks = true;

    private SmallQueue(List<String> urls, String name) {
        this.urls = List.copyOf(urls);
        this.name = name;
        random = new Random(name.hashCode());
    }

    /**
     * Begins as soon as the server is there.
     *
     * @param name of the queue, which no other run has; the clients' choices follow from it
     */
    public static SmallQueue start(List<String> urls, String name) {
        SmallQueue queue = new SmallQueue(urls, name);
        queue.start();
        return queue;
    }

    private void start() {
        threads.add(Thread.ofPlatform().name(name + "-config").daemon().start(this::configure));
        for (int i = 0; i < CLIENTS; i++) {
            SmallQueueClient client = client(i);
            threads.add(Thread.ofPlatform().name(name + "-" + i).daemon().start(() -> work(client)));
        }
    }

    private SmallQueueClient client(int number) {
        return new SmallQueueClient(
                new Caller(urls, number, PATIENCE_WITH_ONE_REQUEST), this, new Random(random.nextLong()));
    }

    private void configure() {
        byte[] config = new JsonOut()
                .beginObject()
                .name("backpressure")
                .beginObject()
                .field("max_depth", BOUND)
                .field("strategy", "reject")
                .endObject()
                .endObject()
                .toBytes();
        try (Caller caller = new Caller(urls, 0, PATIENCE_WITH_ONE_REQUEST)) {
            while (works
                    && !caller.call("PUT", "/ojs/v1/admin/queues/%s/config".formatted(name), config)
                            .isOk()) Pause.of(BETWEEN_TRIES);
        } finally {
            configured.countDown();
        }
    }

    private void work(SmallQueueClient client) {
        try (client) {
            configured.await();
            while (works) client.once();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    String name() {
        return name;
    }

    /** Whether what is not known yet is to be asked again. */
    boolean isAsking() {
        return asks;
    }

    Named add(long millis, long chance) {
        String id = JobId.make(Slot.of(name), millis, chance).toString();
        synchronized (jobs) {
            Named job = new Named(jobs.size() + 1, id);
            jobs.add(job);
            return job;
        }
    }

    void record(Kind kind, int job, Span span) {
        record(new QueueOperation(kind, job, span.begun(), span.ended()));
    }

    void record(QueueOperation operation) {
        operations.add(operation);
    }

    void recordFull(Span span) {
        long age = urls.size() > 1 ? KNOWN_WITHIN.toNanos() : 0;
        record(Kind.FULL, 0, new Span(span.begun() - age, span.ended()));
    }

    /** It is not known whether it was executed. */
    void leaveOpen(QueueOperation operation) {
        open.add(operation);
    }

    /** Ends the clients, while all is served, and judges what they were answered. */
    public Judgement judge() throws Exception {
        works = false;
        long end = System.nanoTime() + TO_END.toNanos();
        for (Thread thread : threads) thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
        close();
        try (SmallQueueClient last = client(0)) {
            for (boolean isEmpty = false; !isEmpty && System.nanoTime() < end; ) isEmpty = last.fetch();
        }
        lookAtAll();
        List<QueueOperation> all = List.copyOf(operations);
        if (all.stream().noneMatch(operation -> operation.kind() == Kind.ACKED))
            return new Judgement(false, "%s: no job went through it".formatted(name));
        Verdict verdict = new QueueCheck(all, BOUND, MOST_POINTS).verdict();
        return new Judgement(
                verdict.outcome() == Outcome.LINEARIZABLE,
                "%s, %s: %s".formatted(name, verdict.outcome(), verdict.why()));
    }

    /** What is known of each job in the end. An enqueue or ack that is still open was executed if it shows. */
    private void lookAtAll() throws Exception {
        long begun = System.nanoTime();
        Map<String, FinalState> states =
                FinalJobs.ask(jobs.stream().map(Named::id).toList(), urls).states();
        long ended = System.nanoTime();
        for (Named job : jobs) {
            FinalState state = Objects.requireNonNull(states.get(job.id()));
            boolean isThere = UNFINISHED.contains(state.state());
            for (QueueOperation operation : open)
                if (operation.job() == job.number() && !state.isGone() && !(operation.kind() == Kind.ACKED && isThere))
                    record(operation.kind(), operation.job(), new Span(operation.begun(), ended));
            record(isThere ? Kind.PRESENT : Kind.ABSENT, job.number(), new Span(begun, ended));
        }
    }

    /** Ends the clients. */
    @Override
    public void close() throws InterruptedException {
        works = false;
        asks = false;
        for (Thread thread : threads) thread.join();
    }
}
