package io.floodgate.gateway.explain;

/** Pages of the documentation that advice leads to, from the root of the project. */
final class Docs {
    static final String ALARMS = "docs/how-to/runbooks/alarms.md";
    static final String API = "docs/reference/http-api.md";
    static final String DEAD_LETTERS = "docs/how-to/runbooks/dead-letters.md";
    static final String FAIRNESS = "docs/explanation/tenant-fairness.md";
    static final String FULL = "docs/how-to/runbooks/queue-is-full.md";
    static final String GROWS = "docs/how-to/runbooks/queue-grows.md";
    static final String MONITOR = "docs/how-to/monitor.md";
    static final String NOT_RUN = "docs/how-to/runbooks/job-does-not-run.md";
    static final String ORDER = "docs/explanation/order.md";
    static final String QUARANTINE = "docs/how-to/runbooks/quarantined-records.md";
    static final String REJECTED = "docs/how-to/runbooks/callers-get-503.md";
    static final String SIZE = "docs/how-to/size-a-cluster.md";
    static final String SOURCES = "docs/how-to/runbooks/source-does-not-come-in.md";
    static final String SOURCE_RIGHTS = "docs/how-to/turn-a-topic-into-jobs.md";
    static final String TENANT_BOUNDS = "docs/explanation/tenant-bounds.md";
    static final String UNAVAILABLE = "docs/how-to/runbooks/partition-unavailable.md";
    static final String UPGRADE = "docs/how-to/upgrade.md";
    static final String VERSIONS = "docs/how-to/deploy-new-arguments.md";
    static final String SINKS = "docs/how-to/send-outcomes-to-a-topic.md";
    static final String WEBHOOKS = "docs/how-to/runbooks/webhook-does-not-deliver.md";
    static final String WORKER_LOST = "docs/how-to/runbooks/worker-lost.md";

    private Docs() {}
}
