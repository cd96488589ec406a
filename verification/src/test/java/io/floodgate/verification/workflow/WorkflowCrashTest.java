package io.floodgate.verification.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.verification.crash.CrashReport;
import io.floodgate.verification.process.Installation.Layout;
import io.floodgate.verification.workflow.WorkflowCrashRun.Plan;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The short form of {@code floodgate crash-test --what workflows}. */
@Tag("long")
final class WorkflowCrashTest {
    @TempDir
    Path directory;

    @DisabledIfSystemProperty(
            named = "search.effort",
            matches = "0\\.1",
            disabledReason = "takes 50 s: ./floodgate test --long")
    @Test
    void workflows_end_well_when_the_processor_is_killed_while_they_are_retried_and_cancelled() throws Exception {
        Plan plan = new Plan(1, Duration.ofSeconds(5), new Layout(directory, 4, 1, 1, 2), 0, 15, System.nanoTime());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        // when
        PrintStream lines = new PrintStream(out, true, StandardCharsets.UTF_8);
        CrashReport report = new WorkflowCrashRun(plan, lines).run();
        // then
        report.printClaims(lines);
        assertThat(report.passed())
                .as("%s\n%s", plan, out.toString(StandardCharsets.UTF_8))
                .isTrue();
    }
}
