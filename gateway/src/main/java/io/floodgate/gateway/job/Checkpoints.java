package io.floodgate.gateway.job;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.DropCheckpoint;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.Progress;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.ProgressReport;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The state from which the next run of a job can go on. It is deleted when the job is completed. */
public final class Checkpoints {
    /** A checkpoint, with what stands around it. */
    public static final int MAX_BODY = ProgressReport.CHECKPOINT_BYTES + 16 * 1024;

    private final CommandClient client;
    private final Duration patience;

    public Checkpoints(CommandClient client, Duration patience) {
        this.client = client;
        this.patience = patience;
    }

    public ApiResponse store(Call call) throws CommandFailed, RejectedException {
        JobId id = JobOperations.id(call);
        RequestFields body = call.json();
        ProgressReport report = ProgressReport.checkpoint(state(body), sequence(body));
        return shown(id, ask(call, new Progress(id, claimant(body), report)));
    }

    public ApiResponse show(Call call) throws CommandFailed, RejectedException {
        JobId id = JobOperations.id(call);
        JobAnswer job = ask(call, new GetJob(id));
        Tenant.mustOwn(call, job);
        return shown(id, job);
    }

    public ApiResponse drop(Call call) throws CommandFailed, RejectedException {
        JobId id = JobOperations.id(call);
        ask(call, new DropCheckpoint(id, claimant(call.jsonIfAny())));
        return ApiResponse.ok(new JsonOut()
                .beginObject()
                .field("job_id", id.toString())
                .field("deleted", true)
                .endObject());
    }

    private static byte[] state(RequestFields body) throws RejectedException {
        String name = body.has("state") ? "state" : "checkpoint";
        JsonNode value = body.tree(name);
        byte[] raw = body.raw(name);
        if (raw == null || value == null || !value.isObject())
            throw RequestFields.wrong("state", "The 'state' field must be an object, from which the job can go on.");
        if (raw.length > ProgressReport.CHECKPOINT_BYTES)
            throw new RejectedException(Rejection.of(
                            ErrorCode.ENVELOPE_TOO_LARGE,
                            "The checkpoint has %d bytes; at most %d are kept. Store more elsewhere, with a reference here."
                                    .formatted(raw.length, ProgressReport.CHECKPOINT_BYTES))
                    .with("field", "state"));
        return raw;
    }

    private static @Nullable Long sequence(RequestFields body) throws RejectedException {
        Long sequence = body.number("sequence").orElse(null);
        if (sequence != null && sequence < 0)
            throw RequestFields.wrong("sequence", "The 'sequence' field must not be negative.");
        return sequence;
    }

    private static Claimant claimant(RequestFields body) throws RejectedException {
        return new Claimant(
                body.text("worker_id", Limits.NAME_CHARS),
                body.number("lease").orElse(null),
                body.number("attempt").orElse(null));
    }

    private static ApiResponse shown(JobId id, JobAnswer job) throws RejectedException {
        byte[] state = null;
        String sequence = "";
        MemberWalk members = new MemberWalk(job.job());
        while (members.next()) {
            if (members.nameIs("last_checkpoint")) state = members.raw();
            else if (members.nameIs("checkpoint_sequence")) sequence = members.text();
        }
        if (state == null) throw new RejectedException(Rejection.notFound("checkpoint", id.toString()));
        return ApiResponse.ok(new JsonOut(state.length + 128)
                .beginObject()
                .field("job_id", id.toString())
                .fieldRaw("state", state)
                .field("sequence", Long.parseLong(sequence))
                .endObject());
    }

    private JobAnswer ask(Call call, JobCommand command) throws CommandFailed, RejectedException {
        JobId id = command.job();
        return JobAnswer.of(call.by(client).call(client.routing().ofJob(id), id.toString(), command, patience));
    }
}
