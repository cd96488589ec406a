package io.floodgate.topics.workflow;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.TraceContext.StepPlace;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.json.WireName;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Reads a workflow in any dialect of OJS clients, and checks all of it before anything is stored (OJS workflows §11.1, HTTP
 * binding §14). Gateways and processors read with the same rules.
 */
public final class WorkflowReader {
    /** The largest workflow, in bytes of JSON. */
    public static final int MAX_BYTES = 24 * 1024 * 1024;

    /** Most bytes of its jobs together, each with what the workflow gives to all of them. */
    static final int MAX_JOB_BYTES = MAX_BYTES + 4 * 1024 * 1024;

    /** Jobs and workflows inside, together. */
    public static final int MOST_STEPS = 10_000;

    /** Most names of needed steps, in all steps together. */
    public static final int MOST_NEEDS = 100_000;

    /** Levels of workflows inside of each other, the outermost included. */
    public static final int MOST_LEVELS = 5;

    public static final Duration LONGEST_RETENTION = Duration.ofDays(90);

    /** Completes a job before it is read: the tenant of a request is put into it. */
    public interface JobCompletion {
        /** @param place among the steps of the chain, group or batch that it is in */
        byte[] complete(byte[] job, StepPlace place) throws UnreadableJob;
    }

    private final Members body;
    private final StepReader steps;

    private WorkflowReader(Members body, JobCompletion completion, boolean isAdded) {
        this.body = body;
        steps = new StepReader(body, completion, isAdded);
    }

    public static WorkflowPlan read(byte[] json) throws UnreadableWorkflow {
        return read(json, (job, place) -> job);
    }

    public static WorkflowPlan read(byte[] json, JobCompletion completion) throws UnreadableWorkflow {
        return read(json, completion, false);
    }

    /** Reads steps that come to a workflow which runs: they may need steps that it has. */
    public static WorkflowPlan readAdded(byte[] json, JobCompletion completion) throws UnreadableWorkflow {
        return read(json, completion, true);
    }

    private static WorkflowPlan read(byte[] json, JobCompletion completion, boolean isAdded) throws UnreadableWorkflow {
        // What the canonical spelling adds to each step is no fault of its sender.
        if (json.length > 2 * MAX_BYTES) throw tooLarge(json.length);
        try {
            return new WorkflowReader(Members.submitted(json), completion, isAdded).read();
        } catch (MalformedJson malformed) {
            throw new UnreadableWorkflow(
                    Rejection.of(ErrorCode.INVALID_PAYLOAD, String.valueOf(malformed.getMessage())));
        } catch (JacksonException unreasonable) {
            throw new UnreadableWorkflow(Rejection.of(
                    ErrorCode.INVALID_PAYLOAD, "The workflow cannot be read: " + unreasonable.getOriginalMessage()));
        }
    }

    private static UnreadableWorkflow tooLarge(int size) {
        return new UnreadableWorkflow(Rejection.of(
                        ErrorCode.ENVELOPE_TOO_LARGE,
                        "The workflow has %d bytes; at most %d are accepted.".formatted(size, MAX_BYTES))
                .with("size_bytes", size)
                .with("max_workflow_bytes", MAX_BYTES));
    }

    private WorkflowPlan read() throws UnreadableWorkflow, MalformedJson {
        Shape shape = shape();
        WorkflowId id = id();
        String name = name();
        Duration timeout = duration("timeout");
        Duration retention = duration("retention");
        if (retention != null && retention.compareTo(LONGEST_RETENTION) > 0)
            steps.wrong("$.retention", "must not be longer than %s".formatted(Durations.format(LONGEST_RETENTION)));
        boolean failFast = failFast();
        var read = steps.read(shape);
        if (steps.isTooLarge())
            throw new UnreadableWorkflow(Rejection.of(
                            ErrorCode.ENVELOPE_TOO_LARGE,
                            "The steps of the workflow have more than %d bytes with the options that all of them share."
                                    .formatted(MAX_JOB_BYTES))
                    .with("max_bytes_of_steps", MAX_JOB_BYTES));
        return new WorkflowPlan(id, name, read, timeout, retention, failFast);
    }

    private Shape shape() throws UnreadableWorkflow {
        JsonNode type = body.value("type");
        if (type == null) return Shape.DAG;
        String text = type.isString() ? type.stringValue() : "";
        if (text.equals("saga"))
            throw new UnreadableWorkflow(Rejection.of(
                    ErrorCode.UNSUPPORTED, "Workflows of type 'saga' (compensation) are not offered here."));
        Optional<Shape> shape = WireName.parse(Shape.class, text);
        if (shape.isEmpty())
            steps.wrong(
                    "$.type", "must be chain, group, batch or dag, or be left out if steps say what they depend on");
        return shape.orElse(Shape.DAG);
    }

    private @Nullable WorkflowId id() {
        JsonNode node = body.value("id");
        if (node == null) return null;
        Optional<WorkflowId> id = WorkflowId.parse(node.isString() ? node.stringValue() : "");
        if (id.isEmpty())
            steps.wrong(
                    "$.id",
                    "must be a UUIDv7, or 1 to 128 letters, digits, '.', '_', ':' and '-' that begin with a letter or digit");
        return id.orElse(null);
    }

    private @Nullable String name() {
        JsonNode node = body.value("name");
        if (node == null) return null;
        if (node.isString() && node.stringValue().length() <= Limits.NAME_CHARS) return node.stringValue();
        steps.wrong("$.name", "must be a string of at most %d characters".formatted(Limits.NAME_CHARS));
        return null;
    }

    private @Nullable Duration duration(String name) {
        JsonNode millis = body.value(name + "_ms");
        JsonNode node = millis == null ? body.value(name) : millis;
        if (node == null) return null;
        Optional<Duration> duration = Durations.positive(node, millis != null);
        if (duration.isEmpty()) steps.wrong("$." + name, Durations.POSITIVE);
        return duration.orElse(null);
    }

    private boolean failFast() {
        JsonNode node = body.value("on_failure");
        if (node == null) return false;
        String text = node.isString() ? node.stringValue() : "";
        if (!text.equals("fail_fast") && !text.equals("continue"))
            steps.wrong("$.on_failure", "must be continue or fail_fast");
        return text.equals("fail_fast");
    }
}
