package io.floodgate.processor.queue.state;

import io.floodgate.topics.command.ProgressReport;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The state from which the next run of a job can go on (OJS durable execution §5).
 *
 * @param saved an object with {@code state} and what the worker has sent beside it; null if it was deleted. Its number stays:
 *     a late report must not bring an old one back
 */
public record Checkpoint(byte @Nullable [] saved, long sequence, Instant createdAt) {
    static final Checkpoint NONE = new Checkpoint(null, 0, Instant.EPOCH);

    Checkpoint after(ProgressReport report, Instant now) {
        if (report.checkpoint() == null) return this;
        return new Checkpoint(report.checkpoint(), report.sequence() == null ? sequence + 1 : report.sequence(), now);
    }

    /** Returns whether a report has an older one than this. One that is sent again, the same, does no harm. */
    boolean isAfter(ProgressReport report) {
        Long number = report.sequence();
        if (number == null || report.checkpoint() == null) return false;
        return number < sequence || (number == sequence && !Arrays.equals(report.checkpoint(), saved));
    }

    /** Returns whether a run was about to commit a transaction, and it is not known what became of it. */
    public boolean isCommitting() {
        return saved != null && MemberWalk.raw(saved, ProgressReport.TRANSACTION) != null;
    }

    Checkpoint deleted() {
        return new Checkpoint(null, sequence, createdAt);
    }

    /** A small state is shown as {@code last_checkpoint}, too, as progress can have it (OJS progress §6.4). */
    void show(JsonOut out) {
        if (saved == null) return;
        byte[] state = MemberWalk.raw(saved, "state");
        if (state != null && state[0] == '{' && state.length <= ProgressReport.MAX_BYTES)
            out.fieldRaw("last_checkpoint", state);
        out.beginObject("checkpoint")
                .members(saved)
                .field("sequence", sequence)
                .field("created_at", createdAt)
                .endObject();
    }
}
