package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.JOB;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.COMPLETIONS;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import java.util.List;

/** Commands on single jobs, and on the leases of a worker. */
final class JobCommandTypes {
    static final List<CommandType<?>> ROWS = rows(
            command("ack", JobCommand.Ack.class, JOB, COMPLETIONS, "Completes a job: its handler has succeeded."),
            command(
                    "nack",
                    JobCommand.Nack.class,
                    JOB,
                    COMPLETIONS,
                    "Fails a job, or gives it back without an attempt."),
            command(
                            "progress",
                            JobCommand.Progress.class,
                            JOB,
                            WORK,
                            "Reports how far the handler has come, and prolongs the lease.")
                    .bounded(c -> c.report().check()),
            command(
                    "drop-checkpoint",
                    JobCommand.DropCheckpoint.class,
                    JOB,
                    WORK,
                    "Deletes the checkpoint of a running job."),
            command(
                    "extend",
                    PartitionCommand.Extend.class,
                    JOB,
                    COMPLETIONS,
                    "Prolongs the leases of a worker on jobs of this partition."),
            command("cancel", JobCommand.Cancel.class, JOB, WORK, "Cancels a job that has not ended."),
            command("activate", JobCommand.Activate.class, JOB, WORK, "Makes a pending or scheduled job available."),
            command(
                    "skip-job",
                    JobCommand.SkipJob.class,
                    JOB,
                    WORK,
                    "Lets other jobs of the order key go first until the job can be fetched."),
            query("get-job", JobCommand.GetJob.class, JOB, READS, "Returns a job."),
            command(
                            "retry-dead",
                            JobCommand.RetryDead.class,
                            JOB,
                            WORK,
                            "Retries a dead letter, in its queue or in another one.")
                    .bounded(c ->
                            ConfigLimits.retry("override.retry", c.changes().retry())),
            command("delete-dead", JobCommand.DeleteDead.class, JOB, WORK, "Deletes a dead letter."),
            command(
                    "retry-job",
                    JobCommand.RetryJob.class,
                    JOB,
                    WORK,
                    "Runs a discarded, cancelled or retryable job as if it were new."),
            command("delete-job", JobCommand.DeleteJob.class, JOB, WORK, "Deletes a job that has ended."),
            command(
                    "set-priority",
                    JobCommand.SetPriority.class,
                    JOB,
                    WORK,
                    "Changes the priority of a job that has not ended."));

    private JobCommandTypes() {}
}
