package io.floodgate.processor.queue.admin;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.AdminCommand.BulkAction;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.UnreadableCommand;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
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
    private static final int VERSION = 1;
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
        JsonOut out = new JsonOut(512)
                .beginObject()
                .field("operation", operation)
                .field("action", order.action.wire())
                .field("state", endedAt == null ? "running" : stopped ? "stopped" : "done")
                .field("matched", tally.succeeded + tally.failed)
                .field("succeeded", tally.succeeded)
                .field("failed", tally.failed)
                .field("began_at", order.beganAt)
                .optional("ended_at", endedAt)
                .optional("by", by == null ? null : by.name())
                .name("errors")
                .beginArray();
        for (Problem problem : tally.problems)
            out.beginObject()
                    .field("job_id", problem.job)
                    .field("error", problem.message)
                    .endObject();
        return out.endArray().endObject();
    }

    byte[] write() {
        BinaryOut out = new BinaryOut()
                .u8(VERSION)
                .number(order.number)
                .text(order.action.wire())
                .blob(order.filter.write())
                .time(order.beganAt)
                .optional(endedAt)
                .flag(stopped)
                .number(tally.succeeded)
                .number(tally.failed)
                .number(tally.problems.size());
        for (Problem problem : tally.problems) out.text(problem.job).text(problem.message);
        Identity by = order.by;
        if (by != null) out.text(by.write());
        return out.toBytes();
    }

    static BulkState read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "a bulk operation");
        long number = in.number();
        try {
            BulkAction action = BulkAction.read(in.text());
            JobFilter filter = JobFilter.read(in.blob());
            Instant beganAt = in.time();
            Instant endedAt = in.optionalTime();
            boolean stopped = in.flag();
            long succeeded = in.number();
            long failed = in.number();
            List<Problem> problems = new ArrayList<>();
            for (int left = in.integer(); left > 0; left--) problems.add(new Problem(in.text(), in.text()));
            Identity by = Identity.stored(in.hasMore() ? in.text() : null);
            Order order = new Order(number, action, filter, beganAt, by);
            return new BulkState(order, new Tally(succeeded, failed, problems), endedAt, stopped);
        } catch (UnreadableCommand | MalformedJson unreadable) {
            throw new IllegalStateException("a bulk operation that was written here cannot be read", unreadable);
        }
    }
}
