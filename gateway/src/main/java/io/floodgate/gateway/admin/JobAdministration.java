package io.floodgate.gateway.admin;

import io.floodgate.gateway.capacity.CapacityCache;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Operation;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.job.JobAnswer;
import io.floodgate.gateway.job.JobOperations;
import io.floodgate.gateway.job.Tenant;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Cancel;
import io.floodgate.topics.command.JobCommand.DeleteJob;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.RetryJob;
import io.floodgate.topics.command.JobCommand.SetPriority;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.json.JsonOut;
import io.helidon.http.Status;
import java.time.Clock;
import java.util.function.Function;

/** {@code /ojs/v1/admin/jobs} and what of it is public: jobs are searched for, looked at and intervened in. */
public final class JobAdministration {
    /** Depth to which lists can be paged; further on by the cursor. */
    private static final int DEEPEST = 2_000;

    private static final int PAGE = 20;
    private static final int LARGEST_PAGE = 100;

    private final Partitions partitions;
    private final CapacityCache doors;
    private final Clock clock;
    private final JobPages pages;
    private final JobTotals totals;

    public JobAdministration(Partitions partitions, CapacityCache doors, StatusTable table, Clock clock) {
        this.clock = clock;
        this.partitions = partitions;
        this.doors = doors;
        pages = new JobPages(partitions);
        totals = new JobTotals(table);
    }

    public ApiResponse list(Call call) throws CommandFailed, RejectedException {
        return list(call, "items", Paging.besideCursor(call, PAGE, LARGEST_PAGE));
    }

    /** Lists the jobs of the tenant in the path (OJS multi-tenancy §10.3). */
    public ApiResponse ofTenant(Call call) throws CommandFailed, RejectedException {
        JobQuery query = JobQuery.of(call, TenantAdministration.id(call), clock.instant());
        return list(call, "items", Paging.besideCursor(call, PAGE, LARGEST_PAGE), query);
    }

    /** Lists jobs as the command-line tool reads them. */
    public ApiResponse publicList(Call call) throws CommandFailed, RejectedException {
        return list(call, "jobs", Paging.besideCursor(call));
    }

    private ApiResponse list(Call call, String name, Paging paging) throws CommandFailed, RejectedException {
        return list(call, name, paging, JobQuery.of(call, clock.instant()));
    }

    private ApiResponse list(Call call, String name, Paging paging, JobQuery query)
            throws CommandFailed, RejectedException {
        if (query.sort() != JobSort.CREATED_AT) return sorted(call, name, paging.within(DEEPEST), query);
        int skip = query.after() == null ? paging.within(DEEPEST).offset() : 0;
        JobPages.Page page = pages.find(call, query, skip, paging.limit());
        JsonOut out = JsonOut.object(8_192).beginArray(name);
        page.jobs().forEach(out::raw);
        out.endArray();
        JobId next = page.next();
        long seen = skip + (long) page.jobs().size();
        long total = totals.of(query.filter()).orElse(seen + (next == null ? 0 : 1));
        if (query.after() == null && next == null) total = seen;
        out.field("total", total);
        paging.write(total, next, out);
        return ApiResponse.ok(out.endObject());
    }

    /** Sorted here, among the jobs that a list can be paged through: beyond those, the answer says so. */
    private ApiResponse sorted(Call call, String name, Paging paging, JobQuery query)
            throws CommandFailed, RejectedException {
        JobPages.Page found = pages.find(call, query, 0, DEEPEST);
        JsonOut out = JsonOut.object(8_192).beginArray(name);
        found.jobs().stream()
                .sorted(query.sort().order(query.ascending()))
                .skip(paging.offset())
                .limit(paging.limit())
                .forEach(out::raw);
        out.endArray();
        long seen = found.jobs().size();
        boolean complete = found.next() == null;
        long total = complete ? seen : totals.of(query.filter()).orElse(seen + 1);
        out.field("total", total);
        if (!complete) out.field("sorted_among", seen);
        paging.write(total, out);
        return ApiResponse.ok(out.endObject());
    }

    /** The job bare, as dashboards read it, and again under its name. */
    public ApiResponse detail(Call call) throws CommandFailed, RejectedException {
        JobAnswer job = ask(call, new GetJob(JobOperations.id(call)));
        Tenant.mustOwn(call, job);
        call.makeRoom(2L * job.job().length);
        return ApiResponse.ok(job.detail());
    }

    public Operation retry() {
        return acting(RetryJob::new);
    }

    public Operation cancel() {
        return acting(Cancel::new);
    }

    public ApiResponse prioritize(Call call) throws CommandFailed, RejectedException {
        return bare(call, prioritized(call));
    }

    /** Acts as {@link #prioritize}, and answers with a job as the public API does. */
    public ApiResponse publicPrioritize(Call call) throws CommandFailed, RejectedException {
        return prioritized(call).answer();
    }

    private JobAnswer prioritized(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json();
        long priority = body.number("priority")
                .orElseThrow(() -> RequestFields.wrong("priority", "The 'priority' field is required."));
        if (Math.abs(priority) > Limits.MOST_PRIORITY)
            throw RequestFields.wrong(
                    "priority",
                    "The 'priority' field must be an integer from -%d to %d."
                            .formatted(Limits.MOST_PRIORITY, Limits.MOST_PRIORITY));
        for (String name : body.names())
            if (!name.equals("priority"))
                throw RequestFields.wrong(
                        name, "Of a job that is enqueued only 'priority' can be changed, not '%s'.".formatted(name));
        JobId id = JobOperations.id(call);
        Tenant.mustOwn(partitions, call, id);
        return ask(call, new SetPriority(id, (int) priority));
    }

    /** Deletes a job, of which nothing is left to show. */
    public ApiResponse delete(Call call) throws CommandFailed, RejectedException {
        JobId id = JobOperations.id(call);
        Tenant.mustOwn(partitions, call, id);
        ask(call, new DeleteJob(id));
        return new ApiResponse.Empty(Status.NO_CONTENT_204, headers -> {});
    }

    private Operation acting(Function<JobId, JobCommand> command) {
        return call -> {
            JobId id = JobOperations.id(call);
            Tenant.mustOwn(partitions, call, id);
            return bare(call, ask(call, command.apply(id)));
        };
    }

    private static ApiResponse bare(Call call, JobAnswer job) throws RejectedException {
        call.makeRoom(2L * job.job().length);
        return ApiResponse.ok(job.bare());
    }

    private JobAnswer ask(Call call, JobCommand command) throws CommandFailed, RejectedException {
        return JobAnswer.ask(partitions, call, command).tell(doors);
    }

    /** The failed attempts of a job, oldest first. */
    public ApiResponse retries(Call call) throws CommandFailed, RejectedException {
        JobId id = JobOperations.id(call);
        JobAnswer job = ask(call, new GetJob(id));
        Tenant.mustOwn(call, job);
        JsonOut out = JsonOut.object(1_024).field("job_id", id.toString());
        out.fieldRaw("retries", job.errorHistory());
        return ApiResponse.ok(out.endObject());
    }
}
