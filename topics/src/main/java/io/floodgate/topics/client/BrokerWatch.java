package io.floodgate.topics.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.DefaultHostResolver;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.NetworkClientUtils;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the brokers of a cluster in turn which brokers there are, and has the clients of this process leave one that
 * answers although another broker no longer lists it. A broker that is cut off from the others answers its clients by
 * what it knew: they would ask it for metadata and coordinators, and read from it, for as long as the cut lasts.
 */
final class BrokerWatch {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerWatch.class);
    private static final Duration FIRST = Duration.ofSeconds(5);
    /** Until a broker that is alone is asked again. */
    private static final Duration ALONE = Duration.ofSeconds(30);

    private static final Map<Object, BrokerWatch> WATCHES = new HashMap<>();

    /** A client that can leave a broker. */
    interface Follower {
        /** Asks other brokers where everything is. May be called on any thread. */
        void leave(Node broker);
    }

    private final Map<String, Object> kafka;
    private final BrokerTimeouts timeouts;
    private final Set<Follower> followers = ConcurrentHashMap.newKeySet();
    private final Thread thread;
    private volatile @Nullable BrokerViews views;
    private volatile boolean closed;

    private BrokerWatch(Map<String, Object> kafka) {
        this.kafka = Map.copyOf(kafka);
        timeouts = BrokerTimeouts.of(kafka);
        thread = Thread.ofPlatform().name("floodgate-brokers").daemon().unstarted(this::watch);
    }

    /** @param kafka properties of the client, which leaves brokers from now on */
    static BrokerWatch join(Map<String, Object> kafka, Follower follower) {
        synchronized (WATCHES) {
            BrokerWatch watch = WATCHES.computeIfAbsent(cluster(kafka), unknown -> new BrokerWatch(kafka));
            if (watch.followers.isEmpty()) watch.thread.start();
            watch.followers.add(follower);
            return watch;
        }
    }

    private static Object cluster(Map<String, Object> kafka) {
        return Objects.requireNonNull(kafka.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG));
    }

    /** Returns host and port of brokers that do not answer this process, although no other broker has given them up. */
    List<String> outOfReach() {
        BrokerViews seen = views;
        return seen == null ? List.of() : seen.outOfReach();
    }

    void end(Follower follower) {
        synchronized (WATCHES) {
            if (!followers.remove(follower) || !followers.isEmpty()) return;
            WATCHES.remove(cluster(kafka));
        }
        closed = true;
        LockSupport.unpark(thread);
    }

    private void watch() {
        // No broker is given up so soon after the clients were made, and a start has better things to do.
        pause(FIRST);
        if (closed) return;
        AdminClientConfig config = config();
        List<Node> bootstrap = bootstrap(config);
        try (KafkaClient client = connect(config, bootstrap)) {
            BrokerViews seen = new BrokerViews(bootstrap, broker -> ask(client, broker));
            views = seen;
            while (!closed) {
                for (Node broker : seen.askNext()) followers.forEach(follower -> leave(follower, broker));
                pause(seen.isAlone() ? ALONE : timeouts.watch());
            }
        } catch (IOException | KafkaException e) {
            LOG.warn("Brokers that are cut off from the others cannot be noticed.", e);
        }
    }

    private void pause(Duration length) {
        if (!closed) LockSupport.parkNanos(length.toNanos());
    }

    private AdminClientConfig config() {
        Map<String, Object> known = new HashMap<>(kafka);
        known.keySet().retainAll(AdminClientConfig.configNames());
        known.put(CommonClientConfigs.CLIENT_ID_CONFIG, kafka.getOrDefault("client.id", "floodgate") + "-watch");
        return new AdminClientConfig(known);
    }

    private static List<String> servers(AdminClientConfig config) {
        return config.getList(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
    }

    private static List<Node> bootstrap(AdminClientConfig config) {
        List<Node> nodes = new ArrayList<>();
        for (InetSocketAddress address : ClientUtils.parseAndValidateAddresses(
                servers(config), config.getString(CommonClientConfigs.CLIENT_DNS_LOOKUP_CONFIG)))
            nodes.add(new Node(-1 - nodes.size(), address.getHostString(), address.getPort()));
        return nodes;
    }

    private KafkaClient connect(AdminClientConfig config, List<Node> bootstrap) {
        return ClientUtils.createNetworkClient(
                config,
                servers(config),
                config.getString(CommonClientConfigs.CLIENT_ID_CONFIG),
                new Metrics(),
                "watch",
                new LogContext(),
                new ApiVersions(),
                Time.SYSTEM,
                1,
                timeouts.requestMs(),
                null,
                new ManualMetadataUpdater(bootstrap),
                new DefaultHostResolver(),
                null,
                null);
    }

    private static void leave(Follower follower, Node broker) {
        try {
            follower.leave(broker);
        } catch (IllegalStateException e) {
            LOG.warn("{} cannot leave {}.", follower, broker, e);
        }
    }

    /** Returns the brokers that this one lists; empty if it does not answer. */
    private Map<Integer, Node> ask(KafkaClient client, Node broker) {
        try {
            if (!NetworkClientUtils.awaitReady(client, broker, Time.SYSTEM, timeouts.requestMs())) return Map.of();
            var request = client.newClientRequest(
                    broker.idString(),
                    new MetadataRequest.Builder(List.of(), false),
                    Time.SYSTEM.milliseconds(),
                    true,
                    timeouts.requestMs(),
                    null);
            var response = NetworkClientUtils.sendAndReceive(client, request, Time.SYSTEM);
            return ((MetadataResponse) response.responseBody()).brokersById();
        } catch (IOException | KafkaException e) {
            return Map.of();
        }
    }
}
