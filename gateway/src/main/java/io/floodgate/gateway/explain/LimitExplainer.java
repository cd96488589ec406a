package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Explanation.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why jobs of a rate limit do not start, from its figures over all partitions. */
final class LimitExplainer {
    static final String SET_BY = "[ [Key '{override.by}' set it|It was set] at {override.at}.]";

    private final Facts limit;
    private final RunsOfLimit runs;
    private final FindingFacts facts;
    private final Instant now;
    private final long waiting;

    private LimitExplainer(Facts limit, RunsOfLimit runs, Instant now) {
        this.limit = limit;
        this.runs = runs;
        this.now = now;
        waiting = limit.number("waiting");
        facts = FindingFacts.of(limit, now).with("waiting", waiting);
    }

    /** Whether as many of its jobs run as may, and others wait. */
    static boolean isHeldByRuns(Facts limit) {
        Facts concurrency = limit.inside("concurrency");
        return limit.number("waiting") > 0
                && concurrency.has("limit")
                && concurrency.number("active") >= concurrency.number("limit");
    }

    /**
     * @param limit as {@code GET /ojs/v1/rate-limits/{key}} shows it
     * @param runs that it counts, if it {@link #isHeldByRuns}
     */
    static Explanation explain(Facts limit, RunsOfLimit runs, Instant now, String from) {
        LimitExplainer explainer = new LimitExplainer(limit, runs, now);
        return new Explanation(
                new Subject("limit", String.valueOf(limit.text("key"))),
                now,
                true,
                from,
                explainer.findings(),
                explainer.facts.pick("active waiting concurrency=concurrency.limit rate_limit=rate.limit"
                        + " rate_period=rate.period rate_count=rate.current_count"),
                new Evidence()
                        .with("longest_running", Evidence.list(runs.longest(), "job_id=id queue worker_id started_at")),
                runs.all() ? List.of() : List.of("some_runs"));
    }

    static Explanation unknown(String key, Instant now, String from) {
        return Explanation.unknown("limit", key, LimitCode.UNKNOWN_KEY, now, from);
    }

    private List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        Facts concurrency = limit.inside("concurrency");
        boolean isStopped = concurrency.has("limit") && concurrency.number("limit") == 0;
        if (isStopped)
            findings.add(LimitCode.STOPPED.finding(waiting > 0 ? Severity.PROBLEM : Severity.WARNING, facts));
        if (isAhead(limit.time("frozen_until"))) findings.add(LimitCode.FROZEN.finding(facts));
        if (waiting > 0 && !isStopped) held(findings);
        // That it is stopped by an override says so already.
        if (limit.has("override") && !isStopped) findings.add(LimitCode.OVERRIDDEN.finding(facts));
        if (findings.isEmpty()) findings.add(LimitCode.FREE.finding(facts));
        return findings;
    }

    private boolean isAhead(@Nullable Instant time) {
        return time != null && time.isAfter(now);
    }

    private void held(List<Finding> findings) {
        Facts rate = limit.inside("rate");
        if (isHeldByRuns(limit)) {
            Facts longest =
                    runs.longest().isEmpty() ? Facts.NONE : runs.longest().getFirst();
            findings.add(LimitCode.HELD_CONCURRENCY.finding(
                    facts.with("job_id", longest.text("id")).with("started_at", longest.time("started_at"))));
        }
        if (rate.has("limit") && rate.number("current_count") >= rate.number("limit"))
            findings.add(LimitCode.HELD_RATE.finding(facts));
        if (isAhead(limit.inside("throttle").time("next_allowed_at")))
            findings.add(LimitCode.HELD_THROTTLE.finding(facts));
    }
}
