package io.floodgate.verification.history;

import io.floodgate.verification.history.TenantPeaks.Peak;
import java.util.List;
import java.util.function.BiConsumer;

/** What must hold for a tenant with bounds over all queues. */
final class TenantChecks {
    /** Of a bound that producers, or workers, press against. */
    private static final double USED = 0.97;

    static final Check NEVER_MORE_JOBS =
            new Check("a tenant never has more jobs over all queues than its bound", ofTenant((peaks, found) -> {
                exceeded(peaks.jobs(), peaks.bounds().maxJobs(), found);
                exceeded(peaks.jobsByAnswers(), peaks.bounds().maxJobs(), found);
            }));

    static final Check NEVER_MORE_RUNS = new Check(
            "a tenant never has more jobs running over all queues than its bound", ofTenant((peaks, found) -> {
                exceeded(peaks.runs(), peaks.bounds().maxConcurrency(), found);
                exceeded(peaks.runsByAnswers(), peaks.bounds().maxConcurrency(), found);
            }));

    static final Check BOUNDS_ARE_USED = new Check(
            "at least 97 percent of a tenant's bounds over all queues can be used", ofTenant((peaks, found) -> {
                unused(peaks.jobs(), peaks.bounds().maxJobs(), found);
                unused(peaks.runs(), peaks.bounds().maxConcurrency(), found);
            }));

    private TenantChecks() {}

    private static BiConsumer<History, List<Violation>> ofTenant(BiConsumer<TenantPeaks, List<Violation>> check) {
        return (history, found) -> TenantPeaks.of(history).ifPresent(peaks -> check.accept(peaks, found));
    }

    private static void exceeded(Peak peak, long bound, List<Violation> found) {
        if (peak.height() > bound)
            found.add(
                    new Violation(peak.job(), "with it there were %d, and %d may be".formatted(peak.height(), bound)));
    }

    private static void unused(Peak peak, long bound, List<Violation> found) {
        if (peak.height() < USED * bound)
            found.add(new Violation(peak.job(), "there were %d at most of %d".formatted(peak.height(), bound)));
    }
}
