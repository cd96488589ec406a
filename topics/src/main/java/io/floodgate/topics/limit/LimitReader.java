package io.floodgate.topics.limit;

import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.Excerpt;
import io.floodgate.topics.json.WireName;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads limits in any spelling that clients use: the specification's; a number of starts with a period beside it; and a
 * number of starts per second. Null counts as absent.
 */
public final class LimitReader {
    /** Names of the members of an allowance, in any spelling. */
    private static final Set<String> ALLOWANCE =
            Set.of("concurrency", "rate", "throttle", "limit", "period", "max_per_second", "type");

    /** Names of the other members of a job's limit. */
    private static final Set<String> OF_A_JOB = Set.of("key", "on_limit");

    private static final Set<String> PACE = Set.of("limit", "period");

    private final JsonNode json;
    private final String path;

    /** Starts at least: of zero, nothing starts. */
    private final long leastStarts;

    private boolean stops;

    private LimitReader(JsonNode json, String path, long leastStarts) throws UnreadableLimit {
        this.json = json;
        this.path = path;
        this.leastStarts = leastStarts;
        if (!json.isObject()) throw new UnreadableLimit(path, "The '%s' field must be an object.".formatted(path));
    }

    /**
     * A job's rate limit.
     *
     * @param path the name of the field, for the messages
     * @param queue whose jobs share the limit if it names no key
     */
    public static RateLimit rateLimit(JsonNode json, String path, String queue) throws UnreadableLimit {
        LimitReader reader = new LimitReader(json, path, 1);
        reader.onlyHas(json, path, OF_A_JOB);
        return new RateLimit(reader.key(queue), reader.allowance(), reader.onLimit());
    }

    /**
     * Reads an allowance among other fields.
     *
     * @param path the name of the field that it stands in, for the messages; empty for none
     * @param others fields that another reader handles
     */
    public static Allowance allowance(JsonNode json, String path, Set<String> others) throws UnreadableLimit {
        LimitReader reader = new LimitReader(json, path, 1);
        reader.onlyHas(json, path, others);
        return reader.allowance();
    }

    /** Reads the override of an operator: a limit of zero starts stops everything, as a concurrency of zero does. */
    public static Allowance override(JsonNode json, Set<String> others) throws UnreadableLimit {
        LimitReader reader = new LimitReader(json, "", 0);
        reader.onlyHas(json, "", others);
        Allowance allowance = reader.allowance();
        return reader.stops ? new Allowance(0L, allowance.rate(), allowance.throttle()) : allowance;
    }

    private void onlyHas(JsonNode object, String at, Set<String> others) throws UnreadableLimit {
        for (String name : object.propertyNames())
            if (!ALLOWANCE.contains(name) && !others.contains(name))
                throw new UnreadableLimit(
                        at, "There is no field '%s' in a rate limit.".formatted(Excerpt.of(inside(at, name))));
    }

    private Allowance allowance() throws UnreadableLimit {
        String type = type();
        Long concurrency = whole(json, path, "concurrency", 0, Allowance.MOST_CONCURRENCY);
        Pace throttle = has("throttle") ? pace(field("throttle"), inside(path, "throttle")) : null;
        Pace rate = has("rate") && field("rate").isObject() ? pace(field("rate"), inside(path, "rate")) : null;
        if (type.equals("concurrency") && concurrency == null && !has("period"))
            return new Allowance(whole(json, path, "limit", 0, Allowance.MOST_CONCURRENCY), rate, throttle);
        Pace flat = flat();
        if (flat == null) return new Allowance(concurrency, rate, throttle);
        boolean spaced = type.equals("throttle");
        if (spaced ? throttle != null : rate != null)
            throw new UnreadableLimit(path, "The %s is given twice.".formatted(spaced ? "throttle" : "rate"));
        return new Allowance(concurrency, spaced ? rate : flat, spaced ? flat : throttle);
    }

    /** A number of starts that is no object. */
    private @Nullable Pace flat() throws UnreadableLimit {
        Long perSecond = whole(json, path, "max_per_second", leastStarts, Pace.MOST_STARTS);
        if (isStop(perSecond)) return null;
        if (perSecond != null) return new Pace(perSecond, Duration.ofSeconds(1));
        String name = has("rate") && !field("rate").isObject() ? "rate" : "limit";
        Long starts = whole(json, path, name, leastStarts, Pace.MOST_STARTS);
        if (isStop(starts) || (starts == null && !has("period"))) return null;
        if (starts == null) throw required(inside(path, "limit"));
        return new Pace(starts, period(json, path));
    }

    private boolean isStop(@Nullable Long starts) {
        stops |= starts != null && starts == 0;
        return starts != null && starts == 0;
    }

    private @Nullable Pace pace(JsonNode pace, String at) throws UnreadableLimit {
        if (!pace.isObject()) throw new UnreadableLimit(at, "The '%s' field must be an object.".formatted(at));
        for (String name : pace.propertyNames())
            if (!PACE.contains(name))
                throw new UnreadableLimit(at, "There is no field '%s'.".formatted(Excerpt.of(inside(at, name))));
        Long starts = whole(pace, at, "limit", leastStarts, Pace.MOST_STARTS);
        if (isStop(starts)) return null;
        if (starts == null) throw required(inside(at, "limit"));
        return new Pace(starts, period(pace, at));
    }

    private static Duration period(JsonNode object, String at) throws UnreadableLimit {
        String field = inside(at, "period");
        JsonNode period = object.get("period");
        if (period == null || period.isNull()) throw required(field);
        Optional<Duration> length = period.isString() ? Durations.parse(period.stringValue()) : Optional.empty();
        return length.map(LimitReader::inWholeMillis)
                .filter(l -> l.compareTo(Pace.SHORTEST) >= 0 && l.compareTo(Pace.LONGEST) <= 0)
                .orElseThrow(() -> new UnreadableLimit(
                        field,
                        "The '%s' field must be an ISO 8601 duration from PT0.001S to P366D, such as PT1M."
                                .formatted(field)));
    }

    /** Returns the length as it is shown and sent on; a longer period lets less through. */
    private static Duration inWholeMillis(Duration length) {
        Duration millis = Duration.ofMillis(length.toMillis());
        return millis.equals(length) ? length : millis.plusMillis(1);
    }

    private static @Nullable Long whole(JsonNode object, String at, String name, long least, long most)
            throws UnreadableLimit {
        JsonNode value = object.get(name);
        if (value == null || value.isNull()) return null;
        String field = inside(at, name);
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.longValue() < least
                || value.longValue() > most)
            throw new UnreadableLimit(
                    field, "The '%s' field must be an integer from %d to %d.".formatted(field, least, most));
        return value.longValue();
    }

    private String key(String queue) throws UnreadableLimit {
        if (!has("key")) return RateLimit.keyOfQueue(queue);
        String key = field("key").isString() ? field("key").stringValue() : "";
        if (!RateLimit.isKey(key))
            throw new UnreadableLimit(
                    inside(path, "key"),
                    "The '%s' field must be letters, digits and . _ : -, at most %d, beginning with a letter or digit."
                            .formatted(inside(path, "key"), RateLimit.KEY_CHARS));
        return key;
    }

    private OnLimit onLimit() throws UnreadableLimit {
        if (!has("on_limit")) return OnLimit.WAIT;
        String text = field("on_limit").isString() ? field("on_limit").stringValue() : "";
        return WireName.parse(OnLimit.class, text)
                .orElseThrow(() -> new UnreadableLimit(
                        inside(path, "on_limit"),
                        "The '%s' field must be one of wait, reschedule and drop."
                                .formatted(inside(path, "on_limit"))));
    }

    /** A hint that some clients give; only where it decides what a bare limit is does it matter. */
    private String type() {
        return has("type") && field("type").isString() ? field("type").stringValue() : "";
    }

    private boolean has(String name) {
        JsonNode value = json.get(name);
        return value != null && !value.isNull();
    }

    private JsonNode field(String name) {
        return json.path(name);
    }

    private static String inside(String at, String name) {
        return at.isEmpty() ? name : at + "." + name;
    }

    private static UnreadableLimit required(String field) {
        return new UnreadableLimit(field, "The '%s' field is required.".formatted(field));
    }
}
