package io.floodgate.processor.topology.ingress;

import io.floodgate.topics.Headers;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.BlockSeconds;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Ingress;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.QueueCommand.Forward.SchemaFault;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.SignedRequest;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.TraceContext;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Utf8;
import io.floodgate.topics.queue.OrderKey;
import io.floodgate.topics.schema.SchemaCatalog;
import io.floodgate.topics.source.SourceRecord;
import io.floodgate.topics.template.Unmappable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A record in a queue's topic: a job, which need not say in which queue it belongs; or one of a source, which becomes a job. */
final class IngressRecord {
    private static final Logger LOG = LoggerFactory.getLogger(IngressRecord.class);

    private final Ingress ingress;
    private final @Nullable OpenSource source;
    private final ConsumerRecord<byte[], byte[]> record;
    private final SchemaCatalog schemas;
    private byte @Nullable [] job;
    private @Nullable Duration wait;
    private @Nullable Rejection wrong;
    private @Nullable SignedRequest request;
    private @Nullable SchemaFault schemaFault;

    private IngressRecord(
            Ingress ingress,
            @Nullable OpenSource source,
            ConsumerRecord<byte[], byte[]> record,
            SchemaCatalog schemas) {
        this.ingress = ingress;
        this.source = source;
        this.schemas = schemas;
        this.record = record;
    }

    /**
     * @param source null for a queue's own topic
     * @param from where the record before it ends; negative if nothing is known of that
     */
    static Forward read(
            Ingress ingress,
            @Nullable OpenSource source,
            ConsumerRecord<byte[], byte[]> record,
            long from,
            SchemaCatalog schemas) {
        IngressRecord read = new IngressRecord(ingress, source, record, schemas);
        try {
            read.read();
        } catch (RuntimeException defect) {
            // One record must not keep back those behind it.
            LOG.error(
                    "Partition {}, offset {}: the record cannot be read because of a defect in Floodgate; it is rejected.",
                    ingress,
                    record.offset(),
                    defect);
            read.wrong = Rejection.of(
                    ErrorCode.INTERNAL_ERROR, "The record cannot be read because of a defect in Floodgate.");
        }
        boolean begins = from < 0;
        return new Forward(
                ingress,
                begins ? record.offset() : from,
                record.offset(),
                begins,
                Instant.ofEpochMilli(record.timestamp()),
                read.wait,
                read.wrong == null ? read.job : null,
                read.wrong,
                read.wrong == null ? read.request : null,
                read.wrong == null ? read.schemaFault : null);
    }

    private void read() {
        if (source == null) readOfQueue();
        else if (!isTooLarge()) readOfSource(source);
    }

    /** The headers of a record that knows nothing of Floodgate mean nothing here. */
    private void readOfSource(OpenSource from) {
        try {
            readJob(from.template()
                    .job(new SourceRecord(
                            record.topic(),
                            record.partition(),
                            record.offset(),
                            Instant.ofEpochMilli(record.timestamp()),
                            record.key(),
                            record.value(),
                            this::bytes)));
        } catch (Unmappable unmappable) {
            wrong = invalid(String.valueOf(unmappable.getMessage()));
        }
    }

    private boolean isTooLarge() {
        if (record.headers().lastHeader(Headers.TOO_LARGE) == null) return false;
        wrong = Rejection.of(
                ErrorCode.ENVELOPE_TOO_LARGE,
                "The record has more than %d bytes or %d headers."
                        .formatted(Topics.MAX_RECORD_BYTES, Topics.MAX_RECORD_HEADERS));
        return true;
    }

    private void readOfQueue() {
        byte[] value = record.value();
        String time = header(Headers.BLOCK_TIMEOUT);
        Optional<Duration> asked = time == null ? Optional.empty() : BlockSeconds.parse(time);
        if (isTooLarge()) return;
        if (header(Headers.OP) != null)
            wrong = invalid("A queue's topic takes jobs; other commands go to ojs.commands.");
        else if (value == null) wrong = invalid("The record has no value.");
        else if (time != null && asked.isEmpty()) wrong = invalid(BlockSeconds.problem(Headers.BLOCK_TIMEOUT, time));
        else {
            wait = asked.orElse(null);
            readRequest();
            if (wrong == null) readJob(value);
        }
    }

    private void readJob(byte[] value) {
        try {
            Envelope read = EnvelopeReader.read(value);
            byte[] whole = withKey(value);
            if (!read.queue().equals(ingress.queue())) whole = withQueue(whole);
            if (!Arrays.equals(whole, value)) read = EnvelopeReader.read(whole);
            job = whole;
            if (!read.queue().equals(ingress.queue())) wrong = ingress.reject(read.queue());
            else if (request == null) {
                schemaFault = schemas.check(read)
                        .map(misfit -> new SchemaFault(misfit.rejection(), misfit.under(null)))
                        .orElse(null);
                continueTrace(read);
            }
        } catch (UnreadableJob unreadable) {
            wrong = unreadable.rejection();
        }
    }

    /** Instrumented producers put their trace into the headers of the record. */
    private void continueTrace(Envelope read) {
        TraceContext.of(header(TraceContext.TRACEPARENT), header(TraceContext.TRACESTATE), header(TraceContext.BAGGAGE))
                .ifPresent(context -> job = context.putInto(read).toJson());
    }

    /** Reads the headers of a gateway; the partition checks whether it has signed them. */
    private void readRequest() {
        String signature = header(Headers.SIGNATURE);
        if (signature == null) return;
        String replyTo = header(Headers.REPLY_TO);
        try {
            if (replyTo == null) throw new IllegalArgumentException("without a reply address");
            request = new SignedRequest(
                    ReplyTo.parse(replyTo), header(Headers.BY), header(Headers.MADE_ID) != null, signature);
        } catch (IllegalArgumentException noAddress) {
            wrong = invalid("The header '%s' stands only beside a reply address.".formatted(Headers.SIGNATURE));
        }
    }

    /** The key of the record is among the members of its job, so that a queue can order jobs by it. */
    private byte[] withKey(byte[] value) {
        byte[] bytes = record.key();
        if (bytes == null || request != null || MemberWalk.raw(value, OrderKey.RECORD_KEY) != null) return value;
        String key = Utf8.text(bytes);
        if (key == null || !OrderKey.isKey(key)) return value;
        return new JsonOut(value.length + 64)
                .beginObject()
                .members(value)
                .field(OrderKey.RECORD_KEY, key)
                .endObject()
                .toBytes();
    }

    /** A job that names none belongs to the queue of its topic. */
    private byte[] withQueue(byte[] value) {
        if (MemberWalk.text(value, "queue").isPresent()) return value;
        return new JsonOut(value.length + 64)
                .beginObject()
                .field("queue", ingress.queue())
                .members(value)
                .endObject()
                .toBytes();
    }

    private static Rejection invalid(String message) {
        return Rejection.of(ErrorCode.INVALID_REQUEST, message);
    }

    private @Nullable String header(String name) {
        byte[] value = bytes(name);
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }

    private byte @Nullable [] bytes(String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : header.value();
    }
}
