package io.floodgate.gateway.deadletter;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.job.JobAnswer;
import io.floodgate.gateway.job.JobJson;
import io.floodgate.gateway.job.JobOperations;
import io.floodgate.gateway.job.Tenant;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.JobCommand.DeleteDead;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.RetryDead;
import io.floodgate.topics.command.Overrides;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.helidon.http.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** {@code /ojs/v1/dead-letter}. */
public record DeadLetterOperations(Partitions partitions) {
    /** Depth to which the list can be paged, and searched for a tenant: each page reads what comes before it again. */
    private static final int DEEPEST = 10_000;
    /** The most dead letters, the newest first, that the figures cover. */
    private static final int COUNTED = 1_000;

    public ApiResponse list(Call call) throws CommandFailed, RejectedException {
        return list(call, "jobs", Paging.of(call));
    }

    /** Lists dead letters as dashboards read them (OJS admin §11.1). */
    public ApiResponse adminList(Call call) throws CommandFailed, RejectedException {
        return list(call, "items", Paging.of(call, 20, 100));
    }

    private ApiResponse list(Call call, String name, Paging asked) throws CommandFailed, RejectedException {
        Paging paging = asked.within(DEEPEST);
        Optional<Predicate<byte[]>> wanted = DeadLetterFilter.of(call);
        DeadLetterPages dead = pages(call, wanted.isPresent() ? DEEPEST : paging.offset() + paging.limit());
        List<byte[]> page = wanted.isPresent()
                ? dead.page(paging.offset(), paging.limit(), wanted.get(), DEEPEST)
                : dead.page(paging.offset(), paging.limit());
        JsonOut out = JsonOut.object(8_192).beginArray(name);
        for (byte[] job : page) {
            out.beginObject();
            JobJson.members(job, out);
            out.endObject();
        }
        out.endArray().field("total", dead.total());
        paging.write(dead.total(), out);
        return ApiResponse.ok(out.endObject());
    }

    /**
     * Answers how many dead letters there are; and of the newest of them, the queues, types and failures (OJS
     * dead letter §10).
     */
    public ApiResponse stats(Call call) throws CommandFailed, RejectedException {
        Optional<Predicate<byte[]>> wanted = DeadLetterFilter.of(call);
        DeadLetterPages dead = pages(call, wanted.isPresent() ? DEEPEST : COUNTED);
        Map<String, Integer> byQueue = new TreeMap<>();
        Map<String, Integer> byType = new TreeMap<>();
        Map<String, Integer> byErrorType = new TreeMap<>();
        List<byte[]> newest = wanted.isPresent() ? dead.page(0, COUNTED, wanted.get(), DEEPEST) : dead.page(0, COUNTED);
        for (byte[] job : newest) {
            MemberWalk.text(job, "queue").ifPresent(name -> byQueue.merge(name, 1, Integer::sum));
            MemberWalk.text(job, "type").ifPresent(name -> byType.merge(name, 1, Integer::sum));
            String error = DeadLetterFilter.errorType(job);
            if (!error.isEmpty()) byErrorType.merge(error, 1, Integer::sum);
        }
        JsonOut out = JsonOut.object()
                .field("total", wanted.isPresent() ? newest.size() : dead.total())
                .field("counted", newest.size());
        write("by_queue", byQueue, out);
        write("by_type", byType, out);
        write("by_error_type", byErrorType, out);
        return ApiResponse.ok(out.endObject());
    }

    private static void write(String name, Map<String, Integer> figures, JsonOut out) {
        out.beginObject(name);
        figures.forEach(out::field);
        out.endObject();
    }

    private DeadLetterPages pages(Call call, int most) throws CommandFailed, RejectedException {
        String queue = call.query("queue").orElse(null);
        call.caller().mustUseAny(queue);
        return DeadLetterPages.of(partitions, call, queue, most);
    }

    public ApiResponse one(Call call) throws CommandFailed, RejectedException {
        JobAnswer job = JobAnswer.ask(partitions, call, new GetJob(JobOperations.id(call)));
        Tenant.mustOwn(call, job);
        if (!isDead(job.job())) throw new RejectedException(Rejection.notFound("dead letter", call.parameter("id")));
        return job.answer();
    }

    /** Discarded, or waiting in a queue of dead letters. */
    private static boolean isDead(byte[] job) {
        String state = MemberWalk.text(job, "state").orElse("");
        return state.equals("discarded")
                || (state.equals("available")
                        && MemberWalk.text(job, "dead_letter").isPresent());
    }

    public ApiResponse retry(Call call) throws CommandFailed, RejectedException {
        return retried(call).answer();
    }

    /** Answered with the job bare. */
    public ApiResponse adminRetry(Call call) throws CommandFailed, RejectedException {
        return ApiResponse.ok(retried(call).bare());
    }

    /**
     * Retries a dead letter, also with changes: the job may go to another queue, or with other arguments (OJS
     * dead letter §6.3).
     */
    private JobAnswer retried(Call call) throws CommandFailed, RejectedException {
        Overrides changes = RetryBody.read(call.jsonIfAny());
        String queue = changes.queue();
        if (queue != null) call.caller().mustUse(queue);
        Tenant.mustOwn(partitions, call, JobOperations.id(call));
        return JobAnswer.ask(partitions, call, new RetryDead(JobOperations.id(call), changes));
    }

    /** Answered with nothing. */
    public ApiResponse adminDelete(Call call) throws CommandFailed, RejectedException {
        delete(call);
        return new ApiResponse.Empty(Status.NO_CONTENT_204, headers -> {});
    }

    public ApiResponse delete(Call call) throws CommandFailed, RejectedException {
        Tenant.mustOwn(partitions, call, JobOperations.id(call));
        JobId id = JobOperations.id(call);
        return ApiResponse.ok(new JsonOut().raw(partitions.by(call).ofJob(id).askLine(new DeleteDead(id))));
    }
}
