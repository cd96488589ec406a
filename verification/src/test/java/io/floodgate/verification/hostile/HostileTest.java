package io.floodgate.verification.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The short form of {@code floodgate hostile-test}, on one server: what takes a server of its own is left to the command. */
@Tag("long")
final class HostileTest {
    /** A machine that builds something else meanwhile is slower than any attack makes it: latency is for the command. */
    private static final Duration CANARY = Duration.ofSeconds(10);

    private static final Set<String> QUICK = Set.of("poison-requests", "poison-records", "ordinary-traffic");

    @TempDir
    Path directory;

    @Test
    @DisabledIfSystemProperty(
            named = "search.effort",
            matches = "0\\.1",
            disabledReason = "takes 130 s: ./floodgate test --long")
    void a_server_survives_what_is_done_to_it() throws Exception {
        // given
        HostileRun.Plan plan = new HostileRun.Plan(Duration.ofSeconds(5), true, CANARY, Duration.ofSeconds(60), 8);
        List<Attack> attacks = Attack.all().stream()
                .filter(attack -> QUICK.contains(attack.name()))
                .toList();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        // when
        boolean held = new HostileRun(plan, directory, new PrintStream(out, true, StandardCharsets.UTF_8)).run(attacks);
        // then
        assertThat(held).as(out.toString(StandardCharsets.UTF_8)).isTrue();
    }

    @Test
    void every_attack_has_a_name_of_its_own_and_says_what_it_does() {
        List<Attack> all = Attack.all();
        assertThat(all.stream().map(Attack::name)).doesNotHaveDuplicates().containsAll(QUICK);
        assertThat(all).allSatisfy(attack -> assertThat(attack.what()).isNotBlank());
    }
}
