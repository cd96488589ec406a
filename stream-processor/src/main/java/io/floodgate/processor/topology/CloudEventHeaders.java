package io.floodgate.processor.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.processor.kernel.Event;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The context of an event as headers of its record (CloudEvents, Kafka protocol binding, binary mode; OJS CloudEvents interop §5), by which
 * consumers can choose and pass on events without reading them. The value is the whole OJS event.
 */
final class CloudEventHeaders {
    private static final byte[] VERSION = "1.0".getBytes(UTF_8);
    private static final byte[] JSON = "application/json".getBytes(UTF_8);
    private static final String STANDARD = "org.openjobspec.";
    private static final String OWN = "org.openjobspec.x.";

    /** By type of OJS: there are some dozens. */
    private static final Map<String, byte[]> TYPES = new ConcurrentHashMap<>();

    private CloudEventHeaders() {}

    static Headers of(Event event) {
        return new RecordHeaders(new RecordHeader[] {
            new RecordHeader("ce_specversion", VERSION),
            new RecordHeader("ce_id", event.id().getBytes(UTF_8)),
            new RecordHeader("ce_type", TYPES.computeIfAbsent(event.type(), CloudEventHeaders::type)),
            new RecordHeader("ce_source", event.source().getBytes(UTF_8)),
            new RecordHeader("ce_subject", event.subject().getBytes(UTF_8)),
            new RecordHeader("ce_time", event.time().getBytes(UTF_8)),
            new RecordHeader("content-type", JSON),
        });
    }

    private static byte[] type(String type) {
        return ((type.startsWith("floodgate.") ? OWN : STANDARD) + type).getBytes(UTF_8);
    }
}
