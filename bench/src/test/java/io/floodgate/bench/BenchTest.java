package io.floodgate.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "all",
                "limit",
                "enqueue",
                "batch",
                "lifecycle",
                "handoff",
                "poll",
                "log-enqueue",
                "log-lifecycle",
                "backlog",
                "queues",
                "bounds",
                "enqueue-ways",
                "blocked",
                "overload",
                "limits",
                "retention",
                "cron",
                "workflows"
            })
    void every_command_explains_itself(String command) {
        assertThat(run(command, "--help")).isZero();
    }

    @Test
    void what_it_does_not_know_is_a_usage_error() {
        assertThat(run("enqueue", "--conections", "3")).isEqualTo(2);
        assertThat(run("fly")).isEqualTo(2);
    }

    @Test
    void a_run_with_errors_fails() throws Exception {
        int none;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            none = free.getLocalPort();
        }
        assertThat(run(
                        "enqueue",
                        "--url",
                        "http://127.0.0.1:" + none,
                        "--seconds",
                        "0.1",
                        "--warmup",
                        "0",
                        "--connections",
                        "1"))
                .isEqualTo(1);
    }

    private static int run(String... arguments) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return Bench.commandLine().setOut(nowhere).setErr(nowhere).execute(arguments);
    }
}
