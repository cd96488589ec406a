package io.floodgate.topics.command;

import io.floodgate.topics.command.CommandType.Operation;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rows of all commands. A new command is a record with a row, and this list has its rows. */
public final class CommandTypes {
    private static final List<CommandType<?>> ALL = Stream.of(
                    QueueCommandTypes.ROWS,
                    BatchCommandTypes.ROWS,
                    JobCommandTypes.ROWS,
                    PoolCommandTypes.ROWS,
                    SchemaCommandTypes.ROWS,
                    WorkerCommandTypes.ROWS,
                    LimitCommandTypes.ROWS,
                    AdminCommandTypes.ROWS,
                    PartitionCommandTypes.ROWS,
                    DirectoryMessageTypes.ROWS,
                    MoveMessageTypes.ROWS,
                    TenantMessageTypes.ROWS,
                    UniqueMessageTypes.ROWS,
                    KeyCommandTypes.ROWS,
                    OwnJobMessageTypes.ROWS,
                    CronCommandTypes.ROWS,
                    WorkflowCommandTypes.ROWS,
                    SignalCommandTypes.ROWS,
                    WebhookCommandTypes.ROWS,
                    SourceCommandTypes.ROWS,
                    SinkCommandTypes.ROWS)
            .flatMap(Collection::stream)
            .toList();

    private static final Map<Class<?>, CommandType<?>> BY_CLASS = byClass();
    private static final Map<String, Operation<?>> BY_OPERATION = byOperation();

    private CommandTypes() {}

    private static Map<Class<?>, CommandType<?>> byClass() {
        Map<Class<?>, CommandType<?>> rows = HashMap.newHashMap(2 * ALL.size());
        for (CommandType<?> row : ALL)
            if (rows.put(row.type(), row) != null) throw new IllegalStateException("Two rows for " + row);
        return rows;
    }

    private static Map<String, Operation<?>> byOperation() {
        Map<String, Operation<?>> operations = HashMap.newHashMap(2 * ALL.size());
        for (CommandType<?> row : ALL)
            for (Operation<?> operation : row.spellings())
                if (operations.put(operation.op(), operation) != null)
                    throw new IllegalStateException("Two rows for " + operation.op());
        return operations;
    }

    public static List<CommandType<?>> all() {
        return ALL;
    }

    public static CommandType<?> of(Command command) {
        CommandType<?> row = BY_CLASS.get(command.getClass());
        if (row == null) throw new IllegalStateException("No row for " + command.getClass());
        return row;
    }

    static @Nullable Operation<?> operation(String op) {
        return BY_OPERATION.get(op);
    }
}
