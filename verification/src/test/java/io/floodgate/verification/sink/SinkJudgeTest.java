package io.floodgate.verification.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.verification.sink.SinkJudge.Outcome;
import io.floodgate.verification.sink.SinkJudge.Written;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Breaks the story of a sink in each way that there is, and expects that it is noticed. */
final class SinkJudgeTest {
    private static final Outcome FAILED = new Outcome("e1", "a", "failed");
    private static final Outcome OTHER = new Outcome("e2", "b", "completed");
    private static final Outcome DISCARDED = new Outcome("e3", "a", "discarded");

    private static SinkJudge judge(Outcome... written) {
        List<Written> all = Arrays.stream(written)
                .map(outcome -> new Written(outcome, outcome.job().equals("a") ? "[1]" : "[2]"))
                .toList();
        return new SinkJudge(List.of(FAILED, OTHER, DISCARDED), all, Map.of("a", "[1]", "b", "[2]"));
    }

    @Test
    void each_outcome_once_and_in_the_order_of_its_job_is_well() {
        SinkJudge well = judge(OTHER, FAILED, DISCARDED);
        assertThat(well.lost()).isEmpty();
        assertThat(well.doubled()).isEmpty();
        assertThat(well.invented()).isEmpty();
        assertThat(well.disorder()).isEmpty();
        assertThat(well.wrong()).isEmpty();
    }

    @Test
    void an_outcome_without_a_record_is_lost() {
        assertThat(judge(FAILED, OTHER).lost()).singleElement().asString().contains("e3");
    }

    @Test
    void an_outcome_with_two_records_is_doubled() {
        assertThat(judge(FAILED, OTHER, FAILED, DISCARDED).doubled())
                .singleElement()
                .asString()
                .contains("e1");
    }

    @Test
    void a_record_of_no_outcome_is_invented() {
        assertThat(judge(new Outcome("e4", "a", "completed")).invented()).hasSize(1);
        assertThat(judge(new Outcome("e1", "a", "completed")).invented()).hasSize(1);
    }

    @Test
    void outcomes_of_a_job_in_another_order_are_in_disorder() {
        assertThat(judge(DISCARDED, FAILED, OTHER).disorder())
                .singleElement()
                .asString()
                .contains("e1");
    }

    @Test
    void a_record_with_what_another_job_has_is_wrong() {
        SinkJudge judge =
                new SinkJudge(List.of(OTHER), List.of(new Written(OTHER, "[1]")), Map.of("a", "[1]", "b", "[2]"));
        assertThat(judge.wrong()).hasSize(1);
    }
}
