package io.floodgate.gateway.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PollingWorkersTest {
    private static final Duration WHOLE = Duration.ofSeconds(15);
    private static final long SECOND = 1_000_000_000L;

    private final PollingWorkers workers = new PollingWorkers(WHOLE);

    @Test
    void wait_for_nothing_at_first() {
        assertThat(workers.waitOf("w", 0)).isZero();
        workers.fetched("w", true, 0);
        assertThat(workers.waitOf("w", SECOND)).isZero();
    }

    @Test
    void wait_while_their_heartbeats_come_in_time() {
        workers.sentHeartbeat("w", 0);

        assertThat(workers.waitOf("w", SECOND)).isEqualTo(Duration.ofSeconds(5));
        assertThat(workers.restOfWait("w", SECOND, 6 * SECOND)).isZero();
        workers.sentHeartbeat("w", 5 * SECOND);
        assertThat(workers.restOfWait("w", SECOND, 6 * SECOND)).isEqualTo(Duration.ofSeconds(5));
        assertThat(workers.waitOf("w", 12 * SECOND)).isZero();
        assertThat(workers.waitOf("another", SECOND)).isZero();
    }

    @Test
    void wait_no_longer_than_the_whole_time() {
        workers.sentHeartbeat("w", 0);
        workers.sentHeartbeat("w", 5 * SECOND);
        workers.sentHeartbeat("w", 10 * SECOND);
        workers.sentHeartbeat("w", 15 * SECOND);

        assertThat(workers.restOfWait("w", SECOND, 15 * SECOND)).isEqualTo(Duration.ofSeconds(1));
        assertThat(workers.restOfWait("w", SECOND, 16 * SECOND)).isZero();
    }

    @Test
    void wait_longer_when_their_heartbeats_are_rarer() {
        workers.sentHeartbeat("w", 0);
        workers.sentHeartbeat("w", 10 * SECOND);

        assertThat(workers.waitOf("w", 15 * SECOND)).isEqualTo(Duration.ofSeconds(7));
        assertThat(workers.waitOf("w", 23 * SECOND)).isZero();
    }

    @Test
    void wait_a_little_when_they_have_asked_in_vain_twice_in_a_row() {
        workers.fetched("w", true, 0);
        workers.fetched("w", true, SECOND);

        assertThat(workers.waitOf("w", 2 * SECOND)).isEqualTo(Duration.ofSeconds(2));
        assertThat(workers.waitOf("w", 7 * SECOND)).isZero();
    }

    @Test
    void go_on_waiting_whether_they_get_jobs_or_not() {
        workers.fetched("w", true, 0);
        workers.fetched("w", false, SECOND);
        workers.fetched("w", true, 2 * SECOND);
        for (int i = 1; i < 10; i++) {
            assertThat(workers.waitOf("w", 3L * i * SECOND)).isEqualTo(Duration.ofSeconds(2));
            workers.fetched("w", i % 2 == 0, (3L * i + 2) * SECOND);
        }
    }

    @Test
    void wait_for_nothing_when_they_ask_now_and_then() {
        for (int i = 0; i < 10; i++) {
            assertThat(workers.waitOf("w", 6L * i * SECOND)).isZero();
            workers.fetched("w", true, 6L * i * SECOND);
        }
    }

    @Test
    void wait_for_nothing_if_no_client_is_to_wait() {
        PollingWorkers off = new PollingWorkers(Duration.ZERO);
        off.sentHeartbeat("w", 0);

        assertThat(off.waitOf("w", 1)).isZero();
    }

    @Test
    void are_forgotten_when_there_are_too_many() {
        workers.sentHeartbeat("first", 0);
        for (int i = 0; i < 20_000; i++) workers.sentHeartbeat("w" + i, 0);

        assertThat(workers.waitOf("first", 1)).isZero();
        assertThat(workers.waitOf("w19999", 1)).isPositive();
    }
}
