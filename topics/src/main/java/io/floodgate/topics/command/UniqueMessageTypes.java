package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.BATCH;
import static io.floodgate.topics.command.CommandType.Owner.JOB;
import static io.floodgate.topics.command.CommandType.Owner.KEY;
import static io.floodgate.topics.command.CommandType.message;
import static io.floodgate.topics.command.CommandType.rows;

import java.util.List;

/** Messages between the homes of keys, the coordinators that want them, and the partitions of the jobs that have them. */
final class UniqueMessageTypes {
    static final List<CommandType<?>> ROWS = rows(
            message(
                            "claim-keys",
                            UniqueMessage.ClaimKeys.class,
                            KEY,
                            "Asks whether these jobs may come, as the only ones of their keys.")
                    .large(),
            message(
                            "keys-claimed",
                            UniqueMessage.KeysClaimed.class,
                            BATCH,
                            "To the coordinator: they may, with exceptions, or they may not.")
                    .large(),
            message("ask-holder", UniqueMessage.AskHolder.class, JOB, "Asks in which state the job is that has a key."),
            message("holder-said", UniqueMessage.HolderSaid.class, KEY, "How the job stands that has a key."),
            message(
                    "cancel-holder",
                    UniqueMessage.CancelHolder.class,
                    JOB,
                    "Cancel the job: another one takes its place."),
            message(
                    "holder-cancelled",
                    UniqueMessage.HolderCancelled.class,
                    BATCH,
                    "To the coordinator: the job is not run any more."),
            message("tell-keys", UniqueMessage.TellKeys.class, KEY, "What has become of jobs that have keys.")
                    .large());

    private UniqueMessageTypes() {}
}
