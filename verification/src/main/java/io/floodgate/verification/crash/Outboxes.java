package io.floodgate.verification.crash;

import io.floodgate.processor.store.Keys;
import io.floodgate.verification.client.KafkaTopics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Messages between logs that were not delivered, as far as is committed: read from the changelog of the store they wait in. */
final class Outboxes {
    private static final String CHANGELOG = "floodgate-entities-changelog";

    private Outboxes() {}

    static List<String> undelivered(KafkaTopics cluster) {
        Map<String, byte[]> waiting = new LinkedHashMap<>();
        cluster.read(CHANGELOG, record -> {
            if (!startsWith(record.key(), Keys.allOutbox())) return;
            String message = record.partition() + "/" + Arrays.toString(record.key());
            if (record.value() == null) waiting.remove(message);
            else waiting.put(message, record.value());
        });
        return new ArrayList<>(waiting.keySet());
    }

    private static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }
}
