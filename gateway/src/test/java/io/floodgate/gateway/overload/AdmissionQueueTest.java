package io.floodgate.gateway.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.overload.AdmissionQueue.Place;
import io.floodgate.gateway.overload.AdmissionQueue.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AdmissionQueueTest {
    private static final int PLACES = AdaptiveLimit.LEAST;

    private final AtomicLong time = new AtomicLong();
    private final AdmissionQueue line =
            new AdmissionQueue(new AdaptiveLimit(PLACES, PLACES, Duration.ofMillis(50)), 25, time::get);

    @Test
    void a_client_that_finds_a_place_goes_at_once() {
        List<Place> taken = fill();
        assertThat(line.inFlight()).isEqualTo(PLACES);
        assertThat(line.enter(from("a"), 1)).isNotDone();
        line.answered(taken.get(0));
        assertThat(line.waiting()).isZero();
        assertThat(line.inFlight()).isEqualTo(PLACES);
    }

    @Test
    void sources_take_turns_however_many_one_of_them_has_waiting() {
        List<Place> taken = fill();
        for (int i = 0; i < 10; i++) assertThat(line.enter(from("noisy"), 1)).isNotDone();
        var first = line.enter(from("quiet"), 1);
        var second = line.enter(from("quiet"), 1);
        line.withdraw(taken.get(0));
        line.withdraw(taken.get(1));
        assertThat(first).isDone();
        line.withdraw(taken.get(2));
        assertThat(second).isNotDone();
        line.withdraw(taken.get(3));
        assertThat(second).isDone();
    }

    @Test
    void when_it_is_full_to_four_fifths_the_newest_of_the_noisiest_is_sent_away() {
        fill();
        List<CompletableFuture<Optional<Place>>> noisy = new ArrayList<>();
        for (int i = 0; i < 20; i++) noisy.add(line.enter(from("noisy"), 1));
        assertThat(line.saturation()).isEqualTo(0.8);
        var quiet = line.enter(from("quiet"), 1);
        assertThat(quiet).isNotDone();
        assertThat(noisy.getLast()).isCompletedWithValue(Optional.empty());
        assertThat(line.enter(from("noisy"), 1)).isCompletedWithValue(Optional.empty());
        assertThat(noisy.getFirst()).isNotDone();
        assertThat(line.waiting()).isEqualTo(20);
    }

    @Test
    void a_client_that_has_waited_long_enough_leaves_nothing_behind() {
        List<Place> taken = fill();
        var turn = line.enter(from("a"), 1);
        line.leave(from("a"), turn);
        assertThat(turn).isCompletedWithValue(Optional.empty());
        assertThat(line.waiting()).isZero();
        taken.forEach(line::withdraw);
        assertThat(line.inFlight()).isZero();
    }

    @Test
    void a_place_that_came_while_leaving_is_given_back() {
        List<Place> taken = fill();
        var turn = line.enter(from("a"), 1);
        line.withdraw(taken.get(0));
        line.leave(from("a"), turn);
        assertThat(line.inFlight()).isEqualTo(PLACES - 1);
    }

    @Test
    void what_weighs_more_than_there_are_places_goes_alone() {
        List<Place> taken = fill();
        var heavy = line.enter(from("a"), 100);
        var light = line.enter(from("a"), 1);
        taken.subList(1, PLACES).forEach(line::withdraw);
        assertThat(heavy).isNotDone();
        line.withdraw(taken.get(0));
        assertThat(heavy).isDone();
        assertThat(light).isNotDone();
        line.withdraw(heavy.join().orElseThrow());
        assertThat(light).isDone();
    }

    @Test
    void answers_that_are_slow_take_places_away() {
        AdmissionQueue wide = new AdmissionQueue(new AdaptiveLimit(100, 100, Duration.ofMillis(50)), 20, time::get);
        Place place = wide.enter(from("a"), 1).join().orElseThrow();
        time.addAndGet(Duration.ofMillis(60).toNanos());
        wide.answered(place);
        assertThat(wide.limit()).isEqualTo(100);
        // twice of the best is not slow, but this is
        Place slow = wide.enter(from("a"), 1).join().orElseThrow();
        time.addAndGet(Duration.ofMillis(200).toNanos());
        wide.answered(slow);
        assertThat(wide.limit()).isEqualTo(90);
    }

    @Test
    void a_source_that_invents_tenants_waits_behind_itself_all_the_same() {
        List<Place> taken = fill();
        for (int i = 0; i < 18; i++)
            assertThat(line.enter(new Source("flood", "tenant " + i), 1)).isNotDone();
        var honest = new ArrayList<CompletableFuture<Optional<Place>>>();
        for (int i = 0; i < 4; i++) honest.add(line.enter(from("honest"), 1));

        assertThat(honest).allSatisfy(turn -> assertThat(turn).isNotDone());
        for (int i = 0; i < 8; i++) line.withdraw(taken.get(i));
        assertThat(honest).allSatisfy(turn -> assertThat(turn.join()).isPresent());
    }

    @Test
    void tenants_of_one_source_take_turns_in_it() {
        List<Place> taken = fill();
        for (int i = 0; i < 10; i++)
            assertThat(line.enter(new Source("a", "noisy"), 1)).isNotDone();
        var quiet = line.enter(new Source("a", "quiet"), 1);
        line.withdraw(taken.get(0));
        line.withdraw(taken.get(1));
        assertThat(quiet).isDone();
    }

    private static Source from(String who) {
        return new Source(who, "q");
    }

    private List<Place> fill() {
        List<Place> taken = new ArrayList<>();
        for (int i = 0; i < PLACES; i++)
            taken.add(line.enter(from("a"), 1).join().orElseThrow());
        return taken;
    }
}
