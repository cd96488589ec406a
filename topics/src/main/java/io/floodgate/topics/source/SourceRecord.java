package io.floodgate.topics.source;

import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A record of a source.
 *
 * @param headers the last value of each name; null for none
 */
public record SourceRecord(
        String topic,
        int partition,
        long offset,
        Instant timestamp,
        byte @Nullable [] key,
        byte @Nullable [] value,
        Function<String, byte @Nullable []> headers) {}
