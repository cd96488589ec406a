package io.floodgate.topics.json;

import static java.lang.annotation.ElementType.RECORD_COMPONENT;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/** Annotations of record components, for what a component's type does not say about its JSON member. */
public final class Wire {
    private Wire() {}

    /** The member's name. Without it, the name is the component's in snake case, with {@code _id} or {@code _ms} by its type. */
    @Target(RECORD_COMPONENT)
    @Retention(RUNTIME)
    public @interface Name {
        String value();
    }

    /** The members of this record stand among those of the record around it. */
    @Target(RECORD_COMPONENT)
    @Retention(RUNTIME)
    public @interface Inline {}

    /** An empty list, text or map, or a zero, is left out; an absent member is read as such. */
    @Target(RECORD_COMPONENT)
    @Retention(RUNTIME)
    public @interface OrEmpty {}

    /** The most characters, elements, bytes or milliseconds, or the highest number, that a receiver accepts. */
    @Target(RECORD_COMPONENT)
    @Retention(RUNTIME)
    public @interface Most {
        long value();
    }

    /** The lowest number or the fewest elements. Without it, an {@code int} is at least 0. */
    @Target(RECORD_COMPONENT)
    @Retention(RUNTIME)
    public @interface Least {
        long value();
    }

    /** A higher number is read as this one. */
    @Target(RECORD_COMPONENT)
    @Retention(RUNTIME)
    public @interface Capped {
        long value();
    }

    /** The most characters of each text in a list. Without it, a text has at most 255. */
    @Target(RECORD_COMPONENT)
    @Retention(RUNTIME)
    public @interface Chars {
        int value();
    }

    /** The regular expression that each text matches. */
    @Target(RECORD_COMPONENT)
    @Retention(RUNTIME)
    public @interface Matches {
        String value();
    }

    /** The words for false and true. */
    @Target(RECORD_COMPONENT)
    @Retention(RUNTIME)
    public @interface Words {
        String[] value();
    }

    /** JSON of any kind. Without it, bytes are a JSON object. */
    @Target(RECORD_COMPONENT)
    @Retention(RUNTIME)
    public @interface AnyJson {}

    /** A JSON array. */
    @Target(RECORD_COMPONENT)
    @Retention(RUNTIME)
    public @interface JsonArray {}

    /** JSON that is kept for clients: a half of a surrogate pair is rejected. */
    @Target(RECORD_COMPONENT)
    @Retention(RUNTIME)
    public @interface ForClients {}

    /** Bytes that are not JSON, written as Base64. */
    @Target(RECORD_COMPONENT)
    @Retention(RUNTIME)
    public @interface Binary {}

    /** A time as RFC 3339 text. */
    @Target(RECORD_COMPONENT)
    @Retention(RUNTIME)
    public @interface Rfc3339 {}
}
