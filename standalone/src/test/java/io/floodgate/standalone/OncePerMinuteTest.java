package io.floodgate.standalone;

import static ch.qos.logback.core.spi.FilterReply.DENY;
import static ch.qos.logback.core.spi.FilterReply.NEUTRAL;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import io.floodgate.standalone.logging.OncePerMinute;
import org.junit.jupiter.api.Test;

final class OncePerMinuteTest {
    private static final String CLIENT = "org.apache.kafka.clients.NetworkClient";
    private static final String GONE = "Connection to node 3 (host/10.0.0.3:9092) could not be established.";

    private final OncePerMinute filter = new OncePerMinute();

    private FilterReply decide(String logger, Level level, String message, long second) {
        var event = new LoggingEvent("", new LoggerContext().getLogger(logger), level, message, null, null);
        event.setTimeStamp(1_000 * second);
        return filter.decide(event);
    }

    @Test
    void a_broker_that_is_gone_is_named_once_for_all_clients() {
        assertThat(decide(CLIENT, Level.WARN, "[Producer clientId=a] " + GONE, 0))
                .isEqualTo(NEUTRAL);
        assertThat(decide(CLIENT, Level.WARN, "[Consumer clientId=b, groupId=null] " + GONE, 1))
                .isEqualTo(DENY);
        assertThat(decide(CLIENT, Level.WARN, "[Producer clientId=a] " + GONE, 59))
                .isEqualTo(DENY);
        assertThat(decide(CLIENT, Level.WARN, "[Producer clientId=a] " + GONE, 60))
                .isEqualTo(NEUTRAL);
        assertThat(decide(CLIENT, Level.WARN, "[Producer clientId=a] " + GONE.replace("3", "2"), 61))
                .isEqualTo(NEUTRAL);
    }

    @Test
    void nothing_of_ours_and_no_error_is_left_out() {
        for (int second = 0; second < 2; second++) {
            assertThat(decide("io.floodgate.processor", Level.WARN, GONE, second))
                    .isEqualTo(NEUTRAL);
            assertThat(decide(CLIENT, Level.ERROR, GONE, second)).isEqualTo(NEUTRAL);
        }
    }
}
