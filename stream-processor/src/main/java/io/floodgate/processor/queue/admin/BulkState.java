package io.floodgate.processor.queue.admin;

import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.AdminCommand.BulkAction;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bulk operation and how far it has come.
 *
 * @param endedAt null while it is under way
 * @param stopped an operator has stopped it
 */
record BulkState(Order order, Tally tally, @Nullable Instant endedAt, boolean stopped) {
    static final StoredForm<BulkState> STORED = new StoredForm<>(BulkState.class, 1, "a bulk operation");
    private static final int MOST_PROBLEMS = 10;

    /**
     * The operation that was asked for.
     *
     * @param number its number among all there were in this partition
     * @param by the identity that wants it; null for none
     */
    record Order(
            long number,
            BulkAction action,
            JobFilter filter,
            Instant beganAt,
            @Nullable Identity by) {}

    /** @param problems the first few rejections */
    record Tally(long succeeded, long failed, List<Problem> problems) {
        static final Tally NOTHING = new Tally(0, 0, List.of());

        Tally {
            problems = List.copyOf(problems);
        }

        Tally with(JobId job, @Nullable Rejection rejection) {
            if (rejection == null) return new Tally(succeeded + 1, failed, problems);
            List<Problem> more = new ArrayList<>(problems);
            if (more.size() < MOST_PROBLEMS) more.add(new Problem(job.toString(), Limits.echo(rejection.message())));
            return new Tally(succeeded, failed + 1, more);
        }
    }

    record Problem(String job, String message) {}

    static BulkState begun(Order order) {
        return new BulkState(order, Tally.NOTHING, null, false);
    }

    BulkState with(JobId job, @Nullable Rejection rejection) {
        return new BulkState(order, tally.with(job, rejection), endedAt, stopped);
    }

    BulkState ended(Instant now, boolean early) {
        return new BulkState(order, tally, now, early);
    }

    JsonOut show(String operation) {
        Identity by = order.by;
        JsonOut out = JsonOut.object(512)
                .field("operation", operation)
                .field("action", order.action.wire())
                .field("state", endedAt == null ? "running" : stopped ? "stopped" : "done")
                .field("matched", tally.succeeded + tally.failed)
                .field("succeeded", tally.succeeded)
                .field("failed", tally.failed)
                .field("began_at", order.beganAt)
                .optional("ended_at", endedAt)
                .optional("by", by == null ? null : by.name())
                .beginArray("errors");
        for (Problem problem : tally.problems)
            out.beginObject()
                    .field("job_id", problem.job)
                    .field("error", problem.message)
                    .endObject();
        return out.endArray().endObject();
    }
}
