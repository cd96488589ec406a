package io.floodgate.standalone;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Event;
import io.floodgate.processor.partition.Outcome;
import io.floodgate.processor.partition.PartitionEngine;
import io.floodgate.processor.partition.PartitionRecord;
import io.floodgate.processor.store.MemoryKeyValues;
import io.floodgate.processor.store.Stores;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.PartitionCommand.Tick;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The only partition of an installation in memory, without Kafka: for tests of programs that use Floodgate. It executes
 * commands as a server does, in the thread of the caller and at the time that the caller says, which never goes back.
 * One thread uses it at a time.
 */
public final class MemoryPartition {
    private static final Routing ROUTING = new Routing(1);
    private static final PartitionId ID = ROUTING.logs().getFirst();

    private final PartitionEngine engine = new PartitionEngine(
            ID, ROUTING, new Stores(new MemoryKeyValues(), new MemoryKeyValues(), new MemoryKeyValues()));
    private final Consumer<byte[]> events;
    private long offset;
    private @Nullable ReplyTo waiting;
    private @Nullable Reply reply;

    /** @param events takes each event, as JSON */
    public MemoryPartition(Consumer<byte[]> events) {
        this.events = events;
    }

    /** Executes a command that is not to wait. */
    public Reply execute(Command command, Instant now) {
        waiting = new ReplyTo(0, "memory", offset);
        reply = null;
        append(command, now);
        passTo(now);
        if (reply == null) throw new IllegalStateException("a command that waits cannot be executed: " + command);
        return reply;
    }

    /** Lets everything happen that is due until then. */
    public void passTo(Instant time) {
        for (Instant next = nextTimer(); next != null && !next.isAfter(time); next = nextTimer())
            append(new Tick(), next);
        append(new Tick(), time);
    }

    /** Returns when the next thing is due; null if nothing is. */
    public @Nullable Instant nextTimer() {
        return engine.nextTimer();
    }

    private void append(Command command, Instant now) {
        CommandCodec.Encoded record = CommandCodec.encode(command);
        Instant time = now.isBefore(engine.wallTime()) ? engine.wallTime() : now;
        ReplyTo to = command instanceof Tick ? null : waiting;
        Outcome outcome = engine.apply(new PartitionRecord(offset++, time, record.op(), record.value(), to, null, 0));
        for (Effects.Answer answer : outcome.answers()) if (answer.to().equals(waiting)) reply = answer.reply();
        for (Event event : outcome.events()) events.accept(event.envelope());
    }
}
