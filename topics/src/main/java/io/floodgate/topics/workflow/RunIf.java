package io.floodgate.topics.workflow;

import io.floodgate.topics.json.WireName;

/** Conditions on which a step runs, once all that it needs has ended. */
public enum RunIf implements WireName {
    ALL_SUCCEEDED,
    ALL_DONE,
    ANY_FAILED
}
