package io.floodgate.bench;

import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.report.Yardstick;
import io.floodgate.bench.run.BlockedRun;
import io.floodgate.bench.run.EnqueueWaysRun;
import io.floodgate.bench.run.FloodRun;
import io.floodgate.bench.run.OverloadRun;
import io.floodgate.bench.run.Settings;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The commands that measure queues with bounds. */
final class BoundCommands {
    private BoundCommands() {}

    @Command(
            name = "enqueue-ways",
            description = "What it costs that jobs which come by HTTP are written to the topic of their queue and"
                    + " forwarded, and not to ojs.commands: single jobs each way, in turns.")
    static final class EnqueueWays extends MeasuringCommand {
        @Mixin
        final ConnectionsOption http = new ConnectionsOption(64);

        @Option(names = "--turns", defaultValue = "3", description = "turns of each (default: ${DEFAULT-VALUE})")
        int turns;

        @Override
        void measure(Settings settings) throws Exception {
            for (Measurement each : new EnqueueWaysRun(settings, http.connections, turns).enqueue())
                found(Yardstick.RATE, each);
        }
    }

    @Command(
            name = "overload",
            description =
                    "What can be served, and then more than that, open loop: how much is served of it, whether acks and"
                            + " heartbeats are answered, whether rejections say when to try again, and how soon it is over.")
    static final class Overload extends MeasuringCommand {
        @Option(
                names = "--factor",
                defaultValue = "2",
                description = "how much more than what can be served (default: ${DEFAULT-VALUE})")
        double factor;

        @Mixin
        final ConnectionsOption http = new ConnectionsOption(1000);

        @Option(
                names = "--quiet-tenants",
                defaultValue = "0",
                description =
                        "number of other tenants that keep to a twentieth each of the capacity, while one sends too"
                                + " much (default: ${DEFAULT-VALUE})")
        int quietTenants;

        @Override
        void measure(Settings settings) throws Exception {
            OverloadRun run = new OverloadRun(settings, factor, http.connections, quietTenants);
            for (Measurement each : run.run()) found(Yardstick.NONE, each);
        }
    }

    @Command(
            name = "blocked",
            description = "Very many producers that wait at one queue: what others notice of them, whether each is"
                    + " answered when its time is up, and whether all come in when the bound is removed.")
    static final class Blocked extends MeasuringCommand {
        @Option(names = "--producers", defaultValue = "10000", description = "producers (default: ${DEFAULT-VALUE})")
        int producers;

        @Option(
                names = "--timeout",
                defaultValue = "40",
                description =
                        "how many seconds each waits, from 1 to 60; it must be longer than warm-up and measurement"
                                + " (default: ${DEFAULT-VALUE})")
        int timeout;

        @Override
        void measure(Settings settings) throws Exception {
            for (Measurement each : new BlockedRun(settings, producers, Duration.ofSeconds(timeout)).run())
                found(Yardstick.NONE, each);
        }
    }

    @Command(
            name = "bounds",
            description =
                    "A flood at a full queue, beside enqueues that are taken and another queue of the same partition.")
    static final class Bounds extends MeasuringCommand {
        @Mixin
        final ConnectionsOption http = new ConnectionsOption(64);

        @Option(
                names = "--depth",
                defaultValue = "1000",
                description = "jobs that the queue may hold (default: ${DEFAULT-VALUE})")
        int depth;

        @Override
        void measure(Settings settings) throws Exception {
            for (Measurement each : new FloodRun(settings, http.connections, depth).run()) found(Yardstick.NONE, each);
        }
    }
}
