package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LimitExplainerTest {
    private static Explanation explain(String members) {
        return explain(members, RunsOfLimit.NOT_LOOKED_FOR);
    }

    private static Explanation explain(String members, RunsOfLimit runs) {
        return LimitExplainer.explain(
                new Facts(Given.json("{'key':'api'," + members + "}")), runs, Given.NOW, "ojs.commands/1");
    }

    private static Finding verdict(LimitCode code, Severity severity, String members) {
        Finding verdict = explain(members).verdict();
        assertThat(verdict.code()).isEqualTo(code);
        assertThat(verdict.severity()).isEqualTo(severity);
        return verdict;
    }

    @Test
    void stopped() {
        String stopped =
                "'concurrency':{'limit':0,'active':0},'waiting':%d,'override':{'concurrency':0,'expires_at':'2026-02-12T11:00:00.000Z','by':'ops','at':'2026-02-12T10:00:00.000Z'}";
        Finding found = verdict(LimitCode.STOPPED, Severity.PROBLEM, stopped.formatted(3));
        assertThat(found.title()).isEqualTo("The rate limit 'api' is stopped: 3 jobs wait");
        assertThat(found.text())
                .isEqualTo(
                        "An override sets its concurrency to 0 until 11:00:00 UTC. Key 'ops' set it at 10:00:00 UTC.");
        assertThat(found.advice().getFirst().action().path()).isEqualTo("/ojs/v1/rate-limits/api/override");
        assertThat(explain(stopped.formatted(3)).findings()).hasSize(1);
        verdict(LimitCode.STOPPED, Severity.WARNING, stopped.formatted(0));
    }

    @Test
    void frozen() {
        Finding found = verdict(
                LimitCode.FROZEN,
                Severity.WARNING,
                "'frozen_until':'2026-02-12T10:31:00.000Z','frozen_reason':'429 from the partner','waiting':1");
        assertThat(found.text()).isEqualTo("A worker reported it: 429 from the partner.");
    }

    @Test
    void held_concurrency() {
        Finding found = verdict(
                LimitCode.HELD_CONCURRENCY,
                Severity.INFO,
                "'concurrency':{'limit':2,'active':2},'active':2,'waiting':5");
        assertThat(found.title()).isEqualTo("2 of 2 jobs of the rate limit 'api' run; 5 jobs wait");
        verdict(LimitCode.FREE, Severity.OK, "'concurrency':{'limit':2,'active':1},'active':1,'waiting':5");
    }

    @Test
    void held_concurrency_names_the_run_that_may_hang() {
        Facts run = new Facts(
                Given.json(
                        "{'id':'j1','queue':'email','worker_id':'w','started_at':'2026-02-12T10:00:00.000Z','rate_limit_key':'api'}"));
        Explanation explained = explain(
                "'concurrency':{'limit':1,'active':1},'active':1,'waiting':5", new RunsOfLimit(List.of(run), false));
        Finding found = explained.verdict();
        assertThat(found.text()).endsWith("The longest run is that of job j1, since 10:00:00 UTC.");
        assertThat(found.advice().getFirst().action().path()).isEqualTo("/ojs/v1/jobs/j1");
        assertThat(explained.notKnown()).containsExactly("some_runs");
    }

    @Test
    void held_rate() {
        Finding found = verdict(
                LimitCode.HELD_RATE,
                Severity.INFO,
                "'rate':{'limit':10,'period':'PT1S','current_count':10,'window_resets_at':'2026-02-12T10:30:01.000Z'},'waiting':5");
        assertThat(found.title()).isEqualTo("The rate of 'api' is used up: 10 per PT1S; 5 jobs wait");
    }

    @Test
    void held_throttle() {
        Finding found = verdict(
                LimitCode.HELD_THROTTLE,
                Severity.INFO,
                "'throttle':{'limit':1,'period':'PT5S','next_allowed_at':'2026-02-12T10:30:05.000Z'},'waiting':1");
        assertThat(found.title()).isEqualTo("The next job of 'api' may start in 5 s; 1 job waits");
    }

    @Test
    void overridden() {
        verdict(
                LimitCode.OVERRIDDEN,
                Severity.INFO,
                "'override':{'concurrency':3},'concurrency':{'limit':3,'active':0}");
    }

    @Test
    void free() {
        assertThat(verdict(LimitCode.FREE, Severity.OK, "'active':1").title())
                .isEqualTo("The rate limit 'api' holds nothing back: 1 job runs");
    }

    @Test
    void unknown_key() {
        assertThat(LimitExplainer.unknown("x", Given.NOW, "ojs.commands/1")
                        .verdict()
                        .code())
                .isEqualTo(LimitCode.UNKNOWN_KEY);
    }

    @Test
    void that_it_is_overridden_is_not_said_twice() {
        assertThat(explain("'concurrency':{'limit':0,'active':0},'waiting':1,'override':{'concurrency':0}")
                        .findings())
                .hasSize(1);
    }
}
