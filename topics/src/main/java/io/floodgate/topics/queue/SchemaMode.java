package io.floodgate.topics.queue;

import io.floodgate.topics.json.WireName;
import java.util.Optional;

/**
 * What becomes of a job of a queue whose arguments do not match their schema (OJS schema registry §7). Where nothing is
 * decided, a job that names its schema is rejected, and of any other one its producer is warned.
 */
public enum SchemaMode implements WireName {
    /** Arguments are not checked. */
    OFF,
    /** The job is accepted; its producer is warned. */
    WARN,
    /** It is rejected. */
    REJECT;

    public static final String NAME = "schema_validation";

    /** Also by the name that the specification has for {@link #REJECT}. */
    public static Optional<SchemaMode> parse(String text) {
        return text.equals("strict") ? Optional.of(REJECT) : WireName.parse(SchemaMode.class, text);
    }
}
