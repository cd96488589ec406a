package io.floodgate.processor.partition;

import io.floodgate.processor.kernel.Alarm;
import io.floodgate.processor.kernel.Alarms;
import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Mail;
import io.floodgate.processor.kernel.Mail.Arrival;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Message.LastNumber;
import io.floodgate.topics.command.Message.Lost;
import io.floodgate.topics.command.Message.WantNumber;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages of other partitions as they arrive: which are executed, and what is missing. */
record InboundMessages(Mail mail, Losses losses, Alarms alarms, Effects out) {
    private static final Logger LOG = LoggerFactory.getLogger(InboundMessages.class);

    /** Operation that is given up after a while: the directory of the id then knows that the job is not here. */
    private static final String PLACE = "store-claimed";

    private static final Rejection GIVEN_UP = Rejection.of(
            ErrorCode.BACKEND_UNAVAILABLE,
            "The job did not arrive in time and is given up as lost: it was not stored. Try again.");

    /** Part of a step: whether the message is to be executed. */
    boolean take(PartitionRecord record, PartitionId from) {
        if (LastNumber.OP.equals(record.op()) && mail.ends(from, record.sequence())) {
            LOG.error(
                    "Partition {}, offset {}: messages that claimed to come from partition {} were forged; its own are taken again, from number {} on. Check who may write to ojs.commands.",
                    out.log(),
                    record.offset(),
                    from,
                    record.sequence() + 1);
            return false;
        }
        long before = mail.takenFrom(from);
        long digest = Mail.digest(record.op(), record.value(), record.replyTo());
        Arrival arrival = mail.accept(from, record.sequence(), record.acked(), digest);
        if (arrival.isAfterLoss()) lost(from, before + 1, Math.min(record.acked(), record.sequence() - 1));
        if (arrival == Arrival.CONTRADICTION) contradiction(record, from);
        if (arrival == Arrival.CONTRADICTION || arrival == Arrival.LATE)
            out.tell(from, from.toString(), new WantNumber(out.log()));
        if (arrival == Arrival.LATE && PLACE.equals(record.op())) {
            out.reject(GIVEN_UP);
            return false;
        }
        return arrival.isCarriedOut();
    }

    private void lost(PartitionId from, long first, long last) {
        alarms.raise(
                Alarm.MESSAGES_LOST,
                "Messages %d to %d from partition %s never arrived: Kafka has deleted or lost them. What they were part of ends by itself or is looked up; jobs may be missing. Check the retention of ojs.commands."
                        .formatted(first, last, from));
        out.tell(from, from.toString(), new Lost(out.log(), first, last));
        losses.verify(from);
    }

    private void contradiction(PartitionRecord record, PartitionId from) {
        LOG.error(
                "Partition {}, offset {}: a message claims to be number {} from partition {}, but another one was taken under this number. One of both is forged; this one, '{}', is executed as well. Check who may write to ojs.commands.",
                out.log(),
                record.offset(),
                record.sequence(),
                from,
                Limits.printable(String.valueOf(record.op())));
        String log = out.log().toString();
        out.emit(
                "floodgate.message_contradicted",
                log,
                log,
                JsonOut.object()
                        .field("log", log)
                        .field("offset", record.offset())
                        .field("from", from.toString())
                        .field("sequence", record.sequence())
                        .field("op", Limits.cut(String.valueOf(record.op()), Limits.OP_BYTES))
                        .endObject());
    }
}
