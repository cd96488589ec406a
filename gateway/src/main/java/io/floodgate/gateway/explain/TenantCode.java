package io.floodgate.gateway.explain;

/** What can be found about a tenant, in queues that bound their tenants. */
enum TenantCode implements FindingCode {
    AT_BOUND(
            "problem, warning",
            "The tenant has as many unfinished jobs in a queue as it may have. A problem if jobs of it were rejected in the last 10 min.",
            "See why its jobs do not end. If it floods the queue, keep the bound, or give it a queue of its own."),
    NOISY(
            "warning",
            "At least half of a full queue, and at least 10 jobs, are the tenant's, so that jobs of others do not get in.",
            "Bound the tenant in this queue."),
    REJECTED(
            "warning",
            "Jobs of the tenant were rejected in the last 10 min; there is room for more of them now.",
            "Nothing, if it was a burst; else raise its bound."),
    NEAR_BOUND("info", "The tenant has used at least 80% of its bound in a queue.", "Watch it."),
    QUIET("ok", "Nothing of the above.", "Nothing."),
    UNKNOWN_TENANT(
            "unknown",
            "The tenant has neither jobs nor a bound. The answer has status 404, and the explanation in `error.details`.",
            "Check the id; `GET /ojs/v1/admin/tenants` lists tenants.");

    private final String severities;
    private final String meaning;
    private final String advice;

    TenantCode(String severities, String meaning, String advice) {
        this.severities = severities;
        this.meaning = meaning;
        this.advice = advice;
    }

    @Override
    public String severities() {
        return severities;
    }

    @Override
    public String meaning() {
        return meaning;
    }

    @Override
    public String advice() {
        return advice;
    }
}
