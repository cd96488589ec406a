package io.floodgate.standalone;

import io.floodgate.gateway.overload.LevelHysteresis;
import io.floodgate.gateway.overload.OverloadSettings;
import io.floodgate.topics.circuit.BreakerSettings;
import io.floodgate.topics.circuit.Circuit;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Options for what a gateway takes as too much, and what it does about it. */
final class OverloadOptions {
    @Option(
            names = "--breaker-failures",
            paramLabel = "N",
            defaultValue = "5",
            description = "Commands in a row without an answer that open the circuit of a partition, or of Kafka; 0"
                    + " disables circuit breakers.")
    int breakerFailures = 5;

    @Option(
            names = "--breaker-rest",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description =
                    "Seconds that an open circuit stays open. It closes earlier if the partition answers" + " again.")
    int breakerRest = 30;

    @Option(
            names = "--breaker-successes",
            paramLabel = "N",
            defaultValue = "2",
            description = "Successful commands in a row that close a circuit.")
    int breakerSuccesses = 2;

    @Option(
            names = "--breaker-stall",
            paramLabel = "MS",
            defaultValue = "2000",
            description = "Milliseconds without any answer after which each further unanswered command to a"
                    + " partition counts as a failure.")
    int breakerStall = 2_000;

    @Option(
            names = "--warn-threshold",
            paramLabel = "SHARE",
            defaultValue = "0.7",
            description = "Warns operators once utilization reaches this fraction of a limit.")
    double warnAt = 0.7;

    @Option(
            names = "--reject-jobs-threshold",
            paramLabel = "SHARE",
            defaultValue = "0.85",
            description = "Rejects new jobs once utilization reaches this fraction of a limit.")
    double rejectJobsAt = 0.85;

    @Option(
            names = "--reject-writes-threshold",
            paramLabel = "SHARE",
            defaultValue = "0.95",
            description = "Rejects all writes except completions and operator requests once utilization reaches"
                    + " this fraction of a limit.")
    double rejectWritesAt = 0.95;

    @Option(
            names = "--max-partition-lag-records",
            paramLabel = "N",
            defaultValue = "5000",
            description = "Number of unprocessed commands at which a partition counts as overloaded.")
    long maxLagRecords = 5_000;

    @Option(
            names = "--max-partition-lag",
            paramLabel = "MS",
            defaultValue = "5000",
            description = "Processing delay in milliseconds at which a partition counts as overloaded.")
    int maxLag = 5_000;

    @Option(
            names = "--soft-backlog",
            paramLabel = "JOBS",
            defaultValue = "0",
            description = "Number of available jobs in all queues at which new jobs are rejected; 0 for no limit.")
    long softBacklog;

    @Option(
            names = "--admission-limit",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Upper bound of the per-partition concurrency limit for requests with new jobs; the limit"
                    + " adapts to latency below that. 0 disables the limit.")
    int linePlaces = 1_000;

    @Option(
            names = "--admission-queue-size",
            paramLabel = "N",
            defaultValue = "5000",
            description = "Maximum number of requests with new jobs that wait for a partition. When four fifths are"
                    + " used, the source with most of them is rejected.")
    int lineLength = 5_000;

    @Option(
            names = "--admission-timeout",
            paramLabel = "MS",
            defaultValue = "2000",
            description = "Milliseconds that a request with new jobs waits for its turn before it is rejected.")
    int lineWait = 2_000;

    @Option(
            names = "--admission-target-latency",
            paramLabel = "MS",
            defaultValue = "20",
            description = "Target latency in milliseconds. Above it the per-partition concurrency limit shrinks,"
                    + " unless the best observed latency is already more than half of it.")
    int lineTarget = 20;

    OverloadSettings settings() {
        try {
            var breaker = new BreakerSettings(breakerFailures, Duration.ofSeconds(breakerRest), breakerSuccesses);
            return new OverloadSettings(
                    new Circuit.Settings(breaker, Duration.ofMillis(breakerStall)),
                    new LevelHysteresis.Thresholds(warnAt, rejectJobsAt, rejectWritesAt),
                    new OverloadSettings.Limits(maxLagRecords, Duration.ofMillis(maxLag), softBacklog),
                    new OverloadSettings.Line(
                            linePlaces, lineLength, Duration.ofMillis(lineWait), Duration.ofMillis(lineTarget)));
        } catch (IllegalArgumentException wrong) {
            throw new CommandErrors.Rejection(
                    "--breaker-…, --warn-threshold, --reject-…-threshold, --max-partition-lag…, --soft-backlog, --admission-queue-…: "
                            + wrong.getMessage());
        }
    }
}
