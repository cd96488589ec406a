package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.BATCH;
import static io.floodgate.topics.command.CommandType.RECORD_BYTES;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.message;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.COMPLETIONS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.command.CommandCodec.Encoded;
import io.floodgate.topics.command.CommandType.LateReply;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Members;
import java.util.List;

/** Batches: commands of clients, and the two-phase commit between the partitions of their jobs. */
final class BatchCommandTypes {
    /** Storing this many jobs of a batch costs a partition as much as any other command. */
    private static final int JOBS_PER_UNIT = 10;

    static final List<CommandType<?>> ROWS = rows(
            command("batch", EnqueueBatch.class, BATCH, WORK, "Stores jobs together, or none of them.")
                    .spelled("batch", RECORD_BYTES, value -> new EnqueueBatch(Members.elements(value), false))
                    .spelled("batch-new", RECORD_BYTES, value -> new EnqueueBatch(Members.elements(value), true))
                    .spelled("batch-waiting", RECORD_BYTES, RecordForm.of(EnqueueBatch.class)::fromBytes)
                    .encoded(BatchCommandTypes::encode)
                    .waits(c -> !c.maxWait().isZero(), LateReply.DROPPED)
                    .weighs(c -> weight(c.jobs().size()))
                    .bounded(Limits::wait),
            command(
                            "reserve-capacity",
                            QueueCommand.HoldRoom.class,
                            BATCH,
                            WORK,
                            "Reserves capacity for a batch that is too large for one step.")
                    .large()
                    .waits(c -> !c.maxWait().isZero(), LateReply.RELEASED)
                    .weighs(c -> weight(c.demands().size()))
                    .bounded(c -> {
                        Limits.wait(c);
                        QueueDemand.check(c.demands());
                    }),
            command(
                            "stage-batch",
                            QueueCommand.HoldBatch.class,
                            BATCH,
                            WORK,
                            "Stores a part of such a batch, not to be seen yet.")
                    .large()
                    .weighs(c -> weight(c.jobs().size()))
                    .lateReply(LateReply.RELEASED),
            command(
                    "end-stage",
                    QueueCommand.EndHold.class,
                    BATCH,
                    COMPLETIONS,
                    "Commits the parts of such a batch, or drops them."),
            message(
                            "prepare",
                            Message.Prepare.class,
                            BATCH,
                            "To a participant: reserve these jobs and ids until the batch is settled.")
                    .large(),
            message(
                            "prepared",
                            Message.Prepared.class,
                            BATCH,
                            "To the coordinator: reserved, or rejected, or there is no capacity now.")
                    .large(),
            message(
                    "has-capacity",
                    Message.HasRoom.class,
                    BATCH,
                    "To the coordinator: there is capacity now; ask again."),
            message("settle", Message.Settle.class, BATCH, "To a participant: store the reserved jobs, or drop them."),
            message(
                    "unsettled",
                    Message.Unsettled.class,
                    BATCH,
                    "To the coordinator: asks for the outcome of a batch."));

    private BatchCommandTypes() {}

    private static int weight(int jobs) {
        return 1 + jobs / JOBS_PER_UNIT;
    }

    private static Encoded encode(EnqueueBatch command) {
        if (!command.maxWait().isZero())
            return new Encoded(
                    "batch-waiting", RecordForm.of(EnqueueBatch.class).toBytes(command));
        JsonOut jobs = new JsonOut().beginArray();
        command.jobs().forEach(jobs::raw);
        return new Encoded(
                command.madeIds() ? "batch-new" : "batch", jobs.endArray().toBytes());
    }
}
