package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.SIGNAL;
import static io.floodgate.topics.command.CommandType.Owner.WORKFLOW;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.message;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import java.util.List;

/** Commands and messages about signals. */
final class SignalCommandTypes {
    static final List<CommandType<?>> ROWS = rows(
            command(
                            "send-signal",
                            SignalCommand.SendSignal.class,
                            SIGNAL,
                            WORK,
                            "Something has happened that steps of workflows wait for, or will.")
                    .bounded(SignalCommandTypes::check),
            query(
                            "get-signal",
                            SignalCommand.GetSignal.class,
                            SIGNAL,
                            READS,
                            "Returns a signal, and the steps that wait for it.")
                    .bounded(SignalCommandTypes::check),
            command("forget-signal", SignalCommand.ForgetSignal.class, SIGNAL, WORK, "Forgets a signal.")
                    .bounded(SignalCommandTypes::check),
            message(
                            "await-signal",
                            SignalCommand.AwaitSignal.class,
                            SIGNAL,
                            "A step of a workflow waits for a signal, or does so no longer.")
                    .bounded(SignalCommandTypes::check),
            message(
                    "signalled",
                    SignalCommand.Signalled.class,
                    WORKFLOW,
                    "What a step of a workflow waits for has happened."));

    private SignalCommandTypes() {}

    private static void check(SignalCommand command) throws UnreadableCommand {
        String tenant = command.tenant();
        if (tenant != null && !SignalName.isTenant(tenant))
            throw new UnreadableCommand("'%s' cannot be a tenant.".formatted(Limits.echo(tenant)));
        if (!SignalName.isKey(command.key()))
            throw new UnreadableCommand(
                    "The key of a signal is a text of 1 to %d characters without control characters."
                            .formatted(SignalName.KEY_CHARS));
    }
}
