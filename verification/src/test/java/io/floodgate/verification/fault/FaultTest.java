package io.floodgate.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.verification.disk.LossyDisk;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short form of {@code floodgate fault-test}: the power of a server is cut under load. */
@Tag("long")
final class FaultTest {
    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @BeforeEach
    void needsItsOwnFileSystem() {
        Optional<String> missing = LossyDisk.missing();
        Assumptions.assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    }

    @Test
    void a_server_that_syncs_loses_nothing_of_what_it_answered_unless_its_disk_does_not_do_what_it_acknowledges()
            throws Exception {
        try (FaultSite site = new FaultSite(plan(MachineFault.POWER_SUBSET, false), directory)) {
            FaultSeen synced = cut(plan(MachineFault.POWER_SUBSET, false), System.nanoTime(), site);
            assertThat(synced.passed()).as(said()).isTrue();

            FaultSeen lied = cut(plan(MachineFault.POWER_NONE, true), System.nanoTime(), site);
            assertThat(lied.damage().lost()).as(said()).isPositive();
            assertThat(lied.passed()).isFalse();
        }
    }

    private static FaultPlan plan(MachineFault fault, boolean disksLie) {
        return new FaultPlan(fault, FaultTarget.UP_SYNC, Duration.ofSeconds(2), disksLie, Duration.ZERO, 4, 150);
    }

    private FaultSeen cut(FaultPlan plan, long seed, FaultSite site) throws Exception {
        try (FaultRun run = new FaultRun(plan, seed, site, new PrintStream(out, true, StandardCharsets.UTF_8))) {
            FaultSeen seen = run.run();
            out.writeBytes(seen.toString().getBytes(StandardCharsets.UTF_8));
            return seen;
        }
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
