package io.floodgate.bench.report;

import io.floodgate.bench.load.Measurement;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The measurements of a session, as a table for a terminal. */
public final class Table {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 100};
    private static final List<String> HEADINGS =
            List.of("run", "per second", "p50 ms", "p90", "p99", "p99.9", "max", "cpu µs", "samples", "errors");

    private final PrintWriter out;
    private final List<Measurement> measurements = new ArrayList<>();

    public Table(PrintWriter out) {
        this.out = out;
    }

    public void add(Measurement found) {
        measurements.add(found);
        out.printf("%s: %,.0f %s/s%n", found.name(), found.perSecond(), found.unit());
        out.flush();
    }

    public boolean hasErrors() {
        return measurements.stream().anyMatch(each -> each.errors().count() > 0);
    }

    public void print() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADINGS);
        for (Measurement each : measurements) rows.add(row(each));
        int cores = Runtime.getRuntime().availableProcessors();
        out.printf("%n%d cores, Java %s; cpu µs: of the server, for each unit%n%n", cores, Runtime.version());
        for (List<String> row : rows) out.println(line(row, rows));
        for (Measurement each : measurements)
            for (String error : each.errors().lines()) out.println("ERROR %s: %s".formatted(each.name(), error));
        out.flush();
    }

    /** Returns the cells of a row; what was not measured is not shown as a figure. */
    private static List<String> row(Measurement found) {
        List<String> row = new ArrayList<>();
        row.add(found.name());
        row.add(found.units() == 0 ? "-" : format("%,.0f", found.perSecond()));
        for (double percentile : PERCENTILES)
            row.add(found.hasPercentile(percentile) ? millis(found.millisAt(percentile)) : "-");
        row.add(found.cpuMicrosPerUnit() == 0 ? "-" : format("%,.1f", found.cpuMicrosPerUnit()));
        row.add("%,d".formatted(found.samples()));
        row.add("%,d".formatted(found.errors().count()));
        return row;
    }

    private static String millis(double value) {
        return format(value < 100 ? "%.2f" : "%,.0f", value);
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    /** Returns the name to the left, the figures to the right. */
    private static String line(List<String> row, List<List<String>> rows) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < row.size(); column++) {
            int at = column;
            int width =
                    rows.stream().mapToInt(each -> each.get(at).length()).max().orElse(0);
            line.append((column == 0 ? "%-" : "  %").concat(width + "s").formatted(row.get(column)));
        }
        return line.toString();
    }
}
