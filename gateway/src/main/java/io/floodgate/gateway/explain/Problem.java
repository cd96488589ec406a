package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Explanation.Subject;
import io.floodgate.topics.json.JsonOut;

/**
 * One thing that needs attention.
 *
 * @param exact whether its partition has just said so
 * @param jobs how many are concerned; 0 if it is not about jobs
 */
record Problem(Subject subject, Finding finding, boolean exact, long jobs) {
    static Problem of(Explanation explanation, long jobs) {
        return new Problem(explanation.subject(), explanation.verdict(), explanation.exact(), jobs);
    }

    Severity severity() {
        return finding.severity();
    }

    boolean isWorthShowing() {
        return severity().compareTo(Severity.WARNING) >= 0;
    }

    String name() {
        return subject.name();
    }

    void write(JsonOut out) {
        subject.write(out.beginObject().name("subject"));
        out.field("exact", exact).field("jobs", jobs).name("finding");
        finding.write(out);
        out.endObject();
    }
}
