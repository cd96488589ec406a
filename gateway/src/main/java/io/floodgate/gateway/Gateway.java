package io.floodgate.gateway;

import io.floodgate.gateway.event.EventFeed;
import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.feed.TopicReader;
import io.floodgate.gateway.http.Ids;
import io.floodgate.gateway.http.TransportErrors;
import io.floodgate.gateway.queue.StatusFeed;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.gateway.system.Metrics;
import io.floodgate.topics.Topics;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.KafkaCommandClient;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An HTTP server in front of the logs. */
public final class Gateway implements AutoCloseable {
    private static final int MAX_EVENTS = 20_000;
    private static final long MAX_EVENT_BYTES = 32L * 1024 * 1024;
    /** Of what is on the topic already, so much is worth showing. */
    private static final long OLD_EVENTS_PER_PARTITION = 1_000;

    private final WebServer server;
    private final EventLog events;
    private final List<AutoCloseable> parts;

    private Gateway(WebServer server, EventLog events, List<AutoCloseable> parts) {
        this.server = server;
        this.events = events;
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
        Api api = new Api(client, config.requestTimeout(), config.testMode(), clock, ids, table, events, metrics);
        return new Gateway(serve(config, api), events, parts);
    }

    static WebServer serve(GatewayConfig config, Api api) {
        HttpRouting.Builder routing = HttpRouting.builder();
        api.register(routing);
        return WebServer.builder()
                .host(config.host())
                .port(config.port())
                .maxTcpConnections(config.maxConnections())
                .maxPayloadSize(Topics.MAX_RECORD_BYTES)
                .directHandlers(TransportErrors.handlers(api.clock(), api.ids()))
                .shutdownHook(false)
                .shutdownGracePeriod(Duration.ofSeconds(5))
                .connectionOptions(options -> options.tcpNoDelay(true))
                .routing(routing)
                .build()
                .start();
    }

    public int port() {
        return server.port();
    }

    /** Stops listening, lets requests that are being served finish, and disconnects. */
    @Override
    public void close() {
        events.close();
        server.stop();
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception e) {
                throw new IllegalStateException("a part of the gateway could not be closed", e);
            }
        }
    }
}
