package io.floodgate.topics.workflow;

import io.floodgate.topics.json.WireName;

/** Ways in which the steps of a workflow, or of a workflow inside of one, depend on each other (OJS workflows §1.1). */
public enum Shape implements WireName {
    /** One after the other. */
    CHAIN,
    /** All steps at once. */
    GROUP,
    /** All steps at once, and then callbacks by how they ended. */
    BATCH,
    /** An order that each step gives. */
    DAG;

    /** Returns whether the steps are named {@code jobs}: no order is meant. */
    public boolean isUnordered() {
        return this == GROUP || this == BATCH;
    }
}
