package io.floodgate.bench.scenario;

import java.time.Duration;
import java.util.List;

/** The scenarios by name, with their usual loads. */
public final class Scenarios {
    /** A server that was just started is slow until its code is compiled. */
    private static final Duration FIRST = Duration.ofSeconds(30);

    private static final LoadShape ONE = LoadShape.of(1, 1);
    private static final LoadShape HTTP = LoadShape.of(64, 1);
    private static final LoadShape BATCHES = LoadShape.of(8, 100);
    private static final LoadShape LIVES = LoadShape.of(64, 10);
    private static final LoadShape HANDOFF = LoadShape.of(8, 1).atRate(100);
    private static final LoadShape IN_FLIGHT = LoadShape.of(500, 1);
    private static final LoadShape LIVES_IN_FLIGHT = LoadShape.of(50, 10);
    private static final LoadShape MILLION = LoadShape.of(16, 1_000, 1_000_000);
    private static final LoadShape SCHEDULES = LoadShape.of(8, 1, 1_000);

    public static final List<Scenario> ALL = List.of(
            new Scenario("all", "the figures of docs/reference/figures.md", ONE, Scenarios::all),
            new Scenario("enqueue", "single jobs", HTTP, HttpScenarios::enqueue),
            new Scenario("unique", "single jobs without and with a key; duplicates", HTTP, HttpScenarios::unique),
            new Scenario("enqueue-ways", "both topics in turns", LoadShape.of(64, 1, 3), HttpScenarios::enqueueWays),
            new Scenario("batch", "batches of jobs", BATCHES, HttpScenarios::batch),
            new Scenario("lifecycle", "enqueue, fetch, ack", LIVES, HttpScenarios::lifecycle),
            new Scenario("handoff", "enqueue to start by a waiting worker", HANDOFF, HttpScenarios::handoff),
            new Scenario("log-enqueue", "jobs straight into a partition", IN_FLIGHT, PartitionScenarios::enqueue),
            new Scenario("log-lifecycle", "lifecycle without HTTP", LIVES_IN_FLIGHT, PartitionScenarios::lifecycle),
            new Scenario("backlog", "very many jobs in one queue, in and out", MILLION, BacklogScenario::measure),
            new Scenario("bounds", "a flood at a full queue", LoadShape.of(64, 1, 1_000), BoundScenario::measure),
            new Scenario("cron", "lateness of schedules, one a minute each", SCHEDULES, CronScenarios::spread),
            new Scenario("cron-burst", "schedules that are due in one second", SCHEDULES, CronScenarios::burst),
            new Scenario("retention", "the end of very many finished jobs", MILLION, RetentionScenario::measure),
            new Scenario("workflows", "steps beside plain jobs", LoadShape.of(16, 1), WorkflowScenarios::measure),
            new Scenario(
                    "unfinished",
                    "chains without a worker",
                    LoadShape.of(16, 1, 100_000),
                    WorkflowScenarios::unfinished));

    private Scenarios() {}

    private static void all(Session session) throws Exception {
        Session first = session.with(LIVES).lasting(Duration.ZERO, FIRST);
        first.measure(HttpScenarios.lives(first, "first, a new server"));
        HttpScenarios.enqueue(session.with(ONE));
        HttpScenarios.enqueue(session.with(HTTP));
        HttpScenarios.enqueue(session.with(HTTP.atRate(1_000)));
        HttpScenarios.enqueue(session.with(HTTP.atRate(5_000)));
        HttpScenarios.batch(session.with(BATCHES));
        HttpScenarios.lifecycle(session.with(LIVES));
        HttpScenarios.handoff(session.with(HANDOFF));
        PartitionScenarios.enqueue(session.with(IN_FLIGHT));
        PartitionScenarios.enqueue(session.with(BATCHES));
        PartitionScenarios.lifecycle(session.with(LIVES_IN_FLIGHT));
    }
}
