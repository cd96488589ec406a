package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Explanation.Subject;
import io.floodgate.gateway.explain.WorkerSpeeds.Speed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Whether a worker is there, and what it does. */
final class WorkerExplainer {
    private final Facts worker;
    private final FindingFacts facts;
    private final Instant now;
    private final long active;
    private final @Nullable Instant beat;
    private final @Nullable Speed speed;

    private WorkerExplainer(Facts worker, Instant now, WorkerSpeeds speeds) {
        this.worker = worker;
        this.now = now;
        active = worker.number("active_jobs");
        beat = worker.time("last_heartbeat_at");
        speed = speeds.of(String.valueOf(worker.text("worker_id")));
        facts = FindingFacts.of(worker, now).with("active", active);
    }

    /** @param worker as {@code GET /ojs/v1/admin/workers/{id}} shows it */
    static Explanation explain(Facts worker, Instant now, String from, WorkerSpeeds speeds) {
        WorkerExplainer explainer = new WorkerExplainer(worker, now, speeds);
        return Explanation.of(
                new Subject("worker", String.valueOf(worker.text("worker_id"))),
                now,
                from,
                explainer.findings(),
                explainer.facts.pick("active concurrency hostname queues started_at last_heartbeat_at"),
                explainer.who());
    }

    static Explanation unknown(String id, Instant now, String from) {
        return Explanation.unknown("worker", id, WorkerCode.UNKNOWN_WORKER, now, from);
    }

    private List<Finding> findings() {
        if ("stale".equals(worker.text("state"))) return List.of(lost());
        if ("left".equals(worker.text("state"))) return List.of(WorkerCode.LEFT.finding(facts));
        List<Finding> findings = new ArrayList<>();
        if (beat == null)
            findings.add(WorkerCode.NO_HEARTBEATS.finding(active > 0 ? Severity.WARNING : Severity.INFO, facts));
        else if (beat.plus(Thresholds.WORKER_SILENT).isBefore(now)) findings.add(silent(beat));
        if (speed != null && speed.isSlow()) findings.add(slow(speed));
        String directive = String.valueOf(worker.text("directive"));
        if (directive.equals("terminate")) findings.add(WorkerCode.TERMINATING.finding(facts));
        if (directive.equals("quiet")) findings.add(WorkerCode.QUIET.finding(facts));
        Long concurrency = worker.optionalNumber("concurrency");
        if (concurrency != null && concurrency > 0 && active >= concurrency)
            findings.add(WorkerCode.FULL.finding(facts));
        if (findings.isEmpty()) findings.add((active > 0 ? WorkerCode.WORKING : WorkerCode.IDLE).finding(facts));
        return findings;
    }

    private Finding lost() {
        boolean isRecent = beat == null || Duration.between(beat, now).compareTo(Thresholds.WORKERS_LOST) < 0;
        return WorkerCode.LOST.finding(isRecent ? Severity.PROBLEM : Severity.INFO, facts);
    }

    private Finding silent(Instant last) {
        Duration left = Thresholds.WORKER_LOST.minus(Duration.between(last, now));
        return WorkerCode.SILENT.finding(facts.with("left", left.isNegative() ? null : left));
    }

    private Finding slow(Speed runs) {
        return WorkerCode.SLOW.finding(facts.with("type", runs.type())
                .with("runs", runs.runs())
                .with("median", millis(runs.medianMillis()))
                .with("median_ms", runs.medianMillis())
                .with("others", millis(runs.others()))
                .with("others_median_ms", runs.others())
                .with("window_seconds", Thresholds.SLOW_WINDOW.toSeconds())
                .with("is_running", "running".equals(worker.text("state"))));
    }

    private static String millis(long millis) {
        if (millis < 1_000) return millis + " ms";
        return millis < 10_000
                ? String.format(Locale.ROOT, "%.1f s", millis / 1_000.0)
                : Words.duration(Duration.ofMillis(millis));
    }

    private Evidence who() {
        List<Evidence> jobs = Evidence.list(worker.list("jobs"), "job_id=id type queue started_at lease_expires_at");
        if (jobs == null) return new Evidence();
        return new Evidence().with("jobs", new Evidence().with("count", active).with("first", jobs));
    }
}
