package io.floodgate.verification.chaos;

import static io.floodgate.verification.client.RequestBodies.ACK;
import static io.floodgate.verification.client.RequestBodies.FETCH;
import static io.floodgate.verification.client.RequestBodies.HEARTBEAT;
import static io.floodgate.verification.client.RequestBodies.NACK;
import static io.floodgate.verification.client.RequestBodies.json;
import static io.floodgate.verification.client.RequestBodies.strings;

import io.floodgate.verification.chaos.Special.Order;
import io.floodgate.verification.chaos.Special.TenantBounds;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Crew;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.history.Answer;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.history.Step;
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
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Takes jobs and does with them what workers do: mostly well, sometimes late, sometimes not at all. */
final class FetchingWorker implements Crew.Member {
    private static final int TRIES = 10;
    /** With default leases nothing is forgotten: a worker reports its outcome, however long that takes. */
    private static final int TRIES_FOR_LONG_LEASES = 300;

    private static final int MOST_JOBS = 5;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);
    private static final Duration WAIT = Duration.ofMillis(500);
    private static final Duration WORK = Duration.ofMillis(100);
    private static final Duration BEAT_EVERY = Duration.ofSeconds(1);

    private final String name;
    private final Caller caller;
    private final List<String> queues;
    private final Duration visibility;
    private final boolean hasDefaultLeases;
    private final Recorder recorder;
    private final Random random;
    /** More runs of a thousand that fail, and that are forgotten, than elsewhere. */
    private final int failing;

    private final int forgotten;
    /** So that jobs come faster than they end. */
    private final Duration work;

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
        boolean isOrdered = config.special() instanceof Order;
        work = config.special() instanceof TenantBounds ? WORK : Duration.ZERO;
        failing = isOrdered ? 20 : 0;
        forgotten = isOrdered && !hasDefaultLeases ? 35 : 0;
    }

    /** Whether all fetches in this time came back empty. */
    boolean hasFoundNothingFor(Duration time) {
        long since = System.nanoTime() - time.toNanos();
        return lastJob - since < 0 && lastEmpty - since > 0;
    }

    @Override
    public void once() {
        Collections.shuffle(queues, random);
        Heard heard = caller.post(FETCH, fetch());
        if (heard.answer() != Answer.OK) {
            lastJob = System.nanoTime();
            Pause.of(BETWEEN_TRIES);
            return;
        }
        for (JsonNode job : heard.body().required("jobs")) inHand.add(Handed.of(job));
        if (inHand.isEmpty()) {
            lastEmpty = System.nanoTime();
        } else {
            lastJob = System.nanoTime();
            recorder.add(new Fetched(heard.span(), name, visibility, inHand));
        }
        // It was killed, and another one has its name.
        if (forgotten > 0 && random.nextInt(100) == 0) inHand.clear();
        while (!inHand.isEmpty()) handle(inHand.getFirst());
        beatIfDue();
    }

    private byte[] fetch() {
        return json(
                "{'queues':[%s],'count':%d,'worker_id':'%s','wait_ms':%d%s}",
                strings(queues),
                1 + random.nextInt(MOST_JOBS),
                name,
                random.nextBoolean() ? WAIT.toMillis() : 0,
                ofVisibility());
    }

    private String ofVisibility() {
        return hasDefaultLeases ? "" : ",\"visibility_timeout_ms\":" + visibility.toMillis();
    }

    private void handle(Handed job) {
        if (work.isPositive()) Pause.of(work);
        int choice = random.nextInt(1_000);
        if (choice < failing) nack(job, false);
        else if (choice < failing + forgotten) forget();
        else if (choice < 850) ack(job);
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
        report(ACK, job, "", heard -> new Acked(heard.span(), name, job.id(), job.lease(), heard.answer()));
    }

    private void nack(Handed job, boolean requeue) {
        report(
                NACK,
                job,
                requeue
                        ? ",'requeue':true"
                        : ",'requeue':false,'error':{'code':'handler_error','message':'It fails on purpose.'}",
                heard -> new Nacked(heard.span(), name, job.id(), job.lease(), heard.answer()));
    }

    private void report(String path, Handed job, String more, Function<Heard, Step> step) {
        byte[] body = json("{'job_id':'%s','worker_id':'%s','lease':%d" + more + "}", job.id(), name, job.lease());
        for (int attempt = 0; attempt < (hasDefaultLeases ? TRIES_FOR_LONG_LEASES : TRIES); attempt++) {
            Heard heard = caller.post(path, body);
            recorder.add(step.apply(heard));
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
    private static boolean isDecided(Heard heard) {
        return heard.status() != 0 && heard.status() != 503 && heard.answer() != Answer.UNKNOWN;
    }

    private void beatIfDue() {
        if (System.nanoTime() - lastBeat > BEAT_EVERY.toNanos()) beat();
    }

    private void beat() {
        lastBeat = System.nanoTime();
        List<String> held = inHand.stream().map(Handed::id).toList();
        Heard heard = caller.post(
                HEARTBEAT, json("{'worker_id':'%s','active_jobs':[%s]%s}", name, strings(held), ofVisibility()));
        List<String> extended = new ArrayList<>();
        for (JsonNode id : heard.body().path("jobs_extended")) extended.add(id.stringValue());
        recorder.add(new Beat(heard.span(), name, extended, heard.answer()));
    }

    @Override
    public void close() {
        caller.close();
    }
}
