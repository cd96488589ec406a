package io.floodgate.gateway;

import io.floodgate.gateway.connection.Peer.Limits;
import io.floodgate.gateway.event.EventFeed;
import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.feed.TopicReader;
import io.floodgate.gateway.memory.MemoryBudget;
import io.floodgate.gateway.http.Ids;
import io.floodgate.gateway.queue.StatusFeed;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.gateway.system.Metrics;
import io.floodgate.topics.Topics;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.KafkaCommandClient;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** An HTTP server in front of the logs. */
public final class Gateway implements AutoCloseable {
    private static final int MAX_EVENTS = 20_000;
    private static final long MAX_EVENT_BYTES = 32L * 1024 * 1024;
    /** Of what is on the topic already, so much is worth showing. */
    private static final long OLD_EVENTS_PER_PARTITION = 1_000;

    /** Long enough for a fetch that waits to come to the end of its turn. */
    private static final Duration GRACE = Duration.ofSeconds(6);

    private final HttpServer server;
    private final EventLog events;
    private final AtomicBoolean closing;
    private final List<AutoCloseable> parts;

    private Gateway(HttpServer server, EventLog events, AtomicBoolean closing, List<AutoCloseable> parts) {
        this.server = server;
        this.events = events;
        this.closing = closing;
        this.parts = parts;
    }

    /** Connects, and returns once requests are served. The topics must exist. */
    public static Gateway start(GatewayConfig config) {
        Clock clock = Clock.systemUTC();
        Map<String, Object> kafka = config.client().kafka();
        StatusTable table = new StatusTable();
        EventLog events = new EventLog(MAX_EVENTS, MAX_EVENT_BYTES);
        Metrics metrics = new Metrics(table, events);
        CommandClient client = KafkaCommandClient.connect(config.client());
        List<AutoCloseable> parts = new ArrayList<>();
        parts.add(TopicReader.start(kafka, Topics.QUEUE_STATUS, TopicReader.EVERYTHING, new StatusFeed(table)));
        parts.add(TopicReader.start(
                kafka, Topics.EVENTS, OLD_EVENTS_PER_PARTITION, new EventFeed(events, metrics::count)));
        parts.add(client);
        Ids ids = new Ids(clock);
        AtomicBoolean closing = new AtomicBoolean();
        Api api = new Api(
                client,
                config.requestTimeout(),
                config.testMode(),
                clock,
                ids,
                MemoryBudget.ofHeap(),
                table,
                events,
                metrics,
                closing::get);
        return new Gateway(HttpServer.start(config, api, GRACE, Limits.DEFAULT), events, closing, parts);
    }

    public int port() {
        return server.port();
    }

    /** Stops listening, lets requests that are being served finish, and disconnects. */
    @Override
    public void close() {
        closing.set(true);
        events.close();
        server.close();
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception e) {
                throw new IllegalStateException("a part of the gateway could not be closed", e);
            }
        }
    }
}
