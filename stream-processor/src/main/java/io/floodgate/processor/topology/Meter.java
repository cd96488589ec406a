package io.floodgate.processor.topology;

import io.floodgate.processor.workflow.StepReason;
import java.util.Locale;

/** Everything that a processor counts or measures, with what it means. */
enum Meter {
    RECORDS(Kind.COUNTER, "Records processed, timer ticks included"),
    COMMANDS(Kind.COUNTER, "Commands processed, each command of a batch counted"),
    REJECTED(Kind.COUNTER, "Commands that were rejected"),
    REPLIES(Kind.COUNTER, "Replies sent"),
    REPLIES_LOST(Kind.COUNTER, "Replies that could not be sent; their callers timed out. Should stay at 0"),
    EVENTS(Kind.COUNTER, "Events published"),
    MESSAGES(Kind.COUNTER, "Messages to other partitions, each counted once however often it is sent"),
    GAPS(Kind.COUNTER, "Times that records were missing in a partition. Should stay at 0"),
    COMMITS(Kind.COUNTER, "Transactions committed"),
    RESTORED(Kind.COUNTER, "Records read back from changelogs"),
    THREADS_REPLACED(Kind.COUNTER, "Stream threads that died and were replaced. Should stay at 0"),
    PURGED(Kind.COUNTER, "Processed commands deleted from partitions"),
    FORWARDED(Kind.COUNTER, "Records of queues' own topics that were forwarded or rejected"),
    REBALANCES(Kind.COUNTER, "Rebalances: they come with processors that start or stop, and not otherwise"),
    CRON_TRIGGERED(Kind.COUNTER, "Runs of schedules that were placed in a queue"),
    CRON_SKIPPED(Kind.COUNTER, "Skips of schedules: occurrences that were not run, those of one pause together"),
    WORKFLOWS_STARTED(Kind.COUNTER, "Workflows that were created"),
    WORKFLOWS_COMPLETED(Kind.COUNTER, "Workflows that were completed"),
    WORKFLOWS_FAILED(Kind.COUNTER, "Workflows that failed; one that fails again after a retry is counted again"),
    WORKFLOWS_CANCELLED(Kind.COUNTER, "Workflows that were cancelled"),
    RUNNING(Kind.GAUGE, "1 while all partitions of this processor are being read, else 0"),
    PARTITIONS(Kind.GAUGE, "Partitions that this processor owns"),
    STANDBYS(Kind.GAUGE, "Partitions of other processors that it keeps warm"),
    STANDBY_LAG(
            Kind.GAUGE,
            "Records of changelogs that these copies are behind, measured every 10 s. Near 0 when a take-over would be"
                    + " quick"),
    BROKERS_OUT_OF_REACH(
            Kind.GAUGE,
            "Brokers that do not answer this processor, although the others know them. After 11 s it leaves its"
                    + " partitions to other processors. Should stay at 0"),
    COMMIT_SECONDS_MAX(Kind.GAUGE, "The longest recent commit. High when brokers are slow or replicas are behind"),
    RESTORING(Kind.GAUGE, "Stores that are being restored"),
    INGRESS_PARTITIONS(Kind.GAUGE, "Partitions of queues' own topics that this processor reads"),
    INGRESS_BYTES(Kind.GAUGE, "Bytes read from them and not forwarded yet"),

    STEP_SECONDS_MAX(Kind.GAUGE, "The longest time that a record took since the last scrape"),
    FREE_DISK_BYTES(Kind.GAUGE, "Space left on the disk of the stores"),
    DISK_LOW(Kind.GAUGE, "1 while new jobs are rejected because the disk is nearly full, else 0"),
    PARTITION_MEMORY_BYTES(Kind.PARTITION_GAUGE, "Memory that the live state of a partition takes"),
    PARTITION_MEMORY_BYTES_MAX(
            Kind.PARTITION_GAUGE, "Memory that it may take before new jobs are rejected; 0 if unbounded"),
    PARTITION_POSITION(Kind.PARTITION_GAUGE, "Offset of the last record processed"),
    PARTITION_LAG(Kind.PARTITION_GAUGE, "Records of a partition that are not processed yet, measured every 10 s"),
    PARTITION_DELAY_SECONDS(
            Kind.PARTITION_GAUGE,
            "How long the last record had waited in its partition. The processor keeps up while this is small",
            1e-3),
    PARTITION_WAITERS(Kind.PARTITION_GAUGE, "Fetches that wait for jobs"),
    PARTITION_UNIQUE_KEYS(
            Kind.PARTITION_GAUGE,
            "Jobs that the partition knows by their keys, those that have ended among them; 1,000,000 at most"),
    PARTITION_KEY_LINE(
            Kind.PARTITION_GAUGE,
            "Jobs that wait until other jobs of their keys are stored or rejected; 1,000 of a key at most"),
    PARTITION_TENANT_BOUNDS(
            Kind.PARTITION_GAUGE, "Tenants with a bound over all queues that this partition divides; 1,000 at most"),
    PARTITION_TENANTS_FULL(
            Kind.PARTITION_GAUGE, "Tenants that have used up their bounds over all queues, as this partition knows"),
    PARTITION_TENANTS_AT_CONCURRENCY(
            Kind.PARTITION_GAUGE,
            "Tenants with as many jobs running over all queues as they may have, as this partition knows"),
    PARTITION_ALARMS(Kind.PARTITION_GAUGE, "Alarms that no operator has acknowledged"),
    CRON_UNPLANNED(
            Kind.PARTITION_GAUGE,
            "Schedules that are not paused and of which no next time is known: they stand still. Should stay at 0"),
    WORKFLOWS_UNFINISHED(Kind.PARTITION_GAUGE, "Workflows of a partition that have not ended"),
    WORKFLOW_STEPS_WAITS_FOR(Kind.PARTITION_GAUGE, "Their steps that wait for other steps"),
    WORKFLOW_STEPS_NO_ROOM(Kind.PARTITION_GAUGE, "Their steps that wait for capacity in a queue"),
    WORKFLOW_STEPS_OWN_LINE_FULL(
            Kind.PARTITION_GAUGE,
            "Their steps that are tried again later, as too many steps wait in a queue. Should stay at 0"),
    WORKFLOW_STEPS_LOG_SILENT(
            Kind.PARTITION_GAUGE, "Their steps of which the partition of the queue has not confirmed anything yet"),
    WORKFLOW_STEPS_SIGNAL(Kind.PARTITION_GAUGE, "Their steps that wait for a signal"),
    WORKFLOW_STEPS_IN_QUEUE(Kind.PARTITION_GAUGE, "Their steps that are jobs in a queue, or run"),
    PARTITION_OUTBOX(
            Kind.PARTITION_GAUGE,
            "Messages to other partitions that are in memory, at most 2,000 for each; further ones are on disk"),
    PARTITION_UNREACHABLE(Kind.PARTITION_GAUGE, "Partitions that messages of this one cannot be appended to");

    enum Kind {
        COUNTER,
        GAUGE,
        PARTITION_GAUGE
    }

    final Kind kind;
    final String description;
    /** The unit of what is set, in the unit of what is shown. */
    final double unit;

    Meter(Kind kind, String description) {
        this(kind, description, 1);
    }

    Meter(Kind kind, String description, double unit) {
        this.kind = kind;
        this.description = description;
        this.unit = unit;
    }

    static Meter stepsBecause(StepReason reason) {
        return switch (reason) {
            case WAITS_FOR -> WORKFLOW_STEPS_WAITS_FOR;
            case NO_ROOM -> WORKFLOW_STEPS_NO_ROOM;
            case OWN_LINE_FULL -> WORKFLOW_STEPS_OWN_LINE_FULL;
            case LOG_SILENT -> WORKFLOW_STEPS_LOG_SILENT;
            case IN_QUEUE -> WORKFLOW_STEPS_IN_QUEUE;
            case SIGNAL -> WORKFLOW_STEPS_SIGNAL;
        };
    }

    /**
     * Returns the name for Micrometer: Prometheus shows it with underscores, and counters with {@code _total} at the
     * end.
     */
    String metricName() {
        return "floodgate.processor." + name().toLowerCase(Locale.ROOT).replace('_', '.');
    }
}
