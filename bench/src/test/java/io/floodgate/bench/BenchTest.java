package io.floodgate.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.bench.http.EchoHttpServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class BenchTest {
    private final StringWriter shown = new StringWriter();

    private int run(String... arguments) {
        PrintWriter out = new PrintWriter(shown);
        return Bench.commandLine().setOut(out).setErr(out).execute(arguments);
    }

    @Test
    void the_help_has_every_scenario() {
        assertThat(run("--help")).isZero();
        assertThat(shown.toString()).contains("enqueue-ways", "retention", "unfinished");
    }

    @Test
    void what_it_does_not_know_is_a_usage_error() {
        assertThat(run("enqueue", "--conections", "3")).isEqualTo(2);
        assertThat(run("fly")).isEqualTo(2);
    }

    @Test
    void a_scenario_without_errors_is_shown_as_a_table() throws Exception {
        try (EchoHttpServer server = new EchoHttpServer()) {
            String url = server.target().toString();
            assertThat(run("enqueue", "--url", url, "--seconds", "1", "--warmup", "0", "--callers", "2"))
                    .isZero();
        }
        assertThat(shown.toString()).contains("per second", "enqueue: ").doesNotContain("ERROR");
    }

    @Test
    void a_run_with_errors_fails() throws Exception {
        EchoHttpServer gone = new EchoHttpServer();
        gone.close();
        String url = gone.target().toString();
        assertThat(run("enqueue", "--url", url, "--seconds", "1", "--warmup", "0", "--callers", "1", "--rate", "10"))
                .isEqualTo(1);
        assertThat(shown.toString()).contains("cannot be reached");
    }
}
