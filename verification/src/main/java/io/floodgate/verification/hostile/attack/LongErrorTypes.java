package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.util.List;

/** What a job says of its retries is read and written with every step, and must not be long. */
public final class LongErrorTypes implements Attack {
    @Override
    public String name() {
        return "long-error-types";
    }

    @Override
    public String what() {
        return "jobs whose retry policies name error types of 1 MB, by HTTP and by Kafka; then they are listed and leased";
    }

    @Override
    public void run(Target target) throws Exception {
        String queue = target.queue("error-types");
        String job = "{\"type\":\"a\",\"args\":[],\"queue\":\"%s\",\"retry\":{\"non_retryable_errors\":[%s]}}";
        byte[] one = bytes(job.formatted(queue, "\"" + "x".repeat(1_000_000) + "\""));
        byte[] many = bytes(job.formatted(queue, "\"x\"" + ",\"y\"".repeat(200_000)));
        int jobs = target.scaled(600, 60);
        try (Caller caller = target.caller();
                KafkaSender kafka = target.kafka()) {
            for (int i = 0; i < jobs; i++) {
                Heard heard = caller.post(RequestBodies.JOBS, i % 2 == 0 ? one : many);
                target.complainUnless(heard.status() == 422, "a job was answered " + heard.shown());
                kafka.send(new Draft(target.partition(), one));
            }
            kafka.flush();
            for (int i = 0; i < 4; i++) {
                var unused = caller.get("/ojs/v1/jobs?limit=100&offset=100&queue=" + queue);
                unused = caller.post(RequestBodies.FETCH, RequestBodies.fetch(List.of(queue), "hoarder", 8, 0));
            }
        }
        AwaitCanary.rounds(target, target.scaled(10, 3));
    }
}
