package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.topics.Headers;
import io.floodgate.topics.command.Identity;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A client that knows the key of another's rate limit says in jobs of its own that nothing may run under it. */
public final class ForeignLimits implements Attack {
    private static final String KEY = "stripe-api";
    private static final long PATIENCE_MS = 5_000;

    @Override
    public String name() {
        return "foreign-limits";
    }

    @Override
    public String what() {
        return "clients of one queue, by API key and by its topic, stop the rate-limit keys of other queues";
    }

    @Override
    public boolean canBeRepeated() {
        return true;
    }

    @Override
    public void run(Target target) throws Exception {
        String mine = target.queueElsewhere("mine");
        String victim = target.queue("shop");
        try (Caller caller = target.caller();
                KafkaSender kafka = target.kafka()) {
            caller.post("/ojs/v1/queues", bytes("{\"name\":\"%s\"}".formatted(mine)));
            Identity confined = new Identity("mine", List.of(mine), null);
            for (int round = 0; round < target.scaled(20, 3); round++) {
                for (String key : List.of(KEY, "queue:" + victim)) {
                    byte[] stop = job(mine, "\"key\":\"%s\",\"concurrency\":0".formatted(key));
                    // As a gateway passes on what the bearer of an API key has sent.
                    kafka.sendAndWait(new Draft(target.partition() + 1, stop).with(Headers.BY, confined.write()));
                    kafka.sendAndWait(new Draft(mine, stop));
                }
                Heard named = caller.post(
                        RequestBodies.JOBS, job(mine, "\"key\":\"queue:%s\",\"concurrency\":0".formatted(victim)));
                target.complainUnless(
                        named.status() == 400, "a job that names another queue's key was answered " + named.shown());
                works(victim, "\"key\":\"%s\",\"concurrency\":5".formatted(KEY), caller, target);
                works(victim, "\"concurrency\":5", caller, target);
            }
        }
    }

    private static byte[] job(String queue, String limit) {
        return bytes(
                "{\"type\":\"hostile.job\",\"args\":[],\"queue\":\"%s\",\"rate_limit\":{%s}}".formatted(queue, limit));
    }

    /** The owner of the limit enqueues and works as ever. */
    private static void works(String queue, String limit, Caller caller, Target target) {
        Heard stored = caller.post(RequestBodies.JOBS, job(queue, limit));
        if (!stored.isOk()) {
            target.complainUnless(stored.isHonestlyUnavailable(), "a job was answered " + stored.shown());
            return;
        }
        Heard fetched = caller.post(RequestBodies.FETCH, RequestBodies.fetch(List.of(queue), "honest", 1, PATIENCE_MS));
        if (fetched.isHonestlyUnavailable()) return;
        JsonNode job = fetched.body().at("/jobs/0/id");
        if (!job.isString()) {
            target.complain("a job with {%s} did not start".formatted(limit));
            return;
        }
        caller.post(RequestBodies.ACK, bytes("{\"job_id\":\"%s\"}".formatted(job.stringValue())));
    }
}
