package io.floodgate.gateway.http;

import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.json.NearestName;
import io.floodgate.topics.retry.RetryOptions;
import io.floodgate.topics.retry.UnreadableRetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The members of a request's JSON object, each asked for by type: what is not as it must be is rejected by name. Results and
 * errors are carried on as the bytes they came in. An explicit null counts as absent.
 */
public final class RequestFields {
    static final RequestFields NONE = new RequestFields(null, "");

    private static final Duration LONGEST = Durations.LONGEST;

    private final @Nullable Members members;
    /** Path before the name of a field, for a caller to find it. */
    private final String path;

    private RequestFields(@Nullable Members members, String path) {
        this.members = members;
        this.path = path;
    }

    /** The members of a body that has to be a JSON object. */
    public static RequestFields of(byte[] body) throws RejectedException {
        return of(body, "");
    }

    /** @param path what stands before the names of its fields */
    public static RequestFields of(byte[] body, String path) throws RejectedException {
        try {
            return new RequestFields(Members.submitted(body), path);
        } catch (MalformedJson malformed) {
            throw invalid(malformed);
        }
    }

    public static RejectedException invalid(MalformedJson malformed) {
        Rejection rejection = Rejection.of(ErrorCode.INVALID_PAYLOAD, malformed.getMessage());
        String field = malformed.field();
        return new RejectedException(field == null ? rejection : rejection.with("field", field));
    }

    /** A field that is there but not as it must be. */
    public static RejectedException wrong(String field, String message) {
        return new RejectedException(
                Rejection.of(ErrorCode.INVALID_REQUEST, message).with("field", field));
    }

    /**
     * Returns a rejection as {@link #wrong(String, String)} does, for a message that names the path of the field, which
     * may be inside others.
     */
    public RejectedException fault(String name, String message) {
        return wrong(path(name), message.formatted(path(name)));
    }

    /** Returns the name with those of the objects around it; that of this object for an empty name. */
    public String path(String name) {
        return name.isEmpty() && !path.isEmpty() ? path.substring(0, path.length() - 1) : path + name;
    }

    /** Returns the names of all fields, as they were sent. */
    public Set<String> names() {
        return members == null ? Set.of() : members.names();
    }

    /** Rejects a field that has none of these names: it would be ignored silently. */
    public RequestFields only(Collection<String> known) throws RejectedException {
        for (String name : names()) if (!known.contains(name)) throw unknown(name, known);
        return this;
    }

    /**
     * Rejects a field that is one of these names misspelled. Any other one is ignored: workers of other systems and of later
     * versions send fields of their own, and a report that is rejected runs its job again.
     */
    public RequestFields spelled(Collection<String> known) throws RejectedException {
        for (String name : names()) if (NearestName.misspelled(name, known).isPresent()) throw unknown(name, known);
        return this;
    }

    /** Returns the rejection of a field that does not exist, with the nearest name that does. */
    public RejectedException unknown(String name, Collection<String> known) {
        return unknown("field", path(name), name, known);
    }

    /** Returns the rejection of a query parameter that does not exist. */
    static RejectedException noParameter(String name, Collection<String> known) {
        return unknown("parameter", name, name, known);
    }

    private static RejectedException unknown(String what, String path, String name, Collection<String> known) {
        String field = Limits.echo(path);
        Optional<String> nearest = NearestName.of(name, known);
        List<String> sorted = known.stream().sorted().toList();
        Rejection rejection = Rejection.of(
                        ErrorCode.INVALID_REQUEST,
                        "There is no %s '%s'.%s The %ss are: %s."
                                .formatted(
                                        what,
                                        field,
                                        nearest.map(" Did you mean '%s'?"::formatted)
                                                .orElse(""),
                                        what,
                                        String.join(", ", sorted)))
                .with("field", field)
                .with("reason", "unknown_" + what)
                .withJson("known", Json.MAPPER.writeValueAsString(sorted));
        return new RejectedException(
                nearest.map(each -> rejection.with("nearest", each)).orElse(rejection));
    }

    /** The fields of an object inside. */
    public RequestFields object(String name) throws RejectedException {
        try {
            Members inside = members == null ? null : members.object(name);
            if (inside == null) throw fault(name, "The '%s' field must be an object.");
            return new RequestFields(inside, path(name) + ".");
        } catch (MalformedJson malformed) {
            throw invalid(malformed);
        }
    }

    /** Returns the fields of each object in a list. */
    public List<RequestFields> objects(String name) throws RejectedException {
        if (!isArray(name) || members == null) throw fault(name, "The '%s' field must be a list of objects.");
        List<RequestFields> objects = new ArrayList<>();
        try {
            for (byte[] element : members.elements(name)) {
                String at = "%s[%d]".formatted(path(name), objects.size());
                if (element[0] != '{') throw wrong(at, "The '%s' element must be an object.".formatted(at));
                objects.add(of(element, at + "."));
            }
        } catch (MalformedJson malformed) {
            throw invalid(malformed);
        }
        return objects;
    }

    public boolean has(String name) {
        return members != null && members.has(name);
    }

    /** Returns whether it was sent as null, which is elsewhere the same as absent. */
    public boolean isNull(String name) {
        return members != null && members.size(name) > 0 && !members.has(name);
    }

    public boolean isText(String name) {
        return members != null && members.isString(name);
    }

    public boolean isArray(String name) {
        return members != null && members.isArray(name);
    }

    /** The value as it was sent. */
    public byte @Nullable [] raw(String name) {
        return members == null ? null : members.raw(name);
    }

    /** Appends name and value as they were sent; nothing if there is no such field. */
    public void copy(String name, JsonOut out) {
        if (members != null) members.copy(name, out);
    }

    public @Nullable JsonNode tree(String name) throws RejectedException {
        if (members == null) return null;
        try {
            return members.value(name);
        } catch (JacksonException malformed) {
            throw wrong(
                    path(name),
                    "The field '%s' is not valid JSON: %s".formatted(path(name), malformed.getOriginalMessage()));
        }
    }

    public @Nullable String text(String name) throws RejectedException {
        if (members == null || !members.has(name)) return null;
        String text = members.text(name);
        if (text == null) throw fault(name, "The '%s' field must be a string.");
        return text;
    }

    /** Returns a text as {@link #text} does, with at most {@code longest} characters. */
    public @Nullable String text(String name, int longest) throws RejectedException {
        String text = text(name);
        if (text != null && text.length() > longest)
            throw wrong(path(name), "The '%s' field may have at most %d characters.".formatted(path(name), longest));
        return text;
    }

    /** The text of the first of these fields that is there. */
    public String requiredText(String... names) throws RejectedException {
        for (String name : names) {
            String text = text(name);
            if (text != null && !text.isEmpty()) return text;
        }
        throw fault(names[0], "The '%s' field is required.");
    }

    public Optional<Long> number(String name) throws RejectedException {
        if (members == null || !members.has(name)) return Optional.empty();
        Long number = members.number(name);
        if (number != null) return Optional.of(number);
        JsonNode value = tree(name);
        throw value != null && value.isIntegralNumber()
                ? fault(name, "The '%s' field is out of range.")
                : fault(name, "The '%s' field must be an integer.");
    }

    public boolean flag(String name) throws RejectedException {
        JsonNode value = tree(name);
        if (value == null) return false;
        if (!value.isBoolean()) throw fault(name, "The '%s' field must be true or false.");
        return value.booleanValue();
    }

    public List<String> texts(String name) throws RejectedException {
        if (!has(name)) return List.of();
        List<String> texts = members == null ? null : members.texts(name);
        if (texts == null) throw fault(name, "The '%s' field must be a list of strings.");
        return texts;
    }

    /**
     * Reads a list of names; an empty one if it is not there.
     *
     * @param what one of them is, for the error
     */
    public List<String> names(String field, int most, Predicate<String> isName, String what) throws RejectedException {
        List<String> names = texts(field);
        if (names.size() > most) throw fault(field, "The '%%s' field may have at most %d names.".formatted(most));
        for (String each : names)
            if (!isName.test(each)) throw wrong(path(field), "'%s' cannot be %s.".formatted(Limits.echo(each), what));
        return names;
    }

    /** Reads a length under the first of two names that is there, as {@link #length(String)} does. */
    public @Nullable Duration length(String name, String otherName) throws RejectedException {
        return length(has(name) ? name : otherName);
    }

    /** Reads a length in milliseconds under a name that ends so, else in seconds or ISO 8601; more than zero. */
    public @Nullable Duration length(String name) throws RejectedException {
        if (name.endsWith("_ms")) {
            Long millis = number(name).orElse(null);
            return millis == null ? null : positive(name, millis);
        }
        JsonNode length = tree(name);
        if (length == null) return null;
        if (length.isString()) {
            Optional<Duration> parsed = Durations.parse(length.stringValue());
            if (parsed.isPresent()) return positive(name, parsed.get().toMillis());
        }
        // What no double can hold is no length either.
        if (length.isNumber() && Math.abs(length.doubleValue(Double.MAX_VALUE)) <= LONGEST.toSeconds())
            return positive(name, (long) (length.doubleValue() * 1_000));
        throw fault(name, "The '%s' field must be seconds or an ISO 8601 duration.");
    }

    /** Returns a length that must be there, as ISO 8601 writes it; zero is one. */
    public Duration duration(String name) throws RejectedException {
        return Durations.parse(requiredText(name))
                .orElseThrow(() -> fault(name, "The '%s' field must be an ISO 8601 duration such as P7D."));
    }

    public @Nullable String queue(String name) throws RejectedException {
        String queue = text(name);
        if (queue == null || EnvelopeReader.isQueueName(queue)) return queue;
        throw fault(name, "The '%s' field must be the name of a queue.");
    }

    public RetryOptions retry(String name) throws RejectedException {
        if (!has(name)) return RetryOptions.NONE;
        RequestFields inside = object(name);
        try {
            return inside.members == null ? RetryOptions.NONE : RetryOptions.read(inside.members);
        } catch (UnreadableRetry unreadable) {
            throw new RejectedException(Rejection.of(ErrorCode.INVALID_RETRY_POLICY, unreadable.reason())
                    .with("field", inside.path(unreadable.field())));
        }
    }

    private Duration positive(String name, long millis) throws RejectedException {
        if (millis <= 0 || millis > LONGEST.toMillis())
            throw fault(name, "The '%s' field must be more than zero and at most a century.");
        return Duration.ofMillis(millis);
    }
}
