package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.load.Errors;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/** Very many producers, each with a connection of its own, and one job that it waits to get in. */
final class PatientProducers implements AutoCloseable {
    /** A server has so many connections waiting to be taken that it may refuse more. */
    private static final int CONNECTING = 100;

    private final Duration timeout;
    private final Errors errors = new Errors();
    private final ConcurrentLinkedQueue<Answered> answered = new ConcurrentLinkedQueue<>();
    private final List<HttpConnection> connections = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Semaphore connecting = new Semaphore(CONNECTING);

    /** What one of them heard: at which nanosecond, and how long after it had sent its job. */
    record Answered(int status, long at, Duration after) {}

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
                int status = connection.post(EnqueueRun.PATH, job).status();
                long now = System.nanoTime();
                answered.add(new Answered(status, now, Duration.ofNanos(now - sent)));
            } catch (IOException e) {
                errors.add(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
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
