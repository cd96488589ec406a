package io.floodgate.topics.workflow;

import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.SignalName;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.json.WireName;
import io.floodgate.topics.workflow.StepCondition.Ended;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/**
 * Reads what a step says of when it runs, and for what: {@code run_if}, {@code wait_for}, {@code for_each}.
 *
 * @param wrong takes the path and the fault of what is wrong
 */
record StepClauses(BiConsumer<String, String> wrong) {
    private static final int POINTER_CHARS = 255;
    private static final int VALUE_BYTES = 1_000;
    private static final Set<String> OF_CONDITION = Set.of("step", "ended", "at", "equals", "not_equals");
    private static final Set<String> OF_WAIT = Set.of("event", "key", "timeout", "timeout_ms");
    private static final Set<String> OF_FOR_EACH = Set.of("step", "at", "max");

    /** A clause about another step. */
    private record About(Members members, String path, int step) {}

    RunIf runIf(Members step, String path) {
        JsonNode node = step.value("run_if");
        if (node == null || node.isObject()) return RunIf.ALL_SUCCEEDED;
        Optional<RunIf> condition =
                node.isString() ? WireName.parse(RunIf.class, node.stringValue()) : Optional.empty();
        if (condition.isEmpty())
            wrong.accept(
                    path + ".run_if",
                    "must be all_succeeded, all_done or any_failed, or an object with 'step' and what is expected of it");
        return condition.orElse(RunIf.ALL_SUCCEEDED);
    }

    /** @param needed the indices of the steps with results of their own that the step needs, by their ids */
    @Nullable
    StepCondition condition(Members step, String path, Map<String, Integer> needed, Set<Integer> waits)
            throws MalformedJson {
        if (!step.isObject("run_if")) return null;
        About about = about(step, "run_if", path, OF_CONDITION, needed);
        if (about == null) return null;
        Members members = about.members;
        String text = members.text("ended");
        Ended ended = text == null ? null : WireName.parse(Ended.class, text).orElse(null);
        if (members.has("ended") && ended == null)
            wrong.accept(about.path + ".ended", "must be completed, failed, skipped or timed_out");
        if (ended == Ended.TIMED_OUT && !waits.contains(about.step))
            wrong.accept(about.path + ".ended", "can be timed_out only of a step with 'wait_for'");
        boolean isEqual = members.names().contains("equals");
        boolean isOther = members.names().contains("not_equals");
        if (isEqual && isOther) wrong.accept(about.path, "has both 'equals' and 'not_equals'");
        if (ended == null && !isEqual && !isOther && !members.has("ended"))
            wrong.accept(about.path, "must have 'ended', 'equals' or 'not_equals'");
        String at = pointer(members, about.path);
        if (at != null && !isEqual && !isOther)
            wrong.accept(about.path + ".at", "is of use only beside 'equals' or 'not_equals'");
        String value = isEqual ? json(members, "equals") : isOther ? json(members, "not_equals") : null;
        if (value != null && value.getBytes(StandardCharsets.UTF_8).length > VALUE_BYTES)
            wrong.accept(about.path, "compares with more than %d bytes".formatted(VALUE_BYTES));
        return new StepCondition(about.step, ended, at, value, isOther);
    }

    private static String json(Members members, String name) {
        byte[] raw = members.raw(name);
        return raw == null ? "null" : new String(raw, StandardCharsets.UTF_8);
    }

    /** @param needed the indices of the steps with results of their own that the step needs, by their ids */
    @Nullable
    ForEach forEach(Members step, String path, Map<String, Integer> needed) throws MalformedJson {
        if (!step.has("for_each")) return null;
        About about = about(step, "for_each", path, OF_FOR_EACH, needed);
        if (about == null) return null;
        int most = ForEach.MOST;
        if (about.members.has("max")) {
            Long named = about.members.number("max");
            if (named == null || named < 1 || named > ForEach.MOST)
                wrong.accept(about.path + ".max", "must be a number from 1 to %d".formatted(ForEach.MOST));
            else most = named.intValue();
        }
        return new ForEach(about.step, pointer(about.members, about.path), most);
    }

    private @Nullable About about(
            Members step, String name, String path, Set<String> fields, Map<String, Integer> needed)
            throws MalformedJson {
        String at = path + "." + name;
        Members members = step.object(name);
        if (members == null) {
            wrong.accept(at, "must be an object");
            return null;
        }
        rejectUnknown(members, at, fields);
        String id = members.text("step");
        if (id == null && !members.has("step") && needed.size() == 1)
            id = needed.keySet().iterator().next();
        Integer index = id == null ? null : needed.get(id);
        if (index == null) {
            wrong.accept(
                    at + ".step",
                    id == null
                            ? "must name a step that this one needs, and that has one job or waits for a signal"
                            : "'%s' is not a step that this one needs, and that has one job or waits for a signal"
                                    .formatted(Limits.echo(id)));
            return null;
        }
        return new About(members, at, index);
    }

    private void rejectUnknown(Members members, String path, Set<String> known) {
        for (String name : members.names())
            if (!known.contains(name))
                wrong.accept(
                        path + "." + Limits.echo(name),
                        "There is no such field. The fields are: %s."
                                .formatted(String.join(", ", new TreeSet<>(known))));
    }

    private @Nullable String pointer(Members members, String path) {
        if (!members.has("at")) return null;
        String at = members.text("at");
        try {
            if (at != null && at.length() <= POINTER_CHARS) {
                JsonPointer.compile(at);
                return at;
            }
        } catch (IllegalArgumentException noPointer) {
            // rejected below
        }
        wrong.accept(
                path + ".at",
                "must be a JSON pointer such as /items, of at most %d characters".formatted(POINTER_CHARS));
        return null;
    }

    @Nullable
    SignalWait waitFor(Members step, String path) throws MalformedJson {
        if (!step.has("wait_for")) return null;
        String at = path + ".wait_for";
        Members members = step.object("wait_for");
        if (members == null) {
            wrong.accept(at, "must be an object with 'event', and perhaps 'key' and 'timeout'");
            return null;
        }
        rejectUnknown(members, at, OF_WAIT);
        String event = members.text("event");
        if (event == null || !SignalName.isEvent(event))
            wrong.accept(
                    at + ".event",
                    "must be 1 to 128 letters, digits, '.', '_', ':' and '-' that begin with a letter or digit");
        String key = members.text("key");
        if (members.has("key") && (key == null || !SignalName.isKey(key)))
            wrong.accept(at + ".key", "must be a text of 1 to %d characters".formatted(SignalName.KEY_CHARS));
        return new SignalWait(event == null ? "" : event, key, timeout(members, at));
    }

    private @Nullable Duration timeout(Members members, String path) {
        String name = members.has("timeout_ms") ? "timeout_ms" : "timeout";
        JsonNode length = members.value(name);
        if (length == null) return null;
        Optional<Duration> timeout = Durations.positive(length, name.endsWith("_ms"));
        if (timeout.isEmpty()) wrong.accept(path + "." + name, Durations.POSITIVE);
        return timeout.orElse(null);
    }

    /** Rejects what a callback cannot be: it is one job, and follows from all others. */
    void ofCallback(Members callback, String path, boolean hasSteps) {
        if (hasSteps) wrong.accept(path, "a callback is one job");
        for (String name : List.of("wait_for", "for_each"))
            if (callback.has(name)) wrong.accept(path + "." + name, "cannot be said of a callback");
    }

    /** Rejects what only a job has. */
    void rejectJob(Members step, String path) {
        List<String> others = step.names().stream()
                .filter(name -> !WorkflowFields.OF_STEP.contains(name))
                .sorted()
                .toList();
        if (!others.isEmpty())
            wrong.accept(
                    path + "." + Limits.echo(others.getFirst()),
                    "A step that waits for a signal has no job: leave this out, or make it a step of its own.");
    }
}
