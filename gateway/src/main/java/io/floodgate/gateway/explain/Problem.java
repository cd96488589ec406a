package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Explanation.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One thing that needs attention.
 *
 * @param exact whether its partition has just said so
 * @param jobs how many are concerned; 0 if it is not about jobs
 */
record Problem(Subject subject, Finding finding, boolean exact, long jobs) {
    static final Comparator<Problem> WORST_FIRST = Comparator.comparing(Problem::severity)
            .reversed()
            .thenComparing(problem -> Harm.of(problem.finding.code()))
            .thenComparing(Comparator.comparingLong(Problem::jobs).reversed())
            .thenComparing(Problem::name);

    /** All of its findings that need attention. */
    static List<Problem> of(Explanation explanation, long jobs) {
        List<Problem> problems = new ArrayList<>();
        boolean drops = explanation.findings().stream().anyMatch(finding -> finding.code() == QueueCode.DROPPING);
        for (Finding finding : explanation.findings()) {
            // Of a queue that drops jobs, that it is full says nothing more.
            if (drops && finding.code() == QueueCode.PRODUCERS_FASTER) continue;
            Problem problem = new Problem(explanation.subject(), finding, explanation.exact(), jobs);
            if (problem.isWorthShowing()) problems.add(problem);
        }
        return problems;
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
}
