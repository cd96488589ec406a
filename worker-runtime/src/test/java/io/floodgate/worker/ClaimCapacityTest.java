package io.floodgate.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClaimCapacityTest {
    private final List<ClaimCapacity.Obstacle> rejected = new ArrayList<>();
    private final List<Duration> waited = new ArrayList<>();

    @Test
    void claims_never_exceed_the_free_permits() throws Exception {
        ClaimCapacity capacity = capacity(10, new Protection());
        assertThat(capacity.claim(100)).isEqualTo(10);
        capacity.came(10, 10);
        for (int i = 0; i < 10; i++) capacity.begun();
        for (int i = 0; i < 3; i++) capacity.handlerEnded();
        assertThat(capacity.claim(100)).isEqualTo(3);
        assertThat(capacity.free()).isZero();
        assertThat(rejected).isEmpty();
    }

    @Test
    void a_claim_without_a_free_permit_waits_and_is_counted_once() throws Exception {
        ClaimCapacity capacity = capacity(1, new Protection());
        capacity.claim(1);
        capacity.came(1, 1);
        var waiting = claiming(capacity);
        capacity.begun();
        capacity.handlerEnded();
        assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(rejected).containsExactly(ClaimCapacity.Obstacle.PERMITS);
    }

    @Test
    void at_four_fifths_of_the_completion_buffer_nothing_is_claimed() throws Exception {
        ClaimCapacity capacity = capacity(100, new Protection().completionBuffer(10));
        assertThat(capacity.claim(8)).isEqualTo(8);
        capacity.came(8, 8);
        for (int i = 0; i < 8; i++) ended(capacity);
        var waiting = claiming(capacity);
        // the eighth of ten
        capacity.answered();
        assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo(3);
        assertThat(rejected).containsExactly(ClaimCapacity.Obstacle.COMPLETIONS);
    }

    @Test
    void a_claim_is_no_larger_than_the_places_for_outcomes_that_are_left() throws Exception {
        ClaimCapacity capacity = capacity(100, new Protection().completionBuffer(10));
        assertThat(capacity.claim(100)).isEqualTo(10);
        capacity.came(6, 10);
        assertThat(capacity.claim(100)).isEqualTo(4);
    }

    @Test
    void at_four_fifths_of_the_dispatch_buffer_nothing_is_claimed() throws Exception {
        ClaimCapacity capacity = capacity(100, new Protection().dispatchBuffer(10));
        assertThat(capacity.claim(8)).isEqualTo(8);
        capacity.came(8, 8);
        var waiting = claiming(capacity);
        assertThat(capacity.dispatchSaturation()).isEqualTo(0.8);
        capacity.begun();
        assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo(3);
        assertThat(rejected).containsExactly(ClaimCapacity.Obstacle.DISPATCH);
    }

    @Test
    void nothing_is_claimed_while_quiet_or_once_closed() throws Exception {
        ClaimCapacity capacity = capacity(1, new Protection());
        capacity.quiet(true);
        var waiting = claiming(capacity);
        capacity.close();
        assertThat(waiting.get(20, TimeUnit.SECONDS)).isZero();
        assertThat(rejected).containsExactly(ClaimCapacity.Obstacle.QUIET);
        capacity.quiet(false);
        assertThat(capacity.claim(1)).isZero();
    }

    @Test
    void only_a_wait_for_permits_is_measured_as_one() throws Exception {
        ClaimCapacity capacity = capacity(1, new Protection());
        capacity.quiet(true);
        var quiet = claiming(capacity);
        capacity.quiet(false);
        assertThat(quiet.get(20, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(waited).containsExactly(Duration.ZERO);
        capacity.came(1, 1);
        var busy = claiming(capacity);
        capacity.begun();
        capacity.handlerEnded();
        assertThat(busy.get(20, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(waited.getLast()).isPositive();
    }

    @Test
    void the_dispatch_buffer_is_full_when_as_many_wait_as_ever_can() throws Exception {
        ClaimCapacity capacity = capacity(10, new Protection());
        capacity.came(capacity.claim(100), 10);
        assertThat(capacity.dispatchSaturation()).isEqualTo(1);
        capacity.begun();
        assertThat(capacity.dispatchSaturation()).isEqualTo(0.9);
    }

    @Test
    void its_limits_must_make_sense() {
        assertThatThrownBy(() -> new Protection().claimThreshold(0)).hasMessageContaining("claimThreshold");
        assertThatThrownBy(() -> new Protection().claimThreshold(Double.NaN)).hasMessageContaining("claimThreshold");
        assertThatThrownBy(() -> new Protection().completionBuffer(0)).hasMessageContaining("completionBuffer");
        assertThatThrownBy(() -> new Protection().dispatchBuffer(-1)).hasMessageContaining("dispatchBuffer");
    }

    private ClaimCapacity capacity(int permits, Protection protection) {
        return new ClaimCapacity(permits, protection, new ClaimCapacity.Watcher() {
            @Override
            public void rejected(ClaimCapacity.Obstacle obstacle) {
                rejected.add(obstacle);
            }

            @Override
            public void claimed(Duration waitedForPermits) {
                waited.add(waitedForPermits);
            }
        });
    }

    /** Ends once it has been rejected: what it claims then. */
    private CompletableFuture<Integer> claiming(ClaimCapacity capacity) {
        CompletableFuture<Integer> claimed = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                claimed.complete(capacity.claim(100));
            } catch (InterruptedException e) {
                claimed.completeExceptionally(e);
            }
        });
        while (thread.getState() != Thread.State.WAITING && !claimed.isDone()) Thread.onSpinWait();
        assertThat(claimed).isNotDone();
        return claimed;
    }

    private static void ended(ClaimCapacity capacity) {
        capacity.begun();
        capacity.handlerEnded();
        capacity.decided();
    }
}
