package io.floodgate.verification.workflow;

import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Crew;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.history.Answer;
import io.floodgate.verification.workflow.WorkflowRetries.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** Retries workflows, dead jobs and all dead jobs of a queue, and cancels workflows, by chance. */
final class WorkflowOperator implements AutoCloseable {
    private static final Duration REQUEST = Duration.ofSeconds(10);
    private static final Duration BETWEEN = Duration.ofMillis(50);
    private static final String WORKFLOWS = "/ojs/v1/workflows/";
    private static final byte[] NO_MEMBERS = json("{}");

    private final List<String> queues;
    private final Supplier<List<String>> workflows;
    private final Queue<Retry> retries = new ConcurrentLinkedQueue<>();
    private final Map<String, Instant> stopped = new ConcurrentHashMap<>();
    private final Random random;
    private final Caller caller;
    private final Crew crew = new Crew();

    /** @param workflows from which it chooses */
    WorkflowOperator(List<String> urls, List<String> queues, Supplier<List<String>> workflows, long seed) {
        this.queues = queues;
        this.workflows = workflows;
        random = new Random(seed);
        caller = new Caller(urls, 0, REQUEST);
        crew.add("operator", caller, this::interfere);
    }

    List<Retry> retries() {
        return new ArrayList<>(retries);
    }

    Map<String, Instant> stopped() {
        return stopped;
    }

    private void interfere() {
        List<String> some = workflows.get();
        if (!some.isEmpty()) interfere(some.get(random.nextInt(some.size())), random.nextInt(100));
        Pause.of(BETWEEN);
    }

    private void interfere(String workflow, int which) {
        if (which < 45) retry(workflow, NO_MEMBERS, caller);
        else if (which < 90) retryStep(workflow);
        else if (which < 93) retryQueue(queues.get(random.nextInt(queues.size())));
        else cancel(workflow);
    }

    /** A step of it that has not completed, alone or by the id of its job. */
    private void retryStep(String workflow) {
        JsonNode shown = caller.get(WORKFLOWS + workflow).body().path("workflow");
        List<JsonNode> steps = new ArrayList<>();
        for (String members : List.of("steps", "callbacks"))
            for (JsonNode step : shown.path(members))
                if (List.of("failed", "cancelled").contains(step.path("state").asString(""))) steps.add(step);
        if (steps.isEmpty()) return;
        JsonNode step = steps.get(random.nextInt(steps.size()));
        String job = step.path("job_id").asString("");
        if (random.nextInt(4) == 0 || job.isEmpty())
            retry(workflow, json("{'steps':['%s']}", step.path("id").asString("")), caller);
        else
            post(
                    random.nextBoolean() ? "/ojs/v1/dead-letter/%s/retry" : "/ojs/v1/admin/jobs/%s/retry",
                    job,
                    NO_MEMBERS,
                    caller);
    }

    private void retryQueue(String queue) {
        byte[] body = json("{'confirm':true,'filter':{'queue':'%s'}}", queue);
        post("/ojs/v1/admin/jobs/bulk/retry", queue, body, caller);
    }

    /** All of it that has failed. */
    void retry(String workflow, Caller by) {
        retry(workflow, NO_MEMBERS, by);
    }

    private void retry(String workflow, byte[] body, Caller by) {
        post(WORKFLOWS + "%s/retry", workflow, body, by);
    }

    private void post(String path, String subject, byte[] body, Caller by) {
        Instant sent = Instant.now();
        Heard heard = by.post(path.formatted(subject), body);
        if (heard.answer() == Answer.REJECTED) return;
        retries.add(new Retry(subject, sent, heard.status() == 200 ? Instant.now() : Instant.MAX));
    }

    private void cancel(String workflow) {
        Heard heard = caller.call(
                "DELETE", WORKFLOWS + workflow + (random.nextBoolean() ? "?active=cancel" : ""), new byte[0]);
        boolean isQuiet = heard.isOk() && heard.body().path("steps_cancelling").intValue(-1) == 0;
        if (isQuiet) stopped.put(workflow, Instant.now());
    }

    /** The last retries and cancels are sent. */
    void stop() throws InterruptedException {
        crew.close();
    }

    @Override
    public void close() throws InterruptedException {
        stop();
    }
}
