package io.floodgate.processor.partition;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionPosition;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Quarantine.Subject;
import io.floodgate.processor.kernel.UnknownLogicVersion;
import io.floodgate.topics.Headers;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.BlockSeconds;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Message;
import io.floodgate.topics.command.Message.Place;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Message.Prepared;
import io.floodgate.topics.command.Message.Release;
import io.floodgate.topics.command.Message.Undeliverable;
import io.floodgate.topics.command.PartitionCommand.Upgrade;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.UnreadableCommand;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Executes or rejects the command of a record. A message from another partition always comes to an end, too. */
record Commands(
        Routing routing,
        PartitionPosition position,
        InboundMessages arrivals,
        Handlers handlers,
        Steps steps,
        Failures failures,
        UnansweredRejections unanswered,
        Effects out) {
    /**
     * Stops at an upgrade to a version that this release does not know, so that the partition is left to others. An
     * upgrade that does not name the partition's topic is no processor's: it is rejected.
     */
    void rejectUnknownRules(PartitionRecord record) {
        if (!"upgrade".equals(record.op())) return;
        try {
            boolean unknown = CommandCodec.decode(record.op(), record.value()) instanceof Upgrade upgrade
                    && upgrade.rules() == position.newest() + 1
                    && position.version() == position.newest()
                    && upgrade.topicId().equals(record.topicId());
            if (unknown) throw new UnknownLogicVersion(out.log(), position.newest() + 1, position.newest());
        } catch (UnreadableCommand nonsense) {
            // It will be rejected as such.
        }
    }

    void carryOut(PartitionRecord record, Outcome outcome) {
        ReplyTo replyTo = answerable(record.replyTo());
        String what = String.valueOf(record.op());
        RuntimeException failure =
                failures.withoutWhatIsBroken(what, replyTo, () -> carryOut(record, replyTo), outcome);
        if (failure == null) return;
        RuntimeException worse = steps.tryTo(replyTo, () -> rejectBroken(record, failure), outcome);
        if (worse != null) throw worse;
    }

    /** Null for a requester whose name is too long: such an answer could not even be sent. */
    private static @Nullable ReplyTo answerable(@Nullable ReplyTo replyTo) {
        return replyTo == null || replyTo.requester().length() > Limits.NAME_CHARS ? null : replyTo;
    }

    /** The partition that sent it; null for anybody else, and for who only claims to be one. */
    private @Nullable PartitionId sender(PartitionRecord record) {
        PartitionId from = record.from();
        return from != null && routing.has(from) && record.sequence() > 0 ? from : null;
    }

    private void carryOut(PartitionRecord record, @Nullable ReplyTo replyTo) {
        PartitionId from = sender(record);
        if (from != null && !arrivals.take(record, from)) return;
        unanswered.comesFrom(null);
        try {
            out.setBy(sentBy(record));
            Command command = patient(record, CommandCodec.decode(record.op(), record.value()));
            CommandCodec.check(command);
            if (command instanceof Message && from == null)
                throw new UnreadableCommand("Only partitions may send '%s'.".formatted(record.op()));
            if (command instanceof Forward forwarded) unanswered.comesFrom(forwarded);
            handlers.carryOut(command);
        } catch (UnreadableCommand unreadable) {
            out.reject(unreadable.rejection());
            if (from != null && replyTo == null) tellUndeliverable(record, from, unreadable.rejection());
        }
        Rejection rejection = out.rejection();
        if (rejection != null && out.replyTo() == null) unanswered.announce(record, rejection);
    }

    /** A plain producer has no name: what it can write, it can write anywhere in this partition. */
    private @Nullable Identity sentBy(PartitionRecord record) throws UnreadableCommand {
        String by = record.by();
        return by == null || record.op() == null ? null : Identity.read(by);
    }

    /** A producer that only has a Kafka client says how long it waits by a header. */
    private Command patient(PartitionRecord record, Command command) throws UnreadableCommand {
        String time = record.blockTimeout();
        if (time == null || !(command instanceof Patient patient)) return command;
        return patient.waiting(BlockSeconds.parse(time)
                .orElseThrow(() -> new UnreadableCommand(BlockSeconds.problem(Headers.BLOCK_TIMEOUT, time))));
    }

    /** The command would fail again at every replay: it is rejected, and the partition goes on. */
    private void rejectBroken(PartitionRecord record, RuntimeException failure) {
        boolean isTooLong = failure instanceof StepTooLong;
        Rejection rejection = Rejection.of(
                        ErrorCode.INTERNAL_ERROR,
                        isTooLong
                                ? "The command was cut off, and nothing was changed: %s Send less at once."
                                        .formatted(failure.getMessage())
                                : "The command failed because of a defect in Floodgate; nothing was changed.")
                .with("cause", isTooLong ? "step_too_long" : "defect")
                .with("log", out.log().toString())
                .with("offset", record.offset());
        out.reject(rejection);
        failures.announce(String.valueOf(record.op()), failure);
        PartitionId from = sender(record);
        // Taken, whatever became of it: its sender will not send it again.
        if (from == null || !arrivals.take(record, from)) return;
        // To read it again could take as long.
        if (isTooLong) tellUndeliverable(record, from, rejection);
        else endBroken(record, from, rejection, failure);
    }

    /** A message ends in an outcome, always: a rejection to the entity that sent it, or an operator who decides about it. */
    private void endBroken(PartitionRecord record, PartitionId from, Rejection rejection, RuntimeException failure) {
        Command command;
        Identity sender;
        try {
            sender = sentBy(record);
            command = CommandCodec.decode(record.op(), record.value());
        } catch (UnreadableCommand | RuntimeException unreadable) {
            tellUndeliverable(record, from, rejection);
            return;
        }
        if (command instanceof Prepare prepare) {
            Rejection again = Rejection.of(ErrorCode.BACKEND_UNAVAILABLE, "A part of the batch could not be prepared.");
            out.tell(from, "batch:" + prepare.batch(), new Prepared(prepare.batch(), out.log(), List.of(), again));
        } else if (command instanceof Place place && release(place, from)) {
            return;
        } else if (command instanceof Message) {
            Subject subject = new Subject(
                    Quarantine.MESSAGE, "%s number %d from %s".formatted(record.op(), record.sequence(), from));
            boolean isSmall = record.value().length <= StoredMessage.MOST_BYTES;
            byte[] message = isSmall
                    ? StoredMessage.STORED.write(new StoredMessage(
                            String.valueOf(record.op()), record.value(), answerable(record.replyTo()), sender))
                    : new byte[0];
            if (failures.hasRoomFor(message)) failures.keep(subject, failure, isSmall ? message : null);
            else tellUndeliverable(record, from, rejection);
        }
    }

    /** The job was not taken, so its id is free again. */
    private boolean release(Place place, PartitionId from) {
        try {
            var id = EnvelopeReader.read(place.job()).id();
            if (id == null) return false;
            out.tell(from, id.toString(), new Release(id, null));
            return true;
        } catch (UnreadableJob | RuntimeException unreadable) {
            return false;
        }
    }

    private void tellUndeliverable(PartitionRecord record, PartitionId from, Rejection rejection) {
        boolean answersAnswer = "undeliverable".equals(record.op());
        if (answersAnswer) return;
        String op = Limits.cut(String.valueOf(record.op()), Limits.OP_BYTES);
        out.tell(from, from.toString(), new Undeliverable(out.log(), record.sequence(), op, rejection.shortened()));
    }
}
