package io.floodgate.standalone;

import io.floodgate.gateway.overload.Ladder;
import io.floodgate.gateway.overload.OverloadSettings;
import io.floodgate.topics.circuit.BreakerSettings;
import io.floodgate.topics.circuit.Circuit;
import java.time.Duration;
import picocli.CommandLine.Option;

/** What a gateway takes for too much, and what it does about it. */
final class OverloadOptions {
    @Option(
            names = "--breaker-failures",
            paramLabel = "N",
            defaultValue = "5",
            description = "So many commands without an answer open the circuit of a log, or of Kafka; 0 for never.")
    int breakerFailures = 5;

    @Option(
            names = "--breaker-rest",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "How long an open circuit stays open, unless an answer shows earlier that it need not.")
    int breakerRest = 30;

    @Option(
            names = "--breaker-successes",
            paramLabel = "N",
            defaultValue = "2",
            description = "So many answers close it again.")
    int breakerSuccesses = 2;

    @Option(
            names = "--breaker-stall",
            paramLabel = "MS",
            defaultValue = "2000",
            description = "A log that has answered nothing for so long, though it was asked, fails with each question.")
    int breakerStall = 2_000;

    @Option(
            names = "--warn-at",
            paramLabel = "SHARE",
            defaultValue = "0.7",
            description = "From which part of a limit on, from 0 to 1, operators are warned.")
    double warnAt = 0.7;

    @Option(
            names = "--refuse-jobs-at",
            paramLabel = "SHARE",
            defaultValue = "0.85",
            description = "From which part of a limit on new jobs are refused.")
    double refuseJobsAt = 0.85;

    @Option(
            names = "--refuse-writes-at",
            paramLabel = "SHARE",
            defaultValue = "0.95",
            description = "From which part of a limit on all writes are refused but reports of finished work and what"
                    + " operators do.")
    double refuseWritesAt = 0.95;

    @Option(
            names = "--max-lag-records",
            paramLabel = "N",
            defaultValue = "5000",
            description = "A log is full with so many commands that it has not carried out.")
    long maxLagRecords = 5_000;

    @Option(
            names = "--max-lag",
            paramLabel = "MS",
            defaultValue = "5000",
            description = "A log is full when it takes so long to carry out a command.")
    int maxLag = 5_000;

    @Option(
            names = "--soft-backlog",
            paramLabel = "JOBS",
            defaultValue = "0",
            description = "So many jobs that wait in all queues together count as full; 0 for any number.")
    long softBacklog;

    @Option(
            names = "--line-places",
            paramLabel = "N",
            defaultValue = "1000",
            description =
                    "How many requests with new jobs one log may have before it at most; how many it does depends on"
                            + " how quick it is. 0 lets all of them go at once.")
    int linePlaces = 1_000;

    @Option(
            names = "--line-length",
            paramLabel = "N",
            defaultValue = "5000",
            description = "How many such requests may wait for that; then those who have most of them are refused.")
    int lineLength = 5_000;

    @Option(
            names = "--line-wait",
            paramLabel = "MS",
            defaultValue = "2000",
            description = "For how long they may wait.")
    int lineWait = 2_000;

    @Option(
            names = "--line-target",
            paramLabel = "MS",
            defaultValue = "20",
            description =
                    "A log that takes longer for a new job has too many before it, unless it takes half as long at best.")
    int lineTarget = 20;

    OverloadSettings settings() {
        try {
            var breaker = new BreakerSettings(breakerFailures, Duration.ofSeconds(breakerRest), breakerSuccesses);
            return new OverloadSettings(
                    new Circuit.Settings(breaker, Duration.ofMillis(breakerStall)),
                    new Ladder.Thresholds(warnAt, refuseJobsAt, refuseWritesAt),
                    new OverloadSettings.Limits(maxLagRecords, Duration.ofMillis(maxLag), softBacklog),
                    new OverloadSettings.Line(
                            linePlaces, lineLength, Duration.ofMillis(lineWait), Duration.ofMillis(lineTarget)));
        } catch (IllegalArgumentException wrong) {
            throw new CommandErrors.Refusal(
                    "--breaker-…, --warn-at, --refuse-…, --max-lag…, --soft-backlog, --line-…: " + wrong.getMessage());
        }
    }
}
