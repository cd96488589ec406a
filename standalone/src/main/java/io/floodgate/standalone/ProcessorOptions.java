package io.floodgate.standalone;

import io.floodgate.processor.CutOff;
import io.floodgate.processor.ProcessorConfig.Logs;
import io.floodgate.topics.command.PartitionSettings;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Option;

/** Options of a processor. */
final class ProcessorOptions {
    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of stream threads of the processor. They share its partitions.")
    int threads = 1;

    @Option(
            names = "--retention-completed",
            paramLabel = "DURATION",
            defaultValue = "P7D",
            description = "How long completed jobs are kept.")
    Duration completed = Duration.ofDays(7);

    @Option(
            names = "--retention-cancelled",
            paramLabel = "DURATION",
            defaultValue = "P7D",
            description = "How long cancelled jobs are kept.")
    Duration cancelled = Duration.ofDays(7);

    @Option(
            names = "--retention-discarded",
            paramLabel = "DURATION",
            defaultValue = "P30D",
            description = "How long discarded jobs, such as dead letters, are kept.")
    Duration discarded = Duration.ofDays(30);

    @Option(
            names = "--unused-queues",
            paramLabel = "DURATION",
            defaultValue = "PT1H",
            description = "How long an unused queue without jobs is kept; PT0S keeps it forever.")
    Duration unusedQueues = Duration.ofHours(1);

    @Option(
            names = "--strict-queues",
            description = "Rejects jobs for queues that do not exist: only POST /ojs/v1/queues creates queues.")
    boolean strictQueues;

    @Option(
            names = "--partition-memory",
            paramLabel = "BYTES",
            defaultValue = "0",
            description = "Memory in bytes for the live jobs of one partition; above it new jobs are rejected. 0:"
                    + " half of the heap divided by the number of partitions.")
    long logMemory;

    @Option(
            names = "--purge-margin",
            paramLabel = "RECORDS",
            defaultValue = "10000",
            description = "Number of processed commands that are kept in each partition; older ones are deleted.")
    long purgeMargin = Logs.DEFAULT_PURGE_MARGIN;

    @Option(
            names = "--min-free-disk",
            paramLabel = "MIB",
            defaultValue = "0",
            description = "Free disk space in MiB below which a processor rejects new jobs. 0: a hundredth of the"
                    + " disk, from 256 to 1024.")
    long minFreeDisk;

    @Option(
            names = "--refill-changelogs",
            description = "Writes changelogs that were deleted and made again back from the stores of this"
                    + " processor, which must be the one that ran last.")
    boolean refillChangelogs;

    @Option(
            names = "--skip-records",
            paramLabel = "TOPIC/PARTITION:OFFSET,...",
            split = ",",
            description = "Commands to reject unread, such as ojs.commands/0:1234: the way past a record that stops"
                    + " its partition.")
    List<String> skipped = List.of();

    /** Forms of headers that events may have. */
    enum EventHeaders {
        CLOUDEVENTS,
        NONE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--event-headers",
            paramLabel = "FORMAT",
            defaultValue = "cloudevents",
            description = "Headers of records on ojs.events: cloudevents, or none, which saves CPU in processors,"
                    + " brokers and consumers.")
    EventHeaders eventHeaders = EventHeaders.CLOUDEVENTS;

    Logs logs() {
        for (String record : skipped)
            if (!record.matches("ojs\\.commands/\\d{1,4}:\\d{1,18}"))
                throw new CommandErrors.Rejection(
                        "--skip-records must name records as ojs.commands/0:1234, not '%s'".formatted(record));
        if (completed.isNegative() || cancelled.isNegative() || discarded.isNegative() || unusedQueues.isNegative())
            throw new CommandErrors.Rejection("a retention must not be negative");
        if (logMemory < 0 || purgeMargin < 0 || minFreeDisk < 0)
            throw new CommandErrors.Rejection(
                    "--partition-memory, --purge-margin and --min-free-disk must not be negative");
        return new Logs(
                new PartitionSettings(completed, discarded, cancelled, unusedQueues, logMemory, strictQueues),
                purgeMargin,
                minFreeDisk << 20,
                refillChangelogs,
                Set.copyOf(skipped),
                eventHeaders == EventHeaders.CLOUDEVENTS,
                CutOff.ENDING_THE_PROCESS);
    }
}
