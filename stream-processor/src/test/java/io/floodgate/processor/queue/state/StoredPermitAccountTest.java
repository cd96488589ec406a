package io.floodgate.processor.queue.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.limit.Permits;
import io.floodgate.processor.testing.Golden;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.limit.Strategy;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StoredPermitAccountTest {
    private static final PartitionId LOG = new PartitionId(0);
    private static final long TIME = 1_767_268_800_123L;

    private static PermitAccount restored(String golden) {
        PermitAccount account = new PermitAccount("k", LOG, 0);
        account.restore(Golden.read(golden));
        return account;
    }

    @Test
    void a_new_one() {
        PermitAccount account = new PermitAccount("k", LOG, 7);
        Golden.matches("permit-account-new-v1", account.write());
        assertThat(restored("permit-account-new-v1"))
                .usingRecursiveComparison()
                .ignoringFields("stored")
                .isEqualTo(account);
    }

    @Test
    void one_with_permits_that_knows_why_there_are_no_more() {
        PermitAccount account = new PermitAccount("k", LOG, 7);
        account.allowance =
                new Allowance(5L, new Pace(100, Duration.ofMinutes(1)), new Pace(10, Duration.ofSeconds(1)));
        account.definedAt = TIME;
        account.received = 300;
        account.toldReceived = 200;
        account.toldHeld = 3;
        account.wanted = 4;
        account.unanswered = true;
        account.returnsAtOnce = true;
        account.held(new Held(Strategy.RATE, 100, 100, Instant.ofEpochMilli(TIME + 500)));
        account.announced = new Held(Strategy.CONCURRENCY, 5, 5, null);
        account.announcedAt = TIME + 1;
        account.lastAnnounced = TIME + 2;
        account.askedAt = TIME + 3;
        account.idleSince = TIME + 4;
        account.timer = Instant.ofEpochMilli(TIME + 5);
        account.lateness.of(TIME, 0, TIME - 40, 250);
        account.stock(new PermitAccount.Lot(new Permits(2, TIME, TIME + 5_000), TIME, TIME + 249), TIME);
        account.stock(new PermitAccount.Lot(new Permits(1, TIME + 300, TIME + 5_300), TIME + 300, TIME + 550), TIME);
        account.silent = true;
        account.keeps = true;
        account.givesUpAt = TIME + 600;
        account.expiry = Instant.ofEpochMilli(TIME + 250);
        Golden.matches("permit-account-full-v1", account.write());
        assertThat(restored("permit-account-full-v1"))
                .usingRecursiveComparison()
                .ignoringFields("stored")
                .isEqualTo(account);
    }

    @Test
    void one_whose_jobs_have_not_had_the_last_word() {
        PermitAccount account = new PermitAccount("k", LOG, 7);
        account.stale = true;
        Golden.matches("permit-account-stale-v1", account.write());
        assertThat(restored("permit-account-stale-v1"))
                .usingRecursiveComparison()
                .ignoringFields("stored")
                .isEqualTo(account);
    }

    @Test
    void a_version_of_the_future_is_not_guessed_at() {
        assertThatThrownBy(() -> new PermitAccount("k", LOG, 0).restore(new byte[] {5}))
                .hasMessageContaining("version 5");
    }
}
