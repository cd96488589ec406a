package io.floodgate.processor.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.testing.Golden;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StoredLimitTest {
    private static final Instant TIME = Instant.parse("2026-01-01T12:00:00.123Z");

    private static Limit restored(String golden) {
        Limit limit = new Limit("k");
        limit.restore(Golden.read(golden));
        return limit;
    }

    @Test
    void one_that_only_an_operator_has_heard_of() {
        Limit limit = new Limit("k");
        limit.override(new Limit.Overridden(new Allowance(0L, null, null), null, null, TIME));
        Golden.matches("limit-overridden-v1", limit.write());
        assertThat(restored("limit-overridden-v1"))
                .usingRecursiveComparison()
                .ignoringFields("stored")
                .isEqualTo(limit);
    }

    @Test
    void one_in_use() {
        Allowance allowance =
                new Allowance(5L, new Pace(2_000, Duration.ofSeconds(10)), new Pace(10, Duration.ofSeconds(1)));
        Limit limit = new Limit("k");
        limit.redefine(allowance, TIME.toEpochMilli());
        limit.override(new Limit.Overridden(new Allowance(7L, null, null), TIME.plusSeconds(60), "ops", TIME));
        limit.timer(TIME.plusSeconds(1));
        for (int i = 0; i < 3; i++) limit.limiter.start(allowance, 1, TIME.plusMillis(100L * i));
        limit.limiter.take(allowance, 2, TIME.plusSeconds(1));
        limit.limiter.tidy(allowance, Duration.ofSeconds(10), TIME.plusSeconds(7));
        limit.limiter.take(allowance, 1, TIME.plusSeconds(7));
        limit.limiter.freeze(TIME.plusSeconds(2));
        Holder holder = limit.enter(new PartitionId(3), 9);
        holder.given = 30;
        holder.received = 29;
        holder.held = 2;
        holder.wanted = 4;
        holder.turn = 5;
        holder.listens = true;
        holder.says = allowance;
        holder.stale = true;
        holder.returnsAtOnce = true;
        holder.recalledAt = 17;
        limit.limiter.awaited(true, TIME);
        limit.enter(new PartitionId(1), 1);
        Golden.matches("limit-used-v1", limit.write());
        assertThat(restored("limit-used-v1"))
                .usingRecursiveComparison()
                .ignoringFields("stored")
                .isEqualTo(limit);
    }

    @Test
    void a_version_of_the_future_is_not_guessed_at() {
        assertThatThrownBy(() -> new Limit("k").restore(new byte[] {5})).hasMessageContaining("version 5");
    }
}
