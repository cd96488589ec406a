package io.floodgate.verification.hostile;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Honest traffic until the code that serves it is compiled: an attack is to meet a server that has been at work. */
final class WarmUp {
    private static final int CALLERS = 4;
    private static final int JOBS_EACH = 2_500;
    private static final Duration ONE_REQUEST = Duration.ofSeconds(60);

    private WarmUp() {}

    static void run(String url, String queue) throws Exception {
        Swarm.run(CALLERS, number -> {
            byte[] job = SmallJob.of("warm.up", queue).arg("warm").toBytes();
            byte[] fetch = RequestBodies.fetch(List.of(queue), "warm-" + number, 1, 0);
            try (Caller caller = new Caller(url, ONE_REQUEST)) {
                for (int i = 0; i < JOBS_EACH; i++) {
                    caller.post(RequestBodies.JOBS, job);
                    Heard heard = caller.post(RequestBodies.FETCH, fetch);
                    for (JsonNode each : heard.body().path("jobs"))
                        caller.post(
                                RequestBodies.ACK,
                                RequestBodies.ack(each.required("id").stringValue(), "done"));
                }
            }
        });
    }
}
