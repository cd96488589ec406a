package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Given.agoSeconds;
import static io.floodgate.gateway.explain.Given.full;
import static io.floodgate.gateway.explain.Given.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.explain.QueueStanding.LostWorker;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Facts in, verdict out: one test for each code, named after it. */
class QueueExplainerTest {
    private static final String OLD = "'oldest_available_at':'%s'".formatted(agoSeconds(400));

    private static Explanation explain(QueueStanding queue) {
        return QueueExplainer.explain(queue, false);
    }

    private static Finding verdict(QueueCode code, Severity severity, QueueStanding queue) {
        Finding verdict = explain(queue).verdict();
        assertThat(verdict.code()).as("%s", explain(queue).findings()).isEqualTo(code);
        assertThat(verdict.severity()).isEqualTo(severity);
        return verdict;
    }

    private static List<String> codes(QueueStanding queue) {
        return explain(queue).findings().stream()
                .map(finding -> finding.code().wire())
                .toList();
    }

    @Test
    void partition_silent() {
        Explanation silent = QueueExplainer.silent("email", Given.NOW, Given.silence(null), null);
        assertThat(silent.exact()).isFalse();
        assertThat(silent.verdict().code()).isEqualTo(QueueCode.PARTITION_SILENT);
        assertThat(silent.verdict().title()).isEqualTo("Partition ojs.commands/3 of queue 'email' does not answer");
        assertThat(silent.notKnown()).containsExactly("partition", "owner");
        Explanation owned = QueueExplainer.silent("email", Given.NOW, Given.silence(Given.OWNER), null);
        assertThat(owned.verdict().text())
                .endsWith("Processor node-7-1 at 10.0.0.7 has it, as far as Kafka knows. No reply.");
        assertThat(owned.verdict().advice())
                .singleElement()
                .satisfies(advice -> assertThat(advice.text()).startsWith("Look at processor node-7-1 at 10.0.0.7"));
        assertThat(owned.notKnown()).containsExactly("partition");
    }

    @Test
    void maintenance() {
        Finding found = verdict(
                QueueCode.MAINTENANCE,
                Severity.WARNING,
                queue("'maintenance':true,'maintenance_reason':'a new disk','depth':5,'available':5"));
        assertThat(found.title()).isEqualTo("The server is in maintenance: a new disk");
    }

    @Test
    void draining() {
        Finding found = verdict(
                QueueCode.DRAINING,
                Severity.INFO,
                queue("'deletion':{'strategy':'drain'},'depth':60,'available':60,'drains_per_second':2.0"));
        assertThat(found.title()).isEqualTo("Queue 'email' is being deleted (drain): 60 jobs left");
        assertThat(found.text()).contains("empty in about 30 s");
    }

    @Test
    void paused() {
        String paused = "'paused':true,'paused_at':'%s','paused_by':'ops','paused_reason':'mail is down'"
                .formatted(agoSeconds(60));
        Finding found = verdict(QueueCode.PAUSED, Severity.WARNING, queue(paused, "'depth':12,'available':12"));
        assertThat(found.title()).isEqualTo("Queue 'email' is paused: 12 jobs wait");
        assertThat(found.text()).isEqualTo("Key 'ops' paused it at 10:29:00 UTC: mail is down.");
        assertThat(found.advice().getFirst().action().path()).isEqualTo("/ojs/v1/queues/email/resume");
        verdict(QueueCode.PAUSED, Severity.PROBLEM, queue(full(), paused));
        verdict(QueueCode.PAUSED, Severity.INFO, queue(paused));
    }

    @Test
    void limit_stopped() {
        Finding found = verdict(
                QueueCode.LIMIT_STOPPED,
                Severity.PROBLEM,
                queue("'held':{'strategy':'concurrency','limit':0,'current':0},'depth':1,'available':1"));
        assertThat(found.text()).endsWith("1 job waits.");
    }

    @Test
    void limit_frozen() {
        Finding found = verdict(
                QueueCode.LIMIT_FROZEN,
                Severity.WARNING,
                queue(
                        "'held':{'strategy':'adjusted','limit':0,'until':'2026-02-12T10:31:00.000Z'},'depth':9,'available':9"));
        assertThat(found.title()).isEqualTo("A worker stopped queue 'email' until 10:31:00 UTC");
    }

    @Test
    void nobody_fetches() {
        String never = "'fetched_lately':false,'last_fetched_at':null,'depth':2,'available':2";
        Finding found = verdict(QueueCode.NOBODY_FETCHES, Severity.PROBLEM, queue(never));
        assertThat(found.title()).isEqualTo("No worker has ever fetched from queue 'email': 2 jobs wait");
        String before =
                "'fetched_lately':false,'last_fetched_at':'%s','depth':1,'available':1".formatted(agoSeconds(200));
        assertThat(verdict(QueueCode.NOBODY_FETCHES, Severity.PROBLEM, queue(before))
                        .title())
                .isEqualTo("No worker has fetched from queue 'email' for 3 min 20 s: 1 job waits");
        verdict(QueueCode.NOBODY_FETCHES, Severity.PROBLEM, queue(before, full(), "'fills_per_second':9.0"));
        assertThat(codes(queue(before, "'waiting_fetches':{'count':1}"))).doesNotContain("nobody_fetches");
        assertThat(codes(queue(before, "'paused':true"))).doesNotContain("nobody_fetches");
    }

    @Test
    void types_not_fetched() {
        String types = "'depth':5,'available':5,'ready':{'sampled':5,'types_not_fetched':[{'type':'a','jobs':3,"
                + "'oldest_available_at':'%s','job_id':'j'}]},'fetched_types':[{'worker_id':'w1','exclude_types':['a']}]";
        Finding found = verdict(QueueCode.TYPES_NOT_FETCHED, Severity.PROBLEM, queue(types.formatted(agoSeconds(60))));
        assertThat(found.title()).isEqualTo("No worker asks for jobs of type 'a' in queue 'email'");
        assertThat(found.advice().getFirst().text()).startsWith("Look at worker 'w1': it leaves out 'a'");
        assertThat(codes(queue(types.formatted(agoSeconds(59))))).doesNotContain("types_not_fetched");
    }

    @Test
    void versions_not_accepted() {
        String versions =
                "'depth':5,'available':5,'ready':{'sampled':5,'versions_not_accepted':[{'type':'a','version':'2.1','jobs':3,"
                        + "'oldest_available_at':'%s','job_id':'j'}]}";
        Finding found =
                verdict(QueueCode.VERSIONS_NOT_ACCEPTED, Severity.PROBLEM, queue(versions.formatted(agoSeconds(60))));
        assertThat(found.title()).isEqualTo("No worker accepts version 2.1 of jobs of type 'a' in queue 'email'");
        assertThat(found.text()).endsWith("3 jobs have such a version, out of the first 5 in line.");
        assertThat(codes(queue(versions.formatted(agoSeconds(59))))).doesNotContain("versions_not_accepted");
    }

    @Test
    void starved() {
        String passed = "'passed_over':true,'depth':1,'available':1";
        Finding found = verdict(QueueCode.STARVED, Severity.WARNING, queue(passed, OLD));
        assertThat(found.title()).isEqualTo("Workers get jobs of other queues before they come to queue 'email'");
        assertThat(codes(queue(passed, "'oldest_available_at':'%s'".formatted(agoSeconds(299)))))
                .doesNotContain("starved");
    }

    @Test
    void held_by_limits() {
        String limited =
                "'depth':10,'available':10,'limited':{'count':2,'jobs':6,'first':[{'key':'api','strategy':'concurrency',"
                        + "'limit':3,'current':3,'jobs':5}]}";
        Finding found = verdict(QueueCode.HELD_BY_LIMITS, Severity.INFO, queue(limited));
        assertThat(found.title()).isEqualTo("Rate limits hold back 6 jobs of queue 'email': key 'api' and 1 other key");
        assertThat(found.text()).isEqualTo("Key 'api': 3 of 3 run.");
        verdict(QueueCode.HELD_BY_LIMITS, Severity.PROBLEM, queue(limited, OLD));
        assertThat(codes(queue(limited.replace("'jobs':6", "'jobs':5")))).doesNotContain("held_by_limits");
        String own =
                "'held':{'strategy':'rate','limit':5,'current':5,'until':'2026-02-12T10:30:02.000Z'},'depth':3,'available':3";
        assertThat(verdict(QueueCode.HELD_BY_LIMITS, Severity.INFO, queue(own)).title())
                .isEqualTo("Rate limits hold back 3 jobs of queue 'email': key 'queue:email'");
    }

    @Test
    void workers_lost() {
        List<LostWorker> lost = List.of(new LostWorker("w1", Given.NOW.minusSeconds(60), 8));
        QueueStanding queue = queue(lost, "'depth':10,'available':8,'active':2");
        Finding found = verdict(QueueCode.WORKERS_LOST, Severity.PROBLEM, queue);
        assertThat(found.title()).isEqualTo("Worker 'w1' was lost with 8 jobs of queue 'email'");
        assertThat(codes(queue(lost, "'depth':10,'active':9,'available':1"))).doesNotContain("workers_lost");
    }

    @Test
    void stuck() {
        String runs =
                "'depth':1,'active':1,'avg_duration_ms':30000,'runs':{'sampled':1,'longest':[{'job_id':'j1','worker_id':'w1',"
                        + "'started_at':'%s','timeout_at':'2026-02-12T11:00:00.000Z'}]}";
        Finding found = verdict(QueueCode.STUCK, Severity.PROBLEM, queue(runs.formatted(agoSeconds(91))));
        assertThat(found.title()).isEqualTo("1 job runs of queue 'email', and none has ended for 5 min");
        assertThat(found.text()).isEqualTo("The longest has run for 1 min 31 s at worker 'w1'; the average is 30 s.");
        assertThat(codes(queue(runs.formatted(agoSeconds(90))))).doesNotContain("stuck");
        assertThat(codes(queue(runs.formatted(agoSeconds(91)), "'recent':{'completed':1}")))
                .doesNotContain("stuck");
        assertThat(codes(queue(runs.formatted(agoSeconds(600)), "'avg_duration_ms':0")))
                .doesNotContain("stuck");
        assertThat(codes(queue(runs.formatted(agoSeconds(601)), "'avg_duration_ms':0")))
                .contains("stuck");
    }

    @Test
    void failing() {
        String errors =
                "'errors':{'sampled':6,'first':[{'type':'SmtpError','count':6,'message':'refused','job_id':'j1'}]}";
        String half = "'depth':1,'available':1,'recent':{'completed':10,'failed':10,'window_seconds':400}";
        Finding found = verdict(QueueCode.FAILING, Severity.PROBLEM, queue(half, errors));
        assertThat(found.title()).isEqualTo("50% of the last 20 runs of queue 'email' failed, most with 'SmtpError'");
        assertThat(found.advice()).hasSize(2);
        verdict(QueueCode.FAILING, Severity.WARNING, queue(half, "'recent':{'completed':18,'failed':2}"));
        assertThat(codes(queue(half, "'recent':{'completed':19,'failed':2}"))).doesNotContain("failing");
        assertThat(codes(queue(half, "'recent':{'completed':9,'failed':10}"))).doesNotContain("failing");
    }

    @Test
    void dropping() {
        String now = "'depth':10,'dropped':41,'dropped_last_hour':30,'recent':{'dropped':20,'window_seconds':400}";
        Finding found = verdict(QueueCode.DROPPING, Severity.PROBLEM, queue(now));
        assertThat(found.title()).isEqualTo("Queue 'email' drops jobs: 20 in 6 min 40 s, 3/min");
        assertThat(found.text()).endsWith("They never run: 41 jobs so far.");
        verdict(QueueCode.DROPPING, Severity.WARNING, queue(now, "'recent':{'dropped':0}"));
        assertThat(codes(queue(now, "'dropped_last_hour':0"))).doesNotContain("dropping");
    }

    @Test
    void dead_letters() {
        String many = "'dead':10,'last_dead_at':'%s'";
        Finding found = verdict(QueueCode.DEAD_LETTERS, Severity.PROBLEM, queue(many.formatted(agoSeconds(86_399))));
        assertThat(found.title()).isEqualTo("Queue 'email' has 10 dead letters, the last one came 23 h 59 min ago");
        verdict(QueueCode.DEAD_LETTERS, Severity.INFO, queue(many.formatted(agoSeconds(86_400))));
        verdict(QueueCode.DEAD_LETTERS, Severity.WARNING, queue(many.formatted(agoSeconds(0)), "'dead':9"));
        assertThat(codes(queue("'dead':0"))).doesNotContain("dead_letters");
        Finding stayed = verdict(
                QueueCode.DEAD_LETTERS,
                Severity.WARNING,
                queue(many.formatted(agoSeconds(0)), "'dead':1,'config':{'dead_letter_queue':'dlq'}"));
        assertThat(stayed.text()).contains("Queue 'dlq' is there for them and has not taken these.");
    }

    @Test
    void waiting_to_retry() {
        Finding found = verdict(
                QueueCode.WAITING_TO_RETRY,
                Severity.WARNING,
                queue("'depth':20,'available':10,'retryable':10,'later':{'next_due_at':'2026-02-12T10:30:30.000Z'}"));
        assertThat(found.title()).isEqualTo("10 of 20 unfinished jobs of queue 'email' wait for the next attempt");
        assertThat(found.text()).endsWith("The next one found is due in 30 s.");
        verdict(QueueCode.WAITING_TO_RETRY, Severity.INFO, queue("'depth':18,'available':9,'retryable':9"));
    }

    @Test
    void scheduled_later() {
        verdict(QueueCode.SCHEDULED_LATER, Severity.INFO, queue("'depth':2,'available':1,'scheduled':1"));
        verdict(
                QueueCode.SCHEDULED_LATER,
                Severity.WARNING,
                queue(full(), "'available':0,'active':0,'scheduled':1000"));
    }

    @Test
    void not_activated() {
        String pending = "'depth':2,'available':1,'pending':1,'later':{'oldest_pending_at':'%s'}";
        Finding found = verdict(QueueCode.NOT_ACTIVATED, Severity.WARNING, queue(pending.formatted(agoSeconds(3600))));
        assertThat(found.title()).isEqualTo("1 of 2 unfinished jobs of queue 'email' waits for an activation");
        assertThat(codes(queue(pending.formatted(agoSeconds(3599))))).doesNotContain("not_activated");
    }

    @Test
    void behind_keys() {
        String behind = "'depth':20,'available':20,'behind_key':%d,"
                + "'keys':{'longest':[{'order_key':'order-17','jobs':9,'holder':'0192'}]}";
        Finding found = verdict(QueueCode.BEHIND_KEYS, Severity.WARNING, queue(behind.formatted(10)));
        assertThat(found.title())
                .isEqualTo("10 of 20 unfinished jobs of queue 'email' wait for another job of their order key");
        assertThat(found.text()).isEqualTo("Key 'order-17' has 9 jobs; job 0192 is the one that has to end first.");
        assertThat(codes(queue(behind.formatted(9)))).doesNotContain("behind_keys");
        String since = behind.formatted(9) + ",'behind_key_since':'%s'";
        assertThat(codes(queue(since.formatted(agoSeconds(899))))).doesNotContain("behind_keys");
        verdict(QueueCode.BEHIND_KEYS, Severity.WARNING, queue(since.formatted(agoSeconds(900))));
    }

    @Test
    void large_jobs() {
        String large = "'depth':8,'available':8,'config':{'max_depth':100,'max_size_bytes':1000},'size_bytes':%d";
        Finding found = verdict(QueueCode.LARGE_JOBS, Severity.WARNING, queue(large.formatted(800)));
        assertThat(found.text()).isEqualTo("8 jobs take 800 bytes of 1,000 bytes: 100 bytes each on average.");
        assertThat(codes(queue(large.formatted(799)))).doesNotContain("large_jobs");
    }

    @Test
    void one_tenant() {
        Finding found = verdict(
                QueueCode.ONE_TENANT,
                Severity.WARNING,
                queue(full(), "'drains_per_second':5.0,'fills_per_second':5.0,'tenant_depths':{'acme':500,'b':300}"));
        assertThat(found.title()).isEqualTo("Tenant 'acme' has 50% of the jobs of queue 'email'");
    }

    @Test
    void producers_faster() {
        String rates = "'fills_per_second':480.0,'drains_per_second':212.0,'avg_duration_ms':280,"
                + "'runs':{'workers':10,'longest':[]},'rejected':3";
        Finding found = verdict(QueueCode.PRODUCERS_FASTER, Severity.PROBLEM, queue(full(), rates));
        assertThat(found.title()).isEqualTo("Queue 'email' is full: 480 jobs/s are offered, 212/s leave");
        assertThat(found.text())
                .isEqualTo(
                        "It reached its bound of 1,000 jobs at 10:20:00 UTC, 10 min ago. 3 jobs were rejected so far.");
        // 268 more a second take 0.28 s each: 76 at a time, of which a worker has 10.
        assertThat(found.advice().getFirst().text()).startsWith("Start more workers for it: about 8 more workers");
        assertThat(found.advice().get(1).action().body()).isEqualTo("{\"max_size\":2000}");
        String filling = rates + ",'config':{'max_depth':100000},'depth':50000,'available':50000";
        assertThat(verdict(QueueCode.PRODUCERS_FASTER, Severity.WARNING, queue(filling))
                        .title())
                .endsWith("full in about 3 min 6 s");
        String again = rates + ",'config':{'max_depth':1000},'depth':%d,'available':1";
        assertThat(verdict(QueueCode.PRODUCERS_FASTER, Severity.PROBLEM, queue(again.formatted(998)))
                        .text())
                .as("filled up again within seconds, which is no news each time")
                .startsWith("It has 998 of 1,000 jobs: each job that leaves makes room for the next one only.");
        verdict(
                QueueCode.PRODUCERS_FASTER,
                Severity.WARNING,
                queue(again.formatted(998).replace("'rejected':3", "'rejected':0")));
        verdict(
                QueueCode.PRODUCERS_FASTER,
                Severity.WARNING,
                queue(
                        "'fills_per_second':10.0,'drains_per_second':9.0,'rejected':3,'config':{'max_depth':1000},'depth':989"));
        verdict(QueueCode.PRODUCERS_FASTER, Severity.INFO, queue(filling, "'config':{'max_depth':1000000}"));
        assertThat(codes(queue(full(), "'fills_per_second':105.0,'drains_per_second':100.0")))
                .doesNotContain("producers_faster");
        assertThat(codes(queue(full(), "'fills_per_second':105.1,'drains_per_second':100.0")))
                .contains("producers_faster");
    }

    @Test
    void full_and_still() {
        verdict(QueueCode.FULL_AND_STILL, Severity.WARNING, queue(full()));
    }

    @Test
    void full_but_draining() {
        Finding found = verdict(
                QueueCode.FULL_BUT_DRAINING,
                Severity.INFO,
                queue(full(), "'fills_per_second':1.0,'drains_per_second':20.0,'room_in_seconds':1"));
        assertThat(found.title()).isEqualTo("Queue 'email' is full and drains: room in about 1 s");
    }

    @Test
    void no_bound() {
        String growing = "'fills_per_second':10.0,'drains_per_second':5.0,'available':1,'depth':%d";
        Finding found = verdict(QueueCode.NO_BOUND, Severity.WARNING, queue(growing.formatted(10_000)));
        assertThat(found.title())
                .isEqualTo("Queue 'email' has no bound and grows: 10,000 jobs, 10 jobs/s come, 5.0/s leave");
        assertThat(codes(queue(growing.formatted(9_999)))).doesNotContain("no_bound");
    }

    @Test
    void keeping_up() {
        Finding found = verdict(
                QueueCode.KEEPING_UP,
                Severity.OK,
                queue("'depth':1,'active':1,'fills_per_second':0.05,'drains_per_second':0.05"));
        assertThat(found.title()).isEqualTo("Queue 'email' keeps up: 1 unfinished job, 3 jobs/min come, 3/min leave");
    }

    @Test
    void idle() {
        assertThat(verdict(QueueCode.IDLE, Severity.OK, queue()).title())
                .isEqualTo("Queue 'email' has no unfinished job");
    }

    @Test
    void never_used() {
        Explanation unknown = QueueExplainer.unknown("emial", Given.NOW, "ojs.commands/3", List.of("email"));
        assertThat(unknown.verdict().code()).isEqualTo(QueueCode.NEVER_USED);
        assertThat(unknown.verdict().text()).endsWith("Queues with similar names: email.");
    }

    @Test
    void a_confined_caller_does_not_learn_who_else_waits() {
        QueueStanding queue = queue(
                "'waiting_producers':{'count':1,'first':[{'since':'%s','jobs':1,'by':'billing','tenants':['acme']}]}"
                        .formatted(agoSeconds(5)));
        assertThat(QueueExplainer.explain(queue, false).json().toString()).contains("billing", "acme");
        assertThat(QueueExplainer.explain(queue, true).json().toString()).doesNotContain("billing", "acme");
    }

    @Test
    void a_stopped_key_is_a_problem_at_once() {
        verdict(
                QueueCode.HELD_BY_LIMITS,
                Severity.PROBLEM,
                queue("'depth':1,'available':1,'limited':{'count':1,'jobs':1,'first':[{'key':'api',"
                        + "'strategy':'concurrency','limit':0,'current':0,'jobs':1}]}"));
    }
}
