package io.floodgate.gateway.system;

import io.floodgate.gateway.overload.Overload;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.PartitionCommand.Tick;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks twice a second how full everything is, so that levels are reported even without requests. While some partition
 * is out of reach, or seems to be, asks all of them how they are, to notice as soon as it is back.
 */
public final class OverloadMonitor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OverloadMonitor.class);
    private static final Duration PATIENCE = Duration.ofMillis(1_500);
    private static final long EVERY_MS = 500;

    private final CommandClient client;
    private final Overload overload;
    private final ScheduledExecutorService timer;

    private OverloadMonitor(CommandClient client, Overload overload) {
        this.client = client;
        this.overload = overload;
        timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("floodgate-lookout").daemon().factory());
    }

    public static OverloadMonitor start(CommandClient client, Overload overload) {
        OverloadMonitor overloadMonitor = new OverloadMonitor(client, overload);
        var unused = overloadMonitor.timer.scheduleWithFixedDelay(
                overloadMonitor::look, EVERY_MS, EVERY_MS, TimeUnit.MILLISECONDS);
        return overloadMonitor;
    }

    private void look() {
        try {
            overload.look();
            if (overload.circuits().isWorthAsking())
                for (PartitionId log : client.routing().logs()) ask(log);
        } catch (RuntimeException failure) {
            LOG.error("How full the server is could not be looked at; it is tried again.", failure);
        }
    }

    private void ask(PartitionId log) {
        var unused = client.send(log, "tick", new Tick(), PATIENCE);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
