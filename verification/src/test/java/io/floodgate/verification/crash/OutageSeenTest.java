package io.floodgate.verification.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.verification.client.Rounds.Round;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class OutageSeenTest {
    private static final int GONE = 0;
    private static final int OTHER = 1;

    private final List<Round> seen = new ArrayList<>();

    private void sees(int log, double from, double took, int status) {
        long answered = nanos(from + took);
        seen.add(new Round(0, log, nanos(from), answered, status, answered, status == 201));
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }

    /** Half a minute, in which a log is rejected from a moment on, and another is served but for a while. */
    private OutageSeen outage(double opened, double rejection, double breakFrom, double breakTo) {
        for (double at = 0; at < 30; at += 0.25) {
            if (at < opened) sees(GONE, at, 10, 503);
            else sees(GONE, at, rejection, 503);
            if (at < breakFrom || at > breakTo) sees(OTHER, at, 0.01, 201);
        }
        return new OutageSeen(2, nanos(0), nanos(30), seen);
    }

    @Test
    void what_is_gone_is_rejected_soon_and_at_once_and_others_are_served() {
        OutageSeen good = outage(2, 0.01, 10, 11);
        assertThat(good.complaints(Set.of(GONE))).isEmpty();
        assertThat(good.openedAfter(GONE)).hasValue(Duration.ofMillis(2_010));
        assertThat(good.openedAfter(OTHER)).isEmpty();
        assertThat(good.summary()).contains("rejected in 1 partitions, from 2.0 s to 2.0 s after the blow");
    }

    @Test
    void who_is_rejected_late_says_so() {
        assertThat(outage(5, 0.01, 10, 11).complaints(Set.of(GONE)))
                .singleElement()
                .asString()
                .contains("requests for partition 0 were rejected only after 5.0 s");
    }

    @Test
    void a_circuit_that_never_opens_says_so() {
        assertThat(outage(30, 0.01, 10, 11).complaints(Set.of(GONE)))
                .anySatisfy(complaint -> assertThat(complaint).contains("rejected only after 10.0 s"));
    }

    @Test
    void rejections_that_take_time_say_so() {
        assertThat(outage(2, 0.8, 10, 11).complaints(Set.of(GONE)))
                .singleElement()
                .asString()
                .contains("half of the requests for partition 0 waited for more than 0.8 s");
    }

    @Test
    void others_that_are_not_served_for_a_while_say_so() {
        assertThat(outage(2, 0.01, 10, 14).complaints(Set.of(GONE)))
                .singleElement()
                .asString()
                .contains("partition 1 was not served for 4.5 s");
    }

    @Test
    void what_others_take_over_is_served_again_in_time() {
        OutageSeen takenOver = outage(2, 0.01, 10, 14);
        assertThat(takenOver.complaints(0, Duration.ofSeconds(30))).isEmpty();
        assertThat(takenOver.complaints(1, Duration.ofSeconds(30))).hasSize(1);
        assertThat(takenOver.complaints(0, Duration.ofSeconds(20))).hasSize(1);
    }
}
