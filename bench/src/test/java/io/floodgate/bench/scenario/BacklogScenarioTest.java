package io.floodgate.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.bench.load.Errors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BacklogScenarioTest {
    @ParameterizedTest
    @CsvSource({"0 1 2, 0", "1, 2", "0 1 2 2, 1", "0 1 2 3, 1"})
    void jobs_that_are_missing_or_too_many_are_errors(String fetched, int errors) {
        BacklogScenario backlog = new BacklogScenario(3);
        for (String number : fetched.split(" ", -1)) backlog.add(Long.parseLong(number));
        Errors found = new Errors();
        backlog.report(found);
        assertThat(found.count()).isEqualTo(errors);
    }
}
