package io.floodgate.verification.hostile.attack;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import tools.jackson.databind.JsonNode;

/** Something is deleted in Kafka while the processor is away; all jobs are there afterwards, and each is done once. */
abstract class AbsentProcessor implements Attack {
    private static final int JOBS = 100;
    private static final int DONE = 40;

    /** What is done to Kafka. */
    abstract void harm(Target target, Admin admin) throws Exception;

    /** The processor finds it so. */
    void comeBack(Target target) throws Exception {
        target.server().start();
        target.awaitService("after " + name());
    }

    /** What else is to be seen. */
    void look(Target target) {}

    @Override
    public final int processors() {
        return 1;
    }

    @Override
    public final boolean mayLogErrors() {
        return true;
    }

    @Override
    public final void run(Target target) throws Exception {
        String queue = target.queue("absent");
        List<byte[]> jobs =
                Collections.nCopies(JOBS, SmallJob.of("a.b", queue).arg("once").toBytes());
        try (Caller caller = target.caller()) {
            for (JsonNode job :
                    ask(caller, RequestBodies.BATCH, RequestBodies.batch(jobs)).required("jobs"))
                target.answered(job.required("id").stringValue());
            JsonNode fetched = ask(caller, RequestBodies.FETCH, RequestBodies.fetch(List.of(queue), "before", DONE, 0));
            for (JsonNode job : fetched.required("jobs")) {
                String id = job.required("id").stringValue();
                ask(caller, RequestBodies.ACK, RequestBodies.ack(id, "done"));
                target.completed(id);
            }
            target.whileCanaryIsSilent(() -> {
                // A command that is not committed may be deleted with its topic: this is about what is committed.
                AwaitCanary.rounds(target, 2);
                target.server().kill();
                try (Admin admin = target.admin()) {
                    harm(target, admin);
                }
                comeBack(target);
            });
            look(target);
            countJobs(queue, caller, target);
        }
        Claims.make(target, "after " + name());
        AwaitCanary.rounds(target, target.scaled(20, 5));
    }

    private static void countJobs(String queue, Caller caller, Target target) throws IOException {
        JsonNode stats =
                caller.get("/ojs/v1/queues/%s/stats".formatted(queue)).body().path("stats");
        int found = ask(caller, RequestBodies.FETCH, RequestBodies.fetch(List.of(queue), "after", JOBS, 0))
                .required("jobs")
                .size();
        long completed = stats.path("completed").longValue(-1);
        target.complainUnless(
                found == JOBS - DONE && completed == DONE,
                "of %d jobs, %d of them completed, a fetch finds %d and %d are completed"
                        .formatted(JOBS, DONE, found, completed));
    }

    private static JsonNode ask(Caller caller, String path, byte[] body) throws IOException {
        Heard heard = caller.post(path, body);
        if (!heard.isOk()) throw new IOException("%s was answered %s".formatted(path, heard.shown()));
        return heard.body();
    }
}
