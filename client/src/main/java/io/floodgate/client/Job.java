package io.floodgate.client;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A job to be enqueued. It is never changed: each method gives another one.
 *
 * <pre>{@code
 * Job.of("email.send", "ada@example.com").queue("email").priority(5).meta("trace_id", trace)
 * }</pre>
 */
public final class Job {
    private final Map<String, Object> fields;

    private Job(Map<String, Object> fields) {
        this.fields = fields;
    }

    /** @param args whatever Jackson writes as JSON */
    public static Job of(String type, Object... args) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("type", type);
        fields.put("args", Arrays.asList(args.clone()));
        return new Job(fields);
    }

    /** A job as JSON, in any spelling of OJS. */
    public static Job parse(String json) {
        try {
            Members members = Members.submitted(json.getBytes(StandardCharsets.UTF_8));
            Map<String, Object> fields = new LinkedHashMap<>();
            for (String name : members.names()) if (members.has(name)) fields.put(name, members.value(name));
            return new Job(fields);
        } catch (MalformedJson | JacksonException malformed) {
            throw unreadable(malformed);
        }
    }

    /** {@code default} if nothing is said. */
    public Job queue(String name) {
        return with("queue", name);
    }

    /** Sets the priority, from -100 to 100, higher ones first. */
    public Job priority(int value) {
        return with("priority", value);
    }

    /** An id of your own, a lower-case UUIDv7: however often it is sent, the job is stored once. */
    public Job id(String id) {
        return with("id", id);
    }

    /** Sets the time before which the job does not start. */
    public Job at(Instant time) {
        return with("scheduled_at", time.toString());
    }

    /** Sets how long after the server has stored it the job does not start. */
    public Job delay(Duration delay) {
        return with("scheduled_at", "+" + delay);
    }

    /** Sets the time from which the job does not start any more. */
    public Job expiresAt(Instant time) {
        return with("expires_at", time.toString());
    }

    /** Sets the tenant of the job, where queues have bounds by tenant. */
    public Job tenant(String id) {
        return meta("tenant_id", id);
    }

    /** Jobs of a queue with the same key start one after the other, in the order in which they were enqueued. */
    public Job orderKey(String key) {
        return with("order_key", key);
    }

    public Job meta(String name, Object value) {
        Map<String, Object> meta = new LinkedHashMap<>();
        if (fields.get("meta") != null) asMap(fields.get("meta")).forEach((key, old) -> meta.put(key.toString(), old));
        meta.put(name, value);
        return with("meta", meta);
    }

    private static Map<?, ?> asMap(Object meta) {
        return meta instanceof Map<?, ?> map ? map : Json.MAPPER.convertValue(meta, Map.class);
    }

    /** Sets any other field of a job, such as {@code retry} or {@code tags}. */
    public Job with(String field, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(fields);
        more.put(field, value);
        return new Job(more);
    }

    /** Returns the job as it is now, to look at. */
    public JsonNode json() {
        return Json.tree(toJson());
    }

    byte[] toJson() {
        try {
            return Json.MAPPER.writeValueAsBytes(fields);
        } catch (JacksonException unwritable) {
            throw unreadable(unwritable);
        }
    }

    private static JobRejected unreadable(Exception why) {
        return JobRejected.locally(
                Rejection.of(ErrorCode.INVALID_PAYLOAD, "The job is no JSON: " + why.getMessage()), null);
    }

    @Override
    public String toString() {
        return new String(toJson(), StandardCharsets.UTF_8);
    }
}
