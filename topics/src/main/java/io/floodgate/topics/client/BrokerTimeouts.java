package io.floodgate.topics.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * Time-outs of Kafka clients, all of them by one setting: {@code request.timeout.ms}, after which a broker that does
 * not answer a request is given up. A broker that hangs keeps its partitions until the cluster has noticed it, after 9
 * s with Kafka's defaults. Until then every request to it is in vain, and each step of a task may begin with one. So
 * requests are given up soon, and operations of several requests outlast a broker that hangs.
 */
public final class BrokerTimeouts {
    /**
     * Time-out of each question while a process starts: a broker that goes and comes back meanwhile does not end the
     * start.
     */
    public static final Duration STARTING = Duration.ofSeconds(30);

    private static final int REQUEST_MS = 2_000;

    /** Longest transaction that a group coordinator accepts ({@code transaction.max.timeout.ms}). */
    private static final int LONGEST_TRANSACTION_MS = 60_000;

    private final int requestMs;

    private BrokerTimeouts(int requestMs) {
        this.requestMs = requestMs;
    }

    /** Returns the time-outs of these properties of Kafka clients. */
    public static BrokerTimeouts of(Map<String, ?> kafka) {
        Object set = kafka.get(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG);
        return new BrokerTimeouts(
                set == null ? REQUEST_MS : Integer.parseInt(set.toString().strip()));
    }

    /** Returns these properties with the time-outs that every client has. Time-outs that they name stay. */
    public static Map<String, Object> in(Map<String, ?> kafka) {
        return of(kafka).clients(kafka);
    }

    private Map<String, Object> clients(Map<String, ?> kafka) {
        Map<String, Object> all = new HashMap<>();
        all.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, requestMs);
        all.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, severalMs());
        all.put(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, requestMs / 2);
        all.put(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, requestMs);
        all.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, Math.min(500, requestMs));
        all.putAll(kafka);
        return all;
    }

    /** The time after which a broker that does not answer is given up. */
    public int requestMs() {
        return requestMs;
    }

    /** Returns the time-out of operations of several requests: a command to be appended, a question to the cluster. */
    public int severalMs() {
        return 5 * requestMs;
    }

    /** Returns the time-out of a transaction, which outlasts a broker that hangs: longer than all of its steps. */
    public int transactionMs() {
        return Math.min(LONGEST_TRANSACTION_MS, 9 * requestMs);
    }

    /** Returns how long a fetch may wait at the broker until there is something to fetch. */
    public int idleFetchMs() {
        return Math.min(5_000, requestMs / 2);
    }

    /** Returns how often a broker is asked which brokers there are. */
    Duration watch() {
        return Duration.ofMillis(requestMs / 4);
    }
}
