package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.QUEUE;
import static io.floodgate.topics.command.CommandType.message;
import static io.floodgate.topics.command.CommandType.rows;

import java.util.List;

/** Messages between queues when jobs move from one to another: all of them, or a dead letter. */
final class MoveMessageTypes {
    static final List<CommandType<?>> ROWS = rows(
            message(
                    "announce-move",
                    MoveMessage.ExpectJobs.class,
                    QUEUE,
                    "Reserve capacity for the jobs of a queue that is being deleted."),
            message(
                    "count-jobs",
                    MoveMessage.CountJobs.class,
                    QUEUE,
                    "Count the jobs by type and tenant, and announce the move again."),
            message("expected", MoveMessage.Expected.class, QUEUE, "The capacity is reserved, or there is none."),
            message("move-jobs", MoveMessage.MoveJobs.class, QUEUE, "Store these jobs, in this order.")
                    .large(),
            message(
                    "end-move",
                    MoveMessage.EndMove.class,
                    QUEUE,
                    "No more jobs come: what is left of the reservation is free."),
            message(
                            "transfer",
                            Message.Transfer.class,
                            QUEUE,
                            "Store a job that dies in another queue, or is retried from there.")
                    .large(),
            message(
                    "transferred",
                    Message.Transferred.class,
                    QUEUE,
                    "The job is stored here now, or stays where it was."),
            message("has-come", Message.HasCome.class, QUEUE, "Asks whether a job has been transferred."));

    private MoveMessageTypes() {}
}
