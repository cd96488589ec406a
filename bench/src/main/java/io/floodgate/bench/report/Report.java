package io.floodgate.bench.report;

import io.floodgate.bench.load.Measurement;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** What a session of the load generator has found. */
public record Report(Instant at, Machine machine, Optional<MachineLimit> limit, List<ReportFinding> findings) {
    /** The percentiles that are shown. */
    static final double[] PERCENTILES = {50, 90, 99, 99.9};

    public Report {
        findings = List.copyOf(findings);
    }

    OptionalDouble share(ReportFinding finding) {
        return limit.isEmpty() ? OptionalDouble.empty() : limit.get().share(finding);
    }

    public boolean hasErrors() {
        return findings.stream().anyMatch(each -> each.measurement().errors().count() > 0);
    }

    boolean showsCpu() {
        return findings.stream()
                .anyMatch(each -> each.measurement().cpuMicrosPerUnit().isPresent());
    }

    static String shown(OptionalDouble share, Yardstick yardstick) {
        if (share.isEmpty()) return "-";
        String of = yardstick == Yardstick.LATENCY ? " of p50" : "";
        return String.format(Locale.ROOT, "%.1f%%%s", share.getAsDouble() * 100, of);
    }

    static String millis(Measurement measurement, double percentile) {
        return measurement.tells(percentile) ? millis(measurement.millisAt(percentile)) : "-";
    }

    static String max(Measurement measurement) {
        return measurement.samples() == 0 ? "-" : millis(measurement.maxMillis());
    }

    private static String millis(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
    }

    static String cpu(Measurement measurement) {
        OptionalDouble micros = measurement.cpuMicrosPerUnit();
        return micros.isEmpty() ? "-" : String.format(Locale.ROOT, "%,.1f", micros.getAsDouble());
    }

    static String switches(Measurement measurement) {
        OptionalDouble switches = measurement.switchesPerUnit();
        return switches.isEmpty() ? "-" : String.format(Locale.ROOT, "%,.2f", switches.getAsDouble());
    }

    static String rate(Measurement measurement) {
        return measurement.units() == 0 ? "-" : String.format(Locale.ROOT, "%,.0f", measurement.perSecond());
    }
}
