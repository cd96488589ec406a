package io.floodgate.gateway.job;

import io.floodgate.gateway.connection.Peer;
import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.event.JobWatches;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.ErrorAnswers;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * The result of a job (OJS job results). The job's events wake callers that wait for it; in case events are late, the
 * gateway asks the partition now and then.
 */
record JobResult(Asking log, EventLog events, Clock clock, BooleanSupplier closing) {
    private static final Set<String> ENDED = Set.of("completed", "discarded", "cancelled");
    private static final int DEFAULT_WAIT_S = 30;
    private static final int MAX_WAIT_S = 60;
    private static final Duration PROBE = Duration.ofSeconds(2);

    @FunctionalInterface
    interface Asking {
        JobAnswer ask(Call call, JobCommand command) throws CommandFailed, RejectedException;
    }

    ApiResponse answer(Call call) throws CommandFailed, RejectedException {
        JobId id = JobOperations.id(call);
        JobAnswer found = log.ask(call, new GetJob(id));
        Tenant.mustOwn(call, found);
        Duration wait = wait(call);
        if (!wait.isZero() && !hasEnded(found.job())) {
            found = awaitEnd(call, id, wait);
            if (!hasEnded(found.job())) return notYet(call, found.job());
        }
        JobOutcome outcome = JobOutcome.of(found);
        if (outcome.isPruned(clock.instant())) throw pruned(outcome);
        JsonOut out = JsonOut.object(512).field("job_id", id.toString());
        MemberWalk members = new MemberWalk(found.job());
        while (members.next()) {
            if (members.nameIs("state") || members.nameIs("result") || members.nameIs("completed_at"))
                members.copyTo(out);
        }
        if (outcome.state().equals("discarded")) out.optionalRaw("error", outcome.error());
        outcome.metadata(out);
        return outcome.retryAfter(ApiResponse.ok(out.endObject()), clock.instant());
    }

    private static Duration wait(Call call) throws RejectedException {
        if (!call.query("wait")
                .map(text -> text.equals("true") || text.equals("1"))
                .orElse(false)) return Duration.ZERO;
        String text = call.query("timeout").orElse("" + DEFAULT_WAIT_S);
        try {
            double seconds = Double.parseDouble(text);
            if (seconds >= 0) return Duration.ofMillis((long) (1_000 * Math.min(seconds, MAX_WAIT_S)));
        } catch (NumberFormatException noNumber) {
            // rejected below
        }
        throw RequestFields.wrong("timeout", "The query parameter 'timeout' must be a number of seconds.");
    }

    JobAnswer awaitEnd(Call call, JobId id, Duration wait) throws CommandFailed, RejectedException {
        Peer peer = Peer.current();
        CompletableFuture<Void> left = peer == null ? new CompletableFuture<>() : peer.watch();
        long deadline = System.nanoTime() + wait.toNanos();
        while (true) {
            // Watched before the partition is asked, or what happens in between would not be heard.
            try (JobWatches.Watch watch = events.watch(id.toString())) {
                JobAnswer job = log.ask(call, new GetJob(id));
                long nanos = deadline - System.nanoTime();
                if (hasEnded(job.job()) || nanos <= 0 || closing.getAsBoolean() || left.isDone()) return job;
                await(CompletableFuture.anyOf(watch.happened(), left), Math.min(nanos, PROBE.toNanos()));
            }
        }
    }

    private static void await(CompletableFuture<?> something, long nanos) {
        try {
            something.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // the partition is asked either way
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean hasEnded(byte[] job) {
        return ENDED.contains(MemberWalk.text(job, "state").orElse(""));
    }

    private static RejectedException pruned(JobOutcome outcome) {
        return new RejectedException(
                Rejection.of(ErrorCode.RESULT_PRUNED, "The result was kept until %s.".formatted(outcome.expiresAt()))
                        .with("state", outcome.state()));
    }

    private static ApiResponse notYet(Call call, byte[] job) {
        Rejection rejection = Rejection.of(
                        ErrorCode.REQUEST_TIMEOUT, "The job had not ended when the time to wait was over.")
                .with("state", MemberWalk.text(job, "state").orElse(""));
        return ErrorAnswers.answer(rejection, call.requestId());
    }
}
