package io.floodgate.gateway.job;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What came of a job: its result, or its error (OJS results §5). A result is shown until its {@code result_ttl} is over; it is
 * deleted with the job.
 *
 * @param result JSON; null if there is none
 * @param error the last error, an object; null if there is none
 * @param endedAt empty if the job has not ended
 * @param ttl in seconds; negative for as long as the job is kept
 */
record JobOutcome(String state, byte @Nullable [] result, byte @Nullable [] error, String endedAt, long ttl) {
    private static final Set<String> ENDED = Set.of("completed", "discarded", "cancelled");
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    static JobOutcome of(JobAnswer answer) {
        String state = "";
        String endedAt = "";
        byte[] result = null;
        long ttl = -1;
        MemberWalk members = new MemberWalk(answer.job());
        while (members.next()) {
            if (members.nameIs("state")) state = members.text();
            else if (members.nameIs("result")) result = members.raw();
            else if (members.nameIs("result_ttl")) ttl = Long.parseLong(members.text());
            else if (members.nameIs("completed_at") || members.nameIs("discarded_at") || members.nameIs("cancelled_at"))
                endedAt = members.text();
        }
        return new JobOutcome(state, result, error(answer), ENDED.contains(state) ? endedAt : "", ttl);
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

    /** Whether there was a result that is no longer shown. */
    boolean isPruned(Instant now) {
        Instant until = expiresAt();
        return result != null && until != null && !now.isBefore(until);
    }

    /** Null if that depends on the retention of the queue only. */
    @Nullable
    Instant expiresAt() {
        if (ttl < 0 || endedAt.isEmpty()) return null;
        try {
            return Instant.parse(endedAt).plusSeconds(ttl);
        } catch (DateTimeParseException unreadable) {
            return null;
        }
    }

    /** As one of many: without a result there is null. */
    JsonOut writeTo(JsonOut out, Instant now) {
        out.beginObject().field("state", state);
        out.fieldRaw("result", result == null || isPruned(now) ? NULL : result);
        if (state.equals("discarded")) out.optionalRaw("error", error);
        if (!endedAt.isEmpty() && state.equals("completed")) out.field("completed_at", endedAt);
        return out.endObject();
    }

    /** When a result was stored, until when it is shown, and how large it is (OJS results §6.2). */
    void metadata(JsonOut out) {
        if (result == null || endedAt.isEmpty()) return;
        out.field("result_stored_at", endedAt);
        Instant until = expiresAt();
        if (until != null) out.field("result_expires_at", until);
        out.field("result_size_bytes", result.length);
    }

    /** A job as it may be shown now, with what is known of its result. */
    static JobAnswer shown(JobAnswer answer, Instant now) {
        JobOutcome outcome = of(answer);
        if (outcome.result == null || outcome.endedAt.isEmpty()) return answer;
        JsonOut out = new JsonOut(answer.job().length + 128).beginObject();
        MemberWalk members = new MemberWalk(answer.job());
        boolean pruned = outcome.isPruned(now);
        while (members.next()) if (!pruned || !members.nameIs("result")) members.copyTo(out);
        outcome.metadata(out);
        return new JobAnswer(out.endObject().toBytes(), answer.errors(), answer.load());
    }
}
