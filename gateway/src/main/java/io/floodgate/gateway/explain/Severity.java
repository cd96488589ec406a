package io.floodgate.gateway.explain;

import io.floodgate.topics.json.WireName;

/** How urgent a finding is, the least urgent first. */
public enum Severity implements WireName {
    /** There is no such thing, so nothing can be said about it. */
    UNKNOWN,
    OK,
    INFO,
    /** It will become a problem, or costs something. */
    WARNING,
    /** An operator has to act. */
    PROBLEM
}
