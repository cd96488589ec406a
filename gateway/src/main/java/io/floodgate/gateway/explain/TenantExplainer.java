package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Severity.PROBLEM;
import static io.floodgate.gateway.explain.Severity.WARNING;

import io.floodgate.gateway.explain.Explanation.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Whether a tenant has more of its queues than others can bear, or less than it needs. */
final class TenantExplainer {
    static final String OF_QUEUE =
            "queue depth available max_queue_depth queue_depth queue_bound share rejected window_seconds";

    static final String OVER_ALL = "max_jobs depth in_force jobs_in rejected window_seconds";
    static final String OVER_ALL_RUNNING = "max_concurrency running in_force running_in";
    /** Most queues that are named with the bound over all queues. */
    private static final int MOST_IN = 5;

    private static final String FROM = "all partitions";

    private final FindingFacts tenant;
    private final List<Facts> queues;

    private TenantExplainer(Facts tenant, Instant now) {
        this.tenant = FindingFacts.of(tenant, now)
                .with("tenant_id", tenant.text("tenant_id"))
                .with("window_seconds", Thresholds.TENANT_REJECTED.toSeconds());
        queues = tenant.list("queues");
    }

    /** @param tenant as {@code GET /ojs/v1/admin/tenants/{id}} shows it */
    static Explanation explain(Facts tenant, Instant now) {
        TenantExplainer explainer = new TenantExplainer(tenant, now);
        return Explanation.of(
                new Subject("tenant", String.valueOf(tenant.text("tenant_id"))),
                now,
                FROM,
                explainer.findings(),
                tenant.pick("depth rejected window_seconds=rejected_window_seconds"),
                explainer.who());
    }

    static Explanation unknown(String id, Instant now) {
        return Explanation.unknown("tenant", id, TenantCode.UNKNOWN_TENANT, now, FROM);
    }

    private List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        if (isAt("max_jobs", "depth")) {
            Severity severity = tenant.facts().number("rejected") > 0 ? PROBLEM : WARNING;
            findings.add(TenantCode.AT_TOTAL_BOUND.finding(severity, usedIn("jobs_in", "jobs")));
        }
        if (isAt("max_concurrency", "running"))
            findings.add(TenantCode.AT_CONCURRENCY.finding(usedIn("running_in", "running")));
        Facts bounded = worst(TenantExplainer::isAtBound, queue -> queue.number("rejected"));
        if (bounded != null) {
            long others = queues.stream().filter(TenantExplainer::isAtBound).count() - 1;
            Severity severity = bounded.number("rejected") > 0 ? PROBLEM : WARNING;
            findings.add(
                    TenantCode.AT_BOUND.finding(severity, tenant.over(bounded).with("others", others)));
        }
        Facts crowded = worst(TenantExplainer::isCrowded, queue -> queue.number("depth"));
        if (crowded != null)
            findings.add(TenantCode.NOISY.finding(tenant.over(crowded).with("half", half(crowded))));
        Facts rejecting =
                worst(queue -> queue.number("rejected") > 0 && !isAtBound(queue), queue -> queue.number("rejected"));
        if (rejecting != null) findings.add(TenantCode.REJECTED.finding(tenant.over(rejecting)));
        Facts near = worst(
                queue -> queue.decimal("pressure") >= Thresholds.NEAR_BOUND && !isAtBound(queue),
                queue -> queue.decimal("pressure"));
        if (near != null) findings.add(TenantCode.NEAR_BOUND.finding(tenant.over(near)));
        if (findings.isEmpty())
            findings.add(TenantCode.QUIET.finding(tenant.with(
                    "is_unbounded", queues.isEmpty() && !tenant.facts().has("max_jobs"))));
        return findings;
    }

    private @Nullable Facts worst(Predicate<Facts> which, ToDoubleFunction<Facts> by) {
        return queues.stream().filter(which).max(Comparator.comparingDouble(by)).orElse(null);
    }

    private boolean isAt(String limit, String used) {
        long bound = tenant.facts().number(limit);
        return bound > 0 && tenant.facts().number(used) >= bound;
    }

    /** The tenant, with the queues that use most of a bound over all. */
    private FindingFacts usedIn(String list, String used) {
        List<Facts> most = tenant.facts().list(list);
        return tenant.with("most_in", most.isEmpty() ? null : most.getFirst().text("queue"))
                .with(
                        list,
                        most.stream()
                                .limit(MOST_IN)
                                .map(in -> "%s (%d)".formatted(in.text("queue"), in.number(used)))
                                .toList());
    }

    private static boolean isAtBound(Facts queue) {
        long bound = queue.number("max_queue_depth");
        return bound > 0 && queue.number("depth") >= bound;
    }

    private static boolean isCrowded(Facts queue) {
        return queue.decimal("queue_pressure") >= 1
                && queue.decimal("share") >= Thresholds.MOST_OF_DEPTH
                && queue.number("depth") >= Thresholds.FEW_JOBS;
    }

    /** Half of the queue; null if the tenant is bounded to that already. */
    private static @Nullable Long half(Facts queue) {
        long all = queue.number("queue_bound");
        long half = Math.max(1, (all > 0 ? all : queue.number("depth")) / 2);
        long bound = queue.number("max_queue_depth");
        return bound == 0 || bound > half ? (Long) half : null;
    }

    private Evidence who() {
        List<Facts> deepest = queues.stream()
                .sorted(Comparator.comparingLong((Facts queue) -> -queue.number("depth")))
                .toList();
        if (queues.isEmpty()) return new Evidence();
        Evidence all = new Evidence()
                .with("count", queues.size() + tenant.facts().number("more_queues"))
                .with(
                        "first",
                        Evidence.list(deepest, queue -> tenant.over(queue).pick(OF_QUEUE)));
        return new Evidence().with("queues", all);
    }
}
