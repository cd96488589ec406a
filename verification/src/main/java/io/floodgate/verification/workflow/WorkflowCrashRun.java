package io.floodgate.verification.workflow;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.EventTopic;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Role;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.JsonNode;

/**
 * Workflows in small queues of all partitions, and one batch of many children beside them, while processors are killed. After each
 * kill, unfinished steps are asked for their reasons, and queues for their depth; when all is quiet, {@link WorkflowJudge} looks.
 */
public final class WorkflowCrashRun {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration UNTIL_ALL_END = Duration.ofMinutes(4);
    private static final Duration REQUEST = Duration.ofSeconds(10);
    private static final int DEPTH = 40;
    private static final int ASKED_FOR_REASONS = 30;
    private static final int SHOWN = 20;
    private static final long CALLBACK_WITHIN_MS = 100;

    private final Plan plan;
    private final Path directory;
    private final PrintStream out;
    private final Random random;
    private final List<String> bounded;
    private final List<String> wide;
    private final List<String> complaints = new ArrayList<>();
    private long reasonsSeen;
    private final Map<String, Long> reasons = new HashMap<>();

    /**
     * @param children of the one large batch; 0 for none
     * @param perSecond workflows that are created, at most
     */
    public record Plan(
            int kills, Duration between, int partitions, int processors, int children, int perSecond, long seed) {}

    public WorkflowCrashRun(Plan plan, Path directory, PrintStream out) {
        this.plan = plan;
        this.directory = directory;
        this.out = out;
        random = new Random(plan.seed());
        bounded = Service.queues("steps", plan.partitions());
        wide = Service.queues("wide", plan.partitions());
    }

    /** Whether everything holds. */
    public boolean run() throws Exception {
        try (Installation installation = Installation.apart(directory, plan.partitions(), plan.processors(), 2)) {
            installation.start(PATIENCE);
            Service service = new Service(installation.urls(), plan.partitions(), new Recorder());
            if (!service.await(PATIENCE).complete()) throw new IllegalStateException("not every partition serves");
            bound(installation);
            WorkflowHistory history;
            String large = WorkflowLoad.makeId(wide.getFirst(), random);
            try (WorkflowLoad load =
                            new WorkflowLoad(installation.urls(), bounded, wide, plan.perSecond(), plan.seed());
                    Caller caller = new Caller(installation.urls(), 0, Duration.ofSeconds(30))) {
                if (plan.children() > 0) load.create(PlannedWorkflow.batch(large, plan.children(), wide, true), caller);
                kill(installation, service, load);
                load.stopProducing();
                history = awaitAll(installation, load, caller);
            }
            print(history, large);
        }
        return complaints.isEmpty();
    }

    private void bound(Installation installation) {
        byte[] config = new JsonOut()
                .beginObject()
                .name("backpressure")
                .beginObject()
                .field("max_depth", DEPTH)
                .field("strategy", "reject")
                .endObject()
                .endObject()
                .toBytes();
        try (Caller caller = new Caller(installation.urls(), 0, REQUEST)) {
            for (String queue : bounded)
                if (!caller.call("PUT", "/ojs/v1/admin/queues/%s/config".formatted(queue), config)
                        .isOk()) complaints.add("queue %s could not be bounded".formatted(queue));
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
            Service.Return back = service.await(PATIENCE);
            if (others) victim.start();
            if (!back.complete()) complaints.add("service was not back after kill %d".formatted(i));
            look(installation, load);
            out.printf(
                    "kill %d: %s; back in %d ms; %d workflows created, %d steps run%n",
                    i, victim.name(), back.all().toMillis(), load.stored().size(), load.runs());
            out.flush();
        }
        for (Child dead : installation.dead())
            complaints.add("%s ended by itself: see %s".formatted(dead.name(), dead.log()));
    }

    /** Reasons of steps, and depths of queues, from outside. */
    private void look(Installation installation, WorkflowLoad load) {
        try (Caller caller = new Caller(installation.urls(), 0, REQUEST)) {
            for (String queue : bounded) {
                Heard heard = caller.get("/ojs/v1/queues/%s/stats".formatted(queue));
                long depth = heard.body().path("stats").path("depth").longValue(0);
                if (depth > DEPTH) complaints.add("queue %s has %d jobs, %d allowed".formatted(queue, depth, DEPTH));
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
            if (heard.status() == 404) complaints.add("workflow %s was answered, but is not there".formatted(id));
            return true;
        }
        JsonNode workflow = heard.body().path("workflow");
        if (!workflow.path("state").asString("").equals("running")) return false;
        for (JsonNode step : workflow.path("steps")) lookAt(id, step);
        for (JsonNode callback : workflow.path("callbacks")) lookAt(id, callback);
        return true;
    }

    private void lookAt(String id, JsonNode step) {
        if (List.of("completed", "failed", "cancelled", "skipped")
                .contains(step.path("state").asString(""))) return;
        String reason = step.path("waits").path("reason").asString("none");
        reasonsSeen++;
        reasons.merge(reason, 1L, Long::sum);
        if (!WorkflowJudge.REASONS.contains(reason))
            complaints.add("workflow %s, step %s: its reason is '%s'"
                    .formatted(id, step.path("id").asString(""), reason));
    }

    private WorkflowHistory awaitAll(Installation installation, WorkflowLoad load, Caller caller) throws Exception {
        Map<String, String> states = new HashMap<>();
        TreeSet<String> open = new TreeSet<>(load.stored());
        open.addAll(load.unclear());
        try {
            Await.until("all workflows have ended", UNTIL_ALL_END, () -> {
                open.removeIf(id -> hasEnded(id, caller, states));
                return open.isEmpty();
            });
        } catch (TimeoutException stuck) {
            for (String id : open.stream().limit(SHOWN).toList()) lookAt(id, caller);
            complaints.add(
                    "%d workflows have not ended within %s of the last kill".formatted(open.size(), UNTIL_ALL_END));
        }
        TreeSet<String> stored = new TreeSet<>(load.stored());
        for (String id : load.unclear()) if (!"missing".equals(states.get(id))) stored.add(id);
        return history(installation, load, stored, states);
    }

    private static boolean hasEnded(String id, Caller caller, Map<String, String> states) {
        Heard heard = caller.get("/ojs/v1/workflows/%s?live=false".formatted(id));
        if (!heard.isOk() && heard.status() != 404) return false;
        String state = heard.isOk() ? heard.body().path("state").asString("") : "missing";
        states.put(id, state);
        return !state.equals("running");
    }

    private static WorkflowHistory history(
            Installation installation, WorkflowLoad load, Set<String> stored, Map<String, String> states) {
        List<StepEvent> events = new ArrayList<>();
        List<String> fired = new ArrayList<>();
        new EventTopic(installation.bootstrap()).read(envelope -> {
            JsonNode data = envelope.path("data");
            String workflow = data.path("workflow_id").asString("");
            String type = envelope.path("type").asString("");
            if (workflow.isEmpty()) return;
            if (type.equals("workflow.callback_fired"))
                fired.add(WorkflowHistory.firing(workflow, data.path("callback").asString("")));
            if (type.startsWith("job."))
                events.add(new StepEvent(
                        workflow,
                        data.path("workflow_step").asString(""),
                        data.path("job_id").asString(""),
                        type,
                        Instant.parse(envelope.path("time").asString(""))));
        });
        return new WorkflowHistory(load.planned(), stored, load.rejected(), events, fired, states);
    }

    private void print(WorkflowHistory history, String large) {
        complaints.addAll(WorkflowJudge.violations(history));
        out.printf(
                "%,d workflows stored, %,d rejected; %,d events of their jobs, %,d callbacks fired; %,d reasons of unfinished steps read: %s%n",
                history.stored().size(),
                history.rejected().size(),
                history.events().size(),
                history.fired().size(),
                reasonsSeen,
                reasons);
        if (history.stored().isEmpty() || history.events().isEmpty())
            complaints.add("nothing happened that could have gone wrong");
        if (plan.children() > 0) printLarge(history, large);
        for (String complaint : complaints.stream().limit(SHOWN).toList()) out.println("BROKEN  " + complaint);
        if (complaints.size() > SHOWN) out.printf("and %,d more%n", complaints.size() - SHOWN);
        out.println(complaints.isEmpty() ? "All of it holds." : "FAILED");
    }

    private void printLarge(WorkflowHistory history, String large) {
        for (String callback : List.of("on_complete", "on_failure")) {
            Long delay = WorkflowJudge.callbackDelay(history, large, callback);
            out.printf(
                    "batch of %,d: %s in its queue %s ms after the last end of a job%n",
                    plan.children(), callback, delay);
            if (delay == null || delay > CALLBACK_WITHIN_MS)
                complaints.add("batch of %d: %s came after %s ms, %d allowed"
                        .formatted(plan.children(), callback, delay, CALLBACK_WITHIN_MS));
        }
    }
}
