package io.floodgate.verification.client;

import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.history.Recorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * Goes on asking, at an even pace whatever the answers are: a job enqueued, fetched and acked on a queue in each log, through
 * each gateway; and each gateway whether it is ready.
 */
public final class Rounds implements AutoCloseable {
    private static final Duration PATIENCE_WITH_ONE_REQUEST = Duration.ofSeconds(10);
    private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(200);

    /**
     * A round, which was served or was not.
     *
     * @param enqueued when its first request was answered
     * @param status of that answer; 0 when nothing came back
     */
    public record Round(int gateway, int log, long begun, long enqueued, int status, long ended, boolean served) {
        /** One whose first request is of no interest. */
        public Round(int gateway, int log, long begun, long ended, boolean served) {
            this(gateway, log, begun, ended, 0, ended, served);
        }
    }

    /**
     * What a gateway said of itself.
     *
     * @param status 0 when nothing came back
     * @param silent the logs that it called silent, or named because it lets nothing through to them
     */
    public record Ready(int gateway, long begun, long ended, int status, List<Integer> silent) {
        public Ready {
            silent = List.copyOf(silent);
        }
    }

    private record Course(int gateway, int log, RoundTrip trip) {}

    private final List<String> urls;
    private final List<Course> courses = new ArrayList<>();
    private final ConcurrentLinkedQueue<Round> rounds = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Ready> readies = new ConcurrentLinkedQueue<>();
    private final ExecutorService asking = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("rounds").daemon().factory());

    private final int logs;

    private Rounds(List<String> urls, String prefix, int partitions, Recorder recorder) {
        this.urls = List.copyOf(urls);
        logs = partitions;
        for (int gateway = 0; gateway < urls.size(); gateway++) {
            List<String> queues = Service.queues(prefix + "round-" + gateway, partitions);
            for (int log = 0; log < partitions; log++)
                courses.add(new Course(gateway, log, new RoundTrip(queues.get(log), recorder)));
        }
    }

    /**
     * @param every how often each log is asked through each gateway
     * @param recorder gets each job
     */
    public static Rounds start(List<String> urls, int partitions, Duration every, Recorder recorder) {
        return start(urls, "", partitions, every, recorder);
    }

    /** @param prefix of the names of their queues */
    public static Rounds start(List<String> urls, String prefix, int partitions, Duration every, Recorder recorder) {
        Rounds started = new Rounds(urls, prefix, partitions, recorder);
        long apart = every.toNanos() / started.courses.size();
        for (int i = 0; i < started.courses.size(); i++) {
            Course course = started.courses.get(i);
            started.regularly(apart * i, every, () -> started.go(course));
        }
        for (int gateway = 0; gateway < urls.size(); gateway++) {
            int asked = gateway;
            started.regularly(0, BETWEEN_QUESTIONS, () -> started.askWhetherReady(asked));
        }
        return started;
    }

    private void regularly(long after, Duration every, Runnable what) {
        var unusedTask = clock.scheduleAtFixedRate(
                () -> {
                    Future<?> unused = asking.submit(what);
                },
                after,
                every.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    private void go(Course course) {
        long begun = System.nanoTime();
        try (Caller caller = new Caller(urls.get(course.gateway), PATIENCE_WITH_ONE_REQUEST)) {
            Heard enqueued = course.trip.enqueue(caller);
            boolean served = enqueued.isOk() && course.trip.isWorkedOff(caller);
            long answered = enqueued.span().ended();
            rounds.add(new Round(
                    course.gateway, course.log, begun, answered, enqueued.status(), System.nanoTime(), served));
        }
    }

    private void askWhetherReady(int gateway) {
        try (Caller caller = new Caller(urls.get(gateway), PATIENCE_WITH_ONE_REQUEST)) {
            Caller.Heard heard = caller.get("/ready");
            List<Integer> silent = new ArrayList<>();
            for (JsonNode log : heard.body().path("silent")) silent.add(partition(log.stringValue()));
            for (JsonNode circuit : heard.body().path("circuits")) {
                String of = circuit.path("of").stringValue();
                if (of.contains("/")) silent.add(partition(of));
                else for (int log = 0; log < logs; log++) silent.add(log);
            }
            readies.add(new Ready(gateway, heard.span().begun(), heard.span().ended(), heard.status(), silent));
        }
    }

    /** Of a log, whose name ends with it. */
    private static int partition(String log) {
        return Integer.parseInt(log.substring(log.lastIndexOf('/') + 1));
    }

    /** All that have ended by now. */
    public List<Round> rounds() {
        return new ArrayList<>(rounds);
    }

    public List<Ready> readies() {
        return new ArrayList<>(readies);
    }

    /** Begins no more of them, and waits for those that are under way. */
    @Override
    public void close() {
        clock.shutdown();
        asking.close();
    }
}
