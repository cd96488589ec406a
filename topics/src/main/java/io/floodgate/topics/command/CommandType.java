package io.floodgate.topics.command;

import io.floodgate.topics.command.CommandCodec.Encoded;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
    public enum Owner {
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
        /** The name of a pool of workers. */
        POOL,
        /** The partition as a whole. */
        PARTITION;

        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What a client does with a reply that comes after its caller has given up. */
    public enum LateReply {
        DROPPED,
        /** The jobs that it brings are given back. */
        WITHDRAWN,
        /** The reservation that it names is ended. */
        RELEASED
    }

    /** Writes the members of the command's JSON object. */
    @FunctionalInterface
    interface Writer<C> {
        void write(C command, JsonOut out);
    }

    /** Reads a command from the members of a JSON object. */
    @FunctionalInterface
    interface Reader<C> {
        C read(JsonFields in) throws UnreadableCommand, MalformedJson;
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
    private final Check<C> check;
    private final Predicate<C> waits;
    private final ToIntFunction<C> weight;
    private final LateReply lateReply;

    private CommandType(Builder<C> row, Check<C> check) {
        this.type = row.type;
        this.owner = row.owner;
        this.traffic = row.traffic;
        this.isQuery = row.isQuery;
        this.documentation = row.documentation;
        this.operations = List.copyOf(row.operations);
        this.encoder = Objects.requireNonNull(row.encoder, () -> "no codec for " + row.type);
        this.check = check;
        this.waits = row.waits;
        this.weight = row.weight;
        this.lateReply = row.lateReply;
    }

    /** A command that may change state. */
    static <C extends Command> Builder<C> command(Class<C> type, Owner owner, TrafficClass traffic, String doc) {
        return new Builder<>(type, owner, traffic, false, doc);
    }

    /** A command that only reads. */
    static <C extends Command> Builder<C> query(Class<C> type, Owner owner, TrafficClass traffic, String doc) {
        return new Builder<>(type, owner, traffic, true, doc);
    }

    /** A command that only partitions send to each other. */
    static <C extends Message> Builder<C> message(Class<C> type, Owner owner, String doc) {
        return new Builder<>(type, owner, null, false, doc);
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
        check.check(type.cast(command));
    }

    @Override
    public String toString() {
        return type.getSimpleName();
    }

    /** A row that is being written; its bounds complete it. */
    static final class Builder<C extends Command> {
        private final Class<C> type;
        private final Owner owner;
        private final @Nullable TrafficClass traffic;
        private final boolean isQuery;
        private final String documentation;
        private final List<Operation<C>> operations = new ArrayList<>();
        private @Nullable Function<C, Encoded> encoder;
        private Predicate<C> waits = command -> false;
        private ToIntFunction<C> weight = command -> 1;
        private LateReply lateReply = LateReply.DROPPED;

        private Builder(Class<C> type, Owner owner, @Nullable TrafficClass traffic, boolean isQuery, String doc) {
            this.type = type;
            this.owner = owner;
            this.traffic = traffic;
            this.isQuery = isQuery;
            this.documentation = doc;
        }

        /** A JSON object of limited size. */
        Builder<C> json(String op, Writer<C> writer, Reader<C> reader) {
            return reads(op, Limits.COMMAND_BYTES, reader).writes(op, writer);
        }

        /** A JSON object that may fill a record. */
        Builder<C> largeJson(String op, Writer<C> writer, Reader<C> reader) {
            return reads(op, RECORD_BYTES, reader).writes(op, writer);
        }

        Builder<C> reads(String op, int maxBytes, Reader<C> reader) {
            return readsValue(op, maxBytes, value -> reader.read(JsonFields.of(value)));
        }

        Builder<C> readsValue(String op, int maxBytes, ValueReader<C> reader) {
            operations.add(new Operation<>(op, maxBytes, reader));
            return this;
        }

        private Builder<C> writes(String op, Writer<C> writer) {
            return writes(command -> {
                JsonOut out = new JsonOut().beginObject();
                writer.write(command, out);
                return new Encoded(op, out.endObject().toBytes());
            });
        }

        Builder<C> writes(Function<C, Encoded> all) {
            encoder = all;
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

        CommandType<C> bounded(Check<C> check) {
            return new CommandType<>(this, check);
        }

        /** Nothing in it can be too large: its readers bound it, or the size of the record does and nothing of it is kept. */
        CommandType<C> bounded() {
            return bounded(command -> {});
        }
    }
}
