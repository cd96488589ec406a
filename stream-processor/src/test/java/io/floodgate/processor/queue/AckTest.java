package io.floodgate.processor.queue;

import static io.floodgate.processor.testing.Commands.ack;
import static io.floodgate.processor.testing.Commands.enqueue;
import static io.floodgate.processor.testing.Commands.fetch;
import static io.floodgate.topics.command.ErrorCode.CONFLICT;
import static java.time.Duration.ofSeconds;

import io.floodgate.processor.testing.Log;
import org.junit.jupiter.api.Test;

class AckTest {
    private final Log log = new Log();

    @Test
    void is_refused_once_the_lease_has_ended() {
        // given
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofSeconds(30)));
        // when
        log.after(ofSeconds(30));
        log.receives(ack("j1"));
        // then
        log.refuses(CONFLICT).with("current_state", "available");
    }
}
