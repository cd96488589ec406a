package io.floodgate.bench;

import io.floodgate.bench.limit.LimitRun;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.report.Yardstick;
import io.floodgate.bench.run.BacklogRun;
import io.floodgate.bench.run.BatchRun;
import io.floodgate.bench.run.EnqueueRun;
import io.floodgate.bench.run.HttpHandoffRun;
import io.floodgate.bench.run.LifecycleRun;
import io.floodgate.bench.run.PartitionEnqueueRun;
import io.floodgate.bench.run.PartitionHandoffRun;
import io.floodgate.bench.run.PartitionLifecycleRun;
import io.floodgate.bench.run.PollRun;
import io.floodgate.bench.run.QueuesRun;
import io.floodgate.bench.run.Settings;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The commands that measure one thing each. */
final class MeasuringCommands {
    private MeasuringCommands() {}

    @Command(
            name = "limit",
            description = "What the machine can do at best: an echo through a partition, without HTTP, logic or state.")
    static final class LimitOnly extends MeasuringCommand {
        @Option(
                names = "--in-flight",
                defaultValue = "1000",
                description = "echoes that wait at the same time (default: ${DEFAULT-VALUE})")
        int inFlight;

        @Override
        void measure(Settings settings) throws Exception {
            foundLimit(LimitRun.run(
                    settings.bootstrap(), settings.warmup(), settings.measured(), inFlight, settings.jobBytes()));
        }
    }

    @Command(name = "enqueue", description = "Single jobs over HTTP.")
    static final class Enqueue extends MeasuringCommand {
        @Mixin
        final ConnectionsOption http = new ConnectionsOption(64);

        @Override
        void measure(Settings settings) throws Exception {
            found(Yardstick.RATE, EnqueueRun.run("enqueue", settings, http.connections));
        }
    }

    @Command(
            name = "unique",
            description = "Single jobs over HTTP: without a key, with keys of their own, and duplicates of one job.")
    static final class Unique extends MeasuringCommand {
        @Mixin
        final ConnectionsOption http = new ConnectionsOption(64);

        @Override
        void measure(Settings settings) throws Exception {
            for (Measurement each : EnqueueRun.unique(settings, http.connections)) found(Yardstick.NONE, each);
        }
    }

    @Command(name = "batch", description = "Batches of jobs over HTTP.")
    static final class Batch extends MeasuringCommand {
        @Mixin
        final ConnectionsOption http = new ConnectionsOption(8);

        @Option(names = "--size", defaultValue = "100", description = "jobs per batch (default: ${DEFAULT-VALUE})")
        int size;

        @Override
        void measure(Settings settings) throws Exception {
            found(Yardstick.BATCH_RATE, BatchRun.run(settings, http.connections, size));
        }
    }

    @Command(name = "lifecycle", description = "Jobs enqueued, fetched and acked over HTTP.")
    static final class Lifecycle extends MeasuringCommand {
        @Mixin
        final ConnectionsOption http = new ConnectionsOption(64);

        @Option(names = "--count", defaultValue = "10", description = "jobs per fetch (default: ${DEFAULT-VALUE})")
        int count;

        @Override
        void measure(Settings settings) throws Exception {
            foundSteps(Yardstick.RATE, LifecycleRun.run(settings, http.connections, count));
        }
    }

    @Command(
            name = "handoff",
            description = "How soon a waiting worker starts a job, over HTTP and with the worker runtime.")
    static final class Handoff extends MeasuringCommand {
        static final double DEFAULT_RATE = 100;

        @Option(names = "--workers", defaultValue = "8", description = "workers that wait (default: ${DEFAULT-VALUE})")
        int workers;

        @Override
        void measure(Settings settings) throws Exception {
            Settings open = settings.rate() > 0 ? settings : settings.withRate(DEFAULT_RATE);
            found(Yardstick.LATENCY, HttpHandoffRun.run(open, workers));
            found(Yardstick.LATENCY, PartitionHandoffRun.run(open, workers));
        }
    }

    @Command(
            name = "poll",
            description = "How soon a job starts whose worker polls once a second without wait_ms, as the SDKs do.")
    static final class Poll extends MeasuringCommand {
        @Option(names = "--jobs", defaultValue = "500", description = "jobs (default: ${DEFAULT-VALUE})")
        int jobs;

        @Option(
                names = "--between-ms",
                defaultValue = "200",
                description = "from one job to the next, on average (default: ${DEFAULT-VALUE})")
        long betweenMs;

        @Override
        void measure(Settings settings) throws Exception {
            found(Yardstick.LATENCY, PollRun.run(settings, jobs, Duration.ofMillis(betweenMs)));
        }
    }

    @Command(name = "log-enqueue", description = "Jobs straight into a partition.")
    static final class LogEnqueue extends MeasuringCommand {
        @Option(
                names = "--in-flight",
                defaultValue = "500",
                description = "commands that wait at the same time (default: ${DEFAULT-VALUE})")
        int inFlight;

        @Option(names = "--size", defaultValue = "1", description = "jobs per command (default: ${DEFAULT-VALUE})")
        int size;

        @Override
        void measure(Settings settings) throws Exception {
            found(
                    size == 1 ? Yardstick.RATE : Yardstick.BATCH_RATE,
                    PartitionEnqueueRun.run("log-enqueue", settings, inFlight, size));
        }
    }

    @Command(name = "log-lifecycle", description = "Jobs enqueued, fetched and acked without HTTP.")
    static final class LogLifecycle extends MeasuringCommand {
        @Option(
                names = "--in-flight",
                defaultValue = "200",
                description = "cycles at the same time (default: ${DEFAULT-VALUE})")
        int inFlight;

        @Option(names = "--size", defaultValue = "1", description = "jobs per cycle (default: ${DEFAULT-VALUE})")
        int size;

        @Override
        void measure(Settings settings) throws Exception {
            found(Yardstick.RATE, PartitionLifecycleRun.run("log-lifecycle", settings, inFlight, size));
        }
    }

    @Command(
            name = "backlog",
            description = "Very many jobs in one queue: enqueued in batches, then fetched and acked to the last one."
                    + " Fails when one is missing or comes twice.")
    static final class Backlog extends MeasuringCommand {
        @Option(names = "--jobs", defaultValue = "1000000", description = "jobs in all (default: ${DEFAULT-VALUE})")
        int jobs;

        @Mixin
        final ConnectionsOption http = new ConnectionsOption(16);

        @Option(
                names = "--phase",
                defaultValue = "BOTH",
                description =
                        "ENQUEUE, DRAIN or BOTH; with --queue, a restart fits in between (default: ${DEFAULT-VALUE})")
        BacklogRun.Phase phase = BacklogRun.Phase.BOTH;

        @Override
        void measure(Settings settings) throws Exception {
            var run = new BacklogRun(settings, jobs, http.connections);
            run.run(phase, each -> found(Yardstick.NONE, each));
        }
    }

    @Command(name = "queues", description = "Very many queues with a job each: filled, listed, drained.")
    static final class Queues extends MeasuringCommand {
        @Option(names = "--count", defaultValue = "10000", description = "queues (default: ${DEFAULT-VALUE})")
        int count;

        @Mixin
        final ConnectionsOption http = new ConnectionsOption(16);

        @Override
        void measure(Settings settings) throws Exception {
            for (Measurement each : QueuesRun.run(settings, count, http.connections)) found(Yardstick.NONE, each);
        }
    }
}
