package io.floodgate.processor.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class LatenessTest {
    private static final long TOLERATED = 250;
    private static final long NOW = 1_800_000_000_000L;

    private final Lateness lateness = new Lateness();

    /** Milliseconds late, of a message that was sent and received then. */
    private long of(long sent, long received) {
        return lateness.of(NOW + sent, NOW + received, TOLERATED);
    }

    @Test
    void the_first_message_may_be_late() {
        assertThat(of(0, 900)).isEqualTo(900);
    }

    @Test
    void what_piled_up_in_an_outage_is_late_however_much_it_is() {
        for (int sent = 0; sent < 3_000; sent += 10) assertThat(of(sent, 4_000)).isEqualTo(4_000 - sent);
        assertThat(of(4_000, 4_003)).isEqualTo(3);
    }

    @Test
    void a_clock_that_was_set_ahead_is_believed_after_a_second() {
        of(0, 2);
        for (int sent = 10; sent < 1_010; sent += 10)
            assertThat(of(sent, sent + 3_600_002)).isEqualTo(3_600_002);
        assertThat(of(1_010, 3_601_012)).isZero();
        assertThat(of(1_020, 3_601_027)).isEqualTo(5);
    }

    @Test
    void a_clock_that_was_set_back_is_believed_at_once() {
        of(0, 2);
        assertThat(of(10, -3_600_000)).isZero();
        assertThat(of(20, -3_599_985)).isEqualTo(5);
        assertThat(lateness.here(Instant.ofEpochMilli(NOW + 3_600_010))).isEqualTo(Instant.ofEpochMilli(NOW));
    }
}
