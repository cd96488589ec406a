package io.floodgate.processor.partition;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.JsonOut;
import org.jspecify.annotations.Nullable;

/** Rejections that no caller waits for: they become events, as a producer of plain records gets no answer. */
final class UnansweredRejections {
    private static final int MESSAGE_CHARS = 1_000;

    private final Effects out;
    private @Nullable Forward source;

    UnansweredRejections(Effects out) {
        this.out = out;
    }

    /** The record at hand was forwarded from there: that is where its producer knows it; null if it was not forwarded. */
    void comesFrom(@Nullable Forward forwarded) {
        source = forwarded;
    }

    void announce(PartitionRecord record, Rejection rejection) {
        Forward from = source;
        if (from != null) {
            emit(data(from), rejection);
            return;
        }
        String op = record.op() == null ? "enqueue" : Limits.cut(record.op(), Limits.OP_BYTES);
        emit(data().field("offset", record.offset()).field("op", op), rejection);
    }

    /**
     * Announces the rejection of a command that has waited in vain: its record is far behind, so the event names its
     * job.
     */
    @SuppressWarnings("ReferenceEquality") // who has waited is rejected in the steps of others, too
    void announce(Patient command, Rejection rejection) {
        Forward from = source;
        boolean isForwarded = from != null && command instanceof Enqueue enqueue && enqueue.job() == from.job();
        JsonOut data = from != null && isForwarded
                ? data(from)
                : data().field("offset", out.moment().offset()).field("op", "enqueue-waiting");
        if (command instanceof Enqueue enqueue) describe(enqueue, data);
        emit(data, rejection);
    }

    private static void describe(Enqueue enqueue, JsonOut data) {
        try {
            Envelope job = EnvelopeReader.read(enqueue.job());
            JobId id = job.id();
            data.field("queue", job.queue()).field("job_type", job.type());
            if (id != null) data.field("job_id", id.toString());
        } catch (UnreadableJob impossible) {
            // It could be read when it began to wait.
        }
    }

    private static JsonOut data(Forward from) {
        return JsonOut.object()
                .field("log", from.ingress().toString())
                .field("offset", from.offset())
                .field("op", "enqueue");
    }

    private JsonOut data() {
        return JsonOut.object().field("log", out.log().toString());
    }

    private void emit(JsonOut data, Rejection rejection) {
        String log = out.log().toString();
        out.emit(
                "floodgate.record_rejected",
                log,
                log,
                data.field("code", rejection.code().wire())
                        .field("message", Limits.cut(rejection.message(), MESSAGE_CHARS))
                        .endObject());
    }
}
