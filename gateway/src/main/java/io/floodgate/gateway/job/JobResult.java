package io.floodgate.gateway.job;

import io.floodgate.gateway.event.EndWait;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.ErrorAnswers;
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

/** The result of a job (OJS job results), for which a caller may wait. */
record JobResult(Asking log, EndWait ends, Clock clock) {
    private static final Set<String> ENDED = Set.of("completed", "discarded", "cancelled");

    @FunctionalInterface
    interface Asking {
        JobAnswer ask(Call call, JobCommand command) throws CommandFailed, RejectedException;
    }

    ApiResponse answer(Call call) throws CommandFailed, RejectedException {
        JobId id = JobOperations.id(call);
        JobAnswer found = log.ask(call, new GetJob(id));
        Tenant.mustOwn(call, found);
        Duration wait = EndWait.asked(call);
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

    JobAnswer awaitEnd(Call call, JobId id, Duration wait) throws CommandFailed, RejectedException {
        return ends.await(id.toString(), wait, () -> log.ask(call, new GetJob(id)), job -> hasEnded(job.job()));
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
