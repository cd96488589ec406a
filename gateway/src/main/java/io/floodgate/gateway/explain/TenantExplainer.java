package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Advice.Action;
import io.floodgate.gateway.explain.Explanation.Subject;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Whether a tenant has more of its queues than others can bear, or less than it needs. */
final class TenantExplainer {
    private static final String FULL = "docs/how-to/runbooks/queue-is-full.md";
    private static final String FROM = "all partitions";
    private static final String KIND = "tenant";
    private static final int MAX_SHOWN = 10;

    private final Facts tenant;
    private final String id;
    private final List<Facts> queues;

    private TenantExplainer(Facts tenant) {
        this.tenant = tenant;
        id = String.valueOf(tenant.text("tenant_id"));
        queues = tenant.list("queues");
    }

    /** @param tenant as {@code GET /ojs/v1/admin/tenants/{id}} shows it */
    static Explanation explain(Facts tenant, Instant now) {
        TenantExplainer explainer = new TenantExplainer(tenant);
        return new Explanation(
                new Subject(KIND, explainer.id),
                now,
                true,
                FROM,
                explainer.findings(),
                explainer.figures(),
                explainer.who(),
                List.of());
    }

    static Explanation unknown(String id, Instant now) {
        return Explanation.unknown(
                new Subject(KIND, id),
                Finding.of(
                        TenantCode.UNKNOWN_TENANT,
                        Severity.UNKNOWN,
                        "There is no tenant '%s'".formatted(id),
                        "No job is this tenant's, and no queue has a bound for it."),
                now,
                FROM);
    }

    private List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        Facts bounded = worst(TenantExplainer::isAtBound, queue -> queue.number("rejected"));
        if (bounded != null) findings.add(atBound(bounded));
        Facts crowded = worst(TenantExplainer::isCrowded, queue -> queue.number("depth"));
        if (crowded != null) findings.add(noisy(crowded));
        Facts rejecting =
                worst(queue -> queue.number("rejected") > 0 && !isAtBound(queue), queue -> queue.number("rejected"));
        if (rejecting != null) findings.add(rejected(rejecting));
        Facts near = worst(
                queue -> queue.decimal("pressure") >= Thresholds.NEAR_BOUND && !isAtBound(queue),
                queue -> queue.decimal("pressure"));
        if (near != null) findings.add(nearBound(near));
        if (findings.isEmpty()) findings.add(quiet());
        return findings;
    }

    private @Nullable Facts worst(Predicate<Facts> which, ToDoubleFunction<Facts> by) {
        return queues.stream().filter(which).max(Comparator.comparingDouble(by)).orElse(null);
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

    private static String name(Facts queue) {
        return String.valueOf(queue.text("queue"));
    }

    private Finding atBound(Facts queue) {
        long bound = queue.number("max_queue_depth");
        long rejected = queue.number("rejected");
        long others = queues.stream().filter(TenantExplainer::isAtBound).count() - 1;
        return Finding.of(
                TenantCode.AT_BOUND,
                rejected > 0 ? Severity.PROBLEM : Severity.WARNING,
                "Tenant '%s' has all that it may have of queue '%s'%s: %s"
                        .formatted(
                                id,
                                name(queue),
                                others == 0 ? "" : " and of %s".formatted(Words.count(others, "other queue")),
                                Words.count(bound, "job")),
                rejected > 0
                        ? "%s rejected in the last 10 min.".formatted(jobsWere(rejected))
                        : "Its next job is rejected, or waits, as the strategy of the queue says.",
                evidence(queue),
                Advice.read("See why its jobs do not end: ./floodgate why queue %s.".formatted(name(queue)), FULL),
                Advice.read(
                        "If it sends more than its share, keep the bound: it protects the others. Give it a queue of its own if it needs more.",
                        "docs/explanation/tenant-fairness.md"));
    }

    private Finding noisy(Facts queue) {
        long depth = queue.number("depth");
        long all = queue.number("queue_bound");
        long half = Math.max(1, (all > 0 ? all : depth) / 2);
        long bound = queue.number("max_queue_depth");
        List<Advice> advice = new ArrayList<>();
        if (bound == 0 || bound > half)
            advice.add(Advice.of(
                    "Bound it to %s in this queue. What it has stays.".formatted(Words.count(half, "job")),
                    bound(queue, half)));
        advice.add(Advice.read("See why the queue is full: ./floodgate why queue %s.".formatted(name(queue)), FULL));
        return Finding.of(
                TenantCode.NOISY,
                Severity.WARNING,
                "Tenant '%s' has %s of the full queue '%s': %s of %s"
                        .formatted(
                                id,
                                Words.percent(queue.decimal("share")),
                                name(queue),
                                Words.number(depth),
                                Words.count(queue.number("queue_depth"), "job")),
                "Jobs of other tenants do not get in.",
                evidence(queue),
                advice.toArray(Advice[]::new));
    }

    private Finding rejected(Facts queue) {
        return Finding.of(
                TenantCode.REJECTED,
                Severity.WARNING,
                "Queue '%s' has rejected %s of tenant '%s' in the last 10 min"
                        .formatted(name(queue), Words.count(queue.number("rejected"), "job"), id),
                "It has room for more of its jobs now.",
                evidence(queue),
                Advice.read("Nothing, if it was a burst; else raise its bound.", FULL));
    }

    private Finding nearBound(Facts queue) {
        return Finding.of(
                TenantCode.NEAR_BOUND,
                Severity.INFO,
                "Tenant '%s' has used %s of its bound in queue '%s'"
                        .formatted(id, Words.percent(queue.decimal("pressure")), name(queue)),
                "",
                evidence(queue));
    }

    private Finding quiet() {
        return Finding.of(
                TenantCode.QUIET,
                Severity.OK,
                "Tenant '%s' is within its bounds: %s"
                        .formatted(id, Words.count(tenant.number("depth"), "unfinished job")),
                queues.isEmpty() ? "It has jobs in queues that do not bound their tenants." : "",
                new Evidence());
    }

    private static String jobsWere(long jobs) {
        return jobs == 1 ? "1 job was" : Words.number(jobs) + " jobs were";
    }

    private static Evidence evidence(Facts queue) {
        return new Evidence()
                .with("queue", name(queue))
                .with("depth", queue.number("depth"))
                .with("available", queue.number("available"))
                .with("max_queue_depth", queue.optionalNumber("max_queue_depth"))
                .with("queue_depth", queue.optionalNumber("queue_depth"))
                .with("queue_bound", queue.optionalNumber("queue_bound"))
                .with("share", queue.has("share") ? (Object) queue.decimal("share") : null)
                .with("rejected", queue.number("rejected"))
                .with("window_seconds", Thresholds.TENANT_REJECTED.toSeconds());
    }

    private Action bound(Facts queue, long jobs) {
        JsonOut body = new JsonOut().beginObject().name("limits").beginObject();
        body.field("max_queue_depth", jobs).endObject().name("queues").beginArray();
        body.value(name(queue));
        return new Action(
                "tenant.bound",
                "PUT",
                "/ojs/v1/admin/tenants/" + Words.inPath(id),
                body.endArray().endObject().toString(),
                Action.CHANGE);
    }

    private Evidence figures() {
        return new Evidence()
                .with("depth", tenant.number("depth"))
                .with("rejected", tenant.number("rejected"))
                .with("window_seconds", tenant.optionalNumber("rejected_window_seconds"));
    }

    private Evidence who() {
        List<Evidence> shown = queues.stream()
                .sorted(Comparator.comparingLong((Facts queue) -> -queue.number("depth")))
                .limit(MAX_SHOWN)
                .map(TenantExplainer::evidence)
                .toList();
        if (shown.isEmpty()) return new Evidence();
        Evidence all = new Evidence()
                .with("count", queues.size() + tenant.number("more_queues"))
                .with("first", shown);
        return new Evidence().with("queues", all);
    }
}
