package io.floodgate.standalone;

import io.floodgate.processor.ProcessorConfig.Logs;
import io.floodgate.topics.command.LogSettings;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** How a processor works. */
final class ProcessorOptions {
    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "1",
            description = "Stream threads of the processor; each takes a share of the partitions.")
    int threads = 1;

    @Option(
            names = "--retention-completed",
            paramLabel = "DURATION",
            defaultValue = "P7D",
            description = "How long a completed job can be looked at.")
    Duration completed = Duration.ofDays(7);

    @Option(
            names = "--retention-cancelled",
            paramLabel = "DURATION",
            defaultValue = "P7D",
            description = "How long a cancelled job can be looked at.")
    Duration cancelled = Duration.ofDays(7);

    @Option(
            names = "--retention-discarded",
            paramLabel = "DURATION",
            defaultValue = "P30D",
            description = "How long a discarded job, a dead letter mostly, is kept.")
    Duration discarded = Duration.ofDays(30);

    @Option(
            names = "--unused-queues",
            paramLabel = "DURATION",
            defaultValue = "PT1H",
            description = "A queue without jobs that nobody waits at is forgotten after so long; never, if it is PT0S.")
    Duration unusedQueues = Duration.ofHours(1);

    @Option(
            names = "--strict-queues",
            description =
                    "Only operators make queues, with POST /ojs/v1/queues: a job for a queue that is not there is refused.")
    boolean strictQueues;

    @Option(
            names = "--log-memory",
            paramLabel = "BYTES",
            defaultValue = "0",
            description =
                    "What the live jobs of one partition may take in memory before new ones are refused; 0 divides half of the heap by the number of partitions.")
    long logMemory;

    @Option(
            names = "--purge-margin",
            paramLabel = "RECORDS",
            defaultValue = "10000",
            description = "How many processed commands are left in each partition; older ones are deleted.")
    long purgeMargin = Logs.DEFAULT_PURGE_MARGIN;

    @Option(
            names = "--min-free-disk",
            paramLabel = "MIB",
            defaultValue = "0",
            description =
                    "With less than so many MiB left on the disk of the processor, new jobs are refused; those that are there are completed. 0 takes a hundredth of the disk, from 256 to 1024.")
    long minFreeDisk;

    @Option(
            names = "--refill-changelogs",
            description =
                    "Writes changelogs that were deleted and made again back from the stores of this processor, which must have run last.")
    boolean refillChangelogs;

    @Option(
            names = "--skip-records",
            paramLabel = "TOPIC/PARTITION:OFFSET,...",
            split = ",",
            description =
                    "Commands that are rejected unread, such as ojs.commands/0:1234: the way past one that stops its partition.")
    List<String> skipped = List.of();

    Logs logs() {
        for (String record : skipped)
            if (!record.matches("ojs\\.commands/\\d{1,4}:\\d{1,18}"))
                throw new CommandErrors.Refusal(
                        "--skip-records must name records as ojs.commands/0:1234, not '%s'".formatted(record));
        if (completed.isNegative() || cancelled.isNegative() || discarded.isNegative() || unusedQueues.isNegative())
            throw new CommandErrors.Refusal("a retention must not be negative");
        if (logMemory < 0 || purgeMargin < 0 || minFreeDisk < 0)
            throw new CommandErrors.Refusal("--log-memory, --purge-margin and --min-free-disk must not be negative");
        return new Logs(
                new LogSettings(completed, discarded, cancelled, unusedQueues, logMemory, strictQueues),
                purgeMargin,
                minFreeDisk << 20,
                refillChangelogs,
                Set.copyOf(skipped));
    }
}
