package io.floodgate.topics.command;

import io.floodgate.topics.command.CommandCodec.Encoded;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.WireName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known about one kind of command: its operations and their codec, its bounds, its owner, its traffic class,
 * and one line of documentation. {@link CommandTypes} has one row for each.
 */
public final class CommandType<C extends Command> {
    /** The entity that executes a command, which decides the partition that it goes to. */
    public enum Owner implements WireName {
        QUEUE,
        JOB,
        BATCH,
        /** The partition that a job id leads to: it knows which ids are taken. */
        DIRECTORY,
        WORKER,
        /** The key of a rate limit. */
        LIMIT,
        /** The fingerprint of unique jobs. */
        KEY,
        /** The owner that made a job and gets its outcome. */
        OWNER,
        /** The name of a schedule. */
        SCHEDULE,
        /** The id of a workflow. */
        WORKFLOW,
        /** The event and the key of a signal. */
        SIGNAL,
        /** The name of a pool of workers. */
        POOL,
        /** The registry of schemas. */
        SCHEMAS,
        /** The registry of webhook subscriptions. */
        WEBHOOKS,
        /** The registry of sources. */
        SOURCES,
        /** The registry of sinks. */
        SINKS,
        /** The name of a tenant. */
        TENANT,
        /** The partition as a whole. */
        PARTITION
    }

    /** What a client does with a reply that comes after its caller has given up. */
    public enum LateReply {
        DROPPED,
        /** The jobs that it brings are given back. */
        WITHDRAWN,
        /** The reservation that it names is ended. */
        RELEASED
    }

    /** Reads a command from the value of a record. */
    @FunctionalInterface
    interface ValueReader<C> {
        C read(byte[] value) throws UnreadableCommand, MalformedJson;
    }

    /** Throws for a command that is larger than its row permits. */
    @FunctionalInterface
    interface Check<C> {
        void check(C command) throws UnreadableCommand;
    }

    /** One spelling of a command: what the header of a record names, and how its value is read. */
    record Operation<C extends Command>(String op, int maxBytes, ValueReader<C> reader) {
        C read(byte[] value) throws UnreadableCommand, MalformedJson {
            if (value.length > maxBytes)
                throw new UnreadableCommand(
                        "The command has %d bytes; at most %d are accepted.".formatted(value.length, maxBytes));
            return reader.read(value);
        }
    }

    /** No more than a record has: the value is bounded elsewhere, or not looked at. */
    static final int RECORD_BYTES = Integer.MAX_VALUE;

    private final Class<C> type;
    private final Owner owner;
    private final @Nullable TrafficClass traffic;
    private final boolean isQuery;
    private final String documentation;
    private final List<Operation<C>> operations;
    private final Function<C, Encoded> encoder;
    private final @Nullable RecordForm<C> form;
    private final Check<C> check;
    private final Predicate<C> waits;
    private final ToIntFunction<C> weight;
    private final LateReply lateReply;

    private CommandType(Builder<C> row) {
        RecordForm<C> form = row.encoder == null ? RecordForm.of(row.type) : null;
        this.type = row.type;
        this.owner = row.owner;
        this.traffic = row.traffic;
        this.isQuery = row.isQuery;
        this.documentation = row.documentation;
        this.operations = form == null
                ? List.copyOf(row.spellings)
                : List.of(new Operation<>(row.op, row.maxBytes, form::fromBytes));
        this.encoder = form == null
                ? Objects.requireNonNull(row.encoder)
                : command -> new Encoded(row.op, form.toBytes(command));
        this.form = form;
        this.check = row.check;
        this.waits = row.waits;
        this.weight = row.weight;
        this.lateReply = row.lateReply;
    }

    static List<CommandType<?>> rows(Builder<?>... rows) {
        List<CommandType<?>> types = new ArrayList<>();
        for (Builder<?> row : rows) types.add(row.build());
        return List.copyOf(types);
    }

    /** A command that may change state. */
    static <C extends Command> Builder<C> command(
            String op, Class<C> type, Owner owner, TrafficClass traffic, String documentation) {
        return new Builder<>(op, type, owner, traffic, false, documentation);
    }

    /** A command that only reads. */
    static <C extends Command> Builder<C> query(
            String op, Class<C> type, Owner owner, TrafficClass traffic, String documentation) {
        return new Builder<>(op, type, owner, traffic, true, documentation);
    }

    /** A command that only partitions send to each other. */
    static <C extends Message> Builder<C> message(String op, Class<C> type, Owner owner, String documentation) {
        return new Builder<>(op, type, owner, null, false, documentation);
    }

    public Class<C> type() {
        return type;
    }

    /** The names under which records carry the command. */
    public List<String> operations() {
        return operations.stream().map(Operation::op).toList();
    }

    List<Operation<C>> spellings() {
        return operations;
    }

    public Owner owner() {
        return owner;
    }

    /** Whether executing the command changes nothing. */
    public boolean isQuery() {
        return isQuery;
    }

    /** Whether only partitions send it to each other. */
    public boolean isMessage() {
        return traffic == null;
    }

    public String documentation() {
        return documentation;
    }

    public LateReply lateReply() {
        return lateReply;
    }

    /** The class of a command that does not wait; null for a message. */
    public @Nullable TrafficClass traffic() {
        return traffic;
    }

    public TrafficClass traffic(Command command) {
        if (traffic == null) throw new IllegalArgumentException("Clients do not send " + type.getSimpleName());
        return waits.test(type.cast(command)) ? TrafficClass.WAITS : traffic;
    }

    /** How much of its class's capacity a command takes: by what it costs the partition, or what the partition keeps of it. */
    public int weight(Command command) {
        return weight.applyAsInt(type.cast(command));
    }

    public Encoded encode(Command command) {
        return encoder.apply(type.cast(command));
    }

    public void check(Command command) throws UnreadableCommand {
        if (form != null) form.check(type.cast(command));
        check.check(type.cast(command));
    }

    /** Whether the command's JSON is derived from its components. */
    boolean hasForm() {
        return form != null;
    }

    @Override
    public String toString() {
        return type.getSimpleName();
    }

    /**
     * A row that is being written. Without {@link #value} and {@link #spelled}, the value is the JSON object that {@link RecordForm}
     * derives from the components of the record, of limited size.
     */
    static final class Builder<C extends Command> {
        private final String op;
        private final Class<C> type;
        private final Owner owner;
        private final @Nullable TrafficClass traffic;
        private final boolean isQuery;
        private final String documentation;
        private final List<Operation<C>> spellings = new ArrayList<>();
        private int maxBytes = Limits.COMMAND_BYTES;
        private @Nullable Function<C, Encoded> encoder;
        private Check<C> check = command -> {};
        private Predicate<C> waits = command -> false;
        private ToIntFunction<C> weight = command -> 1;
        private LateReply lateReply = LateReply.DROPPED;

        private Builder(
                String op,
                Class<C> type,
                Owner owner,
                @Nullable TrafficClass traffic,
                boolean isQuery,
                String documentation) {
            this.op = op;
            this.type = type;
            this.owner = owner;
            this.traffic = traffic;
            this.isQuery = isQuery;
            this.documentation = documentation;
        }

        /** Its value may fill a record. */
        Builder<C> large() {
            maxBytes = RECORD_BYTES;
            return this;
        }

        /** The value is written and read by hand. */
        Builder<C> value(ValueReader<C> reader, Function<C, byte[]> writer) {
            return spelled(op, maxBytes, reader).encoded(command -> new Encoded(op, writer.apply(command)));
        }

        /** One of several operations for the command. */
        Builder<C> spelled(String name, int most, ValueReader<C> reader) {
            spellings.add(new Operation<>(name, most, reader));
            return this;
        }

        /** Chooses among these operations. */
        Builder<C> encoded(Function<C, Encoded> by) {
            encoder = by;
            return this;
        }

        /**
         * Such a command waits in the partition, and is counted there.
         *
         * @param late what happens with its reply if its caller has given up meanwhile
         */
        Builder<C> waits(Predicate<C> when, LateReply late) {
            waits = when;
            return lateReply(late);
        }

        Builder<C> weighs(ToIntFunction<C> by) {
            weight = by;
            return this;
        }

        /** Of a command that does not wait by itself, but may be answered late all the same. */
        Builder<C> lateReply(LateReply what) {
            lateReply = what;
            return this;
        }

        /** Bounds that concern several components. */
        Builder<C> bounded(Check<C> more) {
            check = more;
            return this;
        }

        private CommandType<C> build() {
            return new CommandType<>(this);
        }
    }
}
