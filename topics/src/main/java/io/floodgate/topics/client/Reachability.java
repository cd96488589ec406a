package io.floodgate.topics.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Kafka's clients try a wrong address for ever, and some wrong protocols without a word: says what is wrong. */
final class Reachability {
    private static final Logger LOG = LoggerFactory.getLogger(Reachability.class);
    private static final int CONNECTING_MS = 1_000;
    private static final Duration NOT_YET = Duration.ofSeconds(5);

    private Reachability() {}

    /**
     * Returns once a broker has answered.
     *
     * @param notice after it, the partition says that none does
     * @param patience after it, a {@link KafkaException} says why, as far as that can be seen
     */
    static void await(Admin admin, Cluster cluster, Duration notice, Duration patience) {
        // The admin client has a time-out of its own, which says less.
        int longer = Math.toIntExact(patience.plus(NOT_YET).toMillis());
        KafkaFuture<?> answer = admin.describeCluster(new DescribeClusterOptions().timeoutMs(longer))
                .nodes();
        Duration left = patience;
        if (notice.compareTo(patience) < 0) {
            if (hasCome(answer, notice)) return;
            left = patience.minus(notice);
            LOG.warn("{} Trying for {} s.", complaint(cluster, notice), left.toSeconds());
        }
        if (!hasCome(answer, left)) throw new KafkaException(complaint(cluster, patience));
    }

    private static boolean hasCome(KafkaFuture<?> answer, Duration patience) {
        try {
            answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException e) {
            throw new KafkaException("The cluster rejects the request: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("Interrupted while a broker was looked for.", e);
        }
    }

    private static String complaint(Cluster cluster, Duration waited) {
        String protocol =
                String.valueOf(cluster.kafka().getOrDefault(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, "PLAINTEXT"));
        List<String> found = new ArrayList<>();
        for (String address : addresses(cluster)) found.add(address + " " + probe(address, protocol));
        return "No Kafka broker has answered within %s s: %s."
                .formatted(waited.toMillis() / 1000.0, String.join("; ", found));
    }

    private static List<String> addresses(Cluster cluster) {
        return List.of(String.valueOf(cluster.kafka().get("bootstrap.servers")).split("\\s*,\\s*"));
    }

    private static String probe(String address, String protocol) {
        String host = Utils.getHost(address);
        Integer port = Utils.getPort(address);
        if (host == null || port == null) return "is no address";
        try (Socket socket = new Socket()) {
            InetSocketAddress to = new InetSocketAddress(host, port);
            if (to.isUnresolved()) return "is an unknown host";
            socket.connect(to, CONNECTING_MS);
            return "accepts connections, but does not answer a client with security.protocol=%s; is that what this port speaks (property security.protocol)?"
                    .formatted(protocol);
        } catch (SocketTimeoutException e) {
            return "does not answer connections";
        } catch (IOException e) {
            return "cannot be connected to (%s)".formatted(e.getMessage());
        }
    }
}
