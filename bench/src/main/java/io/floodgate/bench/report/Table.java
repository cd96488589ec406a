package io.floodgate.bench.report;

import io.floodgate.bench.load.Measurement;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The report for a terminal. */
public final class Table {
    private static final List<String> HEADINGS = List.of(
            "run",
            "per second",
            "of limit",
            "p50 ms",
            "p90",
            "p99",
            "p99.9",
            "max",
            "cpu µs",
            "switches",
            "samples",
            "errors");

    private Table() {}

    public static void print(Report report, PrintWriter out) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADINGS);
        for (ReportFinding finding : report.findings()) rows.add(row(report, finding));
        int[] widths = new int[HEADINGS.size()];
        for (List<String> row : rows)
            for (int i = 0; i < widths.length; i++)
                widths[i] = Math.max(widths[i], row.get(i).length());
        out.println();
        out.println(report.machine());
        out.println();
        for (List<String> row : rows) out.println(line(row, widths));
        out.println();
        if (report.showsCpu())
            out.println(
                    "cpu µs, switches: CPU time of the server for each unit, in microseconds, and context switches");
        for (ReportFinding finding : report.findings()) printDetails(finding.measurement(), out);
    }

    private static List<String> row(Report report, ReportFinding finding) {
        Measurement found = finding.measurement();
        List<String> row = new ArrayList<>();
        row.add(found.name());
        row.add(Report.rate(found));
        row.add(Report.shown(report.share(finding), finding.yardstick()));
        for (double percentile : Report.PERCENTILES) row.add(Report.millis(found, percentile));
        row.add(Report.max(found));
        row.add(Report.cpu(found));
        row.add(Report.switches(found));
        row.add("%,d".formatted(found.samples()));
        row.add("%,d".formatted(found.errors().count()));
        return row;
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder(pad(row.get(0), widths[0], false));
        for (int i = 1; i < widths.length; i++) line.append("  ").append(pad(row.get(i), widths[i], true));
        return line.toString();
    }

    private static String pad(String text, int width, boolean left) {
        char[] blanks = new char[width - text.length()];
        Arrays.fill(blanks, ' ');
        return left ? new String(blanks) + text : text + new String(blanks);
    }

    private static void printDetails(Measurement found, PrintWriter out) {
        out.println("%s: %s".formatted(found.name(), found.how()));
        for (String error : found.errors().lines()) out.println("  ERROR " + error);
    }
}
