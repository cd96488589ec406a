package io.floodgate.topics.workflow;

import io.floodgate.topics.command.Limits;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.TraceContext.StepPlace;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.json.WireName;
import io.floodgate.topics.queue.TenantId;
import io.floodgate.topics.workflow.UnreadableWorkflow.Wrong;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the steps of a workflow, and those of workflows inside of it. */
final class StepReader {
    private static final int ID_CHARS = 128;

    private final Members body;
    private final @Nullable Members defaults;
    private final WorkflowReader.JobCompletion completion;
    /** They come to a workflow that runs. */
    private final boolean isAdded;

    private final List<Wrong> wrong = new ArrayList<>();
    private final List<@Nullable WorkflowStep> steps = new ArrayList<>();
    private final StepClauses clauses = new StepClauses(this::wrong);
    private final Set<Integer> waits = new HashSet<>();
    private @Nullable String tenant;
    private int needs;
    private long jobBytes;

    StepReader(Members body, WorkflowReader.JobCompletion completion, boolean isAdded) {
        this.isAdded = isAdded;
        this.body = body;
        this.completion = completion;
        defaults = options(body);
    }

    private @Nullable Members options(Members of) {
        try {
            Members options = of.object("options");
            if (options == null && of.has("options")) wrong("$.options", "must be an object");
            return options;
        } catch (MalformedJson malformed) {
            wrong("$.options", String.valueOf(malformed.getMessage()));
            return null;
        }
    }

    void wrong(String path, String message) {
        wrong.add(new Wrong(path, message));
    }

    /** Reads all steps, the workflow itself first. */
    List<WorkflowStep> read(Shape shape) throws UnreadableWorkflow, MalformedJson {
        steps.add(null);
        inside(body, shape, "$", 0, 1);
        rejectSameNames();
        if (waits.size() > SignalWait.MOST_OF_WORKFLOW)
            wrong("$", "has more than %d steps that wait for signals".formatted(SignalWait.MOST_OF_WORKFLOW));
        if (tenant == null && wrong.isEmpty()) wrong("$", "must have at least one step with a job");
        if (!wrong.isEmpty()) throw UnreadableWorkflow.of(wrong);
        steps.set(0, WorkflowStep.of(0, "", -1, 0, RunIf.ALL_SUCCEEDED, false, null, shape, null, null));
        List<WorkflowStep> all = new ArrayList<>(steps.size());
        for (WorkflowStep step : steps) if (step != null) all.add(step);
        return all;
    }

    /** Rejects equal names. With a dot in its id, a step can be named as one that is nested elsewhere. */
    private void rejectSameNames() {
        Map<Integer, String> names = new LinkedHashMap<>();
        Set<String> seen = new LinkedHashSet<>();
        for (int i = 1; i < steps.size(); i++) {
            WorkflowStep step = steps.get(i);
            if (step == null) continue;
            String parent = names.get(step.parent());
            String name = parent == null ? step.id() : parent + "." + step.id();
            names.put(i, name);
            if (!seen.add(name) && name.contains("."))
                wrong("$", "has two steps with the name '%s': choose ids without dots".formatted(Limits.echo(name)));
        }
    }

    private void inside(Members parent, Shape shape, String path, int index, int level) throws MalformedJson {
        WorkflowFields.ofWorkflow(parent, level > 1, path).ifPresent(wrong::add);
        String list = listOf(parent, shape);
        if (!parent.isArray(list)) {
            wrong(path + "." + list, "must be an array of " + list);
            return;
        }
        List<byte[]> elements = parent.elements(list);
        if (elements.isEmpty()) wrong(path + "." + list, "must contain at least one element");
        if (level > WorkflowReader.MOST_LEVELS) {
            wrong(
                    path,
                    "workflows stand inside of each other on at most %d levels".formatted(WorkflowReader.MOST_LEVELS));
            return;
        }
        if (steps.size() + elements.size() > WorkflowReader.MOST_STEPS + 1) {
            wrong(path + "." + list, "makes more than %d steps in the workflow".formatted(WorkflowReader.MOST_STEPS));
            return;
        }
        List<SentStep> sent = sent(elements, shape, path + "." + list);
        List<SentStep> callbacks = shape == Shape.DAG && !isAdded ? SentStep.callbacks(sent) : new ArrayList<>();
        sent.removeAll(callbacks);
        callbacks.addAll(named(parent, shape, path));
        rejectTwins(callbacks);
        List<Integer> indices = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) indices.add(add(sent.get(i), index, i, shape, level, null));
        for (int i = 0; i < callbacks.size(); i++)
            add(
                    callbacks.get(i),
                    index,
                    sent.size() + i,
                    shape,
                    level,
                    callbacks.get(i).named());
        depend(sent, indices, shape);
    }

    private void rejectTwins(List<SentStep> callbacks) {
        Set<Callback> seen = new LinkedHashSet<>();
        for (SentStep each : callbacks)
            if (each.named() != null && !seen.add(each.named()))
                wrong(
                        each.path(),
                        "is a second callback '%s'".formatted(each.named().wire()));
    }

    private static String listOf(Members parent, Shape shape) {
        String usual = shape.isUnordered() ? "jobs" : "steps";
        String other = shape.isUnordered() ? "steps" : "jobs";
        return !parent.has(usual) && parent.has(other) ? other : usual;
    }

    private List<SentStep> sent(List<byte[]> elements, Shape shape, String path) throws MalformedJson {
        List<SentStep> sent = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            String at = "%s[%d]".formatted(path, i);
            byte[] element = elements.get(i);
            if (element.length == 0 || element[0] != '{') {
                wrong(at, "must be an object");
                continue;
            }
            Members members = Members.submitted(element);
            sent.add(new SentStep(members, at, id(members, at, i), callback(members), dependsOn(members, at, shape)));
        }
        Map<String, String> paths = new LinkedHashMap<>();
        for (SentStep step : sent) {
            String other = paths.putIfAbsent(step.id(), step.path());
            if (other != null) wrong(step.path() + ".id", "'%s' is the id of %s, too".formatted(step.id(), other));
        }
        return sent;
    }

    private String id(Members members, String path, int position) {
        JsonNode node = members.value("id");
        if (node == null) return Integer.toString(position);
        if (node.isString()
                && !node.stringValue().isEmpty()
                && node.stringValue().length() <= ID_CHARS) return node.stringValue();
        wrong(path + ".id", "must be a string of 1 to %d characters".formatted(ID_CHARS));
        return Integer.toString(position);
    }

    /** Returns the callback that a client may mean: it is one only if it follows from all other steps. */
    private static @Nullable Callback callback(Members members) throws MalformedJson {
        Members options = members.object("options");
        String type = options == null ? null : options.text("callback_type");
        if (type == null) type = members.text("callback_type");
        if (type == null) type = members.text("id");
        return type == null ? null : Callback.parse(type).orElse(null);
    }

    private List<String> dependsOn(Members members, String path, Shape shape) {
        String name = members.has("depends_on") ? "depends_on" : "needs";
        if (!members.has(name)) return List.of();
        List<String> ids = members.texts(name);
        if (ids == null) {
            wrong(path + "." + name, "must be a list of ids");
            return List.of();
        }
        if (shape != Shape.DAG && !ids.isEmpty()) {
            wrong(path + "." + name, "cannot be said in a %s: its order is known".formatted(shape.wire()));
            return List.of();
        }
        needs += ids.size();
        if (needs > WorkflowReader.MOST_NEEDS) {
            wrong(path + "." + name, "makes more than %d dependencies".formatted(WorkflowReader.MOST_NEEDS));
            return List.of();
        }
        return ids;
    }

    /** Reads steps that are given as members, by their names. */
    private List<SentStep> named(Members parent, Shape shape, String path) throws MalformedJson {
        List<SentStep> callbacks = new ArrayList<>();
        String at = path + ".callbacks";
        Members named = parent.object("callbacks");
        boolean mayHave = (shape == Shape.BATCH || shape == Shape.DAG) && !isAdded;
        if (parent.has("callbacks") && !mayHave) {
            wrong(at, "cannot be said in a %s: use a batch".formatted(shape.wire()));
        } else if (named != null) {
            for (String name : named.names()) {
                Optional<Callback> callback = Callback.parse(name);
                if (callback.isEmpty())
                    wrong(
                            at + "." + Limits.echo(name),
                            "must be on_complete, on_success, on_failure or on_first_failure");
                Members job = named.object(name);
                if (job == null && named.has(name)) wrong(at + "." + Limits.echo(name), "must be an object");
                if (job == null || callback.isEmpty()) continue;
                String id = job.text("id");
                callbacks.add(new SentStep(
                        job, at + "." + name, id == null ? callback.get().wire() : id, callback.get(), List.of()));
            }
        } else if (parent.has("callbacks")) {
            wrong(at, "must be an object");
        }
        if (shape == Shape.BATCH && callbacks.isEmpty())
            wrong(at, "must have at least one of on_complete, on_success and on_failure");
        return callbacks;
    }

    /** Adds a step, and returns its index. */
    private int add(SentStep sent, int parent, int position, Shape among, int level, @Nullable Callback callback)
            throws MalformedJson {
        int index = steps.size();
        steps.add(null);
        RunIf condition = callback == null ? clauses.runIf(sent.members(), sent.path()) : callback.condition();
        boolean allowFailure = flag(sent);
        SignalWait wait = clauses.waitFor(sent.members(), sent.path());
        Shape shape = wait == null ? shapeOf(sent.members()) : null;
        Envelope job = null;
        if (isAdded) rejectInAddition(sent, among, shape);
        if (wait != null) {
            waits.add(index);
            clauses.rejectJob(sent.members(), sent.path());
        } else if (shape == null) {
            job = job(sent, new StepPlace(among.wire(), position));
        } else if (sent.members().has("for_each")) {
            wrong(sent.path() + ".for_each", "can be said only of a job");
        } else if (callback == null) {
            inside(sent.members(), shape, sent.path(), index, level + 1);
        }
        if (callback != null) clauses.ofCallback(sent.members(), sent.path(), job == null && shape != null);
        steps.set(
                index,
                WorkflowStep.of(
                        index, sent.id(), parent, position, condition, allowFailure, callback, shape, job, wait));
        return index;
    }

    /** What would have to look at steps that only the workflow has, or could be taken for one of these. */
    private void rejectInAddition(SentStep sent, Shape among, @Nullable Shape shape) {
        if (among == Shape.DAG && !sent.members().has("id"))
            wrong(sent.path() + ".id", "must be said of a step that is added");
        if (among == Shape.DAG && sent.id().contains(".")) wrong(sent.path() + ".id", "must have no dots");
        if (shape != null) wrong(sent.path(), "has steps inside, which a step that is added cannot have");
        JsonNode condition = sent.members().value("run_if");
        for (String name : List.of("for_each", "run_if"))
            if (sent.members().has(name) && (name.equals("for_each") || (condition != null && condition.isObject())))
                wrong(sent.path() + "." + name, "cannot look at a result in a step that is added");
    }

    private static @Nullable Shape shapeOf(Members members) {
        boolean hasSteps = members.isArray("steps") || members.isArray("jobs");
        if (!hasSteps || members.has("args")) return null;
        String type = members.text("type");
        return type == null ? Shape.DAG : WireName.parse(Shape.class, type).orElse(null);
    }

    private boolean flag(SentStep sent) {
        JsonNode node = sent.members().value("allow_failure");
        if (node == null) return false;
        if (!node.isBoolean()) wrong(sent.path() + ".allow_failure", "must be true or false");
        return node.booleanValue(false);
    }

    /**
     * Returns whether the jobs are too large. What is common to all jobs is copied into each: nothing else is read once
     * that is too much.
     */
    boolean isTooLarge() {
        return jobBytes > WorkflowReader.MAX_JOB_BYTES;
    }

    private @Nullable Envelope job(SentStep sent, StepPlace place) throws MalformedJson {
        if (isTooLarge()) return null;
        try {
            byte[] json = completion.complete(jobOf(sent), place);
            jobBytes += json.length;
            Envelope job = EnvelopeReader.read(json);
            String owner = TenantId.of(job.members());
            if (tenant == null) tenant = owner;
            if (job.terms().unique() != null) wrong(sent.path() + ".unique", "a step of a workflow cannot be unique");
            if (job.terms().pending())
                wrong(sent.path() + ".pending", "a step of a workflow begins by itself, and cannot be pending");
            if (!tenant.equals(owner))
                wrong(sent.path(), "is of tenant '%s', and the first job is of '%s'".formatted(owner, tenant));
            return job;
        } catch (UnreadableJob unreadable) {
            wrong(sent.path(), unreadable.rejection().message());
            return null;
        }
    }

    /** The job alone, with what the workflow gives to all of its steps. */
    private byte[] jobOf(SentStep sent) throws MalformedJson {
        Members members = sent.members();
        WorkflowFields.ofStep(members, sent.path()).ifPresent(wrong::add);
        JsonOut out = JsonOut.object(512);
        for (String name : members.names())
            if (!WorkflowFields.OF_STEP.contains(name) && !name.equals("options")) members.copy(name, out);
        if (members.has("for_each") && !members.has("args"))
            out.beginArray("args").endArray();
        Members own = members.object("options");
        if (own == null && members.has("options")) {
            members.copy("options", out);
        } else if (own != null || defaults != null) {
            out.beginObject("options");
            if (own != null) for (String name : own.names()) if (!name.equals("callback_type")) own.copy(name, out);
            if (defaults != null)
                for (String name : defaults.names())
                    if ((own == null || !own.has(name)) && !members.has(name)) defaults.copy(name, out);
            out.endObject();
        }
        return out.endObject().toBytes();
    }

    // ---- what needs what

    private void depend(List<SentStep> sent, List<Integer> indices, Shape shape) throws MalformedJson {
        Map<String, Integer> byId = new LinkedHashMap<>();
        for (int i = 0; i < sent.size(); i++) byId.putIfAbsent(sent.get(i).id(), i);
        List<List<Integer>> positions = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            List<String> outside = new ArrayList<>();
            List<Integer> needed =
                    shape == Shape.CHAIN && i > 0 ? List.of(i - 1) : named(sent.get(i), byId, i, outside);
            positions.add(needed);
            WorkflowStep step = steps.get(indices.get(i));
            if (step == null) continue;
            if (step.runIf() == RunIf.ANY_FAILED && needed.isEmpty() && outside.isEmpty())
                wrong(sent.get(i).path() + ".run_if", "a step that runs if others fail must need at least one");
            Map<String, Integer> about = new LinkedHashMap<>();
            for (int other : needed)
                if (isLeaf(indices.get(other), sent.get(other)))
                    about.put(sent.get(other).id(), indices.get(other));
            Members members = sent.get(i).members();
            String path = sent.get(i).path();
            steps.set(
                    step.index(),
                    step.after(
                            needed.stream().map(indices::get).toList(),
                            outside,
                            clauses.condition(members, path, about, waits),
                            step.job() == null ? null : clauses.forEach(members, path, about)));
        }
        List<Integer> cycle = Cycles.find(positions);
        if (cycle.isEmpty()) return;
        List<String> ids = cycle.stream().map(i -> sent.get(i).id()).toList();
        wrong(
                sent.get(cycle.getFirst()).path() + ".depends_on",
                "is a cycle: %s".formatted(String.join(" needs ", ids)));
    }

    /** Whether the step has a result of its own. */
    private boolean isLeaf(int index, SentStep sent) {
        WorkflowStep step = steps.get(index);
        return step != null && step.isLeaf() && !sent.members().has("for_each");
    }

    /** @param outside gets the ids of steps that are in the workflow already */
    private List<Integer> named(SentStep step, Map<String, Integer> byId, int self, List<String> outside) {
        List<Integer> needed = new ArrayList<>();
        for (int i = 0; i < step.dependsOn().size(); i++) {
            String id = step.dependsOn().get(i);
            Integer other = byId.get(id);
            String at = "%s.depends_on[%d]".formatted(step.path(), i);
            if (other == null) {
                if (!isAdded) wrong(at, "there is no step '%s' beside it".formatted(Limits.echo(id)));
                else if (!outside.contains(id)) outside.add(id);
            } else if (other == self) wrong(at, "a step cannot need itself");
            else if (!needed.contains(other)) needed.add(other);
        }
        return needed;
    }
}
