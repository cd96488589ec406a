package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SinkExplainerTest {
    private static Finding verdict(SinkCode code, Severity severity, int failingFor) {
        Explanation explanation = SinkExplainer.explain(
                new Facts(Given.json(
                        "{'id':'results','topic':'shop.results','last_error':'There is no topic.','failing_since':'%s'}"
                                .formatted(Given.NOW.minusSeconds(failingFor)))),
                Given.NOW,
                "its registry");
        assertThat(explanation.verdict().code()).isEqualTo(code);
        assertThat(explanation.verdict().severity()).isEqualTo(severity);
        return explanation.verdict();
    }

    @Test
    void writes() {
        assertThat(verdict(SinkCode.WRITES, Severity.OK, 60).title()).isEqualTo("Sink results writes to shop.results");
    }

    @Test
    void failing() {
        Finding found = verdict(SinkCode.FAILING, Severity.PROBLEM, 61);
        assertThat(found.title()).startsWith("Sink results does not write to shop.results since ");
        assertThat(found.text()).isEqualTo("The last error: There is no topic.");
    }
}
