package io.floodgate.verification.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.verification.outbox.OutboxJudge.Order;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Breaks the story of an outbox in each way that there is, and expects that it is noticed. */
final class OutboxJudgeTest {
    private static OutboxJudge judge(String... jobs) {
        return new OutboxJudge(Map.of("a", new Order(0, 0), "b", new Order(1, 0), "c", new Order(0, 2)), List.of(jobs));
    }

    @Test
    void each_order_once_and_in_the_order_of_its_key_is_well() {
        for (OutboxJudge well : new OutboxJudge[] {judge("a", "b", "c"), judge("b", "a", "c"), judge("a", "c", "b")}) {
            assertThat(well.lost()).isEmpty();
            assertThat(well.doubled()).isEmpty();
            assertThat(well.invented()).isEmpty();
            assertThat(well.disorder()).isEmpty();
        }
    }

    @Test
    void an_order_without_a_job_is_lost() {
        assertThat(judge("a", "c").lost()).singleElement().asString().contains("order b");
    }

    @Test
    void a_job_that_comes_in_twice_is_doubled() {
        assertThat(judge("a", "b", "c", "b").doubled())
                .singleElement()
                .asString()
                .contains("job b");
    }

    @Test
    void a_job_of_an_order_that_was_rolled_back_is_invented() {
        assertThat(judge("a", "b", "c", "d").invented())
                .singleElement()
                .asString()
                .contains("job d");
    }

    @Test
    void an_order_that_comes_in_after_a_later_one_of_its_key_is_out_of_order() {
        assertThat(judge("c", "b", "a").disorder()).singleElement().asString().contains("key 0");
    }
}
