package io.floodgate.processor.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.processor.kernel.Event;
import io.floodgate.topics.sink.OutcomeMark;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The context of an event as headers of its record (CloudEvents, Kafka protocol binding, binary mode; OJS CloudEvents interop §5), by which
 * consumers can choose and pass on events without reading them. The value is the whole OJS event. What events of a partition have in common
 * is made once; used by the thread of the partition alone.
 */
final class CloudEventHeaders {
    private static final Header VERSION = header("ce_specversion", "1.0");
    private static final Header JSON = header("content-type", "application/json");
    private static final String STANDARD = "org.openjobspec.";
    private static final String OWN = "org.openjobspec.x.";

    private final boolean isOn;
    private final Header source;
    /** Headers by type of OJS: there are some dozens. */
    private final Map<String, Header> types = new HashMap<>();

    /**
     * @param isOn whether records of events get any
     * @param source of all events of the partition
     */
    CloudEventHeaders(boolean isOn, String source) {
        this.isOn = isOn;
        this.source = header("ce_source", source);
    }

    Headers of(Event event) {
        Headers headers = context(event);
        byte[] mark = event.mark();
        return mark == null ? headers : headers.add(OutcomeMark.HEADER, mark);
    }

    private Headers context(Event event) {
        if (!isOn) return new RecordHeaders();
        return new RecordHeaders(new Header[] {
            VERSION,
            header("ce_id", event.id()),
            types.computeIfAbsent(event.type(), CloudEventHeaders::type),
            source,
            header("ce_subject", event.subject()),
            header("ce_time", event.time()),
            JSON,
        });
    }

    private static Header header(String name, String value) {
        return new RecordHeader(name, value.getBytes(UTF_8));
    }

    private static Header type(String type) {
        return header("ce_type", (type.startsWith("floodgate.") ? OWN : STANDARD) + type);
    }
}
