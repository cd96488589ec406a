package io.floodgate.verification.workflow;

import static io.floodgate.verification.client.RequestBodies.bounded;

import io.floodgate.topics.Namespace;
import io.floodgate.topics.Topics;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.EventTopic;
import io.floodgate.verification.client.KafkaTopics;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.crash.CrashReport;
import io.floodgate.verification.crash.CrashReport.Claim;
import io.floodgate.verification.crash.Findings;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Installation.Layout;
import io.floodgate.verification.process.Role;
import io.floodgate.verification.workflow.WorkflowHistory.ClientsSeen;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.JsonNode;

/**
 * Workflows in small queues of all partitions, and one batch of many children beside them, while processors are killed, and workflows
 * and dead jobs are retried and cancelled. After each kill, unfinished steps are asked for their reasons, and queues for their depth;
 * when all that had failed was retried until it succeeded, {@link WorkflowJudge} looks.
 */
public final class WorkflowCrashRun {
    private static final Duration UNTIL_ALL_END = Duration.ofMinutes(10);
    private static final Duration REQUEST = Duration.ofSeconds(10);
    private static final int DEPTH = 40;
    private static final int ASKED_FOR_REASONS = 30;
    private static final int SHOWN = 20;
    private static final long CALLBACK_WITHIN_MS = 100;

    private final Plan plan;
    private final PrintStream out;
    private final Random random;
    private final List<String> bounded;
    private final List<String> wide;
    /** The batch of many children. */
    private final String large;

    private final Findings findings;
    private long reasonsSeen;
    private final Map<String, Long> reasons = new HashMap<>();

    /**
     * @param children of the one large batch; 0 for none
     * @param perSecond workflows that are created, at most
     */
    public record Plan(int kills, Duration between, Layout layout, int children, int perSecond, long seed) {}

    public WorkflowCrashRun(Plan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
        findings = new Findings(out);
        random = new Random(plan.seed());
        bounded = Service.queues("steps", plan.layout().partitions());
        wide = Service.queues("wide", plan.layout().partitions());
        large = WorkflowLoad.makeId(wide.getFirst(), random);
    }

    public CrashReport run() throws Exception {
        try (Installation installation = plan.layout().make()) {
            installation.start(Findings.PATIENCE);
            Service service = new Service(installation.urls(), plan.layout().partitions(), new Recorder());
            if (!service.await(Findings.PATIENCE).complete())
                throw new IllegalStateException("not every partition serves");
            bound(installation);
            WorkflowHistory history;
            try (WorkflowLoad load =
                            new WorkflowLoad(installation.urls(), bounded, wide, plan.perSecond(), plan.seed());
                    Caller caller = new Caller(installation.urls(), 0, Duration.ofSeconds(30))) {
                if (plan.children() > 0)
                    load.create(PlannedWorkflow.batch(large, plan.children(), wide, true, false), caller);
                try (WorkflowOperator operator =
                        new WorkflowOperator(installation.urls(), bounded, load::recent, plan.seed())) {
                    kill(installation, service, load);
                    load.stopProducing();
                    operator.stop();
                    load.heal();
                    history = awaitAll(installation, load, operator, caller);
                }
                for (String job : load.repeated())
                    findings.complain("job %s was handed out again after its ack was answered".formatted(job));
            }
            return report(history);
        }
    }

    private void bound(Installation installation) {
        byte[] config = bounded("reject", "max_depth", DEPTH);
        try (Caller caller = new Caller(installation.urls(), 0, REQUEST)) {
            for (String queue : bounded)
                if (!caller.call("PUT", "/ojs/v1/admin/queues/%s/config".formatted(queue), config)
                        .isOk()) findings.complain("queue %s could not be bounded".formatted(queue));
        }
    }

    private void kill(Installation installation, Service service, WorkflowLoad load) throws Exception {
        List<Child> processors = installation.all(Role.PROCESSOR);
        for (int i = 1; i <= plan.kills(); i++) {
            Await.pause(plan.between()
                    .dividedBy(2)
                    .plusMillis(random.nextLong(plan.between().toMillis() + 1)));
            Child victim = processors.get(random.nextInt(processors.size()));
            victim.kill();
            boolean others = random.nextInt(4) == 0 && processors.size() > 1;
            if (!others) victim.start();
            Service.Return back = service.await(Findings.PATIENCE);
            if (others) victim.start();
            if (!back.complete()) findings.complain("service was not back after kill %d".formatted(i));
            look(installation, load);
            out.printf(
                    "kill %d: %s; back in %d ms; %d workflows created, %d steps run%n",
                    i, victim.name(), back.all().toMillis(), load.stored().size(), load.runs());
            out.flush();
        }
        findings.dead(installation);
    }

    /** Reasons of steps, and depths of queues, from outside. */
    private void look(Installation installation, WorkflowLoad load) {
        try (Caller caller = new Caller(installation.urls(), 0, REQUEST)) {
            for (String queue : bounded) {
                Heard heard = caller.get("/ojs/v1/queues/%s/stats".formatted(queue));
                long depth = heard.body().path("stats").path("depth").longValue(0);
                if (depth > DEPTH) findings.complain("queue %s has %d jobs, %d allowed".formatted(queue, depth, DEPTH));
            }
            for (int i = 0; i < ASKED_FOR_REASONS && !load.unfinished().isEmpty(); i++) {
                String id = load.unfinished().poll();
                if (id != null && lookAt(id, caller)) load.unfinished().add(id);
            }
        }
    }

    /** Whether it has not ended. */
    private boolean lookAt(String id, Caller caller) {
        Heard heard = caller.get("/ojs/v1/workflows/" + id);
        if (!heard.isOk()) {
            if (heard.status() == 404) findings.complain("workflow %s was answered, but is not there".formatted(id));
            return true;
        }
        JsonNode workflow = heard.body().path("workflow");
        if (!workflow.path("state").asString("").equals("running")) return false;
        List<String> found = new ArrayList<>();
        for (String members : List.of("steps", "callbacks"))
            for (JsonNode step : workflow.path(members)) lookAt(id, step, found);
        if (!id.equals(large) && found.stream().allMatch("waits_for"::equals)) lookForDeadlock(id, caller);
        return true;
    }

    /** Without what queues know, which may be newer than what the home knows. */
    private void lookForDeadlock(String id, Caller caller) {
        Heard heard = caller.get("/ojs/v1/workflows/%s?live=false".formatted(id));
        JsonNode workflow = heard.body().path("workflow");
        if (!heard.isOk() || !workflow.path("state").asString("").equals("running")) return;
        for (String members : List.of("steps", "callbacks"))
            for (JsonNode step : workflow.path(members))
                if (!hasEnded(step) && !step.at("/waits/reason").asString("").equals("waits_for")) return;
        findings.complain("workflow %s is running, and all its steps wait for others".formatted(id));
    }

    private static boolean hasEnded(JsonNode step) {
        return List.of("completed", "failed", "cancelled", "skipped")
                .contains(step.path("state").asString(""));
    }

    private void lookAt(String id, JsonNode step, List<String> found) {
        if (hasEnded(step)) return;
        String reason = step.path("waits").path("reason").asString("none");
        reasonsSeen++;
        found.add(reason);
        reasons.merge(reason, 1L, Long::sum);
        if (!WorkflowJudge.REASONS.contains(reason))
            findings.complain("workflow %s, step %s: its reason is '%s'"
                    .formatted(id, step.path("id").asString(""), reason));
    }

    /** Until all have ended and none has failed: what has failed is retried, and then succeeds. */
    private WorkflowHistory awaitAll(
            Installation installation, WorkflowLoad load, WorkflowOperator operator, Caller caller) throws Exception {
        Map<String, String> states = new HashMap<>();
        TreeSet<String> open = new TreeSet<>(load.stored());
        open.addAll(load.unclear());
        try {
            Await.until("all workflows have ended", UNTIL_ALL_END, () -> {
                open.removeIf(id -> isHealed(id, operator, caller, states));
                return open.isEmpty();
            });
        } catch (TimeoutException stuck) {
            for (String id : open.stream().limit(SHOWN).toList()) lookAt(id, caller);
            findings.complain("%d workflows have not ended well within %s of the last kill: %s"
                    .formatted(
                            open.size(),
                            UNTIL_ALL_END,
                            open.stream().limit(SHOWN).toList()));
        }
        TreeSet<String> stored = new TreeSet<>(load.stored());
        for (String id : load.unclear()) if (!"missing".equals(states.get(id))) stored.add(id);
        load.close();
        try (KafkaTopics cluster = new KafkaTopics(installation.bootstrap())) {
            Await.until(
                    "all commands are processed",
                    Findings.PATIENCE,
                    () -> cluster.isProcessed(Namespace.NONE.application(), Topics.COMMANDS));
        }
        ClientsSeen seen = new ClientsSeen(operator.retries(), operator.stopped(), load.acked(), load.signalled());
        return new WorkflowHistory(
                load.planned(), stored, load.rejected(), events(installation.bootstrap()), states, seen);
    }

    private static boolean isHealed(String id, WorkflowOperator operator, Caller caller, Map<String, String> states) {
        Heard heard = caller.get("/ojs/v1/workflows/%s?live=false".formatted(id));
        if (!heard.isOk() && heard.status() != 404) return false;
        String state = heard.isOk() ? heard.body().path("state").asString("") : "missing";
        states.put(id, state);
        JsonNode counts = heard.body().path("metadata");
        boolean isWell = counts.path("failed_count").intValue(0)
                        + counts.path("cancelled_count").intValue(0)
                == 0;
        if (state.equals("failed") || (state.equals("completed") && !isWell)) operator.retry(id, caller);
        return List.of("missing", "cancelled").contains(state) || (state.equals("completed") && isWell);
    }

    private static List<StepEvent> events(String bootstrap) {
        List<StepEvent> events = new ArrayList<>();
        new EventTopic(bootstrap).read(envelope -> {
            JsonNode data = envelope.path("data");
            String workflow = data.path("workflow_id").asString("");
            if (workflow.isEmpty()) return;
            String step =
                    data.path("step_id").asString(data.path("workflow_step").asString(""));
            events.add(new StepEvent(
                    workflow,
                    step,
                    data.path("job_id").asString(""),
                    data.path("queue").asString(""),
                    envelope.path("type").asString(""),
                    Instant.parse(envelope.path("time").asString(""))));
        });
        return events;
    }

    private CrashReport report(WorkflowHistory history) throws IOException {
        List<String> violations = WorkflowJudge.violations(history);
        out.printf(
                "%,d workflows stored, %,d rejected; %,d retries, %,d resumed, %,d cancelled; %,d events, %,d dead jobs retried,"
                        + " %,d callbacks fired, %,d signals sent; %,d reasons of unfinished steps read: %s%n",
                history.stored().size(),
                history.rejected().size(),
                history.seen().retries().size(),
                history.count("workflow.resumed"),
                history.count("workflow.cancelled"),
                history.events().size(),
                history.count("dead_letter.retried"),
                history.count("workflow.callback_fired"),
                history.seen().signalled().size(),
                reasonsSeen,
                reasons);
        if (history.stored().isEmpty() || history.events().isEmpty())
            findings.complain("nothing happened that could have gone wrong");
        if (plan.children() > 0) printLarge(history);
        CrashReport report =
                findings.report(List.of(), List.of(new Claim("workflows keep their invariants", violations)));
        if (!report.passed()) write(history, report);
        return report;
    }

    /** Beside the logs of the processes. */
    private void write(WorkflowHistory history, CrashReport report) throws IOException {
        List<String> lines = new ArrayList<>();
        report.claims().forEach(claim -> lines.addAll(claim.broken()));
        history.events().forEach(event -> lines.add(event.toString()));
        history.seen().retries().forEach(retry -> lines.add(retry.toString()));
        Files.write(plan.layout().directory().resolve("history.log"), lines);
    }

    private void printLarge(WorkflowHistory history) {
        for (String callback : List.of("on_complete", "on_failure")) {
            Long delay = WorkflowJudge.callbackDelay(history, large, callback);
            out.printf(
                    "batch of %,d: %s in its queue %s ms after the last end of a job%n",
                    plan.children(), callback, delay);
            if (delay == null || delay > CALLBACK_WITHIN_MS)
                findings.complain("batch of %d: %s came after %s ms, %d allowed"
                        .formatted(plan.children(), callback, delay, CALLBACK_WITHIN_MS));
        }
    }
}
