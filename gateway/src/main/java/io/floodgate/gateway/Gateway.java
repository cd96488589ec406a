package io.floodgate.gateway;

import io.floodgate.gateway.access.Authenticator;
import io.floodgate.gateway.access.FileKeys;
import io.floodgate.gateway.access.KeyAuthenticator;
import io.floodgate.gateway.connection.Peer;
import io.floodgate.gateway.event.EventFeed;
import io.floodgate.gateway.feed.TopicReader;
import io.floodgate.gateway.feed.TopicReader.Feed;
import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.gateway.queue.StatusFeed;
import io.floodgate.gateway.source.KafkaSourceTopics;
import io.floodgate.gateway.system.GroupOwners;
import io.floodgate.gateway.system.OverloadMonitor;
import io.floodgate.topics.Topics;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.KafkaCommandClient;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An HTTP server in front of the partitions. */
public final class Gateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
    /** Long enough for a fetch that waits to come to the end of its turn. */
    private static final Duration GRACE = Duration.ofSeconds(6);

    private final Duration notice;
    private final Closing opened = new Closing();
    private final GatewayContext parts;
    private final TopicReader feeds;
    private final CommandClient client;
    private final int port;

    private Gateway(GatewayConfig config, PrometheusMeterRegistry registry) {
        notice = config.notice();
        parts = GatewayContext.of(
                config.limits(),
                config.client().limits(),
                Clock.systemUTC(),
                System::nanoTime,
                this::areLoaded,
                registry);
        Cluster cluster = config.client().cluster();
        try {
            client = opened.add(KafkaCommandClient.connect(config.client(), parts.traffic()));
            opened.add(parts.schemas().follow(client).start());
            feeds = opened.add(TopicReader.start(
                    cluster,
                    "feeds",
                    List.of(
                            new Feed(Topics.QUEUE_STATUS, TopicReader.EVERYTHING, new StatusFeed(parts.table())),
                            new Feed(
                                    Topics.EVENTS,
                                    config.limits().events(),
                                    new EventFeed(parts.events(), parts::happened))),
                    parts.clock().instant()));
            QueueTopics topics = opened.add(QueueTopics.start(config.client(), config.queueTopics(), parts.table()));
            parts.metrics().count(topics);
            opened.add(OverloadMonitor.start(client, parts.overload()));
            var owners = new GroupOwners(cluster, parts.nanos());
            HttpServer server = HttpServer.start(
                    config,
                    Api.dispatcher(
                            config, client, parts, topics, owners, new KafkaSourceTopics(cluster), callers(config)),
                    parts,
                    GRACE,
                    Peer.Limits.DEFAULT);
            opened.add(server);
            port = server.port();
        } catch (RuntimeException | Error failed) {
            opened.closeAfter(failed);
            throw failed;
        }
    }

    private Authenticator callers(GatewayConfig config) {
        if (config.access().keys().isEmpty()) {
            LOG.warn(
                    "Every client that can connect to {}:{} has full access, since there are no API keys. ./floodgate keys add makes one.",
                    config.host(),
                    config.port());
            return Authenticator.OPEN;
        }
        return new KeyAuthenticator(
                opened.add(FileKeys.of(config.access().keys().get())), parts.clock(), System::nanoTime);
    }

    /**
     * Connects, and returns once requests are served. The topics must exist.
     *
     * @param registry for what it counts and measures; {@code /metrics} shows all that is in it
     */
    public static Gateway start(GatewayConfig config, PrometheusMeterRegistry registry) {
        return new Gateway(config, registry);
    }

    private boolean areLoaded() {
        return feeds.isLoaded();
    }

    /** The client of the partitions, which is closed with the gateway. */
    public CommandClient client() {
        return client;
    }

    public int port() {
        return port;
    }

    /**
     * Says first that it is closing, so that load balancers send no more callers; then stops listening, lets requests
     * that are being served finish, and disconnects.
     */
    @Override
    public void close() {
        boolean first = parts.closing().compareAndSet(false, true);
        if (first) LockSupport.parkNanos(notice.toNanos());
        parts.events().close();
        opened.close();
    }
}
