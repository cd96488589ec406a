package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.Owner.WORKER;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.message;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.COMPLETIONS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import java.util.List;

/** Commands to the registry entry of a worker, and the messages that end its leases. */
final class WorkerCommandTypes {
    static final List<CommandType<?>> ROWS = rows(
            command("beat", WorkerCommand.Beat.class, WORKER, COMPLETIONS, "The heartbeat of a worker."),
            command("leave", WorkerCommand.Leave.class, WORKER, COMPLETIONS, "A worker shuts down in good order."),
            query("get-worker", WorkerCommand.GetWorker.class, WORKER, WORK, "Returns a worker."),
            command(
                    "direct-worker",
                    WorkerCommand.Direct.class,
                    WORKER,
                    WORK,
                    "Sets the directive that a worker gets with its next heartbeats."),
            command(
                    "deregister-worker",
                    WorkerCommand.Deregister.class,
                    WORKER,
                    WORK,
                    "Removes a worker that sends no heartbeats; its jobs run elsewhere."),
            message(
                    "leased",
                    Message.Leased.class,
                    WORKER,
                    "The sender has given the worker a job, and has to know when the worker is lost."),
            message(
                    "worker-lost",
                    Message.WorkerLost.class,
                    PARTITION,
                    "A worker with leases here is silent, or has left."));

    private WorkerCommandTypes() {}
}
