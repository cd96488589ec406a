package io.floodgate.gateway.explain;

/** Pages of the documentation that advice leads to, from the root of the project. */
final class Docs {
    static final String FULL = "docs/how-to/runbooks/queue-is-full.md";
    static final String FAIRNESS = "docs/explanation/tenant-fairness.md";

    private Docs() {}
}
