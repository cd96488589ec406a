package io.floodgate.gateway.job;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.util.Optional;

/**
 * A job that was not stored, since there is a duplicate and its policy ignores that.
 *
 * @param id of the duplicate
 * @param state in which it was when that was decided
 */
record Deduplicated(JobId id, String state) {
    /** @param tail of the job, as its log has answered */
    static Optional<Deduplicated> of(byte[] tail) {
        JobId id = null;
        String state = "";
        MemberWalk members = new MemberWalk(tail);
        while (members.next()) {
            if (members.nameIs("existing_job_id"))
                id = JobId.parse(members.text()).orElse(null);
            else if (members.nameIs("existing_job_state")) state = members.text();
        }
        return id == null ? Optional.empty() : Optional.of(new Deduplicated(id, state));
    }

    /** The duplicate as every caller gets it; only what is known of it to a caller that may not see it. */
    ApiResponse.Whole answer(Call call, Partitions partitions) throws CommandFailed, RejectedException {
        Reply reply = partitions.by(call).ofJob(id).call(new GetJob(id));
        if (reply instanceof Reply.Rejected rejected && rejected.rejection().code() == ErrorCode.NOT_FOUND) {
            JsonOut out = JsonOut.object(256).beginObject("job");
            return ApiResponse.ok(write(write(out).endObject()).endObject());
        }
        JobAnswer job = JobAnswer.of(reply);
        JsonOut out = JsonOut.object(2 * job.job().length + 256).name("job");
        job.writeTo(out);
        return ApiResponse.ok(
                job.flattenTo(out, false).field("deduplicated", true).endObject());
    }

    JsonOut write(JsonOut out) {
        return out.field("id", id.toString()).field("state", state).field("deduplicated", true);
    }
}
