package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the command says before it has a database. */
final class OutboxRoleTest {
    private static String said(Map<String, String> environment, String... arguments) {
        var out = new ByteArrayOutputStream();
        var before = System.err;
        System.setErr(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            assertThat(Floodgate.run(List.of(arguments), environment)).isEqualTo(1);
        } finally {
            System.setErr(before);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void it_takes_a_database() {
        assertThat(said(Map.of(), "outbox")).contains("--jdbc-url is missing");
        assertThat(said(Map.of(), "outbox", "--jdbc-url", "jdbc:mysql://localhost/shop"))
                .contains("jdbc:postgresql:");
    }

    @Test
    void a_password_is_not_given_where_all_can_see_it() {
        String url = "jdbc:postgresql://localhost/shop?user=ada&password=secret";
        assertThat(said(Map.of(), "outbox", "--jdbc-url", url))
                .contains("--jdbc-password-file")
                .doesNotContain("secret");
        assertThat(said(Map.of("FLOODGATE_JDBC_URL", url), "outbox", "--poll-interval", "PT5M"))
                .contains("poll interval");
    }
}
