package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.DIRECTORY;
import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.Owner.QUEUE;
import static io.floodgate.topics.command.CommandType.message;
import static io.floodgate.topics.command.CommandType.rows;

import java.util.List;

/** Messages between the directory of job ids and the queues. */
final class DirectoryMessageTypes {
    static final List<CommandType<?>> ROWS = rows(
            message("store-claimed", Message.Place.class, QUEUE, "Store this job: its id is claimed.")
                    .large()
                    .value(Message.Place::new, Message.Place::job),
            message("taken", Message.Taken.class, QUEUE, "Asks whether the job of a claimed id has been stored."),
            message("placed", Message.Placed.class, DIRECTORY, "The job of a claimed id has been stored."),
            message("release", Message.Release.class, DIRECTORY, "A claimed id is free again."),
            message(
                    "verify",
                    Message.Verify.class,
                    PARTITION,
                    "Asks whether these jobs, which the directory has passed on, are there."),
            message("missing", Message.Missing.class, DIRECTORY, "These jobs are not there: their ids are free."),
            message("readdress", Message.Readdress.class, DIRECTORY, "A job is in another queue now."),
            message("readdressed", Message.Readdressed.class, QUEUE, "The directory knows the new queue of a job."));

    private DirectoryMessageTypes() {}
}
