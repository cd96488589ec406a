package io.floodgate.processor.queue.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class LatenessTest {
    private static final long TOLERATED = 250;
    private static final long NOW = 1_800_000_000_000L;

    private final Lateness lateness = new Lateness();

    /** Milliseconds late, of a message that was sent and received then. */
    private long of(long sent, long received) {
        return lateness.of(NOW + sent, 0, NOW + received, TOLERATED);
    }

    /** The same, of one that answers what was asked then. */
    private long answer(long asked, long sent, long received) {
        return lateness.of(NOW + sent, NOW + asked, NOW + received, TOLERATED);
    }

    @Test
    void the_first_message_may_be_late() {
        assertThat(of(0, 900)).isEqualTo(900);
    }

    @Test
    void what_takes_long_is_late_however_much_it_is_and_for_however_long() {
        for (int sent = 0; sent < 9_000; sent += 10)
            assertThat(answer(sent - 300, sent, sent + 900)).isEqualTo(900);
        assertThat(of(9_000, 9_003)).isEqualTo(3);
    }

    @Test
    void a_clock_that_was_set_ahead_is_known_by_the_first_answer_that_comes_soon() {
        assertThat(of(10, 3_600_012)).isEqualTo(3_600_002);
        assertThat(answer(3_600_000, 20, 3_600_400)).isGreaterThan(TOLERATED);
        assertThat(answer(3_600_410, 430, 3_600_435)).isEqualTo(25);
        assertThat(of(500, 3_600_505)).isEqualTo(25);
    }

    @Test
    void a_clock_that_was_set_back_is_known_at_once() {
        of(0, 2);
        assertThat(of(10, -3_600_000)).isZero();
        assertThat(of(20, -3_599_985)).isEqualTo(5);
        assertThat(lateness.here(Instant.ofEpochMilli(NOW + 3_600_010))).isEqualTo(Instant.ofEpochMilli(NOW));
    }
}
