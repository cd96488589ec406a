package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.JOB;
import static io.floodgate.topics.command.CommandType.Owner.OWNER;
import static io.floodgate.topics.command.CommandType.Owner.QUEUE;
import static io.floodgate.topics.command.CommandType.message;
import static io.floodgate.topics.command.CommandType.rows;

import java.util.List;

/** Messages between the owners of jobs that the system makes, and the queues of these jobs. */
final class OwnJobMessageTypes {
    static final List<CommandType<?>> ROWS = rows(
            message("place-own", OwnJobMessage.PlaceOwn.class, QUEUE, "Take in a job that the system has made.")
                    .large(),
            message(
                    "placed-own",
                    OwnJobMessage.PlacedOwn.class,
                    OWNER,
                    "To the owner: its job is in the queue, or waits, or was rejected."),
            message(
                            "tell-owners",
                            OwnJobMessage.TellOwners.class,
                            OWNER,
                            "What has become of jobs that the system has made.")
                    .large(),
            message("ask-own", OwnJobMessage.AskOwn.class, JOB, "Asks how a job stands that the system has made."),
            message(
                    "cancel-own",
                    OwnJobMessage.CancelOwn.class,
                    JOB,
                    "Cancel a job that the system has made, wherever it is."));

    private OwnJobMessageTypes() {}
}
