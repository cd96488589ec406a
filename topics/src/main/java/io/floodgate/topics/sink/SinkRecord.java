package io.floodgate.topics.sink;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The record of an outcome.
 *
 * @param partition null for that of the key
 */
public record SinkRecord(
        String topic,
        @Nullable Integer partition,
        byte @Nullable [] key,
        byte @Nullable [] value,
        Map<String, byte[]> headers) {}
