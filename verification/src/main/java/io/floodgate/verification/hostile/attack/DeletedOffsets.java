package io.floodgate.verification.hostile.attack;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.Requests;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import tools.jackson.databind.JsonNode;

/** Whoever has forgotten where it stood must not begin anew. */
public final class DeletedOffsets implements Attack {
    private static final String GROUP = "floodgate";
    private static final int JOBS = 100;
    private static final int DONE = 40;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "deleted-offsets";
    }

    @Override
    public String what() {
        return "while the processor is away, its group is deleted, and with it where it stood in every log";
    }

    @Override
    public int processors() {
        return 1;
    }

    @Override
    public boolean mayLogErrors() {
        return true;
    }

    @Override
    public void run(Target target) throws Exception {
        String queue = target.queue("offsets");
        try (Caller caller = target.caller()) {
            ask(
                    caller,
                    Requests.BATCH,
                    Requests.batch(Collections.nCopies(
                            JOBS, SmallJob.of("a.b", queue).arg("once").toBytes())));
            Heard fetched = ask(caller, Requests.FETCH, Requests.fetch(List.of(queue), "offsets", DONE, 0));
            for (JsonNode job : fetched.body().required("jobs"))
                ask(caller, Requests.ACK, Requests.ack(job.required("id").stringValue(), "done"));
            target.whileCanaryIsSilent(() -> {
                target.server().kill();
                try (Admin admin = target.admin()) {
                    Await.until("the group is deleted", PATIENCE, () -> {
                        admin.deleteConsumerGroups(List.of(GROUP)).all().get();
                        return true;
                    });
                }
                target.server().start();
                target.awaitService("without offsets");
            });
            JsonNode stats = caller.get("/ojs/v1/queues/%s/stats".formatted(queue))
                    .body()
                    .path("stats");
            long available = stats.path("available").longValue(-1);
            long completed = stats.path("completed").longValue(-1);
            target.complainUnless(
                    available == JOBS - DONE && completed == DONE,
                    "of %d jobs, %d of them completed, %d are available and %d completed"
                            .formatted(JOBS, DONE, available, completed));
        }
        AwaitCanary.rounds(target, target.scaled(20, 5));
    }

    private static Heard ask(Caller caller, String path, byte[] body) throws IOException {
        Heard heard = caller.post(path, body);
        if (!heard.isOk()) throw new IOException("%s was answered %s".formatted(path, heard.shown()));
        return heard;
    }
}
