package io.floodgate.gateway.job;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a job: its result, or its error (OJS results §5). A result is shown until its {@code result_ttl} is
 * over, or until the job is to be removed; it is deleted with the job.
 *
 * @param result JSON; null if there is none
 * @param error the last error, an object; null if there is none
 * @param endedAt empty if the job has not ended
 * @param dueAt of a job that waits for a time
 * @param expiresAt when its result is shown no longer; null if that is not known
 */
record JobOutcome(
        String state,
        byte @Nullable [] result,
        byte @Nullable [] error,
        String endedAt,
        @Nullable Instant dueAt,
        @Nullable Instant expiresAt) {
    private static final Set<String> ENDED = Set.of("completed", "discarded", "cancelled");
    private static final int MAX_RETRY_S = 60;
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    static JobOutcome of(JobAnswer answer) {
        String state = "";
        String endedAt = "";
        byte[] result = null;
        Instant dueAt = null;
        String keptUntil = "";
        long ttl = -1;
        MemberWalk members = new MemberWalk(answer.job());
        while (members.next()) {
            if (members.nameIs("state")) state = members.text();
            else if (members.nameIs("result")) result = members.raw();
            else if (members.nameIs("scheduled_at") || members.nameIs("next_attempt_at"))
                dueAt = Instant.parse(members.text());
            else if (members.nameIs("kept_until")) keptUntil = members.text();
            else if (members.nameIs("result_ttl")) ttl = Long.parseLong(members.text());
            else if (members.nameIs("completed_at") || members.nameIs("discarded_at") || members.nameIs("cancelled_at"))
                endedAt = members.text();
        }
        if (!ENDED.contains(state)) endedAt = "";
        return new JobOutcome(state, result, error(answer), endedAt, dueAt, expiresAt(endedAt, ttl, keptUntil));
    }

    private static @Nullable Instant expiresAt(String endedAt, long ttl, String keptUntil) {
        Instant removed = keptUntil.isEmpty() ? null : Instant.parse(keptUntil);
        if (ttl < 0 || endedAt.isEmpty()) return removed;
        Instant expired = Instant.parse(endedAt).plusSeconds(ttl);
        return removed != null && removed.isBefore(expired) ? removed : expired;
    }

    private static byte @Nullable [] error(JobAnswer answer) {
        byte[] errors = answer.errors();
        if (errors == null) return null;
        MemberWalk members = new MemberWalk(errors);
        while (members.next()) if (members.nameIs("error") && members.isObject()) return members.raw();
        return null;
    }

    boolean hasEnded() {
        return ENDED.contains(state);
    }

    /** A job that has not ended is worth another look once it is due, but within a minute (OJS results §8.1). */
    ApiResponse retryAfter(ApiResponse.Whole answer, Instant now) {
        if (hasEnded()) return answer;
        long seconds =
                dueAt == null ? 1 : Math.clamp(Duration.between(now, dueAt).toSeconds(), 1, MAX_RETRY_S);
        return answer.with(HeaderValues.create(HeaderNames.RETRY_AFTER, seconds));
    }

    /** Returns whether there was a result that is no longer shown. */
    boolean isPruned(Instant now) {
        return result != null && expiresAt != null && !now.isBefore(expiresAt);
    }

    /** Writes the outcome as one of many: without a result there is null. */
    JsonOut writeTo(JsonOut out, Instant now) {
        out.beginObject().field("state", state);
        out.fieldRaw("result", result == null || isPruned(now) ? NULL : result);
        if (state.equals("discarded")) out.optionalRaw("error", error);
        if (!endedAt.isEmpty() && state.equals("completed")) out.field("completed_at", endedAt);
        return out.endObject();
    }

    /** Writes when a result was stored, until when it is shown, and how large it is (OJS results §6.2). */
    void metadata(JsonOut out) {
        if (result == null || endedAt.isEmpty()) return;
        out.field("result_stored_at", endedAt);
        out.optional("result_expires_at", expiresAt);
        out.field("result_size_bytes", result.length);
    }

    /** A job as it may be shown now, with what is known of its result. */
    static JobAnswer shown(JobAnswer answer, Instant now) {
        JobOutcome outcome = of(answer);
        if (outcome.result == null || outcome.endedAt.isEmpty()) return answer;
        JsonOut out = JsonOut.object(answer.job().length + 128);
        MemberWalk members = new MemberWalk(answer.job());
        boolean pruned = outcome.isPruned(now);
        while (members.next()) if (!pruned || !members.nameIs("result")) members.copyTo(out);
        outcome.metadata(out);
        return new JobAnswer(out.endObject().toBytes(), answer.errors(), answer.load());
    }
}
