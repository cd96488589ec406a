package io.floodgate.gateway.connection;

import io.floodgate.gateway.connection.Peer.Limits;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * All connections. Those that dawdle are cut off. When there are too many, those of strangers close first, which have
 * never shown who they are: of the address that has most of them. Without any, that of the caller that has been idle
 * for longest closes.
 */
public final class Connections implements ServerConnectionSelector, AutoCloseable {
    private static final Duration SWEEP = Duration.ofSeconds(1);
    /** One in this many strangers of an address is closed at once. */
    private static final int AT_ONCE = 100;

    private final Http1ConnectionSelector http1;
    private final int max;
    private final Limits limits;
    private final byte[] tooSlow;
    private final HeadMemory memory;
    private final Map<Peer, ConnectionContext> connections = new ConcurrentHashMap<>();
    private final ScheduledExecutorService sweeper = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("floodgate-callers").factory());

    /**
     * @param max how many may be connected
     * @param limits how long callers may take
     * @param tooSlow what is sent, as it stands, to a caller whose request took too long to arrive
     * @param memory for the heads of requests
     */
    public Connections(Http1Config http, int max, Limits limits, byte[] tooSlow, HeadMemory memory) {
        this.limits = limits;
        http1 = Http1ConnectionSelector.builder().config(http).build();
        this.max = max;
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
        Peer peer = new Peer(
                context.dataReader(), PeerAddress.of(context.remotePeer().address()), limits, memory);
        connections.put(peer, context);
        if (connections.size() > max) makeRoom();
        return new Connection(peer, http1.connection(new WatchedContext(context, peer)));
    }

    public int count() {
        return connections.size();
    }

    /** Cuts off those whose time is over. */
    public void sweep() {
        long now = limits.now();
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

    private synchronized void makeRoom() {
        if (connections.size() <= max) return;
        long now = limits.now();
        Map<String, List<Peer>> strangers = new HashMap<>();
        for (Peer peer : connections.keySet())
            if (peer.isStranger() && peer.isBeforeRequest())
                strangers
                        .computeIfAbsent(peer.address(), address -> new ArrayList<>())
                        .add(peer);
        Comparator<Peer> byQuiet =
                Comparator.comparingLong((Peer peer) -> peer.quietFor(now)).reversed();
        List<Peer> most = strangers.values().stream()
                .max(Comparator.comparingInt(List::size))
                .orElse(List.of());
        if (most.size() > 1) {
            // A client with this many opens more: looking through all of them for each would be expensive.
            most.stream()
                    .sorted(byQuiet)
                    .limit(Math.max(1, most.size() / AT_ONCE))
                    .forEach(this::close);
            return;
        }
        connections.keySet().stream()
                .filter(Peer::isBetweenRequests)
                .min(byQuiet)
                .ifPresent(this::close);
    }

    private void close(Peer peer) {
        ConnectionContext context = connections.remove(peer);
        if (context != null) Thread.ofVirtual().start(() -> cutOff(peer, context));
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
