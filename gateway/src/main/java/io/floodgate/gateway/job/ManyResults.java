package io.floodgate.gateway.job;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.JsonOut;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The results of many jobs in one answer (OJS results §9.3). */
record ManyResults(Partitions partitions, Clock clock) {
    private static final int MOST = 100;
    /** More of them could fill the memory of a gateway with answers that are on their way. */
    private static final int AT_ONCE = 16;

    private static final int MOST_BYTES = 16 * 1024 * 1024;
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    ApiResponse answer(Call call) throws CommandFailed, RejectedException {
        List<String> ids = ids(call.json().only(Set.of("ids", "job_ids")));
        JsonOut out = JsonOut.object(4_096).beginObject("results");
        int bytes = 0;
        for (int from = 0; from < ids.size(); from += AT_ONCE) {
            List<String> some = ids.subList(from, Math.min(from + AT_ONCE, ids.size()));
            List<@Nullable CompletableFuture<Reply>> asked = new ArrayList<>(AT_ONCE);
            for (String id : some) asked.add(ask(call, id));
            for (int i = 0; i < some.size(); i++) {
                JobAnswer job = answered(call, asked.get(i));
                out.name(some.get(i));
                if (job == null) {
                    out.raw(NULL);
                    continue;
                }
                bytes += job.job().length;
                if (bytes > MOST_BYTES) throw tooMuch();
                call.makeRoom(2L * bytes);
                JobOutcome.of(job).writeTo(out, clock.instant());
            }
        }
        return ApiResponse.ok(out.endObject().endObject());
    }

    private static List<String> ids(RequestFields body) throws RejectedException {
        List<String> ids = body.texts(body.has("ids") ? "ids" : "job_ids").stream()
                .distinct()
                .toList();
        if (ids.isEmpty()) throw RequestFields.wrong("ids", "The 'ids' field must be an array of job ids.");
        if (ids.size() > MOST)
            throw new RejectedException(Rejection.of(
                            ErrorCode.BATCH_SIZE_EXCEEDED,
                            "There are %d ids; results of at most %d jobs are given at once."
                                    .formatted(ids.size(), MOST))
                    .with("max_batch_size", MOST));
        return ids;
    }

    /** Null for what cannot be an id, and so is the id of no job. */
    private @Nullable CompletableFuture<Reply> ask(Call call, String text) {
        JobId id = JobId.parse(text).orElse(null);
        return id == null ? null : partitions.by(call).ofJob(id).send(new GetJob(id));
    }

    /** Null for a job that is not there, or not for this caller. */
    private static @Nullable JobAnswer answered(Call call, @Nullable CompletableFuture<Reply> asked)
            throws CommandFailed, RejectedException {
        if (asked == null) return null;
        try {
            JobAnswer job = JobAnswer.of(Replies.await(asked));
            Tenant.mustOwn(call, job);
            return job;
        } catch (RejectedException rejected) {
            ErrorCode code = rejected.rejection().code();
            if (code == ErrorCode.NOT_FOUND || code == ErrorCode.PERMISSION_DENIED) return null;
            throw rejected;
        }
    }

    private static RejectedException tooMuch() {
        return new RejectedException(Rejection.of(
                ErrorCode.BATCH_SIZE_EXCEEDED,
                "These jobs have more than %d MiB together: ask for fewer at a time."
                        .formatted(MOST_BYTES / 1024 / 1024)));
    }
}
