package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Advice.Action;
import io.floodgate.gateway.explain.Explanation.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why jobs of a rate limit do not start, from its figures over all partitions. */
final class LimitExplainer {
    private final Facts limit;
    private final RunsOfLimit runs;
    private final String key;
    private final Instant now;
    private final long waiting;

    private LimitExplainer(Facts limit, RunsOfLimit runs, Instant now) {
        this.limit = limit;
        this.runs = runs;
        this.now = now;
        key = String.valueOf(limit.text("key"));
        waiting = limit.number("waiting");
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
                new Subject("limit", explainer.key),
                now,
                true,
                from,
                explainer.findings(),
                explainer.figures(),
                explainer.who(),
                runs.all() ? List.of() : List.of("some_runs"));
    }

    static Explanation unknown(String key, Instant now, String from) {
        return Explanation.unknown(
                new Subject("limit", key),
                Finding.of(
                        LimitCode.UNKNOWN_KEY,
                        Severity.UNKNOWN,
                        "There is no rate limit '%s'".formatted(key),
                        "No unfinished job and no queue has this key."),
                now,
                from);
    }

    private List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        Facts concurrency = limit.inside("concurrency");
        boolean isStopped = concurrency.has("limit") && concurrency.number("limit") == 0;
        Instant frozen = limit.time("frozen_until");
        if (isStopped) findings.add(stopped());
        if (frozen != null && frozen.isAfter(now)) findings.add(frozen(frozen));
        if (waiting > 0 && !isStopped) held(concurrency, findings);
        // That it is stopped by an override says so already.
        if (limit.has("override") && !isStopped) findings.add(overridden());
        if (findings.isEmpty()) findings.add(free());
        return findings;
    }

    private Action endOverride() {
        return new Action(
                "rate_limit.end_override",
                "DELETE",
                "/ojs/v1/rate-limits/%s/override".formatted(key),
                null,
                Action.CHANGE);
    }

    private @Nullable Instant overrideEnds() {
        return limit.inside("override").time("expires_at");
    }

    private String jobs() {
        return StateFindings.waitingJobs(waiting);
    }

    private Finding stopped() {
        Instant until = overrideEnds();
        boolean isOverride = limit.has("override");
        Facts override = limit.inside("override");
        String by = isOverride
                ? "An override sets its concurrency to 0%s.%s"
                        .formatted(
                                until == null ? ", without an end" : " until " + Words.time(until, now), made(override))
                : "Its jobs, or the configuration of its queue, set its concurrency to 0.";
        Advice advice = isOverride
                ? Advice.of("End the override.", endOverride())
                : Advice.read(
                        "Raise the concurrency: PUT /ojs/v1/rate-limits/%s".formatted(key),
                        "docs/reference/http-api.md");
        return Finding.of(
                LimitCode.STOPPED,
                waiting > 0 ? Severity.PROBLEM : Severity.WARNING,
                override.time("at"),
                "The rate limit '%s' is stopped: %s".formatted(key, jobs()),
                by,
                new Evidence()
                        .with("waiting", waiting)
                        .with("until", until)
                        .with("by", override.text("by"))
                        .with("at", override.time("at")),
                advice);
    }

    private String made(Facts override) {
        String by = override.text("by");
        Instant at = override.time("at");
        if (at == null) return "";
        return " %s at %s.".formatted(by == null ? "It was set" : "Key '%s' set it".formatted(by), Words.time(at, now));
    }

    private Finding frozen(Instant until) {
        String reason = limit.text("frozen_reason");
        return Finding.of(
                LimitCode.FROZEN,
                Severity.WARNING,
                "No job of the rate limit '%s' starts before %s: %s".formatted(key, Words.time(until, now), jobs()),
                "A worker reported it%s.".formatted(reason == null ? "" : ": " + reason),
                new Evidence().with("until", until).with("reason", reason).with("waiting", waiting),
                Advice.of("If the service behind the jobs has recovered, let them start now.", endOverride()));
    }

    private void held(Facts concurrency, List<Finding> findings) {
        Facts rate = limit.inside("rate");
        Instant next = limit.inside("throttle").time("next_allowed_at");
        if (isHeldByRuns(limit)) findings.add(heldByRuns(concurrency));
        if (rate.has("limit") && rate.number("current_count") >= rate.number("limit")) {
            Instant reset = rate.time("window_resets_at");
            findings.add(Finding.of(
                    LimitCode.HELD_RATE,
                    Severity.INFO,
                    "The rate of '%s' is used up: %s per %s; %s"
                            .formatted(key, Words.number(rate.number("limit")), rate.text("period"), jobs()),
                    reset == null
                            ? "The next one starts when the first start leaves the period."
                            : "All of it is free again in %s at the latest."
                                    .formatted(Words.duration(Duration.between(now, reset))),
                    new Evidence()
                            .with("limit", rate.number("limit"))
                            .with("period", rate.text("period"))
                            .with("current_count", rate.number("current_count"))
                            .with("window_resets_at", reset)
                            .with("waiting", waiting)));
        }
        if (next != null && next.isAfter(now))
            findings.add(Finding.of(
                    LimitCode.HELD_THROTTLE,
                    Severity.INFO,
                    "The next job of '%s' may start in %s; %s"
                            .formatted(key, Words.duration(Duration.between(now, next)), jobs()),
                    "Its starts are spread in time.",
                    new Evidence().with("next_allowed_at", next).with("waiting", waiting)));
    }

    private Finding heldByRuns(Facts concurrency) {
        Facts longest = runs.longest().isEmpty() ? Facts.NONE : runs.longest().getFirst();
        Instant started = longest.time("started_at");
        String job = longest.text("id");
        Evidence evidence = new Evidence()
                .with("active", concurrency.number("active"))
                .with("limit", concurrency.number("limit"))
                .with("waiting", waiting)
                .with("job_id", job)
                .with("started_at", started);
        String title = "%s of %s jobs of the rate limit '%s' run; %s"
                .formatted(
                        Words.number(concurrency.number("active")),
                        Words.number(concurrency.number("limit")),
                        key,
                        jobs());
        String text = "The next one starts when one of them ends.";
        if (job == null || started == null)
            return Finding.of(LimitCode.HELD_CONCURRENCY, Severity.INFO, title, text, evidence);
        return Finding.of(
                LimitCode.HELD_CONCURRENCY,
                Severity.INFO,
                title,
                text + " The longest run is that of job %s, since %s.".formatted(job, Words.time(started, now)),
                evidence,
                Advice.of(
                        "If it hangs, cancel it.",
                        new Action("job.cancel", "DELETE", "/ojs/v1/jobs/" + job, null, Action.CHANGE)));
    }

    private Finding overridden() {
        Instant until = overrideEnds();
        return Finding.of(
                LimitCode.OVERRIDDEN,
                Severity.INFO,
                "The rate limit '%s' is overridden %s"
                        .formatted(key, until == null ? "without an end" : "until " + Words.time(until, now)),
                "What jobs and queues say of the key does not count meanwhile." + made(limit.inside("override")),
                new Evidence().with("expires_at", until),
                Advice.of("End the override if it is not needed any more.", endOverride()));
    }

    private Finding free() {
        return Finding.of(
                LimitCode.FREE,
                Severity.OK,
                "The rate limit '%s' holds nothing back: %s".formatted(key, Words.jobsRun(limit.number("active"))),
                "",
                new Evidence());
    }

    private Evidence who() {
        return new Evidence().with("longest_running", QueueExplainer.of(runs.longest(), LimitExplainer::run));
    }

    private static Evidence run(Facts job) {
        return new Evidence()
                .with("job_id", job.text("id"))
                .with("queue", job.text("queue"))
                .with("worker_id", job.text("worker_id"))
                .with("started_at", job.time("started_at"));
    }

    private Evidence figures() {
        Facts rate = limit.inside("rate");
        return new Evidence()
                .with("active", limit.number("active"))
                .with("waiting", waiting)
                .with("concurrency", limit.inside("concurrency").optionalNumber("limit"))
                .with("rate_limit", rate.optionalNumber("limit"))
                .with("rate_period", rate.text("period"))
                .with("rate_count", rate.optionalNumber("current_count"));
    }
}
