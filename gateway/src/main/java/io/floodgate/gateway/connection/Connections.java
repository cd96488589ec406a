package io.floodgate.gateway.connection;

import io.floodgate.gateway.connection.Peer.Limits;
import io.floodgate.gateway.memory.MemoryBudget;
import io.floodgate.gateway.memory.MemoryBudget.Lane;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * All connections. Those that dawdle are cut off; and when there are too many, the one that has been idle for longest makes
 * room, so that idle callers cannot keep out busy ones.
 */
public final class Connections implements ServerConnectionSelector, AutoCloseable {
    private static final Duration SWEEP = Duration.ofSeconds(1);

    private final Http1ConnectionSelector http1;
    private final int most;
    private final Limits limits;
    private final byte[] tooSlow;
    private final MemoryBudget memory;
    private final Map<Peer, ConnectionContext> connections = new ConcurrentHashMap<>();
    private final ScheduledExecutorService sweeper = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("floodgate-callers").factory());

    /**
     * @param most how many may be connected
     * @param limits how long callers may take
     * @param tooSlow what is sent, as it stands, to a caller whose request took too long to arrive
     * @param memory what the heads of requests come from, beside all else
     */
    public Connections(Http1Config http, int most, Limits limits, byte[] tooSlow, MemoryBudget memory) {
        this.limits = limits;
        http1 = Http1ConnectionSelector.builder().config(http).build();
        this.most = most;
        this.tooSlow = tooSlow;
        this.memory = memory;
        var unused =
                sweeper.scheduleWithFixedDelay(this::sweep, SWEEP.toMillis(), SWEEP.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public int bytesToIdentifyConnection() {
        return http1.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return http1.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return http1.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        Peer peer = new Peer(context.dataReader(), limits, memory.share(Lane.ORDINARY));
        connections.put(peer, context);
        if (connections.size() > most) makeRoom();
        return new Connection(peer, http1.connection(new WatchedContext(context, peer)));
    }

    public int count() {
        return connections.size();
    }

    private void sweep() {
        long now = System.nanoTime();
        connections.forEach((peer, context) -> {
            // Closing may block on a caller that reads nothing; each in its own thread, so that none holds up another.
            if (peer.isLate(now) && connections.remove(peer, context))
                Thread.ofVirtual().start(() -> cutOff(peer, context));
        });
    }

    private void cutOff(Peer peer, ConnectionContext context) {
        try (AutoCloseable closing = () -> context.serverSocket().close()) {
            if (peer.isSending()) context.dataWriter().writeNow(BufferData.create(tooSlow));
        } catch (Exception alreadyGone) {
            // that is what was wanted
        }
    }

    private void makeRoom() {
        long now = System.nanoTime();
        connections.entrySet().stream()
                .filter(connection -> connection.getKey().isBetweenRequests())
                .max(Comparator.comparingLong(connection -> connection.getKey().quietFor(now)))
                .ifPresent(idlest -> {
                    connections.remove(idlest.getKey());
                    Thread.ofVirtual().start(() -> cutOff(idlest.getKey(), idlest.getValue()));
                });
    }

    @Override
    public void close() {
        sweeper.shutdownNow();
    }

    /** A connection whose thread knows whom it serves. */
    private final class Connection implements ServerConnection, InterruptableTask<Void> {
        private final Peer peer;
        private final ServerConnection http;

        Connection(Peer peer, ServerConnection http) {
            this.peer = peer;
            this.http = http;
        }

        @Override
        public void handle(Limit limit) throws InterruptedException {
            peer.isServedHere();
            try {
                http.handle(limit);
            } finally {
                connections.remove(peer);
                peer.isServedNoLonger();
            }
        }

        @Override
        public Duration idleTime() {
            return http.idleTime();
        }

        @Override
        public void close(boolean interrupt) {
            http.close(interrupt);
        }

        @Override
        public boolean canInterrupt() {
            return http instanceof InterruptableTask<?> task && task.canInterrupt();
        }
    }
}
