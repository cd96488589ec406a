package io.floodgate.standalone.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import org.junit.jupiter.api.Test;

final class KnownNoiseTest {
    private static FilterReply replyTo(String message) {
        LoggingEvent event = new LoggingEvent();
        event.setMessage(message);
        return new KnownNoise().decide(event);
    }

    @Test
    void a_topic_of_transactions_that_is_there_already_is_not_worth_a_warning() {
        String warning = "Auto topic creation failed for %s with error '%s': Topic '%s' already exists.";
        assertThat(replyTo(warning.formatted("__transaction_state", "TOPIC_ALREADY_EXISTS", "__transaction_state")))
                .isEqualTo(FilterReply.DENY);
        assertThat(replyTo(warning.formatted("__transaction_state", "POLICY_VIOLATION", "__transaction_state")))
                .isEqualTo(FilterReply.NEUTRAL);
    }
}
