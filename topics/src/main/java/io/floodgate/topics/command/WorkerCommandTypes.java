package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.Owner.WORKER;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.message;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.TrafficClass.COMPLETIONS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.command.CommandType.Check;
import io.floodgate.topics.command.CommandType.Writer;
import io.floodgate.topics.command.Message.Leased;
import io.floodgate.topics.command.Message.WorkerLost;
import io.floodgate.topics.command.Message.WorkerLost.Why;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.command.WorkerCommand.Deregister;
import io.floodgate.topics.command.WorkerCommand.Direct;
import io.floodgate.topics.command.WorkerCommand.Directive;
import io.floodgate.topics.command.WorkerCommand.GetWorker;
import io.floodgate.topics.command.WorkerCommand.Leave;
import java.util.List;

/** Commands to the registry entry of a worker, and the messages that end its leases. */
final class WorkerCommandTypes {
    private static final String ID = "worker_id";

    static final List<CommandType<?>> ROWS = List.of(
            command(Beat.class, WORKER, COMPLETIONS, "The heartbeat of a worker.")
                    .json(
                            "beat",
                            (c, out) -> out.field(ID, c.worker()).fieldRaw("about", c.about()),
                            in -> new Beat(in.text(ID), in.object("about")))
                    .bounded(c -> {
                        Limits.name(ID, c.worker());
                        Limits.bytes("about", c.about(), Limits.ABOUT_BYTES);
                    }),
            command(Leave.class, WORKER, COMPLETIONS, "A worker shuts down in good order.")
                    .json("leave", id(), in -> new Leave(in.text(ID)))
                    .bounded(idBound()),
            query(GetWorker.class, WORKER, WORK, "Returns a worker.")
                    .json("get-worker", id(), in -> new GetWorker(in.text(ID)))
                    .bounded(idBound()),
            command(Direct.class, WORKER, WORK, "Sets the directive that a worker gets with its next heartbeats.")
                    .json(
                            "direct-worker",
                            (c, out) -> out.field(ID, c.worker())
                                    .field("directive", c.directive().wire()),
                            in -> new Direct(in.text(ID), Directive.read(in.text("directive"))))
                    .bounded(idBound()),
            command(
                            Deregister.class,
                            WORKER,
                            WORK,
                            "Removes a worker that sends no heartbeats; its jobs run elsewhere.")
                    .json("deregister-worker", id(), in -> new Deregister(in.text(ID)))
                    .bounded(idBound()),
            message(
                            Leased.class,
                            WORKER,
                            "The sender has given the worker a job, and has to know when the worker is lost.")
                    .json(
                            "leased",
                            (c, out) -> out.field(ID, c.worker())
                                    .field("log", c.log().toString()),
                            in -> new Leased(in.text(ID), in.log("log")))
                    .bounded(),
            message(WorkerLost.class, PARTITION, "A worker with leases here is silent, or has left.")
                    .json(
                            "worker-lost",
                            (c, out) -> {
                                out.field(ID, c.worker());
                                if (c.why() != Why.SILENT) out.field(c.why().wire(), true);
                            },
                            in -> new WorkerLost(in.text(ID), why(in)))
                    .bounded());

    private WorkerCommandTypes() {}

    private static Why why(JsonFields in) throws UnreadableCommand {
        if (in.flag(Why.LEFT.wire())) return Why.LEFT;
        return in.flag(Why.DEREGISTERED.wire()) ? Why.DEREGISTERED : Why.SILENT;
    }

    private static <C extends WorkerCommand> Writer<C> id() {
        return (command, out) -> out.field(ID, command.worker());
    }

    private static <C extends WorkerCommand> Check<C> idBound() {
        return command -> Limits.name(ID, command.worker());
    }
}
