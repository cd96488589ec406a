package io.floodgate.gateway.job;

import io.floodgate.gateway.capacity.CapacityCache;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.QueueLoad;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.retry.RetryPolicy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job as a partition shows it: the job without its errors, and these. Clients find the job under {@code job}, and, for those
 * that expect it bare, beside it. Its error stays inside: beside the job it would look like a failed request.
 *
 * @param load how full the job's queue is, should that have a bound
 */
public record JobAnswer(byte[] job, byte @Nullable [] errors, Optional<QueueLoad> load) {
    private static final Set<String> TAKEN = Set.of("job", "job_id", "acknowledged", "error", "errors");
    private static final Set<String> TAKEN_IN_DETAIL = Set.of("job", "error", "errors", "retry_policy", "metadata");
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};
    private static final List<String> TIMES = List.of(
            "created_at", "enqueued_at", "scheduled_at", "started_at", "completed_at", "cancelled_at", "discarded_at");

    /** Asks the partition of the job. */
    public static JobAnswer ask(Partitions partitions, Call call, JobCommand command)
            throws CommandFailed, RejectedException {
        return of(partitions.by(call).ofJob(command.job()).call(command));
    }

    public static JobAnswer of(Reply reply) throws RejectedException {
        List<byte[]> lines = Partitions.lines(reply);
        Optional<QueueLoad> load = lines.size() > 2 ? QueueLoad.inLine(lines.get(2)) : Optional.empty();
        return new JobAnswer(lines.get(0), lines.size() > 1 ? lines.get(1) : null, load);
    }

    /** Updates the capacity cache with the queue's load before the caller gets the job. */
    public JobAnswer tell(CapacityCache doors) {
        load.ifPresent(doors::heard);
        return this;
    }

    /** The complete job as one value. */
    public JsonOut writeTo(JsonOut out) {
        out.beginObject();
        JobJson.members(job, out);
        if (errors != null) out.members(errors);
        return out.endObject();
    }

    /** The job's members beside each other; only the scalar ones where a job's arguments are of no interest. */
    public JsonOut flattenTo(JsonOut out, boolean scalarsOnly) {
        MemberWalk members = new MemberWalk(job);
        while (members.next()) {
            if ((members.isScalar() || !scalarsOnly) && !TAKEN.contains(members.name())) JobJson.member(members, out);
        }
        return out;
    }

    /** The complete job bare, and again under its name. */
    public JsonOut bare() {
        JsonOut out = JsonOut.object(2 * job.length + 256);
        flattenTo(out, false);
        if (errors != null) out.members(errors);
        out.name("job");
        return writeTo(out).endObject();
    }

    /**
     * Returns the job as {@link #bare()} does, with every member that dashboards read without asking whether it is
     * there (OJS admin §7.2).
     */
    public JsonOut detail() {
        JsonOut out = JsonOut.object(2 * job.length + 1_024);
        boolean hasResult = false;
        byte[] retry = null;
        MemberWalk members = new MemberWalk(job);
        while (members.next()) {
            hasResult |= members.nameIs("result");
            if (members.nameIs("retry") && members.isObject()) retry = members.raw();
            if (!TAKEN_IN_DETAIL.contains(members.name())) JobJson.member(members, out);
        }
        if (!hasResult) out.fieldRaw("result", NULL);
        out.name("retry_policy");
        if (retry == null) RetryPolicy.DEFAULT.write(out);
        else JobJson.retry(retry, out);
        if (errors != null) out.members(errors);
        if (errors == null || MemberWalk.text(errors, "errors").isEmpty()) out.fieldRaw("errors", errorHistory());
        out.beginObject("metadata");
        for (String name : TIMES) {
            Optional<String> time = MemberWalk.text(job, name);
            if (time.isPresent()) out.field(name, time.get());
            else out.fieldRaw(name, NULL);
        }
        out.endObject().name("job");
        return writeTo(out).endObject();
    }

    /** The errors of its failed attempts, as a JSON array. */
    public byte[] errorHistory() {
        MemberWalk members = new MemberWalk(errors == null ? new byte[] {'{', '}'} : errors);
        while (members.next()) if (members.nameIs("errors")) return members.raw();
        return new byte[] {'[', ']'};
    }

    public ApiResponse.Whole answer() {
        JsonOut out = JsonOut.object(2 * job.length + 256).name("job");
        writeTo(out);
        return ApiResponse.ok(flattenTo(out, false).endObject());
    }
}
