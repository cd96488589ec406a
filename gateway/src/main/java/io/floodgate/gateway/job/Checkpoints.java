package io.floodgate.gateway.job;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.DropCheckpoint;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.Progress;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.ProgressReport;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The state from which the next run of a job can go on. Ended jobs show none. */
public record Checkpoints(Partitions partitions) {
    /** A checkpoint, with what stands around it. */
    public static final int MAX_BODY = ProgressReport.CHECKPOINT_BYTES + 16 * 1024;

    private static final byte[] NULL = {'n', 'u', 'l', 'l'};
    private static final List<String> BESIDE_STATE = List.of("metadata", "step_index");
    private static final Set<String> KNOWN = Set.of(
            "state", "checkpoint", "metadata", "step_index", "sequence", "job_id", "worker_id", "lease", "attempt");

    public ApiResponse store(Call call) throws CommandFailed, RejectedException {
        JobId id = JobOperations.id(call);
        RequestFields body = call.json();
        ProgressReport report = ProgressReport.wholeCheckpoint(checkpoint(body), sequence(body));
        JobAnswer job = JobAnswer.ask(partitions, call, new Progress(id, claimant(body), report));
        return shown(id, MemberWalk.raw(job.job(), "checkpoint"));
    }

    public ApiResponse show(Call call) throws CommandFailed, RejectedException {
        JobId id = JobOperations.id(call);
        byte[] checkpoint = look(call, id);
        if (checkpoint == null) throw new RejectedException(Rejection.notFound("checkpoint", id.toString()));
        return shown(id, checkpoint);
    }

    /**
     * Answers the question of SDKs for durable jobs before each run, also before the first, which has no checkpoint.
     */
    public ApiResponse resume(Call call) throws CommandFailed, RejectedException {
        JobId id = JobOperations.id(call);
        byte[] checkpoint = look(call, id);
        if (checkpoint != null) return shown(id, checkpoint);
        return ApiResponse.ok(JsonOut.object()
                .field("job_id", id.toString())
                .field("has_checkpoint", false)
                .endObject());
    }

    private byte @Nullable [] look(Call call, JobId id) throws CommandFailed, RejectedException {
        JobAnswer job = JobAnswer.ask(partitions, call, new GetJob(id));
        Tenant.mustOwn(call, job);
        return MemberWalk.raw(job.job(), "checkpoint");
    }

    public ApiResponse drop(Call call) throws CommandFailed, RejectedException {
        JobId id = JobOperations.id(call);
        JobAnswer.ask(partitions, call, new DropCheckpoint(id, claimant(call.jsonIfAny())));
        return ApiResponse.ok(JsonOut.object()
                .field("job_id", id.toString())
                .field("deleted", true)
                .endObject());
    }

    /** The state, which may be any JSON value, with what the SDKs for durable jobs store beside it. */
    private static byte[] checkpoint(RequestFields body) throws RejectedException {
        byte[] state = body.isNull("state") ? NULL : body.raw(body.has("state") ? "state" : "checkpoint");
        if (state == null)
            throw RequestFields.wrong(
                    "state", "The 'state' field is missing: it is any JSON value from which the job can go on.");
        JsonOut out = JsonOut.object(state.length + 128).fieldRaw("state", state);
        for (String name : BESIDE_STATE) out.optionalRaw(name, body.raw(name));
        byte[] checkpoint = out.endObject().toBytes();
        if (checkpoint.length > ProgressReport.CHECKPOINT_BYTES)
            throw new RejectedException(Rejection.of(
                            ErrorCode.ENVELOPE_TOO_LARGE,
                            "The checkpoint has %d bytes; at most %d are kept. Store more elsewhere, with a reference here."
                                    .formatted(checkpoint.length, ProgressReport.CHECKPOINT_BYTES))
                    .with("field", "state"));
        return checkpoint;
    }

    private static @Nullable Long sequence(RequestFields body) throws RejectedException {
        Long sequence = body.number("sequence").orElse(null);
        if (sequence != null && (sequence < 0 || sequence > ProgressReport.MAX_SEQUENCE))
            throw RequestFields.wrong(
                    "sequence",
                    "The 'sequence' field is %d; it must be from 0 to %d."
                            .formatted(sequence, ProgressReport.MAX_SEQUENCE));
        return sequence;
    }

    private static Claimant claimant(RequestFields body) throws RejectedException {
        body.spelled(KNOWN);
        return new Claimant(
                body.text("worker_id", Limits.NAME_CHARS),
                body.number("lease").orElse(null),
                body.number("attempt").orElse(null));
    }

    /** Flat, as most SDKs read it, and in {@code checkpoint}, as OJS durable execution §4.3 has it. */
    private static ApiResponse shown(JobId id, byte @Nullable [] checkpoint) {
        if (checkpoint == null) throw new IllegalStateException("job %s has lost its checkpoint".formatted(id));
        JsonOut out = JsonOut.object(2 * checkpoint.length + 256)
                .field("job_id", id.toString())
                .field("has_checkpoint", true)
                .members(checkpoint)
                .beginObject("checkpoint")
                .field("job_id", id.toString())
                .members(checkpoint)
                .endObject();
        return ApiResponse.ok(out.endObject());
    }
}
