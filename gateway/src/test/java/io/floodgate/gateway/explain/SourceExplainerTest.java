package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SourceExplainerTest {
    private static final String SOURCE = """
            {'name':'orders','topic':'shop.orders','queue':'work','state':'reading','lag':0,'created_at':'2020-01-01T00:00:00Z'}""";

    private static Finding verdict(SourceCode code, Severity severity, double pressure, String members) {
        var source = Given.json(SOURCE);
        source.setAll(Given.json("{" + members + "}"));
        Explanation explanation = SourceExplainer.explain(new Facts(source), pressure, Given.NOW);
        assertThat(explanation.verdict().code()).isEqualTo(code);
        assertThat(explanation.verdict().severity()).isEqualTo(severity);
        return explanation.verdict();
    }

    private static String stillFor(int seconds) {
        return "'lag':40,'dead_letter_topic':'shop.dead','still_since':'%s'".formatted(Given.NOW.minusSeconds(seconds));
    }

    @Test
    void reads() {
        Finding found = verdict(SourceCode.READS, Severity.OK, 1, "");
        assertThat(found.title()).isEqualTo("Records of topic 'shop.orders' become jobs of 'work'");
        assertThat(found.text()).isEqualTo("All records have come in.");
        assertThat(verdict(SourceCode.READS, Severity.OK, 0, stillFor(60)).text())
                .isEqualTo("40 records have not come in yet.");
    }

    @Test
    void no_topic() {
        assertThat(verdict(SourceCode.NO_TOPIC, Severity.PROBLEM, 0, "'state':'topic_missing'")
                        .title())
                .isEqualTo("Topic 'shop.orders' of source 'orders' is not there");
    }

    @Test
    void not_read() {
        verdict(SourceCode.NOT_READ, Severity.PROBLEM, 0, "'state':'opening','lag':3");
        String fresh = "'state':'opening','created_at':'%s'".formatted(Given.NOW.minusSeconds(60));
        verdict(SourceCode.READS, Severity.OK, 0, fresh);
    }

    @Test
    void waits_for_room() {
        Finding found = verdict(SourceCode.WAITS_FOR_ROOM, Severity.INFO, 1, stillFor(600));
        assertThat(found.title()).isEqualTo("40 records of source 'orders' wait for room in queue 'work'");
        assertThat(found.advice().getFirst().text()).contains("./floodgate why queue work");
    }

    @Test
    void stands_still() {
        Finding found = verdict(SourceCode.STANDS_STILL, Severity.PROBLEM, 0.99, stillFor(61));
        assertThat(found.text())
                .isEqualTo(
                        "40 records wait in topic 'shop.orders', and queue 'work' has room."
                                + " A record that cannot become a job waits for topic 'shop.dead' if that cannot be written to.");
    }

    @Test
    void paused() {
        Finding found = verdict(SourceCode.PAUSED, Severity.INFO, 0, "'state':'paused','lag':1");
        assertThat(found.text()).isEqualTo("1 record waits in topic 'shop.orders'.");
    }

    @Test
    void not_known() {
        verdict(SourceCode.NOT_KNOWN, Severity.WARNING, 0, "'state':'unknown'");
    }

    @Test
    void unknown_source() {
        Explanation unknown =
                Explanation.unknown("source", "odrers", SourceCode.UNKNOWN_SOURCE, Given.NOW, "the registry");
        assertThat(unknown.verdict().title()).isEqualTo("There is no source 'odrers'");
    }
}
