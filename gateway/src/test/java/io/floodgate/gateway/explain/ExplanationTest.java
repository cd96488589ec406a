package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Given.agoSeconds;
import static io.floodgate.gateway.explain.Given.full;
import static io.floodgate.gateway.explain.Given.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.explain.Advice.Action;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What holds for every explanation, whatever the facts are. */
class ExplanationTest {
    private static String bool(Random random) {
        return Boolean.toString(random.nextInt(3) == 0);
    }

    private static long some(Random random) {
        return random.nextInt(3) == 0 ? 0 : random.nextInt(2_000);
    }

    private static QueueStanding any(Random random) {
        long available = some(random);
        long active = some(random);
        long retryable = some(random);
        long scheduled = some(random);
        long pending = some(random);
        String members = "'available':%d,'active':%d,'retryable':%d,'scheduled':%d,'pending':%d,'depth':%d"
                        .formatted(
                                available,
                                active,
                                retryable,
                                scheduled,
                                pending,
                                available + active + retryable + scheduled + pending)
                + ",'paused':%s,'maintenance':%s,'fetched_lately':%s,'passed_over':%s"
                        .formatted(bool(random), bool(random), bool(random), bool(random))
                + ",'fills_per_second':%d,'drains_per_second':%d,'avg_duration_ms':%d"
                        .formatted(some(random), some(random), some(random))
                + ",'oldest_available_at':'%s','blocked':%d".formatted(agoSeconds(some(random)), some(random))
                + ",'recent':{'completed':%d,'failed':%d,'window_seconds':400}".formatted(some(random), some(random))
                + ",'limited':{'count':1,'jobs':%d,'first':[{'key':'k','strategy':'rate','limit':1}]}"
                        .formatted(some(random))
                + ",'later':{'oldest_pending_at':'%s','next_due_at':'%s'}".formatted(agoSeconds(5_000), agoSeconds(5));
        if (random.nextBoolean()) members += ",'config':{'max_depth':1000,'max_size_bytes':1000},'size_bytes':900";
        if (random.nextBoolean()) members += ",'level':'full','tenant_depths':{'acme':900}";
        if (random.nextInt(4) == 0) members += ",'deletion':{'strategy':'drain'}";
        if (random.nextInt(4) == 0) members += ",'held':{'strategy':'concurrency','limit':0,'current':0}";
        if (active > 0)
            members += ",'runs':{'workers':1,'longest':[{'job_id':'j1','worker_id':'w1','started_at':'%s'}]}"
                    .formatted(agoSeconds(some(random)));
        return queue(members);
    }

    @Test
    void the_verdict_is_the_worst_finding_and_no_action_would_be_rejected() {
        for (long seed = 0; seed < 5_000; seed++) {
            QueueStanding queue = any(new Random(seed));
            Explanation explanation = QueueExplainer.explain(queue, false);
            List<Finding> findings = explanation.findings();
            assertThat(explanation.verdict()).isSameAs(findings.getFirst());
            assertThat(findings)
                    .as("seed %d", seed)
                    .isSortedAccordingTo(Comparator.comparing(Finding::severity).reversed());
            assertThat(findings.stream().map(Finding::code).distinct()).hasSameSizeAs(findings);
            for (Finding finding : findings)
                for (Advice advice : finding.advice())
                    if (advice.action() != null) mayBeSent(advice.action(), queue, seed);
            assertThat(ExplanationText.plain(explanation).lines())
                    .allSatisfy(line -> assertThat(
                                    line.length() <= 80 || line.strip().indexOf(' ') < 0 || line.contains(" /ojs/"))
                            .as(line)
                            .isTrue());
        }
    }

    /** By the rules of the partition: what a state rejects. */
    private static void mayBeSent(Action action, QueueStanding queue, long seed) {
        boolean isPossible = switch (action.id()) {
            case "queue.resume" -> queue.isPaused() && !queue.isDraining();
            case "queue.pause" -> !queue.isPaused() && !queue.isDraining();
            case "queue.bound" -> !queue.isDraining();
            case "job.cancel" -> queue.active() > 0;
            case "system.maintenance" -> queue.facts().flag("maintenance");
            default -> false;
        };
        assertThat(isPossible).as("%s, seed %d", action.id(), seed).isTrue();
    }

    @Test
    void as_text() {
        QueueStanding queue = queue(
                full(),
                "'fills_per_second':480.0,'drains_per_second':212.0,'rejected':3,'avg_duration_ms':280,"
                        + "'waiting_producers':{'count':1,'first':[{'since':'%s','jobs':2,'by':'billing'}]}"
                                .formatted(agoSeconds(5)));
        assertThat(ExplanationText.plain(QueueExplainer.explain(queue, false))).isEqualTo("""
                PROBLEM: Queue 'email' is full: 480 jobs/s are offered, 212/s leave

                It reached its bound of 1,000 jobs at 10:20:00 UTC, 10 min ago. 3 jobs were
                rejected so far.

                Since 10:20:00 UTC (10 min ago).

                What to do
                  1. Start more workers for it: about 76 more jobs at a time would keep up, if
                     no rejected job is sent twice.
                     See docs/how-to/runbooks/queue-is-full.md
                  2. Or raise the bound: 1,000 jobs more only buy about 3 s.
                     PUT /ojs/v1/queues/email/config {"max_size":2000}

                Evidence
                  offered       480/s
                  leave         212/s
                  full since    10:20:00 UTC (10 min ago)
                  rejected      3
                  dropped       0
                  active        100
                  avg duration  280 ms

                Figures
                  depth            1,000
                  bound            1,000
                  available        900
                  active           100
                  retryable        0
                  scheduled        0
                  pending          0
                  rejected         3
                  offered          480/s
                  leave            212/s
                  last fetched at  10:29:30 UTC (30 s ago)
                  full since       10:20:00 UTC (10 min ago)

                Waiting producers (1)
                  - since 10:29:55 UTC (5 s ago), jobs 2, by billing

                As of 10:30:00 UTC, from ojs.commands/3. Code: producers_faster.
                """);
    }

    @Test
    void what_users_wrote_neither_moves_a_cursor_nor_makes_a_heading() {
        Finding finding = new Finding(
                QueueCode.PAUSED, Severity.WARNING, null, "a\u001b[2Jb", "# x [y](z) <b>", new Evidence(), List.of());
        Explanation explanation = new Explanation(
                new Explanation.Subject("queue", "q"),
                Given.NOW,
                true,
                "p",
                List.of(finding),
                new Evidence(),
                new Evidence(),
                List.of());
        assertThat(ExplanationText.plain(explanation)).startsWith("WARNING: a [2Jb\n");
        assertThat(ExplanationText.markdown(explanation)).contains("\\# x \\[y\\](z) \\<b\\>");
    }
}
