package io.floodgate.topics.workflow;

import java.util.Locale;
import java.util.Optional;

/** Ways in which the steps of a workflow, or of a workflow inside of one, depend on each other (OJS workflows §1.1). */
public enum Shape {
    /** One after the other. */
    CHAIN,
    /** All steps at once. */
    GROUP,
    /** All steps at once, and then callbacks by how they ended. */
    BATCH,
    /** An order that each step gives. */
    DAG;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether the steps are named {@code jobs}: no order is meant. */
    public boolean isUnordered() {
        return this == GROUP || this == BATCH;
    }

    public static Optional<Shape> parse(String text) {
        for (Shape shape : values()) if (shape.wire().equals(text)) return Optional.of(shape);
        return Optional.empty();
    }
}
