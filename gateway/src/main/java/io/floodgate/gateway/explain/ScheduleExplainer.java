package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Advice.Action;
import io.floodgate.gateway.explain.Explanation.Subject;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a schedule does not run, or when it does, from what its partition knows. */
final class ScheduleExplainer {
    private static final int LOOKED_AT = 3;
    private static final int SHOWN = 10;
    private static final long LATE_MS = 60_000;

    private final Facts schedule;
    private final Instant now;
    private final String name;
    private final List<Facts> history;

    private ScheduleExplainer(Facts schedule, Instant now) {
        this.schedule = schedule;
        this.now = now;
        name = String.valueOf(schedule.text("name"));
        history = schedule.list("history");
    }

    /** @param schedule as its partition shows it, with its last outcomes */
    static Explanation explain(Facts schedule, Instant now, String from) {
        ScheduleExplainer explainer = new ScheduleExplainer(schedule, now);
        return new Explanation(
                new Subject("schedule", explainer.name),
                now,
                true,
                from,
                explainer.findings(),
                explainer.figures(),
                explainer.last(),
                List.of());
    }

    static Explanation unknown(String name, Instant now, String from) {
        return Explanation.unknown(
                new Subject("schedule", name),
                Finding.of(
                        ScheduleCode.UNKNOWN_SCHEDULE,
                        Severity.UNKNOWN,
                        "There is no schedule '%s'".formatted(name),
                        "It was not registered, or was removed."),
                now,
                from);
    }

    private List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        boolean isEnabled = schedule.flag("enabled");
        if (!isEnabled) findings.add(paused());
        else if (schedule.time("next_run_at") == null) findings.add(notPlanned());
        List<Facts> last = history.subList(0, Math.min(LOOKED_AT, history.size()));
        if (last.size() == LOOKED_AT && last.stream().allMatch(each -> "skipped".equals(each.text("outcome"))))
            findings.add(skips(last.getFirst()));
        if (fails()) findings.add(failing());
        if (!history.isEmpty()
                && "triggered".equals(history.getFirst().text("outcome"))
                && history.getFirst().number("late_ms") > LATE_MS) findings.add(late(history.getFirst()));
        List<Facts> waiting = running(true);
        List<Facts> running = running(false);
        if (!waiting.isEmpty()) findings.add(waits(waiting.getFirst(), waiting.size()));
        int queued = running.size() - 1;
        if ("enqueue".equals(schedule.text("overlap_policy")) && queued > Thresholds.QUEUED_RUNS)
            findings.add(pilesUp(running.getFirst(), queued));
        if (!running.isEmpty()) findings.add(runs(running.getFirst(), running.size()));
        if (findings.isEmpty()) findings.add(onTime());
        return findings;
    }

    private List<Facts> running(boolean waits) {
        return schedule.list("running").stream()
                .filter(run -> run.flag("waits_for_room") == waits)
                .toList();
    }

    private boolean fails() {
        List<Facts> ended = history.stream()
                .filter(each -> each.has("completed_at"))
                .limit(LOOKED_AT)
                .toList();
        return ended.size() == LOOKED_AT && ended.stream().noneMatch(each -> "completed".equals(each.text("state")));
    }

    private Finding paused() {
        Instant since = schedule.time("paused_since");
        return Finding.of(
                ScheduleCode.PAUSED,
                Severity.WARNING,
                "Schedule '%s' is paused%s".formatted(name, since == null ? "" : " since " + Words.time(since, now)),
                "Nothing is run until it is resumed.",
                Advice.of(
                        "Resume it.",
                        new Action(
                                "cron.resume",
                                "POST",
                                "/ojs/v1/cron/%s/resume".formatted(Words.inPath(name)),
                                null,
                                Action.REVERSIBLE)));
    }

    private Finding notPlanned() {
        return Finding.of(
                ScheduleCode.NOT_PLANNED,
                Severity.PROBLEM,
                "It is not known when schedule '%s' is due next".formatted(name),
                "Processors plan ahead as long as one has the partition and can read the expression and the time zone.",
                Advice.read("See whether its partition is processed.", "docs/how-to/monitor.md"));
    }

    private Finding skips(Facts last) {
        return Finding.of(
                ScheduleCode.SKIPS,
                Severity.WARNING,
                "Schedule '%s' was skipped at its last %d occurrences: %s"
                        .formatted(
                                name,
                                LOOKED_AT,
                                String.valueOf(last.text("reason")).replace('_', ' ')),
                "Its queue is '%s', and its overlap policy '%s'."
                        .formatted(schedule.text("queue"), schedule.text("overlap_policy")),
                Advice.say("See why: ./floodgate why queue %s".formatted(schedule.text("queue"))));
    }

    private Finding failing() {
        return Finding.of(
                ScheduleCode.FAILS,
                Severity.PROBLEM,
                "The last %d runs of schedule '%s' have ended without success".formatted(LOOKED_AT, name),
                schedule.has("last_success_at")
                        ? "The last success was at %s."
                                .formatted(Words.time(present(schedule.time("last_success_at")), now))
                        : "None of its runs has ever succeeded.",
                Advice.say("See why: ./floodgate why job %s".formatted(schedule.text("last_job_id"))));
    }

    private Instant present(@Nullable Instant time) {
        return time == null ? now : time;
    }

    private Finding late(Facts run) {
        return Finding.of(
                ScheduleCode.LATE,
                Severity.WARNING,
                "The last run of schedule '%s' was late by %s"
                        .formatted(name, Words.duration(Duration.ofMillis(run.number("late_ms")))),
                "It was due at %s.".formatted(Words.time(present(run.time("scheduled_at")), now)),
                Advice.read("See whether processors were down.", "docs/how-to/monitor.md"));
    }

    private Finding waits(Facts run, int many) {
        return Finding.of(
                ScheduleCode.WAITS_FOR_ROOM,
                Severity.WARNING,
                "%s of schedule '%s' %s for room in queue '%s'"
                        .formatted(
                                Words.count(many, "run"), name, many == 1 ? "waits" : "wait", schedule.text("queue")),
                "The first was due at %s.".formatted(Words.time(present(run.time("scheduled_at")), now)),
                Advice.say("See why it is full: ./floodgate why queue %s".formatted(schedule.text("queue"))));
    }

    private Finding pilesUp(Facts first, int queued) {
        return Finding.of(
                ScheduleCode.PILES_UP,
                Severity.WARNING,
                "%s of schedule '%s' wait for the one before".formatted(Words.count(queued, "run"), name),
                "One runs at a time, and more become due meanwhile. The first that has not ended was due at %s."
                        .formatted(Words.time(present(first.time("scheduled_at")), now)),
                Advice.say("See what it does: ./floodgate why job %s".formatted(first.text("job_id"))));
    }

    private Finding runs(Facts run, int many) {
        return Finding.of(
                ScheduleCode.RUNS,
                Severity.INFO,
                "%s of schedule '%s' %s not ended"
                        .formatted(Words.count(many, "run"), name, many == 1 ? "has" : "have"),
                "The first was due at %s, and is job %s."
                        .formatted(Words.time(present(run.time("scheduled_at")), now), run.text("job_id")),
                Advice.say("See what it does: ./floodgate why job %s".formatted(run.text("job_id"))));
    }

    private Finding onTime() {
        Instant next = present(schedule.time("next_run_at"));
        return Finding.of(
                ScheduleCode.ON_TIME,
                Severity.OK,
                "Schedule '%s' is due next at %s, in %s"
                        .formatted(name, Words.time(next, now), Words.duration(Duration.between(now, next))),
                "By the clocks of %s: %s.".formatted(schedule.text("timezone"), local(next)));
    }

    private String local(Instant time) {
        return time.atZone(ZoneId.of(String.valueOf(schedule.text("timezone"))))
                .toLocalDateTime()
                .toString();
    }

    private Evidence figures() {
        return new Evidence()
                .with("expression", schedule.text("expression"))
                .with("timezone", schedule.text("timezone"))
                .with("next_run_at", schedule.time("next_run_at"))
                .with("last_run_at", schedule.time("last_run_at"))
                .with("last_success_at", schedule.time("last_success_at"))
                .with("run_count", schedule.number("run_count"))
                .with("skipped_count", schedule.number("skipped_count"))
                .with("unfinished", schedule.list("running").size());
    }

    private Evidence last() {
        List<Evidence> last = history.stream()
                .limit(SHOWN)
                .map(each -> new Evidence()
                        .with("scheduled_at", each.time("scheduled_at"))
                        .with("outcome", each.text("outcome"))
                        .with("reason", each.text("reason"))
                        .with("late_ms", each.number("late_ms"))
                        .with("state", each.text("state")))
                .toList();
        return new Evidence().with("last_outcomes", last.isEmpty() ? null : last);
    }
}
