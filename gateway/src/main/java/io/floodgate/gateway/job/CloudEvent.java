package io.floodgate.gateway.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.json.Timestamps;
import java.net.URLDecoder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A CloudEvent that is to become a job (OJS CloudEvents interop §6.1).
 *
 * @param attributes its context attributes as text, by name
 * @param data JSON; null if it has none
 */
record CloudEvent(Map<String, String> attributes, byte @Nullable [] data) {
    static final String TYPE = "type";
    static final List<String> REQUIRED = List.of("specversion", "id", "source", TYPE);

    private static final Pattern NAME = Pattern.compile("[a-z0-9]+");
    private static final String DATA = "data";
    private static final String DATA_TYPE = "datacontenttype";
    private static final String JSON_TYPE = "application/json";

    /** @param event the whole event as JSON (CloudEvents JSON format §3) */
    static CloudEvent structured(byte[] event) throws RejectedException {
        Map<String, String> attributes = new TreeMap<>();
        Members members = members(event);
        if (members.has("data_base64"))
            throw RequestFields.wrong(
                    "data_base64", "The event has binary data, which no job can have: send JSON in 'data'.");
        MemberWalk walk = new MemberWalk(event);
        while (walk.next()) {
            String name = walk.name();
            if (name.equals(DATA) || !members.has(name)) continue;
            if (!walk.isScalar())
                throw RequestFields.wrong(
                        Limits.echo(name),
                        "The attribute '%s' must be a string, a number or a boolean.".formatted(Limits.echo(name)));
            attributes.put(name, walk.text());
        }
        mustBeJson(attributes.remove(DATA_TYPE));
        return new CloudEvent(attributes, members.raw(DATA)).checked();
    }

    /**
     * @param headers those that begin with {@code ce-}, without it
     * @param mediaType of the body
     */
    static CloudEvent binary(Map<String, String> headers, @Nullable String mediaType, byte[] body)
            throws RejectedException {
        if (body.length > 0) mustBeJson(mediaType);
        Map<String, String> attributes = new TreeMap<>();
        for (Map.Entry<String, String> header : headers.entrySet())
            attributes.put(header.getKey(), text(header.getKey(), header.getValue()));
        attributes.remove(DATA_TYPE);
        return new CloudEvent(attributes, body.length == 0 ? null : value(body)).checked();
    }

    private static Members members(byte[] event) throws RejectedException {
        try {
            return Members.submitted(event);
        } catch (MalformedJson malformed) {
            throw RequestFields.invalid(malformed);
        }
    }

    /** The body as one JSON value: it may be anything, but not the end of the array that it is put into. */
    private static byte @Nullable [] value(byte[] body) throws RejectedException {
        try {
            List<byte[]> values = Members.elements(new JsonOut(body.length + 2)
                    .beginArray()
                    .raw(body)
                    .endArray()
                    .toBytes());
            if (values.size() != 1) throw RequestFields.wrong(DATA, "The body must be one JSON value.");
            byte[] value = values.getFirst();
            return new String(value, UTF_8).equals("null") ? null : value;
        } catch (MalformedJson malformed) {
            throw RequestFields.invalid(malformed);
        }
    }

    static void mustBeJson(@Nullable String mediaType) throws RejectedException {
        if (mediaType == null) return;
        String type = mediaType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (type.equals(JSON_TYPE) || type.endsWith("+json")) return;
        throw RequestFields.wrong(
                DATA_TYPE,
                "The data of the event is '%s', and the arguments of a job are JSON: send application/json."
                        .formatted(Limits.echo(mediaType)));
    }

    /** The text of a header (CloudEvents HTTP binding §3.1.3.2). */
    private static String text(String name, String header) throws RejectedException {
        String text = header.strip();
        if (text.length() > 1 && text.startsWith("\"") && text.endsWith("\""))
            text = text.substring(1, text.length() - 1).replaceAll("\\\\(.)", "$1");
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw RequestFields.wrong(
                    name, "The header 'ce-%s' is not percent-encoded: a '%%' is sent as %%25.".formatted(name));
        }
    }

    private CloudEvent checked() throws RejectedException {
        for (String name : REQUIRED)
            if (attributes.getOrDefault(name, "").isEmpty())
                throw RequestFields.wrong(name, "A CloudEvent needs the attribute '%s'.".formatted(name));
        if (!get("specversion").equals("1.0"))
            throw RequestFields.wrong(
                    "specversion",
                    "The specversion of the event is '%s'; this server reads CloudEvents 1.0."
                            .formatted(Limits.echo(get("specversion"))));
        for (String name : attributes.keySet())
            if (!NAME.matcher(name).matches())
                throw RequestFields.wrong(
                        Limits.echo(name),
                        "'%s' cannot be an attribute of a CloudEvent: those have lower-case letters and digits."
                                .formatted(Limits.echo(name)));
        String time = attributes.get("time");
        if (time != null && Timestamps.parse(time).isEmpty())
            throw RequestFields.wrong("time", "The attribute 'time' must be an RFC 3339 time.");
        return this;
    }

    /** Throws if a header says something else than the event in the body, which may be repeated there. */
    CloudEvent sameAs(Map<String, String> headers) throws RejectedException {
        for (Map.Entry<String, String> header : headers.entrySet()) {
            String name = header.getKey();
            if (attributes.containsKey(name) && !get(name).equals(text(name, header.getValue())))
                throw RequestFields.wrong(
                        name,
                        "The header 'ce-%s' and the event in the body differ: send the event in one of both modes."
                                .formatted(name));
        }
        return this;
    }

    String get(String name) {
        return Objects.requireNonNull(attributes.get(name), name);
    }

    /** The job as a producer would have sent it. */
    byte[] job(String id, String type, String queue) {
        JsonOut out = JsonOut.object(512 + (data == null ? 0 : data.length))
                .field("id", id)
                .field(TYPE, type)
                .field("queue", queue);
        out.beginArray("args");
        // Arguments of jobs are an array. One that the event has is taken as it is.
        if (data != null && data[0] == '[') out.raw(data, 1, data.length - 1);
        else if (data != null) out.raw(data);
        out.endArray().beginObject("meta");
        attributes.forEach((name, value) -> {
            switch (name) {
                case "specversion", TYPE -> {}
                case "id" -> out.field("trigger_event_id", value);
                // CloudEvents' extension for tracing: the job goes on with the trace.
                case "traceparent", "tracestate" -> out.field(name, value);
                default -> out.field("trigger_" + name, value);
            }
        });
        return out.endObject().endObject().toBytes();
    }
}
