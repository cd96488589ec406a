package io.floodgate.verification.hostile;

import java.time.Duration;
import java.util.List;

/**
 * How an attack went.
 *
 * @param skipped why it was not tried; empty when it was
 * @param complaints what did not hold
 * @param notes figures
 */
record AttackOutcome(
        Attack attack, Duration took, Canary.Song canary, String skipped, List<String> complaints, List<String> notes) {
    AttackOutcome {
        complaints = List.copyOf(complaints);
        notes = List.copyOf(notes);
    }

    boolean held() {
        return complaints.isEmpty();
    }

    String line() {
        return "%-8s %-24s %6.1f s  %5d %5d %5d  %7.0f %7.0f %7.0f  %s"
                .formatted(
                        skipped.isEmpty() ? held() ? "held" : "BROKEN" : "skipped",
                        attack.name(),
                        took.toMillis() / 1e3,
                        canary.rounds(),
                        canary.rejected(),
                        canary.failures().size(),
                        canary.percentile(0.5),
                        canary.percentile(0.99),
                        canary.percentile(1),
                        skipped.isEmpty() ? String.join("; ", notes) : skipped);
    }

    static String heading() {
        return "%-8s %-24s %8s  %5s %5s %5s  %7s %7s %7s"
                .formatted("", "attack", "took", "tries", "503s", "fail", "p50 ms", "p99 ms", "max ms");
    }
}
