package io.floodgate.topics.workflow;

import java.util.Locale;
import java.util.Optional;

/** How the steps of a workflow, or of a workflow inside of one, depend on each other (OJS workflows §1.1). */
public enum Shape {
    /** One after the other. */
    CHAIN,
    /** All at once. */
    GROUP,
    /** All at once, and then what is to follow from how they ended. */
    BATCH,
    /** As each step says. */
    DAG;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the steps are named {@code jobs}: no order is meant. */
    public boolean isUnordered() {
        return this == GROUP || this == BATCH;
    }

    public static Optional<Shape> parse(String text) {
        for (Shape shape : values()) if (shape.wire().equals(text)) return Optional.of(shape);
        return Optional.empty();
    }
}
