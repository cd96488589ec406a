package io.floodgate.processor.kernel;

import java.time.Instant;

/** Something is wrong with a partition, and stays announced until an operator has seen it. */
public record Alarm(String code, Instant since, String message) {
    /** Kafka has deleted commands that were never executed. */
    public static final String COMMANDS_LOST = "commands_lost";

    /** The partition's topic was made again: the records of the old one are lost. */
    public static final String TOPIC_RECREATED = "topic_recreated";

    /** Messages from another partition never arrived. */
    public static final String MESSAGES_LOST = "messages_lost";

    /** Append times are ahead of what senders say, or have stepped back. */
    public static final String CLOCK_AHEAD = "clock_ahead";

    /** A rule failed. */
    public static final String RULE_FAILED = "rule_failed";
}
