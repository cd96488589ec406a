package io.floodgate.gateway.explain;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Timestamps;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Figures by name, in the order in which they are shown: texts, numbers, times, lists of these, or further evidence. */
final class Evidence {
    private static final int MAX_LISTED = 10;

    private final Map<String, Object> values = new LinkedHashMap<>();

    /** A value that is not known is left out: a reader must not take it for 0. */
    Evidence with(String name, @Nullable Object value) {
        if (value != null) values.put(name, value);
        return this;
    }

    /** The first of some; null if there are none. */
    static @Nullable List<Evidence> list(List<Facts> some, Function<Facts, Evidence> shown) {
        return some.isEmpty()
                ? null
                : some.stream().limit(MAX_LISTED).map(shown).toList();
    }

    /** @param names as {@link Values#pick} takes them */
    static @Nullable List<Evidence> list(List<Facts> some, String names) {
        return list(some, one -> one.pick(names));
    }

    Map<String, Object> values() {
        return Collections.unmodifiableMap(values);
    }

    void write(JsonOut out) {
        out.beginObject();
        values.forEach((name, value) -> write(value, out.name(name)));
        out.endObject();
    }

    private static void write(Object value, JsonOut out) {
        switch (value) {
            case Evidence inside -> inside.write(out);
            case List<?> list -> {
                out.beginArray();
                for (Object each : list) write(each, out);
                out.endArray();
            }
            case Double number -> out.value(Math.round(number * 100) / 100.0);
            case Number number -> out.value(number.longValue());
            case Boolean truth -> out.value((boolean) truth);
            case Instant time -> out.value(Timestamps.format(time));
            default -> out.value(value.toString());
        }
    }
}
