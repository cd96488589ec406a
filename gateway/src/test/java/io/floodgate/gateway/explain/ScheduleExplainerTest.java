package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.junit.jupiter.api.Test;

class ScheduleExplainerTest {
    private static final String SCHEDULE = """
            {'name':'daily','expression':'0 9 * * *','timezone':'America/New_York','queue':'reports','overlap_policy':'skip',
             'enabled':true,'next_run_at':'2026-02-12T14:00:00.000Z','last_run_at':'2026-02-11T14:00:00.000Z',
             'last_job_id':'j','run_count':4,'skipped_count':1,'running':[],'history':[]}""";
    private static final String RUN = "{'job_id':'j','scheduled_at':'2026-02-12T10:00:00.000Z','waits_for_room':false}";
    private static final String DONE = outcome("'completed_at':'2026-02-11T14:01:00.000Z','state':'completed'");

    private static String outcome(String members) {
        return "{'scheduled_at':'2026-02-12T10:00:00.000Z','outcome':'triggered','late_ms':3,%s}".formatted(members);
    }

    private static Explanation explain(String... members) {
        var schedule = Given.json(SCHEDULE);
        for (String some : members) schedule.setAll(Given.json("{" + some + "}"));
        return ScheduleExplainer.explain(new Facts(schedule), Given.NOW, "ojs.commands/2");
    }

    private static Finding verdict(ScheduleCode code, Severity severity, String... members) {
        Finding verdict = explain(members).verdict();
        assertThat(verdict.code()).isEqualTo(code);
        assertThat(verdict.severity()).isEqualTo(severity);
        return verdict;
    }

    private static String running(int runs) {
        return "'running':[" + String.join(",", Collections.nCopies(runs, RUN)) + "]";
    }

    @Test
    void on_time() {
        Finding found = verdict(ScheduleCode.ON_TIME, Severity.OK);
        assertThat(found.title()).startsWith("Schedule 'daily' is due next at ").endsWith(", in 3 h 30 min");
        assertThat(found.text()).isEqualTo("By the clocks of America/New_York: 2026-02-12T09:00.");
    }

    @Test
    void paused() {
        Finding found = verdict(
                ScheduleCode.PAUSED,
                Severity.WARNING,
                "'enabled':false,'next_run_at':null,'paused_since':'2026-02-12T10:00:00.000Z'");
        assertThat(found.title()).startsWith("Schedule 'daily' is paused since ");
        assertThat(found.advice().getFirst().action().path()).isEqualTo("/ojs/v1/cron/daily/resume");
    }

    @Test
    void not_planned() {
        verdict(ScheduleCode.NOT_PLANNED, Severity.PROBLEM, "'next_run_at':null");
    }

    @Test
    void skips() {
        String skipped = outcome("'outcome':'skipped','reason':'queue_full'");
        Finding found = verdict(
                ScheduleCode.SKIPS, Severity.WARNING, "'history':[%s,%s,%s]".formatted(skipped, skipped, skipped));
        assertThat(found.title()).isEqualTo("Schedule 'daily' was skipped at its last 3 occurrences: queue full");
        verdict(ScheduleCode.ON_TIME, Severity.OK, "'history':[%s,%s,%s]".formatted(skipped, DONE, skipped));
    }

    @Test
    void fails() {
        String failed = outcome("'completed_at':'2026-02-11T14:01:00.000Z','state':'discarded'");
        Finding found =
                verdict(ScheduleCode.FAILS, Severity.PROBLEM, "'history':[%s,%s,%s]".formatted(failed, failed, failed));
        assertThat(found.text()).isEqualTo("None of its runs has ever succeeded.");
        verdict(ScheduleCode.ON_TIME, Severity.OK, "'history':[%s,%s,%s]".formatted(failed, failed, DONE));
    }

    @Test
    void late() {
        verdict(ScheduleCode.LATE, Severity.WARNING, "'history':[" + outcome("'late_ms':61000") + "]");
        verdict(ScheduleCode.ON_TIME, Severity.OK, "'history':[" + outcome("'late_ms':59000") + "]");
    }

    @Test
    void waits_for_room() {
        Finding found = verdict(
                ScheduleCode.WAITS_FOR_ROOM,
                Severity.WARNING,
                "'running':[" + RUN.replace("'waits_for_room':false", "'waits_for_room':true") + "]");
        assertThat(found.title()).isEqualTo("1 run of schedule 'daily' waits for room in queue 'reports'");
    }

    @Test
    void runs() {
        assertThat(verdict(ScheduleCode.RUNS, Severity.INFO, running(1)).title())
                .isEqualTo("1 run of schedule 'daily' has not ended");
        verdict(ScheduleCode.RUNS, Severity.INFO, running(5), "'overlap_policy':'allow'");
    }

    @Test
    void piles_up() {
        verdict(ScheduleCode.RUNS, Severity.INFO, running(3), "'overlap_policy':'enqueue'");
        assertThat(verdict(ScheduleCode.PILES_UP, Severity.WARNING, running(4), "'overlap_policy':'enqueue'")
                        .title())
                .isEqualTo("3 runs of schedule 'daily' wait for the one before");
    }

    @Test
    void unknown_schedule() {
        assertThat(ScheduleExplainer.unknown("daily", Given.NOW, "ojs.commands/2")
                        .verdict()
                        .code())
                .isEqualTo(ScheduleCode.UNKNOWN_SCHEDULE);
    }
}
