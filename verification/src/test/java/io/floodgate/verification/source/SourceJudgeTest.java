package io.floodgate.verification.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Breaks the story of a source in each way that there is, and expects that it is noticed. */
final class SourceJudgeTest {
    private static final Map<String, Integer> RECORDS = Map.of("a", 0, "b", 1, "c", 2, "d", 3, "e", 0, "x", 9);

    /** Four records of two keys, of which the last was not acknowledged. */
    private static SourceJudge judge(String... jobs) {
        return new SourceJudge(Set.of(0, 1, 2), Set.of(0, 1, 2, 3), List.of(jobs), RECORDS, 2);
    }

    @Test
    void each_record_once_and_in_order_is_well_also_one_that_was_not_acknowledged() {
        for (SourceJudge well : new SourceJudge[] {judge("a", "b", "c"), judge("b", "a", "c", "d")}) {
            assertThat(well.lost()).isEmpty();
            assertThat(well.doubled()).isEmpty();
            assertThat(well.invented()).isEmpty();
            assertThat(well.disorder()).isEmpty();
        }
    }

    @Test
    void a_record_without_a_job_is_lost() {
        assertThat(judge("a", "c").lost()).singleElement().asString().contains("record 1");
    }

    @Test
    void a_record_that_is_two_jobs_is_doubled() {
        assertThat(judge("a", "b", "c", "e").doubled())
                .singleElement()
                .asString()
                .contains("record 0");
    }

    @Test
    void a_job_of_no_record_is_invented_and_so_is_one_that_nobody_got() {
        assertThat(judge("a", "b", "c", "x").invented()).hasSize(1);
        assertThat(judge("a", "b", "c", "unknown").invented()).hasSize(1);
    }

    @Test
    void a_record_that_comes_in_after_a_later_one_of_its_key_is_out_of_order() {
        assertThat(judge("c", "b", "a").disorder()).singleElement().asString().contains("record 0");
    }
}
