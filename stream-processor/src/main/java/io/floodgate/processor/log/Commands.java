package io.floodgate.processor.log;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.LogPosition;
import io.floodgate.processor.kernel.SetAside;
import io.floodgate.processor.kernel.SetAside.Subject;
import io.floodgate.processor.kernel.UnknownRules;
import io.floodgate.topics.Headers;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.BlockSeconds;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.LogCommand.Upgrade;
import io.floodgate.topics.command.Message;
import io.floodgate.topics.command.Message.Place;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Message.Prepared;
import io.floodgate.topics.command.Message.Release;
import io.floodgate.topics.command.Message.Undeliverable;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.UnreadableCommand;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a record asks for: read, carried out or refused; and a message from another log always comes to an end, too. */
final class Commands {
    private final Routing routing;
    private final LogPosition position;
    private final Arrivals arrivals;
    private final Handlers handlers;
    private final Steps steps;
    private final Failures failures;
    private final Unheard unheard;
    private final Effects out;

    Commands(
            Routing routing,
            LogPosition position,
            Arrivals arrivals,
            Handlers handlers,
            Steps steps,
            Failures failures,
            Unheard unheard,
            Effects out) {
        this.routing = routing;
        this.position = position;
        this.arrivals = arrivals;
        this.handlers = handlers;
        this.steps = steps;
        this.failures = failures;
        this.unheard = unheard;
        this.out = out;
    }

    /**
     * From an upgrade to rules that it does not know on, this release must leave the log to others. One that does not name the
     * log's topic is no processor's: it is rejected.
     */
    void refuseUnknownRules(LogRecord record) {
        if (!"upgrade".equals(record.op())) return;
        try {
            boolean unknown = CommandCodec.decode(record.op(), record.value()) instanceof Upgrade upgrade
                    && upgrade.rules() == position.newest() + 1
                    && position.version() == position.newest()
                    && upgrade.topicId().equals(record.topicId());
            if (unknown) throw new UnknownRules(out.log(), position.newest() + 1, position.newest());
        } catch (UnreadableCommand nonsense) {
            // It will be refused as such.
        }
    }

    void carryOut(LogRecord record, Outcome outcome) {
        ReplyTo replyTo = answerable(record.replyTo());
        String what = String.valueOf(record.op());
        RuntimeException failure =
                failures.withoutWhatIsBroken(what, replyTo, () -> carryOut(record, replyTo), outcome);
        if (failure == null) return;
        RuntimeException worse = steps.tryTo(replyTo, () -> refuseBroken(record, failure), outcome);
        if (worse != null) throw worse;
    }

    /** Nobody has a name of any length: such an answer could not even be sent. */
    private static @Nullable ReplyTo answerable(@Nullable ReplyTo replyTo) {
        return replyTo == null || replyTo.requester().length() > Limits.NAME_CHARS ? null : replyTo;
    }

    /** The log that sent it; null for anybody else, and for who only claims to be one. */
    private @Nullable LogId sender(LogRecord record) {
        LogId from = record.from();
        return from != null && routing.has(from) && record.sequence() > 0 ? from : null;
    }

    private void carryOut(LogRecord record, @Nullable ReplyTo replyTo) {
        LogId from = sender(record);
        if (from != null && !arrivals.take(record, from)) return;
        unheard.comesFrom(null);
        try {
            out.setBy(sentBy(record));
            Command command = patient(record, CommandCodec.decode(record.op(), record.value()));
            CommandCodec.check(command);
            if (command instanceof Message && from == null)
                throw new UnreadableCommand("Only logs may send '%s'.".formatted(record.op()));
            if (command instanceof Forward forwarded) unheard.comesFrom(forwarded);
            handlers.carryOut(command);
        } catch (UnreadableCommand unreadable) {
            out.refuse(unreadable.refusal());
            if (from != null && replyTo == null) tellUndeliverable(record, from, unreadable.refusal());
        }
        Refusal refusal = out.refusal();
        if (refusal != null && out.replyTo() == null) unheard.announce(record, refusal);
    }

    /** A plain producer has no name: what it can write, it can write anywhere in this log. */
    private @Nullable Identity sentBy(LogRecord record) throws UnreadableCommand {
        String by = record.by();
        return by == null || record.op() == null ? null : Identity.read(by);
    }

    /** A producer that only has a Kafka client says how long it waits by a header. */
    private Command patient(LogRecord record, Command command) throws UnreadableCommand {
        String time = record.blockTimeout();
        if (time == null || !(command instanceof Patient patient)) return command;
        return patient.waiting(BlockSeconds.parse(time)
                .orElseThrow(() -> new UnreadableCommand(
                        "The header '%s' must be a number of seconds, 0 or more.".formatted(Headers.BLOCK_TIMEOUT))));
    }

    /** The command would fail again at every replay: it is refused, and the log goes on. */
    private void refuseBroken(LogRecord record, RuntimeException failure) {
        Refusal refusal = Refusal.of(
                        ErrorCode.INTERNAL_ERROR,
                        "The command failed because of a defect in Floodgate; nothing was changed.")
                .with("log", out.log().toString())
                .with("offset", record.offset());
        out.refuse(refusal);
        failures.announce(String.valueOf(record.op()), failure);
        LogId from = sender(record);
        // Taken, whatever became of it: its sender will not send it again.
        if (from != null && arrivals.take(record, from)) endBroken(record, from, refusal, failure);
    }

    /** A message ends in an outcome, always: a refusal to the entity that sent it, or an operator who decides about it. */
    private void endBroken(LogRecord record, LogId from, Refusal refusal, RuntimeException failure) {
        Command command;
        Identity sender;
        try {
            sender = sentBy(record);
            command = CommandCodec.decode(record.op(), record.value());
        } catch (UnreadableCommand | RuntimeException unreadable) {
            tellUndeliverable(record, from, refusal);
            return;
        }
        if (command instanceof Prepare prepare) {
            Refusal again = Refusal.of(ErrorCode.BACKEND_UNAVAILABLE, "A part of the batch could not be prepared.");
            out.tell(from, "batch:" + prepare.batch(), new Prepared(prepare.batch(), out.log(), List.of(), again));
        } else if (command instanceof Place place && release(place, from)) {
            return;
        } else if (command instanceof Message) {
            Subject subject = new Subject(
                    SetAside.MESSAGE, "%s number %d from %s".formatted(record.op(), record.sequence(), from));
            boolean isSmall = record.value().length <= StoredMessage.MOST_BYTES;
            byte[] message = isSmall
                    ? new StoredMessage(
                                    String.valueOf(record.op()), record.value(), answerable(record.replyTo()), sender)
                            .write()
                    : new byte[0];
            if (failures.hasRoomFor(message)) failures.keep(subject, failure, isSmall ? message : null);
            else tellUndeliverable(record, from, refusal);
        }
    }

    /** The job was not taken, so its id is free again. */
    private boolean release(Place place, LogId from) {
        try {
            var id = EnvelopeReader.read(place.job()).id();
            if (id == null) return false;
            out.tell(from, id.toString(), new Release(id, null));
            return true;
        } catch (UnreadableJob | RuntimeException unreadable) {
            return false;
        }
    }

    private void tellUndeliverable(LogRecord record, LogId from, Refusal refusal) {
        boolean answersAnswer = "undeliverable".equals(record.op());
        if (answersAnswer) return;
        String op = Limits.cut(String.valueOf(record.op()), Limits.OP_BYTES);
        out.tell(from, from.toString(), new Undeliverable(out.log(), record.sequence(), op, refusal.shortened()));
    }
}
