package io.floodgate.processor.log;

import io.floodgate.topics.LogId;
import io.floodgate.topics.command.ReplyTo;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A record of the log, as far as the rules can see it.
 *
 * @param appended when the broker appended it
 * @param op what it asks for; null for a plain job
 * @param from the log that sent it, with its number among the messages from there; null for anybody else
 */
public record LogRecord(
        long offset,
        Instant appended,
        @Nullable String op,
        byte[] value,
        @Nullable ReplyTo replyTo,
        @Nullable LogId from,
        long sequence) {}
