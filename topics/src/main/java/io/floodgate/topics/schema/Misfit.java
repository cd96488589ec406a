package io.floodgate.topics.schema;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.SchemaMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a job as its schema has it. The mode of its queue decides what becomes of the job.
 *
 * @param isNamed whether the job names its schema; otherwise it is that of its type
 * @param faults of its arguments; none if they were not checked
 */
public record Misfit(Kind kind, boolean isNamed, String message, String schema, List<JobSchema.Fault> faults) {
    /** Why a job does not pass. */
    public enum Kind {
        /** Its arguments do not match. */
        FAULTY,
        /** It names a schema that is not registered. */
        UNREGISTERED,
        /** The registry does not answer, and there is no copy of it yet. */
        UNCHECKED
    }

    private static final SchemaMode UNDECIDED = SchemaMode.WARN;

    /** Returns what becomes of the job: a mode that is not decided rejects what the job itself has asked for. */
    public SchemaMode under(@Nullable SchemaMode mode) {
        if (mode != null) return mode;
        return isNamed && kind != Kind.UNREGISTERED ? SchemaMode.REJECT : UNDECIDED;
    }

    public Rejection rejection() {
        if (kind == Kind.UNCHECKED)
            return Rejection.of(ErrorCode.BACKEND_UNAVAILABLE, message).with("schema", schema);
        JsonOut details = new JsonOut().beginArray();
        for (JobSchema.Fault fault : faults)
            details.beginObject()
                    .field("path", fault.path())
                    .field("message", fault.message())
                    .field("schema_path", fault.schemaPath())
                    .endObject();
        return Rejection.of(ErrorCode.SCHEMA_VALIDATION, message)
                .with("schema", schema)
                .withJson("validation_errors", details.endArray().toString());
    }

    /** Warnings for the producer of a job that is accepted all the same. */
    public List<String> warnings() {
        if (faults.isEmpty()) return List.of(message);
        return faults.stream()
                .map(fault -> "Schema validation warning: " + fault)
                .toList();
    }
}
