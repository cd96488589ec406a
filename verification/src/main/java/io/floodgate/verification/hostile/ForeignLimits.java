package io.floodgate.verification.hostile;

import static io.floodgate.verification.client.RequestBodies.ACK;
import static io.floodgate.verification.client.RequestBodies.FETCH;
import static io.floodgate.verification.client.RequestBodies.JOBS;
import static io.floodgate.verification.client.RequestBodies.ack;
import static io.floodgate.verification.client.RequestBodies.fetch;
import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.topics.Headers;
import io.floodgate.topics.command.Identity;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A client that knows the key of another's rate limit says in jobs of its own that nothing may run under it. */
final class ForeignLimits {
    private static final String KEY = "stripe-api";
    private static final long PATIENCE_MS = 5_000;

    private ForeignLimits() {}

    static void run(Target target) throws Exception {
        String mine = target.queueElsewhere("mine");
        String victim = target.queue("shop");
        // As a gateway passes on what the bearer of an API key has sent.
        String confined = new Identity("mine", List.of(mine), null).write();
        try (Caller caller = target.caller();
                KafkaSender kafka = target.kafka()) {
            IngressTopics.create(caller, mine);
            for (int round = 0; round < target.scaled(20, 3); round++) {
                for (String key : List.of(KEY, "queue:" + victim)) {
                    byte[] stop = job(mine, "'key':'%s','concurrency':0".formatted(key));
                    kafka.sendAndWait(new Draft(target.partition() + 1, stop).with(Headers.BY, confined));
                    kafka.sendAndWait(new Draft(mine, stop));
                }
                Heard named = caller.post(JOBS, job(mine, "'key':'queue:%s','concurrency':0".formatted(victim)));
                target.complainUnless(
                        named.status() == 400, "a job that names another queue's key was answered " + named.shown());
                works(victim, "'key':'%s','concurrency':5".formatted(KEY), caller, target);
                works(victim, "'concurrency':5", caller, target);
            }
        }
    }

    private static byte[] job(String queue, String limit) {
        return json("{'type':'hostile.job','args':[],'queue':'%s','rate_limit':{" + limit + "}}", queue);
    }

    /** The owner of the limit enqueues and works as ever. */
    private static void works(String queue, String limit, Caller caller, Target target) {
        Heard stored = caller.post(JOBS, job(queue, limit));
        target.complainUnless(stored.isOk() || stored.isHonestlyUnavailable(), "a job was answered " + stored.shown());
        if (!stored.isOk()) return;
        Heard fetched = caller.post(FETCH, fetch(queue, "honest", 1, PATIENCE_MS));
        if (fetched.isHonestlyUnavailable()) return;
        JsonNode id = fetched.body().at("/jobs/0/id");
        target.complainUnless(id.isString(), "a job with {%s} did not start".formatted(limit));
        if (id.isString()) caller.post(ACK, ack(id.stringValue(), "done"));
    }
}
