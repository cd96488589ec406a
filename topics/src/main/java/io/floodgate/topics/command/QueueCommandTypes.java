package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.DIRECTORY;
import static io.floodgate.topics.command.CommandType.Owner.QUEUE;
import static io.floodgate.topics.command.CommandType.RECORD_BYTES;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.COMPLETIONS;
import static io.floodgate.topics.command.TrafficClass.FETCHES;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.command.CommandCodec.Encoded;
import io.floodgate.topics.command.CommandType.LateReply;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import java.time.Duration;
import java.util.List;

/** Commands that store jobs in queues, fetch them, and look after the queues. */
final class QueueCommandTypes {
    /** Executing a fetch of this many queues costs a partition as much as any other command. */
    private static final int QUEUES_PER_UNIT = 10;

    static final List<CommandType<?>> ROWS = rows(
            command("enqueue", Enqueue.class, QUEUE, WORK, "Stores a job.")
                    .spelled("enqueue", RECORD_BYTES, value -> new Enqueue(value, false))
                    .spelled("enqueue-new", RECORD_BYTES, value -> new Enqueue(value, true))
                    .spelled("enqueue-waiting", Limits.COMMAND_BYTES, RecordForm.of(Enqueue.class)::fromBytes)
                    .encoded(QueueCommandTypes::encode)
                    .waits(c -> !c.maxWait().isZero(), LateReply.DROPPED)
                    .bounded(Limits::wait),
            command(
                            "fetch",
                            QueueCommand.Fetch.class,
                            QUEUE,
                            FETCHES,
                            "Leases jobs to a worker, and waits for the first one.")
                    .waits(c -> !c.maxWait().isZero(), LateReply.WITHDRAWN)
                    .weighs(c -> weight(c.queues().size(), c.maxWait()))
                    .bounded(c -> {
                        Limits.queues(c.queues());
                        Limits.types(c.types());
                        Limits.tenants(c.types(), c.queues().size());
                    }),
            command(
                            "watch",
                            QueueCommand.Watch.class,
                            QUEUE,
                            FETCHES,
                            "Waits until a queue has a job to fetch; leases nothing.")
                    .waits(c -> !c.maxWait().isZero(), LateReply.DROPPED)
                    .weighs(c -> weight(c.queues().size(), c.maxWait()))
                    .bounded(c -> {
                        Limits.queues(c.queues());
                        Limits.types(c.types());
                        Limits.tenants(c.types(), c.queues().size());
                    }),
            command(
                            "decline",
                            QueueCommand.Decline.class,
                            QUEUE,
                            COMPLETIONS,
                            "A watch has found jobs that its caller will not fetch.")
                    .bounded(c -> Limits.queues(c.queues())),
            query("get-queue", QueueCommand.GetQueue.class, QUEUE, WORK, "Returns the status of a queue."),
            query(
                    "explain-queue",
                    QueueCommand.ExplainQueue.class,
                    QUEUE,
                    WORK,
                    "Returns what explains how a queue stands: who waits, and what holds jobs."),
            query(
                    "count-priorities",
                    QueueCommand.CountPriorities.class,
                    QUEUE,
                    WORK,
                    "Counts the available jobs of a queue by priority."),
            command("pause", QueueCommand.Pause.class, QUEUE, WORK, "Pauses a queue: none of its jobs are fetched."),
            command("resume", QueueCommand.Resume.class, QUEUE, WORK, "Resumes a paused queue."),
            command(
                            "configure-queue",
                            QueueCommand.ConfigureQueue.class,
                            QUEUE,
                            WORK,
                            "Changes the configuration of a queue.")
                    .bounded(c -> ConfigLimits.check(c.set())),
            command(
                            "create-queue",
                            QueueCommand.CreateQueue.class,
                            QUEUE,
                            WORK,
                            "Creates a queue before its first job.")
                    .bounded(c -> ConfigLimits.check(c.config())),
            command(
                    "delete-queue",
                    QueueCommand.DeleteQueue.class,
                    QUEUE,
                    WORK,
                    "Deletes a queue once nothing unfinished is left in it."),
            command(
                    "count-rejected",
                    QueueCommand.CountRejected.class,
                    QUEUE,
                    WORK,
                    "Counts jobs that a gateway rejected without a command."),
            command(
                            "probe-capacity",
                            QueueCommand.CheckRoom.class,
                            QUEUE,
                            WORK,
                            "Asks whether a queue that seems full has capacity for these jobs.")
                    .large()
                    .bounded(c -> QueueDemand.check(List.of(c.demand()))),
            query(
                            "check-ids",
                            QueueCommand.CheckIds.class,
                            DIRECTORY,
                            WORK,
                            "Counts the ids that belong to a job, or may soon.")
                    .large(),
            command(
                    "use-key",
                    QueueCommand.UseKey.class,
                    QUEUE,
                    WORK,
                    "Offers the key by which gateways sign jobs in the topic of a queue, and asks whether the topic is read."),
            command(
                    "open-ingress",
                    QueueCommand.OpenIngress.class,
                    QUEUE,
                    WORK,
                    "Says that a partition of a queue's own topic is read."),
            command(
                            "forward",
                            QueueCommand.Forward.class,
                            QUEUE,
                            WORK,
                            "Stores a record of the topic of a queue's own.")
                    .large()
                    .bounded(c -> {
                        Limits.wait(c.maxWait());
                        if ((c.job() == null) == (c.wrong() == null))
                            throw new UnreadableCommand("Either 'job' or 'refusal' is there.");
                    }));

    private QueueCommandTypes() {}

    private static Encoded encode(Enqueue command) {
        return command.maxWait().isZero()
                ? new Encoded(command.madeId() ? "enqueue-new" : "enqueue", command.job())
                : new Encoded("enqueue-waiting", RecordForm.of(Enqueue.class).toBytes(command));
    }

    private static int weight(int queues, Duration wait) {
        return wait.isZero() ? 1 + queues / QUEUES_PER_UNIT : queues;
    }
}
