package io.floodgate.topics.queue;

import io.floodgate.topics.json.WireName;

/** What a bound of a tenant over all queues counts. */
public enum TenantResource implements WireName {
    /** Unfinished jobs. */
    JOBS("max_jobs"),
    /** Jobs that run (OJS multi-tenancy §8.1). */
    RUNNING("max_concurrency");

    private final String limit;

    TenantResource(String limit) {
        this.limit = limit;
    }

    /** Returns the name of the bound, as requests, errors and events have it. */
    public String limit() {
        return limit;
    }
}
