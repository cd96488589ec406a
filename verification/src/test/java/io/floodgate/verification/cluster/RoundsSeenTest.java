package io.floodgate.verification.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.verification.client.Rounds.Ready;
import io.floodgate.verification.client.Rounds.Round;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RoundsSeenTest {
    private final List<Round> rounds = new ArrayList<>();
    private final List<Ready> readies = new ArrayList<>();

    private static long at(double seconds) {
        return Math.round(seconds * 1e9);
    }

    /** One that took 0.1 s. */
    private void served(int gateway, int log, double... ends) {
        for (double end : ends) rounds.add(new Round(gateway, log, at(end - 0.1), at(end), true));
    }

    private void ready(int status, double seconds, Integer... silent) {
        readies.add(new Ready(0, at(seconds), at(seconds + 0.01), status, List.of(silent)));
    }

    private RoundsSeen seen(double from, double until) {
        return new RoundsSeen(2, 2, Duration.ofMillis(500), at(from), at(until), rounds, readies);
    }

    private void everyLogIsServedButOne() {
        for (int gateway = 0; gateway < 2; gateway++)
            for (int log = 0; log < 2; log++)
                for (double end = 1; end <= 30; end += 0.5)
                    if (gateway != 0 || log != 1 || end <= 10 || end >= 20) served(gateway, log, end);
    }

    @Test
    void a_gap_is_as_long_as_from_one_good_round_to_the_next_one() {
        everyLogIsServedButOne();
        rounds.add(new Round(0, 1, at(14), at(15), false));

        assertThat(seen(10, 25).longestGap(0)).isEqualTo(Duration.ofMillis(500));
        assertThat(seen(10, 25).longestGap(1)).isEqualTo(Duration.ofSeconds(10));
        assertThat(seen(10, 25).longestGapOfBestGateway(1)).isEqualTo(Duration.ofMillis(500));
        assertThat(seen(10, 25).notServed()).isOne();
    }

    @Test
    void a_gap_that_never_ends_is_as_long_as_has_been_looked() {
        served(0, 0, 1, 2, 3);
        for (double end = 1; end <= 20; end++) served(1, 0, end);

        assertThat(seen(2, 20).longestGap(0)).isEqualTo(Duration.ofSeconds(17));
    }

    @Test
    void of_a_gap_that_began_in_the_phase_before_the_rest_counts() {
        everyLogIsServedButOne();

        assertThat(seen(5, 15).longestGap(1)).isEqualTo(Duration.ofSeconds(10));
        assertThat(seen(15, 25).longestGap(1)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void a_gap_that_begins_with_the_end_of_a_phase_is_one_of_the_next_phase() {
        everyLogIsServedButOne();

        assertThat(seen(5, 10.2).longestGap(1)).isEqualTo(Duration.ofMillis(500));
        assertThat(seen(10.2, 25).longestGap(1)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void a_gateway_that_names_what_is_not_served_is_true() {
        everyLogIsServedButOne();
        for (double second = 1; second < 30; second += 0.5)
            if (second > 12 && second < 20.5) ready(200, second, 1);
            else ready(200, second);

        assertThat(seen(5, 25).untrueAnswers()).isEmpty();
    }

    @Test
    void a_gateway_that_calls_a_log_well_which_it_has_not_served_for_long_is_not() {
        everyLogIsServedButOne();
        ready(200, 13);
        ready(200, 15);
        ready(503, 16);

        assertThat(seen(5, 25).untrueAnswers())
                .containsExactly("gateway 1 called partition 1 well after it had not been served for PT3.5S (1 times)");
    }

    @Test
    void a_gateway_that_calls_a_log_silent_which_it_serves_is_not() {
        everyLogIsServedButOne();
        ready(200, 7, 0);

        assertThat(seen(5, 25).untrueAnswers())
                .containsExactly("gateway 1 called partition 0 silent, which was served (1 times)");
    }
}
