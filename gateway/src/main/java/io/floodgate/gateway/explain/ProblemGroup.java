package io.floodgate.gateway.explain;

import io.floodgate.topics.json.JsonOut;
import java.util.List;

/**
 * The same finding of several things, or of one.
 *
 * @param known the worst first
 * @param alike how many more show the same sign, and were not asked about
 */
record ProblemGroup(List<Problem> known, long alike) {
    private static final int MAX_EXAMPLES = 5;

    /** @param single up to this number they are listed one by one; more are a group */
    static List<ProblemGroup> of(List<Problem> same, long alike, int single) {
        if (same.size() + alike > single) return List.of(new ProblemGroup(same, alike));
        return same.stream().map(one -> new ProblemGroup(List.of(one), 0)).toList();
    }

    Problem worst() {
        return known.getFirst();
    }

    private long count() {
        return known.size() + alike;
    }

    private String kind() {
        return worst().subject().kind();
    }

    private String code() {
        return worst().finding().code().wire();
    }

    Severity severity() {
        return worst().severity();
    }

    void write(JsonOut out) {
        Problem worst = worst();
        worst.subject().write(out.beginObject().name("subject"));
        out.field("exact", worst.exact())
                .field("jobs", known.stream().mapToLong(Problem::jobs).sum())
                .field("count", count())
                .field("title", title());
        worst.finding().write(out.name("finding"));
        if (count() > 1) writeMore(out);
        out.endObject();
    }

    /** One line for all of them. */
    private String title() {
        if (count() == 1) return worst().finding().title();
        String many = Words.count(count(), kind());
        return "%s: %s. The worst: %s"
                .formatted(many, code().replace('_', ' '), worst().finding().title());
    }

    private void writeMore(JsonOut out) {
        out.field("not_examined", alike).beginArray("examples");
        for (Problem each : known.subList(0, Math.min(MAX_EXAMPLES, known.size()))) {
            each.subject().write(out.beginObject().name("subject"));
            out.field("title", each.finding().title())
                    .field("jobs", each.jobs())
                    .endObject();
        }
        out.endArray().field("list", list());
    }

    /** Where all of them are. */
    private String list() {
        return switch (kind()) {
            case "queue" -> "/ojs/v1/admin/queues?view=row&show=" + sign() + "&sort=depth";
            case "webhook" -> "/ojs/v1/webhooks/subscriptions";
            case "source" -> "/ojs/v1/admin/sources";
            case "worker" -> "/ojs/v1/admin/workers";
            case "tenant" -> "/ojs/v1/admin/tenants?sort=rejected";
            case "limit" -> "/ojs/v1/rate-limits";
            case "schedule" -> "/ojs/v1/cron";
            case "workflow" ->
                "/ojs/v1/workflows?state=" + (worst().finding().code() == WorkflowCode.FAILED ? "failed" : "running");
            default -> "/ojs/v1/admin/explain";
        };
    }

    private String sign() {
        return worst().finding().code() instanceof QueueCode code ? QueueProblems.sign(code) : "suspect";
    }
}
