package io.floodgate.processor.queue.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.limit.Permits;
import io.floodgate.processor.testing.Golden;
import io.floodgate.topics.LogId;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.limit.Strategy;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StoredDeskTest {
    private static final LogId LOG = new LogId(0);
    private static final long TIME = 1_767_268_800_123L;

    private static Desk restored(String golden) {
        Desk desk = new Desk("k", LOG, 0);
        desk.restore(Golden.read(golden));
        return desk;
    }

    @Test
    void a_new_one() {
        Desk desk = new Desk("k", LOG, 7);
        Golden.matches("desk-new-v1", desk.write());
        assertThat(restored("desk-new-v1"))
                .usingRecursiveComparison()
                .ignoringFields("stored")
                .isEqualTo(desk);
    }

    @Test
    void one_with_permits_that_knows_why_there_are_no_more() {
        Desk desk = new Desk("k", LOG, 7);
        desk.allowance = new Allowance(5L, new Pace(100, Duration.ofMinutes(1)), new Pace(10, Duration.ofSeconds(1)));
        desk.definedAt = TIME;
        desk.received = 300;
        desk.toldReceived = 200;
        desk.toldHeld = 3;
        desk.wanted = 4;
        desk.unheard = true;
        desk.returnsAtOnce = true;
        desk.held(new Held(Strategy.RATE, 100, 100, Instant.ofEpochMilli(TIME + 500)));
        desk.announced = new Held(Strategy.CONCURRENCY, 5, 5, null);
        desk.announcedAt = TIME + 1;
        desk.lastAnnounced = TIME + 2;
        desk.askedAt = TIME + 3;
        desk.idleSince = TIME + 4;
        desk.timer = Instant.ofEpochMilli(TIME + 5);
        desk.lateness.of(TIME, 0, TIME - 40, 250);
        desk.stock(new Desk.Lot(new Permits(2, TIME, TIME + 5_000), TIME, TIME + 249), TIME);
        desk.stock(new Desk.Lot(new Permits(1, TIME + 300, TIME + 5_300), TIME + 300, TIME + 550), TIME);
        desk.silent = true;
        desk.keeps = true;
        desk.givesUpAt = TIME + 600;
        desk.expiry = Instant.ofEpochMilli(TIME + 250);
        Golden.matches("desk-full-v1", desk.write());
        assertThat(restored("desk-full-v1"))
                .usingRecursiveComparison()
                .ignoringFields("stored")
                .isEqualTo(desk);
    }

    @Test
    void one_whose_jobs_have_not_had_the_last_word() {
        Desk desk = new Desk("k", LOG, 7);
        desk.superseded = true;
        Golden.matches("desk-superseded-v1", desk.write());
        assertThat(restored("desk-superseded-v1"))
                .usingRecursiveComparison()
                .ignoringFields("stored")
                .isEqualTo(desk);
    }

    @Test
    void a_version_of_the_future_is_not_guessed_at() {
        assertThatThrownBy(() -> new Desk("k", LOG, 0).restore(new byte[] {5})).hasMessageContaining("version 5");
    }
}
