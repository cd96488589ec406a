package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.http.HttpResponse;
import io.floodgate.bench.load.Errors;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Very many producers, each with a connection of its own, and one job that it waits to get in. */
final class PatientProducers implements AutoCloseable {
    /** A server has so many connections waiting to be taken that it may refuse more. */
    private static final int CONNECTING = 100;

    private static final Pattern WAITED = Pattern.compile("\"waited_ms\":\\s*([0-9]{1,12})");

    private final Duration timeout;
    private final Errors errors = new Errors();
    private final ConcurrentLinkedQueue<Answered> answered = new ConcurrentLinkedQueue<>();
    private final List<HttpConnection> connections = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Semaphore connecting = new Semaphore(CONNECTING);

    /**
     * What one of them heard.
     *
     * @param at the nanosecond
     * @param after it had sent its job
     * @param waited as its log has it; empty if it was let in
     */
    record Answered(int status, long at, Duration after, Optional<Duration> waited) {}

    private PatientProducers(Duration timeout) {
        this.timeout = timeout;
    }

    static PatientProducers start(Settings settings, Jobs jobs, int many, Duration timeout) {
        PatientProducers producers = new PatientProducers(timeout);
        for (int i = 0; i < many; i++) producers.start(settings, jobs.json(i + 1L));
        return producers;
    }

    private void start(Settings settings, byte[] job) {
        HttpConnection connection = settings.connectToWait(timeout);
        connections.add(connection);
        threads.add(Thread.ofVirtual().start(() -> {
            try {
                connect(connection);
                long sent = System.nanoTime();
                HttpResponse answer = connection.post(EnqueueRun.PATH, job);
                long now = System.nanoTime();
                answered.add(new Answered(answer.status(), now, Duration.ofNanos(now - sent), waited(answer)));
            } catch (IOException e) {
                errors.add(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
    }

    private static Optional<Duration> waited(HttpResponse answer) {
        Matcher waited = WAITED.matcher(answer.text());
        return waited.find() ? Optional.of(Duration.ofMillis(Long.parseLong(waited.group(1)))) : Optional.empty();
    }

    /** So that what is measured is not how long it takes to connect. */
    private void connect(HttpConnection connection) throws IOException, InterruptedException {
        connecting.acquire();
        try {
            var unused = connection.get("/ojs/manifest", 200);
        } finally {
            connecting.release();
        }
    }

    /** All of them, once the last one has been answered. */
    List<Answered> answers() throws InterruptedException {
        for (Thread each : threads) each.join();
        return List.copyOf(answered);
    }

    Errors errors() {
        return errors;
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        connections.forEach(HttpConnection::close);
    }
}
