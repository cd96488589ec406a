package io.floodgate.bench.report;

import io.floodgate.bench.load.Measurement;
import java.util.OptionalDouble;

/** The figures of the limit run of the same session. */
public record MachineLimit(double medianMillis, double perSecond, double jobsPerSecondInBatches) {
    public static MachineLimit of(Measurement oneAtATime, Measurement rate, Measurement batches) {
        return new MachineLimit(oneAtATime.millisAt(50), rate.perSecond(), batches.perSecond());
    }

    /** How much of what the machine can do was reached, 1 being all of it; nothing when nothing was measured. */
    public OptionalDouble share(ReportFinding finding) {
        Measurement found = finding.measurement();
        return switch (finding.yardstick()) {
            case NONE -> OptionalDouble.empty();
            // A latency of twice the limit's is half of what the machine can do.
            case LATENCY -> found.samples() == 0 ? OptionalDouble.empty() : ratio(medianMillis, found.millisAt(50));
            case RATE -> found.units() == 0 ? OptionalDouble.empty() : ratio(found.perSecond(), perSecond);
            case BATCH_RATE ->
                found.units() == 0 ? OptionalDouble.empty() : ratio(found.perSecond(), jobsPerSecondInBatches);
        };
    }

    private static OptionalDouble ratio(double part, double whole) {
        return whole > 0 ? OptionalDouble.of(part / whole) : OptionalDouble.empty();
    }
}
