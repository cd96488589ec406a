package io.floodgate.gateway.explain;

import io.floodgate.gateway.admin.RejectedJobs;
import io.floodgate.gateway.queue.QueueRow;
import java.time.Duration;

/** Every threshold of the explanations. The documentation of the codes is made with these values. */
final class Thresholds {
    /** Fetches are noted to the minute. */
    static final Duration FETCHED_LATELY = QueueRow.FETCHED_LATELY;

    static final Duration TYPE_WAITS = Duration.ofMinutes(1);
    static final Duration WAITS_LONG = QueueRow.WAITS_LONG;
    static final Duration WORKERS_LOST = Duration.ofMinutes(10);

    /** A run is stuck if it takes this many times the average, and at least a minute. */
    static final int STUCK_TIMES = 3;

    static final Duration STUCK_MIN = Duration.ofMinutes(1);
    /** Without an average. */
    static final Duration STUCK_UNKNOWN = Duration.ofMinutes(10);

    static final long FAILING_MIN_RUNS = QueueRow.FAILING_MIN_RUNS;
    static final double FAILING_WARNING = QueueRow.FAILING_WARNING;
    static final double FAILING_PROBLEM = 0.5;

    /** The part of a queue's depth that is worth mentioning. */
    static final double MOST_OF_DEPTH = 0.5;

    /** With fewer jobs, it is not worth a warning. */
    static final long FEW_JOBS = 10;

    static final Duration DEAD_LATELY = QueueRow.DEAD_LATELY;

    /** A workflow of which no step ends for this time is stuck. */
    static final Duration WORKFLOW_STUCK = Duration.ofMinutes(10);

    /** No job waits for another one of its order key for this time while all goes well. */
    static final Duration KEY_BLOCKED_LONG = Duration.ofMinutes(15);

    static final Duration PENDING_LONG = Duration.ofHours(1);

    /** More is offered than leaves by this factor: below, the rates of a few minutes tell nothing. */
    static final double FASTER = 1.05;

    static final Duration FULL_SOON = Duration.ofMinutes(30);

    static final double SIZE_PRESSURE = 0.8;

    /** Of what a tenant may have of a queue. */
    static final double NEAR_BOUND = 0.8;

    static final Duration TENANT_REJECTED = RejectedJobs.WINDOW;

    /** An unbounded queue is worth a warning from this depth on. */
    static final long UNBOUNDED_DEPTH = QueueRow.UNBOUNDED_DEPTH;

    static final Duration WORKER_SILENT = Duration.ofSeconds(10);
    static final Duration WORKER_LOST = Duration.ofSeconds(30);

    static final Duration SLOW_WINDOW = Duration.ofMinutes(10);

    /** Slow: runs of a type take at least this many times as long as at other workers. */
    static final int SLOW_TIMES = 2;

    static final int SLOW_MIN_RUNS = 10;
    static final int SLOW_OTHERS_RUNS = 3;

    /** Below, the differences are noise. */
    static final Duration SLOW_MIN = Duration.ofMillis(100);

    /** A queue that is filled up again within this time counts as full throughout. */
    static final Duration FULL_AGAIN = Duration.ofSeconds(10);

    /** Of the memory that a partition may use. */
    static final double MEMORY_FULL = 0.95;

    /** Of a schedule whose runs wait for each other (OJS cron §6.1). */
    static final int QUEUED_RUNS = 2;

    private Thresholds() {}
}
