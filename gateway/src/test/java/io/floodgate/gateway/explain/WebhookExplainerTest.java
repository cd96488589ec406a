package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WebhookExplainerTest {
    private static final String SUBSCRIPTION = """
            {'id':'sub_1','url':'https://a.example/hook','active':true,'queue':'webhook.1','delivered':7,'failed':2,'dead':0}""";

    private static Finding verdict(WebhookCode code, Severity severity, String... members) {
        var subscription = Given.json(SUBSCRIPTION);
        for (String some : members) subscription.setAll(Given.json("{" + some + "}"));
        Explanation explanation = WebhookExplainer.explain(new Facts(subscription), Given.NOW, "its registry");
        assertThat(explanation.verdict().code()).isEqualTo(code);
        assertThat(explanation.verdict().severity()).isEqualTo(severity);
        return explanation.verdict();
    }

    private static String failingFor(int seconds) {
        return "'last_error':'The subscriber answered with status 500.','failing_since':'%s'"
                .formatted(Given.NOW.minusSeconds(seconds));
    }

    @Test
    void delivers() {
        Finding found = verdict(WebhookCode.DELIVERS, Severity.OK);
        assertThat(found.title()).isEqualTo("Events are delivered to https://a.example/hook");
        assertThat(found.text()).isEqualTo("7 deliveries have succeeded.");
        verdict(WebhookCode.DELIVERS, Severity.OK, failingFor(60));
    }

    @Test
    void failing() {
        Finding found = verdict(WebhookCode.FAILING, Severity.PROBLEM, failingFor(61));
        assertThat(found.title()).startsWith("Nothing is delivered to https://a.example/hook since ");
        assertThat(found.text())
                .isEqualTo("2 deliveries have failed. The last error: The subscriber answered with status 500."
                        + " Later events wait in 'webhook.1'.");
    }

    @Test
    void gave_up() {
        Finding found = verdict(WebhookCode.GAVE_UP, Severity.PROBLEM, "'active':false", failingFor(300_000));
        assertThat(found.title()).contains("sub_1", "https://a.example/hook");
    }
}
