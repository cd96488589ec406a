package io.floodgate.gateway.job;

import io.floodgate.gateway.capacity.CapacityCache;
import io.floodgate.gateway.event.EndWait;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Operation;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Activate;
import io.floodgate.topics.command.JobCommand.Cancel;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.SkipJob;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** {@code /ojs/v1/jobs}. */
public final class JobOperations {
    public static final String PATH = "/ojs/v1/jobs";

    private final Partitions partitions;
    private final CapacityCache doors;
    private final Enqueues enqueues;
    private final JobResult result;
    private final ManyResults results;
    private final Clock clock;

    public JobOperations(Partitions partitions, Enqueues enqueues, EndWait ends, CapacityCache doors, Clock clock) {
        this.partitions = partitions;
        this.doors = doors;
        this.enqueues = enqueues;
        this.clock = clock;
        result = new JobResult(this::ask, ends, clock);
        results = new ManyResults(partitions, clock);
    }

    public Enqueues enqueues() {
        return enqueues;
    }

    public ApiResponse result(Call call) throws CommandFailed, RejectedException {
        return result.answer(call);
    }

    /** Waits until the job has ended, for this time at most; the job as it is then. */
    public JobAnswer awaitEnd(Call call, JobId id, Duration wait) throws CommandFailed, RejectedException {
        return result.awaitEnd(call, id, wait);
    }

    public ApiResponse results(Call call) throws CommandFailed, RejectedException {
        return results.answer(call);
    }

    /** Answers with the history in pages, the oldest first. */
    public ApiResponse history(Call call) throws CommandFailed, RejectedException {
        JobAnswer job = ask(call, new GetJob(id(call)));
        Tenant.mustOwn(call, job);
        Paging paging = Paging.of(call);
        List<byte[]> all = JobHistory.of(job);
        List<byte[]> page =
                all.stream().skip(paging.offset()).limit(paging.limit()).toList();
        call.makeRoom(2L * page.stream().mapToInt(event -> event.length).sum());
        JsonOut out = JsonOut.object(4_096).field("job_id", id(call).toString());
        for (String name : List.of("events", "history")) {
            out.beginArray(name);
            page.forEach(out::raw);
            out.endArray();
        }
        out.field("total", all.size());
        out.optional("next_cursor", paging.next(all.size()));
        paging.write(all.size(), out);
        return ApiResponse.ok(out.endObject());
    }

    public Operation get() {
        return call -> {
            JobAnswer job = ask(call, new GetJob(id(call)));
            Tenant.mustOwn(call, job);
            Instant now = clock.instant();
            return JobOutcome.of(job).retryAfter(shown(call, JobOutcome.shown(job, now)), now);
        };
    }

    public Operation cancel() {
        return changed(Cancel::new);
    }

    public Operation activate() {
        return changed(Activate::new);
    }

    public Operation skip() {
        return changed(SkipJob::new);
    }

    private Operation changed(Function<JobId, JobCommand> command) {
        return call -> {
            Tenant.mustOwn(partitions, call, id(call));
            return shown(call, ask(call, command.apply(id(call))));
        };
    }

    private static ApiResponse.Whole shown(Call call, JobAnswer job) throws RejectedException {
        call.makeRoom(2L * job.job().length);
        return job.answer();
    }

    private JobAnswer ask(Call call, JobCommand command) throws CommandFailed, RejectedException {
        return JobAnswer.ask(partitions, call, command).tell(doors);
    }

    /** The id in the path. What cannot be an id names no job; a word is rather the name of something that is not there. */
    public static JobId id(Call call) throws RejectedException {
        String text = call.parameter("id");
        JobId id = JobId.parse(text).orElse(null);
        if (id != null) return id;
        if (isWord(text))
            throw new RejectedException(Rejection.notFound("route", Limits.echo(call.path()))
                    .withMessage("There is nothing at '%s': this server does not offer '%s' here, and it is no id."
                            .formatted(Limits.echo(call.path()), text)));
        throw new RejectedException(Rejection.notFound("job", Limits.echo(text)));
    }

    private static boolean isWord(String text) {
        if (text.isEmpty() || text.length() > 20) return false;
        for (int i = 0; i < text.length(); i++) if (text.charAt(i) < 'a' || text.charAt(i) > 'z') return false;
        return true;
    }
}
