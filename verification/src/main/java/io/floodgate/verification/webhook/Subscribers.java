package io.floodgate.verification.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.floodgate.client.WebhookNotVerified;
import io.floodgate.client.WebhookVerifier;
import io.floodgate.topics.json.Json;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.process.Ports;
import io.floodgate.verification.webhook.DeliveryCourse.Seen;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Receivers of webhooks in this process, each with a path of its own. Those that are dead or slow can be made well. */
final class Subscribers implements AutoCloseable {
    private static final Duration SLOW = Duration.ofSeconds(2);
    private static final int MOST_BYTES = 1_000_000;

    enum Manner {
        WELL,
        /** Answers after two seconds. */
        SLOW,
        /** Answers with status 500. */
        FAILING,
        /** Nothing listens at its port. */
        GONE
    }

    /** One of them. */
    private static final class Inbox {
        private final Queue<Seen> arrivals = new ConcurrentLinkedQueue<>();
        private final Set<String> jobs = ConcurrentHashMap.newKeySet();
        private volatile Manner manner;
        private volatile @Nullable WebhookVerifier verifier;

        private Inbox(Manner manner) {
            this.manner = manner;
        }
    }

    private final int port = Ports.free();
    private final int closedPort = Ports.free();
    private final List<HttpServer> servers = new ArrayList<>();
    private final ConcurrentMap<String, Inbox> inboxes = new ConcurrentHashMap<>();
    private final Queue<String> unverified = new ConcurrentLinkedQueue<>();

    Subscribers() throws IOException {
        listen(port);
    }

    private void listen(int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
        servers.add(server);
    }

    /** Returns its URL. */
    String add(String name, Manner manner) {
        inboxes.put(name, new Inbox(manner));
        return "http://127.0.0.1:%d/%s".formatted(manner == Manner.GONE ? closedPort : port, name);
    }

    void knows(String name, String secret) {
        inbox(name).verifier = new WebhookVerifier(List.of(secret));
    }

    /** From now on all answer at once. */
    void heal() throws IOException {
        inboxes.values().forEach(inbox -> inbox.manner = Manner.WELL);
        listen(closedPort);
    }

    List<Seen> arrivals(String name) {
        return List.copyOf(inbox(name).arrivals);
    }

    /** Jobs of which something came to it. */
    Set<String> jobs(String name) {
        return inbox(name).jobs;
    }

    private Inbox inbox(String name) {
        Inbox inbox = inboxes.get(name);
        if (inbox == null) throw new IllegalArgumentException("no subscriber has the name " + name);
        return inbox;
    }

    /** What came without a good signature. */
    List<String> unverified() {
        return List.copyOf(unverified);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(answer(exchange), -1);
        }
    }

    private int answer(HttpExchange exchange) throws IOException {
        String name = exchange.getRequestURI().getPath().substring(1);
        byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES);
        Inbox inbox = inbox(name);
        Manner manner = inbox.manner;
        if (manner == Manner.FAILING) return 500;
        if (manner == Manner.SLOW) Pause.of(SLOW);
        JsonNode envelope = Json.tree(body);
        String event = envelope.path("id").asString("");
        WebhookVerifier verifier = inbox.verifier;
        try {
            // One that comes before its secret is known comes again.
            if (verifier == null) return 503;
            verifier.verify(header(exchange, "X-OJS-Timestamp"), header(exchange, "X-OJS-Signature"), body);
        } catch (WebhookNotVerified forged) {
            unverified.add("%s: event %s: %s".formatted(name, event, forged.getMessage()));
        }
        inbox.arrivals.add(new Seen(event, Instant.now()));
        inbox.jobs.add(envelope.path("subject").asString(""));
        return 204;
    }

    private static String header(HttpExchange exchange, String name) {
        return String.valueOf(exchange.getRequestHeaders().getFirst(name));
    }

    @Override
    public void close() {
        servers.forEach(server -> server.stop(0));
    }
}
