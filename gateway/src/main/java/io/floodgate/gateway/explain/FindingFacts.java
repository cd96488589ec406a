package io.floodgate.gateway.explain;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values that findings about one thing are made of.
 *
 * @param facts as they were answered
 * @param computed from the facts: these come first
 */
record FindingFacts(Facts facts, Map<String, @Nullable Object> computed, Instant now) implements Values {
    static FindingFacts of(Facts facts, Instant now) {
        return new FindingFacts(facts, Map.of(), now);
    }

    /** Of something of which nothing is known but its name. */
    static FindingFacts named(String name, Instant now) {
        return of(Facts.NONE, now).with("name", name);
    }

    /** These facts with one more value; null hides the fact of that name. */
    FindingFacts with(String name, @Nullable Object value) {
        Map<String, @Nullable Object> more = new HashMap<>(computed);
        more.put(name, value);
        return new FindingFacts(facts, more, now);
    }

    /** The same computed values over other facts. */
    FindingFacts over(Facts others) {
        return new FindingFacts(others, computed, now);
    }

    @Override
    public @Nullable Object value(String name) {
        return computed.containsKey(name) ? computed.get(name) : facts.value(name);
    }
}
