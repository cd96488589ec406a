package io.floodgate.processor.topology;

import java.util.Locale;

/** Everything that a processor counts or measures, with what it means. */
enum Meter {
    RECORDS(Kind.COUNTER, "Records carried out, timers' ticks among them"),
    COMMANDS(Kind.COUNTER, "Commands carried out: those of a bundle each"),
    REFUSED(Kind.COUNTER, "Records that were refused"),
    REPLIES(Kind.COUNTER, "Replies sent"),
    REPLIES_LOST(Kind.COUNTER, "Replies that could not be sent; their callers timed out"),
    EVENTS(Kind.COUNTER, "Events published"),
    MESSAGES(Kind.COUNTER, "Messages to other logs, each counted once however often it is sent"),
    GAPS(Kind.COUNTER, "Times that records were missing in a log"),
    COMMITS(Kind.COUNTER, "Transactions committed"),
    RESTORED(Kind.COUNTER, "Records read back from changelogs"),
    THREADS_REPLACED(Kind.COUNTER, "Stream threads that died and were replaced"),
    PURGED(Kind.COUNTER, "Processed commands deleted from logs"),
    FORWARDED(Kind.COUNTER, "Records of queues' own topics that have come in, or were refused"),
    REBALANCES(Kind.COUNTER, "Times that partitions came, went or were moved between processors"),
    RUNNING(Kind.GAUGE, "1 while all logs of this processor are being read, else 0"),
    PARTITIONS(Kind.GAUGE, "Partitions that this processor owns"),
    STANDBYS(Kind.GAUGE, "Partitions of other processors that it keeps warm"),
    STANDBY_LAG(Kind.GAUGE, "Records of changelogs that these copies are behind, as of the last 10 s"),
    COMMIT_SECONDS_MAX(Kind.GAUGE, "The longest time that a commit took lately"),
    RESTORING(Kind.GAUGE, "Stores that are being brought up to date"),
    INLETS(Kind.GAUGE, "Partitions of queues' own topics that this processor reads"),
    INLET_BYTES(Kind.GAUGE, "What it has read of them and has not come in"),

    STEP_SECONDS_MAX(Kind.GAUGE, "The longest time that a record took, since this was last asked for"),
    FREE_DISK_BYTES(Kind.GAUGE, "Space left where the stores are"),
    DISK_LOW(Kind.GAUGE, "1 while new jobs are refused because the disk is nearly full, else 0"),
    LOG_MEMORY_BYTES(Kind.LOG_GAUGE, "What the live state of a log takes in memory"),
    LOG_MEMORY_BYTES_MAX(Kind.LOG_GAUGE, "What it may take before new jobs are refused; 0 if unbounded"),
    LOG_POSITION(Kind.LOG_GAUGE, "The offset of the last record carried out"),
    LOG_LAG(Kind.LOG_GAUGE, "Records in a log that were not carried out, as of the last 10 s"),
    LOG_DELAY_MS(Kind.LOG_GAUGE, "How long the last record had waited in its log when it was carried out"),
    LOG_WAITERS(Kind.LOG_GAUGE, "Fetches that wait for jobs"),
    LOG_ALARMS(Kind.LOG_GAUGE, "Alarms that no operator has acknowledged"),
    LOG_OUTBOX(
            Kind.LOG_GAUGE,
            "Messages to other logs that are in memory, of 2,000 to each at most; further ones are on disk"),
    LOG_UNREACHABLE(Kind.LOG_GAUGE, "Logs that this one's messages cannot be appended to");

    enum Kind {
        COUNTER,
        GAUGE,
        LOG_GAUGE
    }

    final Kind kind;
    final String description;

    Meter(Kind kind, String description) {
        this.kind = kind;
        this.description = description;
    }

    String metricName() {
        return "floodgate_processor_" + name().toLowerCase(Locale.ROOT) + (kind == Kind.COUNTER ? "_total" : "");
    }
}
