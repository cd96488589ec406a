package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpCrowd;
import io.floodgate.bench.http.HttpResponse;
import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.Schedule;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Very many producers, each with a connection of its own, and one job that it waits to get in. One thread is enough for all: threads of
 * their own would wake up at the same time, and show how late they are instead of their answers.
 */
final class PatientProducers implements AutoCloseable {
    /** The most connections that wait to be accepted: a server may reject more. */
    private static final int CONNECTING = 100;

    /** Requests per second: few, since the run measures whether answers are in time, not throughput. */
    static final int COMING = 2_000;

    private static final long LOOK_MS = 5;
    private static final byte[] NO_BODY = new byte[0];
    private static final Pattern WAITED = Pattern.compile("\"waited_ms\":\\s*([0-9]{1,12})");

    private final HttpCrowd connections;
    private final JobBodies jobs;
    private final Errors errors = new Errors();
    private final List<Answered> answered = new ArrayList<>();
    /** When each sent its job; 0 before. */
    private final long[] sent;

    private final Thread thread;
    private int connecting;
    private int done;
    private volatile boolean closed;

    /**
     * What one of them heard.
     *
     * @param at the nanosecond
     * @param after it had sent its job
     */
    record Answered(HttpResponse answer, long at, Duration after) {
        int status() {
            return answer.status();
        }

        /** How long it waited as its log has it; empty if it was let in. */
        Optional<Duration> waited() {
            Matcher waited = WAITED.matcher(answer.text());
            return waited.find() ? Optional.of(Duration.ofMillis(Long.parseLong(waited.group(1)))) : Optional.empty();
        }
    }

    private PatientProducers(Settings settings, JobBodies jobs, int many, Duration timeout) throws IOException {
        this.jobs = jobs;
        sent = new long[many];
        connections = new HttpCrowd(settings.target());
        for (int i = 0; i < many; i++) connections.add(Settings.waitingFor(timeout));
        thread = Thread.ofPlatform().name("bench-patient").daemon().unstarted(this::run);
    }

    static PatientProducers start(Settings settings, JobBodies jobs, int many, Duration timeout) throws IOException {
        PatientProducers producers = new PatientProducers(settings, jobs, many, timeout);
        producers.thread.start();
        return producers;
    }

    private void run() {
        try (connections) {
            int next = 0;
            Schedule schedule = new Schedule(System.nanoTime(), COMING);
            long due = schedule.next();
            while (done < sent.length && !closed) {
                for (; next < sent.length && connecting < CONNECTING && due - System.nanoTime() <= 0; next++) {
                    connect(next);
                    due = schedule.next();
                }
                connections.receive(LOOK_MS, this::received);
            }
        } catch (IOException e) {
            errors.add(e);
        }
    }

    /** Before it sends its job, so that what is measured is not how long it takes to connect. */
    private void connect(int producer) {
        connecting++;
        send(producer, "GET", "/ojs/manifest", NO_BODY);
    }

    private void received(int producer, @Nullable HttpResponse response, @Nullable IOException failure) {
        boolean isAnswer = sent[producer] != 0;
        if (!isAnswer) connecting--;
        if (response == null) failed(failure);
        else if (isAnswer) {
            long now = System.nanoTime();
            answered.add(new Answered(response, now, Duration.ofNanos(now - sent[producer])));
            done++;
        } else {
            sent[producer] = System.nanoTime();
            send(producer, "POST", EnqueueRun.PATH, jobs.json(producer + 1L));
        }
    }

    private void send(int producer, String method, String path, byte[] body) {
        try {
            connections.send(producer, method, path, body);
        } catch (IOException e) {
            if (sent[producer] == 0) connecting--;
            failed(e);
        }
    }

    private void failed(@Nullable IOException why) {
        errors.add(why == null ? new IOException("no answer") : why);
        done++;
    }

    /** All of them, once the last one has been answered. */
    List<Answered> answers() throws InterruptedException {
        thread.join();
        return List.copyOf(answered);
    }

    Errors errors() {
        return errors;
    }

    @Override
    public void close() {
        closed = true;
    }
}
