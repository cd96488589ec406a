package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.LoneAttack;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** A key that knows the name of another key's worker speaks in its name: the worker keeps its jobs. */
public final class ForeignWorkers implements LoneAttack {
    private static final String WORKER = "victim-host";

    /** Longer than a worker that sends heartbeats may be silent. */
    private static final Duration SILENCE = Duration.ofSeconds(40);

    @Override
    public String name() {
        return "foreign-workers";
    }

    @Override
    public String what() {
        return "with the key of one queue: heartbeats, acks, nacks and deregistration in the name of another key's worker, then silence";
    }

    @Override
    public void run(Target target) throws Exception {
        KeyedGateway.Key honest = new KeyedGateway.Key("honestly", target.queue("worked"));
        KeyedGateway.Key attacker = new KeyedGateway.Key("attacker", target.queue("mine"));
        try (KeyedGateway gateway = KeyedGateway.start(target, honest, attacker)) {
            String job = lease(honest, gateway, target);
            speak(attacker, job, gateway, target);
            if (!target.isShort()) Await.pause(SILENCE);
            String state = target.state(job);
            target.complainUnless(state.equals("active"), "the job of the honest worker is " + state);
            Heard acked = gateway.post(
                    honest, RequestBodies.ACK, "{\"job_id\":\"%s\",\"worker_id\":\"%s\"}".formatted(job, WORKER));
            target.complainUnless(acked.isOk(), "the ack of the honest worker was answered " + acked.shown());
            if (acked.isOk()) target.completed(job);
        }
        AwaitCanary.rounds(target, target.scaled(10, 3));
    }

    /** A worker that sends no heartbeats, and has a job that must not run twice. */
    private static String lease(KeyedGateway.Key honest, KeyedGateway gateway, Target target) throws IOException {
        Heard stored = gateway.post(
                honest,
                RequestBodies.JOBS,
                "{\"type\":\"a.b\",\"args\":[],\"queue\":\"%s\",\"on_worker_lost\":\"discard\"}"
                        .formatted(honest.queue()));
        if (!stored.isOk()) throw new IOException("a job was answered " + stored.shown());
        target.answered(stored.body().at("/job/id").stringValue());
        Heard fetched = gateway.post(
                honest,
                RequestBodies.FETCH,
                "{\"queues\":[\"%s\"],\"worker_id\":\"%s\",\"visibility_timeout_ms\":600000,\"wait_ms\":5000}"
                        .formatted(honest.queue(), WORKER));
        JsonNode id = fetched.body().at("/jobs/0/id");
        if (!id.isString()) throw new IOException("a fetch was answered " + fetched.shown());
        return id.stringValue();
    }

    private static void speak(KeyedGateway.Key attacker, String job, KeyedGateway gateway, Target target)
            throws IOException {
        String worker = "{\"worker_id\":\"%s\"}".formatted(WORKER);
        gateway.post(attacker, "/ojs/v1/workers/register", worker);
        gateway.post(attacker, "/ojs/v1/workers/beat", worker);
        gateway.post(
                attacker,
                RequestBodies.HEARTBEAT,
                "{\"worker_id\":\"%s\",\"active_jobs\":[\"%s\"],\"visibility_timeout_ms\":1000}"
                        .formatted(WORKER, job));
        gateway.post(attacker, RequestBodies.HEARTBEAT, "{\"worker_id\":\"%s\",\"active_jobs\":[]}".formatted(WORKER));
        rejected(
                gateway.post(
                        attacker, RequestBodies.ACK, "{\"job_id\":\"%s\",\"worker_id\":\"%s\"}".formatted(job, WORKER)),
                "an ack",
                target);
        rejected(
                gateway.post(
                        attacker,
                        "/ojs/v1/workers/nack",
                        "{\"job_id\":\"%s\",\"worker_id\":\"%s\",\"error\":{\"code\":\"x\",\"message\":\"x\"}}"
                                .formatted(job, WORKER)),
                "a nack",
                target);
        rejected(
                gateway.call(attacker, "DELETE", "/ojs/v1/admin/workers/" + WORKER, new byte[0]),
                "a deregistration",
                target);
        rejected(
                gateway.call(attacker, "DELETE", "/ojs/v1/jobs/" + job, new byte[0]),
                "the cancellation of a job",
                target);
    }

    private static void rejected(Heard heard, String what, Target target) {
        target.complainUnless(
                heard.status() >= 400 && heard.status() < 500,
                "%s by another key was answered %s".formatted(what, heard.shown()));
    }
}
