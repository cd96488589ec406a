package io.floodgate.verification.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.verification.crash.CrashReport;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short form of {@code floodgate limits-test}. */
@Tag("long")
final class LimitsTest {
    @TempDir
    Path directory;

    @Test
    void rates_and_throttles_hold_for_starts_as_callers_see_them_while_a_processor_is_killed() throws Exception {
        LimitsRun.Plan plan =
                new LimitsRun.Plan(LimitedKey.slow(), 4, 8, 10, true, Duration.ZERO, Duration.ofSeconds(8), 4, 1, 1);

        CrashReport report = new LimitsRun(plan, directory, new PrintStream(OutputStream.nullOutputStream())).run();

        assertThat(report.claims())
                .hasSize(2)
                .allSatisfy(
                        claim -> assertThat(claim.broken()).as(claim.claim()).isEmpty());
    }
}
