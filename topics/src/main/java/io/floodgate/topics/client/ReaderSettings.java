package io.floodgate.topics.client;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/** Settings of the consumers that read whole partitions, without a group. */
public final class ReaderSettings {
    private static final int RECORDS_AT_ONCE = 5_000;

    private ReaderSettings() {}

    /** Returns the settings of a reader that sees the records of open transactions, too, and begins at the end. */
    static Map<String, Object> uncommitted(Map<String, Object> kafka) {
        return with(kafka, "read_uncommitted", "latest");
    }

    /** Returns the settings of a reader that sees committed records only, and begins with the first. */
    public static Map<String, Object> committed(Map<String, Object> kafka) {
        return with(kafka, "read_committed", "earliest");
    }

    private static Map<String, Object> with(Map<String, Object> kafka, String isolation, String begin) {
        Map<String, Object> config = new HashMap<>(kafka);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, begin);
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, RECORDS_AT_ONCE);
        config.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        // What arrives is answered at once; only how often an idle topic is asked again depends on it.
        config.put(
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                BrokerTimeouts.of(kafka).idleFetchMs());
        return config;
    }
}
