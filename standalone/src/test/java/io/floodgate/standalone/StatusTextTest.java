package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class StatusTextTest {
    private static final String OVERVIEW = """
            {"as_of":"2026-11-24T02:59:12.402Z","verdict":{"severity":"problem","title":"1 problem, 1 warning"},
             "jobs":{"available":61210,"active":940,"scheduled":10,"pending":2,"retryable":302,"dead":12,"fills_per_second":480.2,"drains_per_second":0.5},
             "problems":[{"subject":{"kind":"queue","name":"email"},"count":2000,"title":"2,000 queues: full","list":"/ojs/v1/admin/queues?show=full","finding":{"severity":"problem","title":"Queue 'email' is full"}},
                         {"subject":{"kind":"worker","name":"w-17"},"count":1,"title":"silent","finding":{"severity":"warning","title":"silent"}}],
             "more_problems":3,"ungrouped":7}""";

    @Test
    void the_worst_comes_first_and_the_rest_is_counted() {
        assertThat(new StatusText(OVERVIEW, false).status(1)).isEqualTo("""
                ▲ 1 problem, 1 warning   2026-11-24T02:59:12.402Z
                61,210 waiting, 940 running, 302 to retry, 12 for later, 12 dead letters; 480/s offered, 30.0/min leave
                ▲ 2,000 queues: full (all: /ojs/v1/admin/queues?show=full)
                … and 4 more: --problems 5, or --json
                … 7 queues look suspicious and were not examined: /ojs/v1/admin/queues?view=row&show=suspect
                """);
        assertThat(new StatusText(OVERVIEW, true).status(10)).contains("\033[33m●\033[0m worker w-17: silent");
        assertThat(new StatusText(OVERVIEW, false).severity()).isEqualTo("problem");
    }

    @Test
    void queues_are_columns() {
        String rows = """
                {"as_of":"2026-11-24T02:59:12.402Z","items":[
                 {"name":"email","depth":50000,"max_depth":50000,"pressure":0.999,"available":49940,"active":60,"scheduled":0,"retryable":0,"pending":0,
                  "fills_per_second":480,"drains_per_second":2.25,"oldest_available_at":"2026-11-24T02:56:00.000Z","completed_last_hour":69,"failed_last_hour":31,
                  "signs":["full","failing"]},
                 {"name":"%s","depth":0,"available":0,"active":0,"scheduled":0,"retryable":0,"pending":0,"fills_per_second":0,"drains_per_second":0,"signs":["unbounded"]}]}""".formatted("a".repeat(40));

        assertThat(new StatusText(OVERVIEW, false).queues(rows)).isEqualTo("""
                QUEUE                             FULL           JOBS  WAITING  RUNNING  LATER     IN    OUT  OLDEST  FAILED
                email                              99%  50,000/50,000   49,940       60      0  480/s  2.3/s   3 min     31%  full, failing
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…     -              0        0        0      0      0      0       -       -
                """);
        assertThat(StatusText.lasting(Duration.ofHours(50))).isEqualTo("2 d");
    }
}
