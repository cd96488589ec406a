package io.floodgate.processor.queue;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.AdminCommand.BulkAction;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Refusal;
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
 * @param number its place among all there were in this log
 * @param endedAt null while it is under way
 * @param stopped somebody did not want it to go on
 * @param problems the first few refusals
 * @param by who wants it; null for nobody in particular
 */
record BulkState(
        long number,
        BulkAction action,
        JobFilter filter,
        Instant beganAt,
        @Nullable Instant endedAt,
        boolean stopped,
        long succeeded,
        long failed,
        List<Problem> problems,
        @Nullable Identity by) {
    private static final int VERSION = 1;
    private static final int MOST_PROBLEMS = 10;

    record Problem(String job, String message) {}

    BulkState {
        problems = List.copyOf(problems);
    }

    static BulkState begun(long number, BulkAction action, JobFilter filter, Instant now, @Nullable Identity by) {
        return new BulkState(number, action, filter, now, null, false, 0, 0, List.of(), by);
    }

    BulkState with(JobId job, @Nullable Refusal refusal) {
        if (refusal == null)
            return new BulkState(
                    number, action, filter, beganAt, endedAt, stopped, succeeded + 1, failed, problems, by);
        List<Problem> more = new ArrayList<>(problems);
        if (more.size() < MOST_PROBLEMS) more.add(new Problem(job.toString(), Limits.echo(refusal.message())));
        return new BulkState(number, action, filter, beganAt, endedAt, stopped, succeeded, failed + 1, more, by);
    }

    BulkState ended(Instant now, boolean early) {
        return new BulkState(number, action, filter, beganAt, now, early, succeeded, failed, problems, by);
    }

    JsonOut show(String operation) {
        JsonOut out = new JsonOut(512)
                .beginObject()
                .field("operation", operation)
                .field("action", action.wire())
                .field("state", endedAt == null ? "running" : stopped ? "stopped" : "done")
                .field("matched", succeeded + failed)
                .field("succeeded", succeeded)
                .field("failed", failed)
                .field("began_at", beganAt)
                .optional("ended_at", endedAt)
                .optional("by", by == null ? null : by.name())
                .name("errors")
                .beginArray();
        for (Problem problem : problems)
            out.beginObject()
                    .field("job_id", problem.job)
                    .field("error", problem.message)
                    .endObject();
        return out.endArray().endObject();
    }

    byte[] write() {
        BinaryOut out = new BinaryOut()
                .u8(VERSION)
                .number(number)
                .text(action.wire())
                .blob(filter.write())
                .time(beganAt)
                .optional(endedAt)
                .flag(stopped)
                .number(succeeded)
                .number(failed)
                .number(problems.size());
        for (Problem problem : problems) out.text(problem.job).text(problem.message);
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
            return new BulkState(number, action, filter, beganAt, endedAt, stopped, succeeded, failed, problems, by);
        } catch (UnreadableCommand | MalformedJson unreadable) {
            throw new IllegalStateException("a bulk operation that was written here cannot be read", unreadable);
        }
    }
}
