package io.floodgate.verification.chaos;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.history.Answer;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.history.Step.Acked;
import io.floodgate.verification.history.Step.Beat;
import io.floodgate.verification.history.Step.Fetched;
import io.floodgate.verification.history.Step.Handed;
import io.floodgate.verification.history.Step.Nacked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;

/** Takes jobs and does with them what workers do: mostly well, sometimes late, sometimes not at all. */
final class FetchingWorker implements Actor {
    private static final String WORKERS = "/ojs/v1/workers/";
    private static final int TRIES = 10;
    /** With default leases nothing is forgotten: a worker reports its outcome, however long that takes. */
    private static final int TRIES_FOR_LONG_LEASES = 300;

    private static final int MOST_JOBS = 5;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);
    private static final Duration WAIT = Duration.ofMillis(500);
    private static final Duration BEAT_EVERY = Duration.ofSeconds(1);

    private final String name;
    private final Caller caller;
    private final List<String> queues;
    private final Duration visibility;
    private final boolean hasDefaultLeases;
    private final Recorder recorder;
    private final Random random;
    private final List<Handed> inHand = new ArrayList<>();
    private long lastBeat = System.nanoTime();
    private volatile long lastJob = System.nanoTime();
    private volatile long lastEmpty;

    FetchingWorker(String name, Caller caller, ChaosConfig config, Recorder recorder, Random random) {
        this.name = name;
        this.caller = caller;
        this.queues = new ArrayList<>(config.queueNames());
        this.visibility = config.visibility();
        this.hasDefaultLeases = config.hasDefaultLeases();
        this.recorder = recorder;
        this.random = random;
    }

    /** Whether all fetches in this time came back empty. */
    boolean hasFoundNothingFor(Duration time) {
        long since = System.nanoTime() - time.toNanos();
        return lastJob - since < 0 && lastEmpty - since > 0;
    }

    @Override
    public void once() {
        Collections.shuffle(queues, random);
        Caller.Heard heard = caller.call("POST", WORKERS + "fetch", fetch());
        if (heard.answer() != Answer.OK) {
            lastJob = System.nanoTime();
            Pause.of(BETWEEN_TRIES);
            return;
        }
        for (JsonNode job : heard.body().required("jobs"))
            inHand.add(new Handed(
                    job.required("id").stringValue(),
                    job.required("args").required(0).stringValue(),
                    job.required("lease").longValue()));
        if (inHand.isEmpty()) {
            lastEmpty = System.nanoTime();
        } else {
            lastJob = System.nanoTime();
            recorder.add(new Fetched(heard.span(), name, visibility, inHand));
        }
        while (!inHand.isEmpty()) handle(inHand.getFirst());
        beatIfDue();
    }

    private byte[] fetch() {
        JsonOut fetch = new JsonOut()
                .beginObject()
                .field("queues", queues)
                .field("count", 1 + random.nextInt(MOST_JOBS))
                .field("worker_id", name);
        if (!hasDefaultLeases) fetch.field("visibility_timeout_ms", visibility.toMillis());
        return fetch.field("wait_ms", random.nextBoolean() ? WAIT.toMillis() : 0)
                .endObject()
                .toBytes();
    }

    private void handle(Handed job) {
        int choice = random.nextInt(1_000);
        if (choice < 850) ack(job);
        else if (choice < 930) nack(job, false);
        else if (choice < 970) nack(job, true);
        else if (hasDefaultLeases) handleWithLongLease(job, choice);
        else if (choice < 985) forget();
        else if (choice < 995) takeLong(job);
        else ackTooLate(job);
        inHand.remove(job);
        beatIfDue();
    }

    /** Nothing is forgotten; and few jobs take seconds, or the workers never come to an end. */
    private void handleWithLongLease(Handed job, int choice) {
        if (choice < 996) ack(job);
        else takeLong(job);
    }

    /** The lease ends by itself, and the job comes back. */
    private void forget() {}

    /** Longer than the lease, which heartbeats prolong. */
    private void takeLong(Handed job) {
        for (int i = 0; i < 5; i++) {
            Pause.of(hasDefaultLeases ? BEAT_EVERY : visibility.dividedBy(3));
            beat();
        }
        ack(job);
    }

    /** Longer than the lease, without a heartbeat: another worker may have the job by now. */
    private void ackTooLate(Handed job) {
        Pause.of(visibility.plusMillis(random.nextInt(1_000)));
        ack(job);
    }

    private void ack(Handed job) {
        for (int attempt = 0; attempt < tries(); attempt++) {
            Caller.Heard heard =
                    caller.call("POST", WORKERS + "ack", report(job).endObject().toBytes());
            recorder.add(new Acked(heard.span(), name, job.id(), job.lease(), heard.answer()));
            if (isDecided(heard)) return;
            pauseAlive();
        }
    }

    private void nack(Handed job, boolean requeue) {
        JsonOut report = report(job).field("requeue", requeue);
        if (!requeue)
            report.name("error")
                    .beginObject()
                    .field("code", "handler_error")
                    .field("message", "It fails on purpose.")
                    .endObject();
        byte[] body = report.endObject().toBytes();
        for (int attempt = 0; attempt < tries(); attempt++) {
            Caller.Heard heard = caller.call("POST", WORKERS + "nack", body);
            recorder.add(new Nacked(heard.span(), name, job.id(), job.lease(), heard.answer()));
            if (isDecided(heard)) return;
            pauseAlive();
        }
    }

    /** A worker that cannot report for long is not to be taken for dead. */
    private void pauseAlive() {
        Pause.of(BETWEEN_TRIES);
        if (hasDefaultLeases) beatIfDue();
    }

    /** A worker that gets 503 has to try again, though nothing was done. */
    private static boolean isDecided(Caller.Heard heard) {
        return heard.status() != 0 && heard.status() != 503 && heard.answer() != Answer.UNKNOWN;
    }

    private int tries() {
        return hasDefaultLeases ? TRIES_FOR_LONG_LEASES : TRIES;
    }

    private JsonOut report(Handed job) {
        return new JsonOut()
                .beginObject()
                .field("job_id", job.id())
                .field("worker_id", name)
                .field("lease", job.lease());
    }

    private void beatIfDue() {
        if (System.nanoTime() - lastBeat > BEAT_EVERY.toNanos()) beat();
    }

    private void beat() {
        lastBeat = System.nanoTime();
        JsonOut body = new JsonOut()
                .beginObject()
                .field("worker_id", name)
                .field("active_jobs", inHand.stream().map(Handed::id).toList());
        if (!hasDefaultLeases) body.field("visibility_timeout_ms", visibility.toMillis());
        Caller.Heard heard =
                caller.call("POST", WORKERS + "heartbeat", body.endObject().toBytes());
        List<String> extended = new ArrayList<>();
        for (JsonNode id : heard.body().path("jobs_extended")) extended.add(id.stringValue());
        recorder.add(new Beat(heard.span(), name, extended, heard.answer()));
    }

    @Override
    public void close() {
        caller.close();
    }
}
