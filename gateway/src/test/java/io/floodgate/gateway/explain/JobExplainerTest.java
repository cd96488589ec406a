package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Given.agoSeconds;
import static io.floodgate.gateway.explain.Given.full;
import static io.floodgate.gateway.explain.Given.job;
import static io.floodgate.gateway.explain.Given.queue;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobExplainerTest {
    private static Finding verdict(JobCode code, Severity severity, JobStanding job) {
        Explanation explanation = JobExplainer.explain(job);
        assertThat(explanation.findings()).hasSize(1);
        Finding verdict = explanation.verdict();
        assertThat(verdict.code()).isEqualTo(code);
        assertThat(verdict.severity()).isEqualTo(severity);
        return verdict;
    }

    private static JobStanding waiting(String reason, String... more) {
        String others = String.join("", more);
        return job(
                queue("'depth':5,'available':5,'drains_per_second':2.0"),
                "'waiting':{'reason':'%s'%s}".formatted(reason, others));
    }

    private static final String ACTIVE =
            "'state':'active','attempt':1,'worker_id':'w1','started_at':'%s'," + "'waiting':{'reason':'running'}";

    private static JobStanding discarded(String error, String more) {
        return job(
                queue(),
                "'state':'discarded','attempt':1,'discarded_at':'%s'%s".formatted(agoSeconds(10), more),
                "{'error':{'type':'%s','message':'it broke'}}".formatted(error),
                null);
    }

    @Test
    void partition_silent() {
        Explanation silent = JobExplainer.silent("0193", Given.NOW, Given.silence(Given.OWNER));
        assertThat(silent.verdict().code()).isEqualTo(JobCode.PARTITION_SILENT);
        assertThat(silent.exact()).isFalse();
        assertThat(silent.verdict().evidence().values()).containsEntry("owner", "node-7-1");
    }

    @Test
    void set_aside() {
        verdict(JobCode.SET_ASIDE, Severity.PROBLEM, waiting("set_aside"));
    }

    @Test
    void running() {
        Facts worker = new Facts(Given.json("{'last_heartbeat_at':'%s'}".formatted(agoSeconds(10))));
        JobStanding job = job(queue(), ACTIVE.formatted(agoSeconds(90)), "{}", worker);
        assertThat(verdict(JobCode.RUNNING, Severity.OK, job).title())
                .isEqualTo("Job 0193 has run for 1 min 30 s at worker 'w1' (attempt 1 of 3)");
    }

    @Test
    void long_run() {
        Finding found = verdict(
                JobCode.LONG_RUN,
                Severity.WARNING,
                job(queue("'avg_duration_ms':30000"), ACTIVE.formatted(agoSeconds(91))));
        assertThat(found.text()).isEqualTo("Runs of queue 'email' take 30 s on average.");
        verdict(JobCode.RUNNING, Severity.OK, job(queue("'avg_duration_ms':30000"), ACTIVE.formatted(agoSeconds(90))));
    }

    @Test
    void silent_worker() {
        Facts worker = new Facts(Given.json("{'last_heartbeat_at':'%s'}".formatted(agoSeconds(11))));
        JobStanding job = job(queue(), ACTIVE.formatted(agoSeconds(90)), "{}", worker);
        assertThat(verdict(JobCode.SILENT_WORKER, Severity.PROBLEM, job).title())
                .isEqualTo("Job 0193 is at worker 'w1', which has been silent for 11 s");
    }

    @Test
    void scheduled() {
        Finding found =
                verdict(JobCode.SCHEDULED, Severity.OK, waiting("scheduled", ",'until':'2026-02-12T10:35:00.000Z'"));
        assertThat(found.title()).isEqualTo("Job 0193 is scheduled for 10:35:00 UTC");
        assertThat(found.text()).isEqualTo("That is in 5 min.");
    }

    @Test
    void retry() {
        JobStanding job = job(
                queue(),
                "'state':'retryable','attempt':1,'waiting':{'reason':'retry','until':'2026-02-12T10:31:00.000Z'}",
                "{'error':{'type':'SmtpError','message':'refused'}}",
                null);
        Finding found = verdict(JobCode.RETRY, Severity.INFO, job);
        assertThat(found.title()).isEqualTo("Job 0193 failed in attempt 1 of 3 and is tried again at 10:31:00 UTC");
        assertThat(found.text()).isEqualTo("The last error: SmtpError: refused");
    }

    @Test
    void not_activated() {
        verdict(JobCode.NOT_ACTIVATED, Severity.INFO, waiting("not_activated"));
        verdict(
                JobCode.NOT_ACTIVATED,
                Severity.WARNING,
                job(queue(), "'waiting':{'reason':'not_activated'},'enqueued_at':'%s'".formatted(agoSeconds(3600))));
    }

    @Test
    void making_room() {
        verdict(JobCode.MAKING_ROOM, Severity.INFO, waiting("making_room"));
    }

    @Test
    void maintenance() {
        verdict(
                JobCode.MAINTENANCE,
                Severity.WARNING,
                job(queue("'maintenance':true"), "'waiting':{'reason':'maintenance'}"));
    }

    @Test
    void queue_paused() {
        Finding found = verdict(
                JobCode.QUEUE_PAUSED,
                Severity.WARNING,
                job(queue("'paused':true,'available':1,'depth':1"), "'waiting':{'reason':'queue_paused'}"));
        assertThat(found.advice().getFirst().action().id()).isEqualTo("queue.resume");
    }

    @Test
    void nobody_fetches() {
        Finding found = verdict(JobCode.NOBODY_FETCHES, Severity.PROBLEM, waiting("nobody_fetches", ",'position':3"));
        assertThat(found.title()).isEqualTo("No worker has ever fetched from queue 'email'");
        assertThat(found.text()).isEqualTo("Job 0193 waits, with 2 jobs before it.");
    }

    @Test
    void rate_limited() {
        String limited =
                "'waiting':{'reason':'rate_limited'},'enqueued_at':'%s','limited_by':{'key':'api','strategy':'concurrency',"
                        + "'limit':2,'current':2}";
        Finding found = verdict(JobCode.RATE_LIMITED, Severity.INFO, job(queue(), limited.formatted(agoSeconds(299))));
        assertThat(found.text()).isEqualTo("Key 'api': 2 of 2 run.");
        verdict(JobCode.RATE_LIMITED, Severity.PROBLEM, job(queue(), limited.formatted(agoSeconds(300))));
    }

    @Test
    void type_not_fetched() {
        verdict(JobCode.TYPE_NOT_FETCHED, Severity.PROBLEM, waiting("type_not_fetched"));
    }

    @Test
    void tenant_not_fetched() {
        Finding found = verdict(
                JobCode.TENANT_NOT_FETCHED, Severity.PROBLEM, waiting("tenant_not_fetched", ",'tenant_id':'acme'"));
        assertThat(found.title()).isEqualTo("No worker takes jobs of tenant 'acme'");
    }

    @Test
    void tenant_at_concurrency() {
        Finding found = verdict(
                JobCode.TENANT_AT_CONCURRENCY,
                Severity.INFO,
                waiting("tenant_at_concurrency", ",'tenant_id':'acme','max_concurrency':5,'most_in':'a, b'"));
        assertThat(found.title()).contains("its tenant 'acme' has as many jobs running as it may have: 5");
        assertThat(found.text()).isEqualTo("It starts when one of these ends: most run in a, b.");
    }

    @Test
    void version_not_accepted() {
        Finding found = verdict(
                JobCode.VERSION_NOT_ACCEPTED,
                Severity.PROBLEM,
                waiting("version_not_accepted", ",'job_version':'2.1'"));
        assertThat(found.title()).startsWith("No worker accepts version 2.1 of jobs of type");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            retryable | INFO | has failed (attempt 2 of 5) and is tried again in 12 s | job.skip
            scheduled | INFO | is scheduled for 10:30:12 UTC, in 12 s | job.skip
            pending | INFO | has not been activated | job.skip
            active | INFO | runs (attempt 2 of 5) | job.cancel
            set_aside | PROBLEM | is quarantined | job.cancel
            """)
    void behind_key(String state, Severity severity, String holder, String advised) {
        Finding found = verdict(
                JobCode.BEHIND_KEY,
                severity,
                waiting(
                        "behind_key",
                        ",'order_key':'order-17','holder':'0192','holder_state':'" + state
                                + "','holder_attempt':2,'holder_max_attempts':5,'jobs_of_key':3,'until':'"
                                + Given.NOW.plusSeconds(12) + "'"));
        assertThat(found.title()).isEqualTo("Job 0193 waits for job 0192 of its key 'order-17', which " + holder);
        assertThat(found.text())
                .isEqualTo("3 jobs have that key; they start one at a time, in the order in which they came.");
        assertThat(found.advice())
                .extracting(
                        advice -> advice.action() == null ? "" : advice.action().id())
                .contains(advised);
    }

    @Test
    void starved() {
        verdict(JobCode.STARVED, Severity.WARNING, waiting("starved"));
    }

    @Test
    void workers_busy() {
        Finding found = verdict(JobCode.WORKERS_BUSY, Severity.INFO, waiting("workers_busy", ",'position':20"));
        assertThat(found.title()).isEqualTo("Job 0193 waits, with 19 jobs before it");
        assertThat(found.text()).endsWith("At the present rate it starts in about 10 s.");
        Finding behind = verdict(
                JobCode.WORKERS_BUSY,
                Severity.INFO,
                waiting("workers_busy", ",'position':20,'ahead_higher_priority':4"));
        assertThat(behind.text()).endsWith("4 of them with a higher priority.");
    }

    @Test
    void in_line() {
        assertThat(verdict(JobCode.IN_LINE, Severity.OK, waiting("in_line", ",'position':1"))
                        .title())
                .isEqualTo("Job 0193 waits as the first in line");
    }

    @Test
    void completed() {
        Finding found = verdict(
                JobCode.COMPLETED,
                Severity.OK,
                job(
                        queue(),
                        "'state':'completed','attempt':1,'started_at':'%s','completed_at':'%s'"
                                .formatted(agoSeconds(30), agoSeconds(28))));
        assertThat(found.text()).isEqualTo("It ran for 2 s, in attempt 1 of 3.");
    }

    @Test
    void cancelled() {
        JobStanding job = job(queue(), "'state':'cancelled','previous_state':'active'");
        Finding found = verdict(JobCode.CANCELLED, Severity.INFO, job);
        assertThat(found.title()).isEqualTo("Job 0193 was cancelled while it was active");
        assertThat(found.advice().getFirst().action().path()).isEqualTo("/ojs/v1/admin/jobs/0193/retry");
    }

    @Test
    void no_retry_is_advised_that_would_be_rejected() {
        String cancelled = "'state':'cancelled'";
        assertThat(JobExplainer.explain(job(queue(full()), cancelled))
                        .verdict()
                        .advice()
                        .getFirst()
                        .action())
                .isNull();
        String late = cancelled + ",'expires_at':'%s'".formatted(agoSeconds(1));
        assertThat(JobExplainer.explain(job(queue(), late))
                        .verdict()
                        .advice()
                        .getFirst()
                        .action())
                .isNull();
    }

    @Test
    void attempts_used() {
        Finding found = verdict(JobCode.ATTEMPTS_USED, Severity.WARNING, discarded("SmtpError", ",'attempt':3"));
        assertThat(found.title()).isEqualTo("Job 0193 was discarded: all its attempts failed (3 of 3)");
    }

    @Test
    void not_retryable() {
        verdict(JobCode.NOT_RETRYABLE, Severity.WARNING, discarded("SmtpError", ""));
    }

    @Test
    void expired() {
        verdict(JobCode.EXPIRED, Severity.WARNING, discarded("enqueue_ttl_expired", ""));
    }

    @Test
    void overflow() {
        verdict(JobCode.OVERFLOW, Severity.WARNING, discarded("overflow", ""));
    }

    @Test
    void rate_limit_dropped() {
        verdict(JobCode.RATE_LIMIT_DROPPED, Severity.WARNING, discarded("rate_limited", ""));
    }

    @Test
    void queue_deleted() {
        verdict(JobCode.QUEUE_DELETED, Severity.INFO, discarded("queue_deleted", ""));
    }

    @Test
    void worker_lost_once() {
        verdict(JobCode.WORKER_LOST_ONCE, Severity.WARNING, discarded("worker_death", ""));
    }

    @Test
    void unknown_id() {
        Explanation unknown = JobExplainer.unknown("0193", Given.NOW, "ojs.commands/3", "job.deleted at 10:00");
        assertThat(unknown.verdict().code()).isEqualTo(JobCode.UNKNOWN_ID);
        assertThat(unknown.verdict().text()).contains("job.deleted at 10:00");
    }
}
