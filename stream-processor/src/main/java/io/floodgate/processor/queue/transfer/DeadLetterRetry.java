package io.floodgate.processor.queue.transfer;

import io.floodgate.processor.queue.state.JobCodec;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Overrides;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import org.jspecify.annotations.Nullable;

/** A dead letter with changes, as it will be tried again (OJS dead letter §6.3). */
public record DeadLetterRetry(JobRecord job, byte[] payload) {
    /** Returns the dead letter with these changes; without any, it is the job itself. */
    public static DeadLetterRetry of(JobRecord job, byte[] payload, Overrides changes) {
        byte[] changed = payload(payload, changes);
        JobRecord copy = JobCodec.read(job.id, JobCodec.write(job));
        if (changes.priority() != null) copy.priority = changes.priority();
        copy.retry = changes.retry().over(copy.retry);
        copy.sizeBytes += changed.length - payload.length + changes.retry().errorBytes();
        return new DeadLetterRetry(copy, changed);
    }

    /** Returns the payload with other arguments, and with more in its meta. */
    private static byte[] payload(byte[] payload, Overrides changes) {
        byte[] args = changes.args();
        byte[] meta = changes.meta();
        if (args == null && meta == null) return payload;
        JsonOut out = JsonOut.object(payload.length + 256);
        MemberWalk members = new MemberWalk(payload);
        while (members.next()) {
            if (args != null && members.nameIs("args")) out.fieldRaw("args", args);
            else if (meta != null && members.nameIs("meta")) merge(members.inside(), meta, out.name("meta"));
            else members.copyTo(out);
        }
        return out.endObject().toBytes();
    }

    private static void merge(MemberWalk old, byte[] more, JsonOut out) {
        out.beginObject();
        while (old.next()) if (!has(more, old.name())) old.copyTo(out);
        MemberWalk added = new MemberWalk(more);
        while (added.next()) added.copyTo(out);
        out.endObject();
    }

    private static boolean has(byte[] object, String name) {
        MemberWalk members = new MemberWalk(object);
        while (members.next()) if (members.name().equals(name)) return true;
        return false;
    }

    /** Returns why the changes cannot be made; null if they can. */
    @Nullable
    public Rejection reject(Overrides changes) {
        JobId id = job.id;
        String queue = changes.queue();
        if (queue != null && !EnvelopeReader.isQueueName(queue))
            return Rejection.of(ErrorCode.INVALID_QUEUE, "No queue can be named '%s'.".formatted(queue))
                    .with("field", "override.queue");
        byte[] meta = changes.meta();
        if (meta != null && has(meta, "tenant_id"))
            return Rejection.of(
                            ErrorCode.INVALID_REQUEST,
                            "Whose a job is cannot be changed: 'meta' must not have 'tenant_id'.")
                    .with("field", "override.meta");
        if (payload.length > EnvelopeReader.MAX_JOB_BYTES
                || (meta != null && meta.length > EnvelopeReader.MAX_META_BYTES))
            return Rejection.of(
                            ErrorCode.ENVELOPE_TOO_LARGE,
                            "JobRecord '%s' would have %d bytes with these changes; at most %d are accepted, and %d of 'meta'."
                                    .formatted(
                                            id,
                                            payload.length,
                                            EnvelopeReader.MAX_JOB_BYTES,
                                            EnvelopeReader.MAX_META_BYTES))
                    .with("job_id", id.toString());
        return null;
    }
}
