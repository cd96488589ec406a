package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Explanation.Subject;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** Why a schedule does not run, or when it does, from what its partition knows. */
final class ScheduleExplainer {
    private static final int LOOKED_AT = 3;
    private static final long LATE_MS = 60_000;

    private final Facts schedule;
    private final FindingFacts facts;
    private final List<Facts> history;
    private final List<Finding> findings = new ArrayList<>();

    private ScheduleExplainer(Facts schedule, Instant now) {
        this.schedule = schedule;
        facts = FindingFacts.of(schedule, now);
        history = schedule.list("history");
    }

    /** @param schedule as its partition shows it, with its last outcomes */
    static Explanation explain(Facts schedule, Instant now, String from) {
        ScheduleExplainer explainer = new ScheduleExplainer(schedule, now);
        explainer.planned();
        explainer.past();
        explainer.running();
        explainer.orOnTime();
        return Explanation.of(
                new Subject("schedule", String.valueOf(schedule.text("name"))),
                now,
                from,
                explainer.findings,
                schedule.pick("expression timezone next_run_at last_run_at last_success_at run_count skipped_count")
                        .with("unfinished", schedule.list("running").size()),
                new Evidence()
                        .with(
                                "last_outcomes",
                                Evidence.list(explainer.history, "scheduled_at outcome reason late_ms state")));
    }

    static Explanation unknown(String name, Instant now, String from) {
        return Explanation.unknown("schedule", name, ScheduleCode.UNKNOWN_SCHEDULE, now, from);
    }

    private void planned() {
        if (!schedule.flag("enabled")) findings.add(ScheduleCode.PAUSED.finding(facts));
        else if (schedule.time("next_run_at") == null) findings.add(ScheduleCode.NOT_PLANNED.finding(facts));
    }

    private void past() {
        List<Facts> last = history.subList(0, Math.min(LOOKED_AT, history.size()));
        if (last.size() == LOOKED_AT && last.stream().allMatch(each -> "skipped".equals(each.text("outcome")))) {
            String reason = String.valueOf(last.getFirst().text("reason")).replace('_', ' ');
            findings.add(ScheduleCode.SKIPS.finding(facts.with("reason", reason)));
        }
        List<Facts> ended = history.stream()
                .filter(each -> each.has("completed_at"))
                .limit(LOOKED_AT)
                .toList();
        if (ended.size() == LOOKED_AT && ended.stream().noneMatch(each -> "completed".equals(each.text("state"))))
            findings.add(ScheduleCode.FAILS.finding(facts));
        Facts newest = history.isEmpty() ? Facts.NONE : history.getFirst();
        long late = newest.number("late_ms");
        if ("triggered".equals(newest.text("outcome")) && late > LATE_MS)
            findings.add(ScheduleCode.LATE.finding(of(newest).with("late", Duration.ofMillis(late))));
    }

    private FindingFacts of(Facts run) {
        return facts.with("scheduled_at", run.time("scheduled_at")).with("job_id", run.text("job_id"));
    }

    private void running() {
        List<Facts> waiting = running(true);
        List<Facts> running = running(false);
        if (!waiting.isEmpty())
            findings.add(
                    ScheduleCode.WAITS_FOR_ROOM.finding(of(waiting.getFirst()).with("many", waiting.size())));
        if (running.isEmpty()) return;
        FindingFacts first = of(running.getFirst());
        int queued = running.size() - 1;
        if ("enqueue".equals(schedule.text("overlap_policy")) && queued > Thresholds.QUEUED_RUNS)
            findings.add(ScheduleCode.PILES_UP.finding(first.with("many", queued)));
        findings.add(ScheduleCode.RUNS.finding(first.with("many", running.size())));
    }

    private List<Facts> running(boolean waits) {
        return schedule.list("running").stream()
                .filter(run -> run.flag("waits_for_room") == waits)
                .toList();
    }

    private void orOnTime() {
        Instant next = schedule.time("next_run_at");
        if (!findings.isEmpty() || next == null) return;
        ZoneId zone = ZoneId.of(String.valueOf(schedule.text("timezone")));
        findings.add(ScheduleCode.ON_TIME.finding(
                facts.with("local", next.atZone(zone).toLocalDateTime().toString())));
    }
}
