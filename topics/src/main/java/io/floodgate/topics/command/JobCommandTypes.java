package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.JOB;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.TrafficClass.COMPLETIONS;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.CommandType.Writer;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Activate;
import io.floodgate.topics.command.JobCommand.Cancel;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.DeleteDead;
import io.floodgate.topics.command.JobCommand.DeleteJob;
import io.floodgate.topics.command.JobCommand.DropCheckpoint;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.JobCommand.Progress;
import io.floodgate.topics.command.JobCommand.RetryDead;
import io.floodgate.topics.command.JobCommand.RetryJob;
import io.floodgate.topics.command.JobCommand.SetPriority;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.retry.RetryOptions;
import io.floodgate.topics.retry.UnreadableRetry;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands on single jobs, and on the leases of a worker. */
final class JobCommandTypes {
    static final List<CommandType<?>> ROWS = List.of(
            command(Ack.class, JOB, COMPLETIONS, "Completes a job: its handler has succeeded.")
                    .json(
                            "ack",
                            (c, out) -> run(c.job(), c.claimant(), out).optionalRaw("result", c.result()),
                            in -> new Ack(
                                    in.job("job_id"),
                                    claimant(in),
                                    in.withTexts("result").optionalRaw("result")))
                    .bounded(c -> check(c.claimant())),
            command(Nack.class, JOB, COMPLETIONS, "Fails a job, or gives it back without an attempt.")
                    .json("nack", JobCommandTypes::writeNack, JobCommandTypes::readNack)
                    .bounded(c -> {
                        check(c.claimant());
                        if (c.delay().compareTo(Limits.LONGEST_DELAY) > 0)
                            throw new UnreadableCommand(
                                    "'delay_ms' is more than %d.".formatted(Limits.LONGEST_DELAY.toMillis()));
                    }),
            command(Progress.class, JOB, WORK, "Reports how far the handler has come, and prolongs the lease.")
                    .json(
                            "progress",
                            (c, out) -> c.report().write(run(c.job(), c.claimant(), out)),
                            in -> new Progress(
                                    in.job("job_id"),
                                    claimant(in),
                                    ProgressReport.read(in.withTexts("data", "checkpoint"))))
                    .bounded(c -> {
                        check(c.claimant());
                        c.report().check();
                    }),
            command(DropCheckpoint.class, JOB, WORK, "Deletes the checkpoint of a running job.")
                    .json(
                            "drop-checkpoint",
                            (c, out) -> run(c.job(), c.claimant(), out),
                            in -> new DropCheckpoint(in.job("job_id"), claimant(in)))
                    .bounded(c -> check(c.claimant())),
            command(Extend.class, JOB, COMPLETIONS, "Prolongs the leases of a worker on jobs of this partition.")
                    .json("extend", JobCommandTypes::writeExtend, JobCommandTypes::readExtend)
                    .bounded(c -> {
                        Limits.name("worker_id", c.worker());
                        Limits.most("job_ids", c.jobs().size(), Limits.JOBS_OF_A_HEARTBEAT);
                    }),
            command(Cancel.class, JOB, WORK, "Cancels a job that has not ended.")
                    .json("cancel", id(), in -> new Cancel(in.job("job_id")))
                    .bounded(),
            command(Activate.class, JOB, WORK, "Makes a pending or scheduled job available.")
                    .json("activate", id(), in -> new Activate(in.job("job_id")))
                    .bounded(),
            query(GetJob.class, JOB, READS, "Returns a job.")
                    .json("get-job", id(), in -> new GetJob(in.job("job_id")))
                    .bounded(),
            command(RetryDead.class, JOB, WORK, "Retries a dead letter, in its queue or in another one.")
                    .json("retry-dead", JobCommandTypes::writeRetryDead, JobCommandTypes::readRetryDead)
                    .bounded(c -> {
                        Limits.name("override.queue", c.changes().queue());
                        ConfigLimits.retry("override.retry", c.changes().retry());
                    }),
            command(DeleteDead.class, JOB, WORK, "Deletes a dead letter.")
                    .json("delete-dead", id(), in -> new DeleteDead(in.job("job_id")))
                    .bounded(),
            command(RetryJob.class, JOB, WORK, "Runs a discarded, cancelled or retryable job as if it were new.")
                    .json("retry-job", id(), in -> new RetryJob(in.job("job_id")))
                    .bounded(),
            command(DeleteJob.class, JOB, WORK, "Deletes a job that has ended.")
                    .json("delete-job", id(), in -> new DeleteJob(in.job("job_id")))
                    .bounded(),
            command(SetPriority.class, JOB, WORK, "Changes the priority of a job that has not ended.")
                    .json(
                            "set-priority",
                            (c, out) -> out.field("job_id", c.job().toString()).field("priority", c.priority()),
                            in -> new SetPriority(in.job("job_id"), in.priority("priority")))
                    .bounded());

    private JobCommandTypes() {}

    private static <C extends JobCommand> Writer<C> id() {
        return (command, out) -> out.field("job_id", command.job().toString());
    }

    private static Claimant claimant(JsonFields in) throws UnreadableCommand {
        return new Claimant(in.optionalText("worker_id"), in.optionalNumber("lease"), in.optionalNumber("attempt"));
    }

    private static void check(Claimant claimant) throws UnreadableCommand {
        Limits.name("worker_id", claimant.worker());
    }

    private static JsonOut run(JobId job, Claimant claimant, JsonOut out) {
        return out.field("job_id", job.toString())
                .optional("worker_id", claimant.worker())
                .optional("lease", claimant.lease())
                .optional("attempt", claimant.attempt());
    }

    private static void writeNack(Nack nack, JsonOut out) {
        run(nack.job(), nack.claimant(), out).name("error").beginObject();
        nack.error().write(out);
        out.optional("rate_limit_until", nack.error().rateLimitUntil()).endObject();
        if (nack.requeue()) out.field("requeue", true);
        if (!nack.delay().isZero()) out.field("delay_ms", nack.delay().toMillis());
    }

    private static Nack readNack(JsonFields in) throws UnreadableCommand {
        Duration delay = in.optionalMillis("delay_ms");
        return new Nack(
                in.job("job_id"),
                claimant(in),
                ErrorReport.read(in.node("error")),
                in.flag("requeue"),
                delay == null ? Duration.ZERO : delay);
    }

    private static void writeExtend(Extend extend, JsonOut out) {
        out.optional("worker_id", extend.worker())
                .field("job_ids", extend.jobs().stream().map(JobId::toString).toList())
                .optional("visibility_timeout_ms", millis(extend.visibility()));
        if (extend.complete()) out.field("complete", true);
    }

    private static Extend readExtend(JsonFields in) throws UnreadableCommand {
        return new Extend(
                in.optionalText("worker_id"),
                in.jobs("job_ids"),
                in.optionalMillis("visibility_timeout_ms"),
                in.flag("complete"));
    }

    private static void writeRetryDead(RetryDead command, JsonOut out) {
        out.field("job_id", command.job().toString());
        if (command.changes().isNone()) return;
        out.name("override");
        command.changes().write(out);
    }

    private static RetryDead readRetryDead(JsonFields in) throws UnreadableCommand, MalformedJson {
        return new RetryDead(
                in.job("job_id"),
                in.node("override") == null
                        ? Overrides.NONE
                        : overrides(in.fields("override").withTexts("args", "meta")));
    }

    private static Overrides overrides(JsonFields in) throws UnreadableCommand, MalformedJson {
        try {
            Long priority = in.optionalNumber("priority");
            if (priority != null && Math.abs(priority) > Limits.MOST_PRIORITY)
                throw new UnreadableCommand("'priority' is out of range.");
            return new Overrides(
                    in.optionalText("queue"),
                    priority == null ? null : (Integer) priority.intValue(),
                    in.node("args") == null ? null : in.array("args"),
                    in.node("meta") == null ? null : in.object("meta"),
                    in.node("retry") == null ? RetryOptions.NONE : RetryOptions.read(in.members("retry")));
        } catch (UnreadableRetry unreadable) {
            throw new UnreadableCommand(unreadable.reason());
        }
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : (Long) duration.toMillis();
    }
}
