package io.floodgate.standalone.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KnownNoiseTest {
    private static FilterReply replyTo(String message) {
        LoggingEvent event = new LoggingEvent();
        event.setMessage(message);
        return new KnownNoise().decide(event);
    }

    @ParameterizedTest
    @ValueSource(strings = {"__transaction_state", "__consumer_offsets"})
    void a_topic_of_kafka_that_is_there_already_is_not_worth_a_warning(String topic) {
        String warning = "Auto topic creation failed for %s with error '%s': Topic '%s' already exists.";
        assertThat(replyTo(warning.formatted(topic, "TOPIC_ALREADY_EXISTS", topic)))
                .isEqualTo(FilterReply.DENY);
        assertThat(replyTo(warning.formatted(topic, "POLICY_VIOLATION", topic))).isEqualTo(FilterReply.NEUTRAL);
    }
}
