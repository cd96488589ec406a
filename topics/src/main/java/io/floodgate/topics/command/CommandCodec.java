package io.floodgate.topics.command;

import io.floodgate.topics.Headers;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.CommandType.Operation;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.json.MalformedJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Commands to and from records: the {@code ojs-op} header names the operation, the value is JSON. */
public final class CommandCodec {
    /** A command as it stands in the partition. */
    public record Encoded(String op, byte[] value) {
        /** Returns the command, which could be read before. */
        public Command decode() {
            try {
                return CommandCodec.decode(op, value);
            } catch (UnreadableCommand unreadable) {
                throw new IllegalStateException("'%s' could be read before".formatted(op), unreadable);
            }
        }
    }

    private CommandCodec() {}

    public static Encoded encode(Command command) {
        return CommandTypes.of(command).encode(command);
    }

    /** The reverse; a record without an operation is an enqueue. Nothing else is thrown, whatever the record contains. */
    public static Command decode(@Nullable String op, byte @Nullable [] value) throws UnreadableCommand {
        if (value == null) throw new UnreadableCommand("The record has no value.");
        if (op == null) return new Enqueue(value, false);
        Operation<?> operation = CommandTypes.operation(op);
        if (operation == null) throw unknown(op);
        try {
            return operation.read(value);
        } catch (MalformedJson malformed) {
            throw new UnreadableCommand(malformed.getMessage());
        } catch (JacksonException unreasonable) {
            throw new UnreadableCommand("The command cannot be read: " + unreasonable.getOriginalMessage());
        }
    }

    /** Throws for a command that is larger than its row permits. Messages between partitions are small if these are. */
    public static void check(Command command) throws UnreadableCommand {
        CommandTypes.of(command).check(command);
    }

    private static UnreadableCommand unknown(String op) {
        return switch (op) {
            case CommandBatch.OP -> CommandBatch.unreadable(); // a readable one has been taken apart before
            case Headers.TOO_LARGE ->
                new UnreadableCommand("The record has more than %d bytes or %d headers."
                        .formatted(Topics.MAX_RECORD_BYTES, Topics.MAX_RECORD_HEADERS));
            case Headers.SKIPPED ->
                new UnreadableCommand(
                        "This record is skipped: an operator has configured it, or reading it took too long.");
            default -> new UnreadableCommand("There is no command '%s'.".formatted(Limits.cut(op, Limits.OP_BYTES)));
        };
    }
}
