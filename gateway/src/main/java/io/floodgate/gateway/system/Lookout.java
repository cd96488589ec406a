package io.floodgate.gateway.system;

import io.floodgate.gateway.overload.Overload;
import io.floodgate.topics.LogId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.LogCommand.Tick;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks twice a second how full everything is, so that it is told although nobody asks for anything; and while some log is out
 * of reach, or seems to be, asks all of them how they are, so that it is noticed as soon as it is back.
 */
public final class Lookout implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Lookout.class);
    private static final Duration PATIENCE = Duration.ofMillis(1_500);
    private static final long EVERY_MS = 500;

    private final CommandClient client;
    private final Overload overload;
    private final ScheduledExecutorService timer;

    private Lookout(CommandClient client, Overload overload) {
        this.client = client;
        this.overload = overload;
        timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("floodgate-lookout").daemon().factory());
    }

    public static Lookout start(CommandClient client, Overload overload) {
        Lookout lookout = new Lookout(client, overload);
        var unused = lookout.timer.scheduleWithFixedDelay(lookout::look, EVERY_MS, EVERY_MS, TimeUnit.MILLISECONDS);
        return lookout;
    }

    private void look() {
        try {
            overload.look();
            if (overload.circuits().isWorthAsking())
                for (LogId log : client.routing().logs()) ask(log);
        } catch (RuntimeException failure) {
            LOG.error("How full the server is could not be looked at; it is tried again.", failure);
        }
    }

    private void ask(LogId log) {
        var unused = client.send(log, "tick", new Tick(), PATIENCE);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
