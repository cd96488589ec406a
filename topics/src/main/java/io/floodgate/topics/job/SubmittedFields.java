package io.floodgate.topics.job;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.json.NearestName;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The fields of a submitted job, each among its {@code options} or at the top. */
final class SubmittedFields {
    private static final Duration LONGEST_TIMEOUT = Durations.LONGEST;

    /** Names of options that are compared with those that there are, which takes 50 µs for each. */
    private static final int MOST_LOOKED_AT = 100;

    private final Members job;
    private final @Nullable Members options;

    SubmittedFields(Members job) throws UnreadableJob, MalformedJson {
        this.job = job;
        this.options = object("options");
        if (options == null) return;
        int unknown = 0;
        for (String name : options.names())
            if (!EnvelopeFields.OPTIONS.contains(name) && unknown++ < MOST_LOOKED_AT) rejectMisspelled(name);
    }

    /** Extensions may bring options that are not known here; a misspelled one would be ignored silently. */
    private static void rejectMisspelled(String name) throws UnreadableJob {
        Optional<String> nearest = NearestName.of(name, EnvelopeFields.OPTIONS);
        if (nearest.isPresent()) throw UnreadableJob.unknown("options." + name, nearest.get());
    }

    @Nullable
    Members options() {
        return options;
    }

    @Nullable
    When when(String name) throws UnreadableJob {
        JsonNode node = find(name);
        if (node == null) return null;
        Optional<When> time = node.isString() ? When.parse(node.stringValue()) : Optional.empty();
        return time.orElseThrow(() -> UnreadableJob.field(
                name, "The '%s' field must be an RFC 3339 time or a duration such as +PT5S.".formatted(name)));
    }

    /** A length given in milliseconds under one name, in seconds or ISO 8601 under the other. */
    @Nullable
    Duration length(String millisName, String otherName) throws UnreadableJob {
        JsonNode millis = find(millisName);
        if (millis != null) {
            if (!millis.isIntegralNumber() || !millis.canConvertToLong())
                throw UnreadableJob.field(millisName, "The '%s' field must be an integer.".formatted(millisName));
            return positive(millisName, millis.longValue());
        }
        JsonNode other = find(otherName);
        return other == null
                ? null
                : positive(otherName, duration(otherName, other).toMillis());
    }

    private static Duration positive(String name, long millis) throws UnreadableJob {
        if (millis <= 0 || millis > LONGEST_TIMEOUT.toMillis())
            throw UnreadableJob.field(name, "The '%s' field must be more than zero.".formatted(name));
        return Duration.ofMillis(millis);
    }

    /** Seconds, or any spelling of a duration. */
    static Duration duration(String name, JsonNode node) throws UnreadableJob {
        double seconds = node.isNumber() ? node.doubleValue(-1) : -1;
        if (seconds >= 0 && seconds <= LONGEST_TIMEOUT.toSeconds())
            return Duration.ofMillis(Math.round(seconds * 1000));
        Optional<Duration> parsed = node.isString() ? Durations.parse(node.stringValue()) : Optional.empty();
        return parsed.orElseThrow(() -> UnreadableJob.field(
                name, "The '%s' field must be seconds or an ISO 8601 duration such as PT30S.".formatted(name)));
    }

    boolean flag(String name) throws UnreadableJob {
        JsonNode node = find(name);
        if (node == null) return false;
        if (!node.isBoolean()) throw UnreadableJob.field(name, "The '%s' field must be true or false.".formatted(name));
        return node.booleanValue();
    }

    /** Writes the time in seconds; 0 keeps no result, and -1 keeps it as long as the job is kept (OJS results §7.1). */
    void resultTtl(JsonOut out) throws UnreadableJob {
        if (find("result_size_limit") != null)
            throw new UnreadableJob(Rejection.of(
                            ErrorCode.UNSUPPORTED,
                            "The 'result_size_limit' field is not supported: leave it out. A result may have %d bytes."
                                    .formatted(Ack.MAX_RESULT_BYTES))
                    .with("field", "result_size_limit"));
        JsonNode node = find("result_ttl");
        if (node == null) return;
        if (!node.isIntegralNumber() || !node.canConvertToInt() || node.intValue() < -1)
            throw UnreadableJob.field(
                    "result_ttl",
                    "The 'result_ttl' field must be an integer of seconds, 0 to keep no result, or -1 to keep it as long as the job.");
        out.field("result_ttl", node.intValue());
    }

    /** Checked for its JSON type only, and shown as sent. */
    void verbatim(String name, JsonOut out) throws UnreadableJob, MalformedJson {
        Members holder = holder(name);
        if (holder == null) return;
        boolean fits = switch (name) {
            case "tags" -> holder.isArray(name) && holder.texts(name) != null;
            case "schema" -> holder.isString(name);
            default -> holder.isObject(name);
        };
        if (!fits)
            throw UnreadableJob.field(
                    name,
                    switch (name) {
                        case "tags" -> "The 'tags' field must be a list of strings.";
                        case "schema" -> "The 'schema' field must be a string.";
                        default -> "The '%s' field must be an object.".formatted(name);
                    });
        holder.copy(name, out);
    }

    /** Returns the members that have the field: the options, else those at the top. Null in either counts as absent. */
    @Nullable
    Members holder(String name) {
        if (options != null && options.has(name)) return options;
        return job.has(name) ? job : null;
    }

    @Nullable
    JsonNode find(String name) {
        Members holder = holder(name);
        return holder == null ? null : holder.value(name);
    }

    /** Returns the value as it was sent, without line feeds. */
    byte @Nullable [] raw(String name) {
        Members holder = holder(name);
        return holder == null ? null : holder.raw(name);
    }

    @Nullable
    Members object(String name) throws UnreadableJob, MalformedJson {
        if (job.has(name) && !job.isObject(name))
            throw UnreadableJob.field(name, "The '%s' field must be an object.".formatted(name));
        return job.object(name);
    }
}
