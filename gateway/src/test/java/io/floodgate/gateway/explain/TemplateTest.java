package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateTest {
    private static final FindingFacts FACTS = FindingFacts.of(new Facts(Given.json("""
                            {'queue':'a {b} [c]','one':1,'jobs':1204,'none':0,'share':0.25,'inside':{'depth':3},'full':true,
                             'paused':false,'since':'2026-02-12T10:20:00Z','until':'2026-02-12T10:31:00Z','tags':['x','y']}""")), Given.NOW)
            .with("id", "a/b")
            .with("ran", Duration.ofSeconds(90));

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            ignoreLeadingAndTrailingWhitespace = true,
            value = {
                "Queue '{queue}';                            Queue 'a {b} [c]'",
                "{jobs} of {inside.depth};                   1,204 of 3",
                "{one:job}, {jobs:job}, {none:job};          1 job, 1,204 jobs, 0 jobs",
                "{one:job waits/jobs wait};                  1 job waits",
                "{jobs:job waits/jobs wait};                 1,204 jobs wait",
                "{none:job waits/jobs wait/no job waits};    no job waits",
                "{one?waits/wait}, {jobs?waits/wait};        waits, wait",
                "{since}, {since:ago} ago, in {until:in};    10:20:00 UTC, 10 min ago, in 1 min",
                "{ran}, {share:%}, {jobs:bytes}, {id:path};  1 min 30 s, 25%, 1.2 KiB, a%2Fb",
                "{jobs:jobs/s}, {jobs:/s}, {tags};           1,204 jobs/s, 1,204/s, x, y",
                "is {other};                                 is unknown",
                "a[ {other}][ {none}][ {jobs:job}];          a 1,204 jobs",
                "[{paused?}it is paused|{full?}it is full];  it is full",
                "[{other}|[{none}]none];                     none",
            })
    void shows_values(String template, String text) {
        assertThat(Template.fill(template, FACTS)).isEqualTo(text);
    }
}
