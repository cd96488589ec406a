package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Row.is;
import static io.floodgate.gateway.explain.Severity.INFO;
import static io.floodgate.gateway.explain.Severity.OK;
import static io.floodgate.gateway.explain.Severity.PROBLEM;
import static io.floodgate.gateway.explain.Severity.UNKNOWN;
import static io.floodgate.gateway.explain.Severity.WARNING;

/** What can be found about a tenant, in queues that bound their tenants. */
enum TenantCode implements FindingCode {
    AT_BOUND(is(PROBLEM, WARNING)
            .when(
                    "The tenant has as many unfinished jobs in a queue as it may have. A problem if jobs of it were rejected in the last 10 min.")
            .then("See why its jobs do not end. If it floods the queue, keep the bound, or give it a queue of its own.")
            .title(
                    "Tenant '{tenant_id}' has all that it may have of queue '{queue}'[ and of {others:other queue}]: {max_queue_depth:job}")
            .text(
                    "[{rejected:job was/jobs were} rejected in the last 10 min.|Its next job is rejected, or waits, as the strategy of the queue says.]")
            .evidence(TenantExplainer.OF_QUEUE)
            .advise("See why its jobs do not end: ./floodgate why queue {queue}.", Docs.FULL)
            .advise(
                    "If it sends more than its share, keep the bound: it protects the others. Give it a queue of its own if it needs more.",
                    Docs.FAIRNESS)),
    AT_TOTAL_BOUND(is(PROBLEM, WARNING)
            .when(
                    "The tenant has as many unfinished jobs over all queues as it may have. A problem if jobs of it were rejected in the last 10 min.")
            .then("See which queues have most of them, and why these jobs do not end; or raise `max_jobs`.")
            .title("Tenant '{tenant_id}' has all that it may have over all queues: {max_jobs:job}")
            .text(
                    "[{rejected:job was/jobs were} rejected in the last 10 min.|Its next job is rejected, or waits, as the strategy of its queue says.]")
            .evidence(TenantExplainer.OVER_ALL)
            .advise(
                    "[See why jobs of the queue with most of them do not end: ./floodgate why queue {most_in}.]",
                    Docs.FULL)
            .advise("If it needs more, raise 'max_jobs': PUT /ojs/v1/admin/tenants/{tenant_id}.", Docs.TENANT_BOUNDS)),
    AT_CONCURRENCY(is(INFO).when("As many jobs of the tenant run, over all queues, as may run at once.")
            .then(
                    "Nothing, if they end: others start then. Else see why they run for long; or raise `max_concurrency`.")
            .title(
                    "Tenant '{tenant_id}' has as many jobs running as it may have over all queues: {max_concurrency:job}")
            .text("Its other jobs stay available, and start as these end. Jobs of other tenants do not wait for it.")
            .evidence(TenantExplainer.OVER_ALL_RUNNING)
            .advise(
                    "[See how long jobs of the queue with most of them run: ./floodgate why queue {most_in}.]",
                    Docs.FULL)
            .advise(
                    "If it needs more, raise 'max_concurrency': PUT /ojs/v1/admin/tenants/{tenant_id}.",
                    Docs.TENANT_BOUNDS)),
    NOISY(is(WARNING)
            .when(
                    "At least half of a full queue, and at least 10 jobs, are the tenant's, so that jobs of others do not get in.")
            .then("Bound the tenant in this queue.")
            .title("Tenant '{tenant_id}' has {share:%} of the full queue '{queue}': {depth} of {queue_depth:job}")
            .text("Jobs of other tenants do not get in.")
            .evidence(TenantExplainer.OF_QUEUE)
            .advise("[Bound it to {half:job} in this queue. What it has stays.]", Request.BOUND_TENANT)
            .advise("See why the queue is full: ./floodgate why queue {queue}.", Docs.FULL)),
    REJECTED(is(WARNING)
            .when("Jobs of the tenant were rejected in the last 10 min; there is room for more of them now.")
            .then("Nothing, if it was a burst; else raise its bound.")
            .title("Queue '{queue}' has rejected {rejected:job} of tenant '{tenant_id}' in the last 10 min")
            .text("It has room for more of its jobs now.")
            .evidence(TenantExplainer.OF_QUEUE)
            .advise("Nothing, if it was a burst; else raise its bound.", Docs.FULL)),
    NEAR_BOUND(is(INFO).when("The tenant has used at least 80% of its bound in a queue.")
            .then("Watch it.")
            .title("Tenant '{tenant_id}' has used {pressure:%} of its bound in queue '{queue}'")
            .evidence(TenantExplainer.OF_QUEUE)),
    QUIET(is(OK).when("Nothing of the above.")
            .title("Tenant '{tenant_id}' is within its bounds: {depth:unfinished job}")
            .text("[{is_unbounded?}It has jobs in queues that do not bound their tenants.]")),
    UNKNOWN_TENANT(is(UNKNOWN)
            .when(
                    "The tenant has neither jobs nor a bound. The answer has status 404, and the explanation in `error.details`.")
            .then("Check the id; `GET /ojs/v1/admin/tenants` lists tenants.")
            .title("There is no tenant '{name}'")
            .text("No job is this tenant's, and no queue has a bound for it."));

    // Made here, and never changed.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Row row;

    TenantCode(Row row) {
        this.row = row;
    }

    @Override
    public Row row() {
        return row;
    }
}
