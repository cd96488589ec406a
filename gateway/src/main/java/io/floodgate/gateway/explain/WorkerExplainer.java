package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Advice.Action;
import io.floodgate.gateway.explain.Explanation.Subject;
import io.floodgate.gateway.explain.WorkerSpeeds.Speed;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Whether a worker is there, and what it does. */
final class WorkerExplainer {
    private static final String DOCS = "docs/how-to/runbooks/worker-lost.md";
    private static final int MAX_SHOWN = 10;

    private final Facts worker;
    private final String id;
    private final Instant now;
    private final long active;
    private final @Nullable Instant beat;
    private final @Nullable Speed speed;

    private WorkerExplainer(Facts worker, Instant now, WorkerSpeeds speeds) {
        this.worker = worker;
        this.now = now;
        id = String.valueOf(worker.text("worker_id"));
        active = worker.number("active_jobs");
        beat = worker.time("last_heartbeat_at");
        speed = speeds.of(id);
    }

    /** @param worker as {@code GET /ojs/v1/admin/workers/{id}} shows it */
    static Explanation explain(Facts worker, Instant now, String from, WorkerSpeeds speeds) {
        WorkerExplainer explainer = new WorkerExplainer(worker, now, speeds);
        return new Explanation(
                new Subject("worker", explainer.id),
                now,
                true,
                from,
                explainer.findings(),
                explainer.figures(),
                explainer.who(),
                List.of());
    }

    static Explanation unknown(String id, Instant now, String from) {
        return Explanation.unknown(
                new Subject("worker", id),
                Finding.of(
                        WorkerCode.UNKNOWN_WORKER,
                        Severity.UNKNOWN,
                        "There is no worker '%s'".formatted(id),
                        "A worker is known from its first heartbeat or fetch, and forgotten some time after it is gone."),
                now,
                from);
    }

    private List<Finding> findings() {
        if ("stale".equals(worker.text("state"))) return List.of(lost());
        if ("left".equals(worker.text("state"))) return List.of(left());
        List<Finding> findings = new ArrayList<>();
        if (beat == null) findings.add(noHeartbeats());
        else if (beat.plus(Thresholds.WORKER_SILENT).isBefore(now)) findings.add(silent(beat));
        if (speed != null && speed.isSlow()) findings.add(slow(speed));
        directed(findings);
        Long concurrency = worker.optionalNumber("concurrency");
        if (concurrency != null && concurrency > 0 && active >= concurrency)
            findings.add(Finding.of(
                    WorkerCode.FULL,
                    Severity.INFO,
                    null,
                    "Worker '%s' runs %s of %s jobs".formatted(id, Words.number(active), Words.number(concurrency)),
                    "It fetches the next one when one of them ends.",
                    new Evidence().with("active", active).with("concurrency", concurrency)));
        if (findings.isEmpty()) findings.add(well());
        return findings;
    }

    private Finding slow(Speed runs) {
        List<Advice> advice = new ArrayList<>();
        advice.add(Advice.read("Compare its host, and what it calls, with those of the other workers.", DOCS));
        if ("running".equals(worker.text("state")))
            advice.add(Advice.of(
                    "Give it no more jobs until the cause is found.",
                    new Action(
                            "worker.quiet",
                            "POST",
                            "/ojs/v1/admin/workers/%s/directive".formatted(Words.inPath(id)),
                            "{\"directive\":\"quiet\"}",
                            Action.REVERSIBLE)));
        return Finding.of(
                WorkerCode.SLOW,
                Severity.WARNING,
                "Worker '%s' is slow: runs of '%s' take %s, at other workers %s"
                        .formatted(id, runs.type(), millis(runs.medianMillis()), millis(runs.others())),
                "Medians of its last %s and of those of other workers, in the last 10 min."
                        .formatted(Words.count(runs.runs(), "run")),
                new Evidence()
                        .with("type", runs.type())
                        .with("runs", runs.runs())
                        .with("median_ms", runs.medianMillis())
                        .with("others_median_ms", runs.others())
                        .with("window_seconds", Thresholds.SLOW_WINDOW.toSeconds()),
                advice.toArray(Advice[]::new));
    }

    private static String millis(long millis) {
        if (millis < 1_000) return millis + " ms";
        return millis < 10_000
                ? String.format(Locale.ROOT, "%.1f s", millis / 1_000.0)
                : Words.duration(Duration.ofMillis(millis));
    }

    private Finding left() {
        return Finding.of(
                WorkerCode.LEFT,
                Severity.INFO,
                beat,
                "Worker '%s' has left".formatted(id),
                "It said that it stops, or was asked to. A job that it had not ended was given back.",
                new Evidence().with("last_heartbeat_at", beat));
    }

    private Finding lost() {
        boolean isRecent = beat == null || Duration.between(beat, now).compareTo(Thresholds.WORKERS_LOST) < 0;
        return Finding.of(
                WorkerCode.LOST,
                isRecent ? Severity.PROBLEM : Severity.INFO,
                beat,
                beat == null
                        ? "Worker '%s' is gone".formatted(id)
                        : "Worker '%s' is gone: its last heartbeat was %s ago"
                                .formatted(id, Words.duration(Duration.between(beat, now))),
                "It fell silent without a word. Jobs that it had, if any, were given to other workers, or failed at their last attempt.",
                new Evidence().with("last_heartbeat_at", beat).with("active", active),
                Advice.read("See why it ended, and start another one.", DOCS));
    }

    private Finding silent(Instant last) {
        Duration silent = Duration.between(last, now);
        Duration left = Thresholds.WORKER_LOST.minus(silent);
        return Finding.of(
                WorkerCode.SILENT,
                Severity.WARNING,
                last,
                "Worker '%s' has been silent for %s".formatted(id, Words.duration(silent)),
                left.isNegative()
                        ? "It counts as lost any moment, and its jobs are given to others."
                        : "It counts as lost in %s, and then its jobs are given to others."
                                .formatted(Words.duration(left)),
                new Evidence().with("last_heartbeat_at", last).with("active", active),
                Advice.read("Look at the worker: it may be out of memory, or cut off.", DOCS));
    }

    private Finding noHeartbeats() {
        return Finding.of(
                WorkerCode.NO_HEARTBEATS,
                active > 0 ? Severity.WARNING : Severity.INFO,
                null,
                "Worker '%s' has never sent a heartbeat of its own".formatted(id),
                "Should it end, that is noticed only when the leases of its jobs end.",
                new Evidence().with("active", active),
                Advice.read("Let it send heartbeats.", DOCS));
    }

    private void directed(List<Finding> findings) {
        String directive = String.valueOf(worker.text("directive"));
        if (directive.equals("terminate"))
            findings.add(Finding.of(
                    WorkerCode.TERMINATING,
                    Severity.INFO,
                    null,
                    "Worker '%s' was asked to stop: %s left".formatted(id, Words.count(active, "job")),
                    "It finishes what it has, and fetches no more.",
                    new Evidence().with("active", active)));
        if (directive.equals("quiet")) {
            String body = new JsonOut()
                    .beginObject()
                    .field("directive", "resume")
                    .endObject()
                    .toString();
            findings.add(Finding.of(
                    WorkerCode.QUIET,
                    Severity.INFO,
                    null,
                    "Worker '%s' was asked to fetch no more: %s left".formatted(id, Words.count(active, "job")),
                    "",
                    new Evidence().with("active", active),
                    Advice.of(
                            "Let it fetch again.",
                            new Action(
                                    "worker.resume",
                                    "POST",
                                    "/ojs/v1/admin/workers/%s/directive".formatted(Words.inPath(id)),
                                    body,
                                    Action.REVERSIBLE))));
        }
    }

    private Finding well() {
        return Finding.of(
                active > 0 ? WorkerCode.WORKING : WorkerCode.IDLE,
                Severity.OK,
                null,
                active > 0
                        ? "Worker '%s' runs %s".formatted(id, Words.count(active, "job"))
                        : "Worker '%s' runs no job".formatted(id),
                "",
                new Evidence());
    }

    private Evidence figures() {
        return new Evidence()
                .with("active", active)
                .with("concurrency", worker.optionalNumber("concurrency"))
                .with("hostname", worker.text("hostname"))
                .with("queues", worker.has("queues") ? worker.texts("queues") : null)
                .with("started_at", worker.time("started_at"))
                .with("last_heartbeat_at", beat);
    }

    private Evidence who() {
        List<Evidence> jobs = worker.list("jobs").stream()
                .limit(MAX_SHOWN)
                .map(job -> new Evidence()
                        .with("job_id", job.text("id"))
                        .with("type", job.text("type"))
                        .with("queue", job.text("queue"))
                        .with("started_at", job.time("started_at"))
                        .with("lease_expires_at", job.time("lease_expires_at")))
                .toList();
        return jobs.isEmpty()
                ? new Evidence()
                : new Evidence()
                        .with("jobs", new Evidence().with("count", active).with("first", jobs));
    }
}
