package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests of the explanations prove themselves: each rule that is broken here is noticed by the test that has the name of its code. */
class BrokenRulesTest {
    private static final Class<?> QUEUE = QueueExplainerTest.class;
    private static final Class<?> WORKER = WorkerExplainerTest.class;
    private static final Class<?> LIMIT = LimitExplainerTest.class;
    private static final Class<?> TENANT = TenantExplainerTest.class;
    private static final Class<?> SYSTEM = SystemExplainerTest.class;

    static List<BrokenRule> rules() {
        return List.of(
                new BrokenRule(
                        "the mildest finding is the verdict",
                        QueueCode.PAUSED,
                        QUEUE,
                        Explanation.class,
                        ".reversed()",
                        ""),
                new BrokenRule(
                        "of two that are equally bad, what follows comes before its cause",
                        QueueCode.NOBODY_FETCHES,
                        QUEUE,
                        Explanation.class,
                        "finding.code().ordinal()",
                        "-finding.code().ordinal()"),
                new BrokenRule(
                        "no worker has to fetch from a paused queue",
                        QueueCode.NOBODY_FETCHES,
                        QUEUE,
                        QueueFindings.class,
                        "if (!queue.handsOut()) return;",
                        ""),
                new BrokenRule(
                        "half of the jobs is not most of them",
                        QueueCode.HELD_BY_LIMITS,
                        QUEUE,
                        QueueFindings.class,
                        "limited.number(\"jobs\") > Thresholds",
                        "limited.number(\"jobs\") >= Thresholds"),
                new BrokenRule(
                        "workers that run more than the lost ones had are enough",
                        QueueCode.WORKERS_LOST,
                        QUEUE,
                        QueueFindings.class,
                        "queue.active() > jobs",
                        "queue.active() < jobs"),
                new BrokenRule(
                        "a run may take three times the average",
                        QueueCode.STUCK,
                        QUEUE,
                        QueueFindings.class,
                        "runs.compareTo(limit) <= 0",
                        "runs.compareTo(limit) < 0"),
                new BrokenRule(
                        "it is a problem from one half of the runs on",
                        QueueCode.FAILING,
                        QUEUE,
                        QueueFindings.class,
                        "share >= Thresholds.FAILING_PROBLEM",
                        "share > Thresholds.FAILING_PROBLEM"),
                new BrokenRule(
                        "20 runs are enough to judge",
                        QueueCode.FAILING,
                        QUEUE,
                        QueueFindings.class,
                        "runs < Thresholds.FAILING_MIN_RUNS",
                        "runs <= Thresholds.FAILING_MIN_RUNS"),
                new BrokenRule(
                        "producers are faster by 5% or more",
                        QueueCode.PRODUCERS_FASTER,
                        QUEUE,
                        QueueStanding.class,
                        "offered() > Thresholds.FASTER * leaves()",
                        "offered() > leaves()"),
                new BrokenRule(
                        "a queue that producers fill faster does not drain",
                        QueueCode.FULL_BUT_DRAINING,
                        QUEUE,
                        QueueFindings.class,
                        "!(queue.isFaster() || queue.leaves() <= 0)",
                        "!(!queue.isFaster() || queue.leaves() <= 0)"),
                new BrokenRule(
                        "a job that has waited for 5 min has waited for long",
                        JobCode.RATE_LIMITED,
                        JobExplainerTest.class,
                        JobExplainer.class,
                        "compareTo(Thresholds.WAITS_LONG) >= 0",
                        "compareTo(Thresholds.WAITS_LONG) > 0"),
                new BrokenRule(
                        "10 s without a heartbeat are no silence yet",
                        WorkerCode.SILENT,
                        WORKER,
                        WorkerExplainer.class,
                        "beat.plus(Thresholds.WORKER_SILENT).isBefore(now)",
                        "!beat.plus(Thresholds.WORKER_SILENT).isAfter(now)"),
                new BrokenRule(
                        "slow is twice as slow as the others",
                        WorkerCode.SLOW,
                        WORKER,
                        WorkerSpeeds.class,
                        "medianMillis >= Thresholds.SLOW_TIMES * others",
                        "medianMillis > others"),
                new BrokenRule(
                        "a key is at its concurrency with as many runs as it may have",
                        LimitCode.HELD_CONCURRENCY,
                        LIMIT,
                        LimitExplainer.class,
                        "concurrency.number(\"active\") >= concurrency.number(\"limit\")",
                        "concurrency.number(\"active\") > concurrency.number(\"limit\")"),
                new BrokenRule(
                        "of a key that is stopped, nothing else holds back jobs",
                        LimitCode.STOPPED,
                        LIMIT,
                        LimitExplainer.class,
                        "waiting > 0 && !isStopped",
                        "waiting > 0"),
                new BrokenRule(
                        "a queue at whose bound the tenant is has no room for its jobs",
                        TenantCode.AT_BOUND,
                        TENANT,
                        TenantExplainer.class,
                        "queue.number(\"rejected\") > 0 && !isAtBound(queue)",
                        "queue.number(\"rejected\") > 0"),
                new BrokenRule(
                        "the queue that rejected most is named",
                        TenantCode.REJECTED,
                        TENANT,
                        TenantExplainer.class,
                        "!isAtBound(queue), queue -> queue.number(\"rejected\")",
                        "!isAtBound(queue), queue -> -queue.number(\"rejected\")"),
                new BrokenRule(
                        "one silent partition of some is not all of them",
                        SystemCode.PARTITION_SILENT,
                        SYSTEM,
                        SystemExplainer.class,
                        "isAll = !readiness.isUsable()",
                        "isAll = readiness.isUsable()"),
                new BrokenRule(
                        "95% of the memory are too much",
                        SystemCode.PARTITION_MEMORY_FULL,
                        SYSTEM,
                        SystemExplainer.class,
                        "used < Thresholds.MEMORY_FULL",
                        "used <= Thresholds.MEMORY_FULL"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void is_noticed(BrokenRule rule) throws ReflectiveOperationException {
        assertThat(rule.failures())
                .containsKey(rule.code().wire())
                .allSatisfy((test, failure) -> assertThat(failure).as(test).isInstanceOf(AssertionError.class));
    }

    /** The same way with nothing broken: what fails above does so because of the rule. */
    @ParameterizedTest
    @ValueSource(
            classes = {
                QueueExplainerTest.class,
                JobExplainerTest.class,
                WorkerExplainerTest.class,
                LimitExplainerTest.class,
                TenantExplainerTest.class,
                SystemExplainerTest.class
            })
    void sound_rules_pass(Class<?> test) throws ReflectiveOperationException {
        var nothing = new BrokenRule(
                "nothing", QueueCode.IDLE, test, Explanation.class, "record Explanation(", "record Explanation(");
        assertThat(nothing.failures()).isEmpty();
    }
}
