package io.floodgate.verification.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.verification.webhook.DeliveryCourse.Seen;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Breaks the story of a subscriber in each way that there is, and expects that it is noticed. */
final class DeliveryJudgeTest {
    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
    private static final List<Seen> HAPPENED = List.of(seen("a", 1), seen("b", 2), seen("c", 3));

    private static Seen seen(String event, int second) {
        return new Seen(event, START.plusSeconds(second));
    }

    private static DeliveryCourse course(Seen... arrivals) {
        return new DeliveryCourse("s", false, START, HAPPENED, List.of(arrivals));
    }

    @Test
    void all_that_came_in_order_is_well_also_when_one_came_twice() {
        DeliveryCourse course = course(seen("a", 4), seen("b", 5), seen("b", 25), seen("c", 26));

        assertThat(DeliveryJudge.lost(course)).isEmpty();
        assertThat(DeliveryJudge.disorder(course)).isEmpty();
        assertThat(DeliveryJudge.invented(course)).isEmpty();
    }

    @Test
    void what_did_not_come_is_lost_unless_it_happened_before_the_subscription() {
        assertThat(DeliveryJudge.lost(course(seen("a", 4), seen("c", 5))))
                .singleElement()
                .asString()
                .contains("b");

        var later = new DeliveryCourse("s", false, START.plusSeconds(2), HAPPENED, List.of(seen("c", 5)));
        assertThat(DeliveryJudge.lost(later)).isEmpty();
    }

    @Test
    void an_event_that_comes_after_a_later_one_is_out_of_order() {
        assertThat(DeliveryJudge.disorder(course(seen("b", 4), seen("a", 5), seen("c", 6))))
                .hasSize(1);
        assertThat(DeliveryJudge.disorder(course(seen("a", 4), seen("b", 5), seen("a", 6))))
                .hasSize(1);
    }

    @Test
    void what_has_failed_for_ten_minutes_gives_way() {
        assertThat(DeliveryJudge.disorder(course(seen("b", 601), seen("c", 602), seen("a", 700))))
                .isEmpty();
        assertThat(DeliveryJudge.disorder(course(seen("b", 600), seen("c", 602), seen("a", 700))))
                .hasSize(1);
    }

    @Test
    void what_is_not_on_the_topic_is_invented() {
        assertThat(DeliveryJudge.invented(course(seen("a", 4), seen("x", 5)))).hasSize(1);
    }

    @Test
    void delays_are_those_of_the_first_arrivals_of_what_happened_in_a_time() {
        DeliveryCourse course = course(seen("a", 4), seen("b", 12), seen("b", 30), seen("c", 5));

        assertThat(DeliveryJudge.delays(List.of(course), START.plusSeconds(2), START.plusSeconds(4)))
                .containsExactly(2_000, 10_000);
    }
}
