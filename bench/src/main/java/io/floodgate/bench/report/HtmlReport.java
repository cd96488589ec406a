package io.floodgate.bench.report;

import io.floodgate.bench.load.Measurement;
import io.floodgate.topics.json.Timestamps;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The report for people: one page that needs nothing else. */
public final class HtmlReport {
    private static final String HEAD = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Floodgate: what was measured</title>
            <style>
            body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: #1c2430; background: #fff; }
            h1 { font-size: 1.5rem; margin-bottom: 0; }
            .where { color: #5b6676; margin-top: .25rem; }
            .scroll { overflow-x: auto; }
            table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
            th, td { text-align: right; padding: .35rem .6rem; border-bottom: 1px solid #dde3ea; white-space: nowrap; }
            th:first-child, td:first-child { text-align: left; }
            .swatch { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .5em; }
            .error { color: #b3261e; }
            svg { width: 100%; height: auto; }
            svg text { font: 12px system-ui, sans-serif; fill: #5b6676; }
            .grid { stroke: #dde3ea; }
            dt { font-weight: 600; } dd { margin: 0 0 .5rem; color: #404b5a; }
            @media (prefers-color-scheme: dark) {
              body { background: #12161c; color: #e3e8ef; } .where, svg text { color: #97a3b4; fill: #97a3b4; }
              th, td { border-color: #2a323d; } .grid { stroke: #2a323d; } dd { color: #b4bfcd; } .error { color: #ff8a80; }
            }
            </style>
            </head>
            <body>
            """;

    private HtmlReport() {}

    public static byte[] of(Report report) {
        StringBuilder html = new StringBuilder(HEAD);
        html.append("<h1>Floodgate: what was measured</h1>\n<p class=\"where\">%s, %s</p>\n"
                .formatted(
                        Timestamps.format(report.at()), escape(report.machine().toString())));
        table(report, html);
        List<Curve> curves = report.findings().stream()
                .map(finding -> Curve.of(finding.measurement()))
                .toList();
        html.append("<h2>Latency by percentile</h2>\n").append(Chart.svg(curves));
        details(report, html);
        return html.append("</body>\n</html>\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void table(Report report, StringBuilder html) {
        html.append(
                "<div class=\"scroll\"><table>\n<tr><th>run</th><th>per second</th><th>of limit</th><th>p50 ms</th>"
                        + "<th>p90</th><th>p99</th><th>p99.9</th><th>max</th><th>cpu µs</th><th>switches</th><th>samples</th><th>errors</th></tr>\n");
        int number = 0;
        for (ReportFinding finding : report.findings()) row(report, finding, Chart.color(number++), html);
        html.append("</table></div>\n");
    }

    private static void row(Report report, ReportFinding finding, String color, StringBuilder html) {
        Measurement found = finding.measurement();
        html.append("<tr><td><span class=\"swatch\" style=\"background:%s\"></span>%s</td>"
                .formatted(color, escape(found.name())));
        cell(Report.rate(found), html);
        cell(Report.shown(report.share(finding), finding.yardstick()), html);
        for (double percentile : Report.PERCENTILES) cell(Report.millis(found, percentile), html);
        cell(Report.max(found), html);
        cell(Report.cpu(found), html);
        cell(Report.switches(found), html);
        cell("%,d".formatted(found.samples()), html);
        cell("%,d".formatted(found.errors().count()), html);
        html.append("</tr>\n");
    }

    private static void cell(String text, StringBuilder html) {
        html.append("<td>").append(escape(text)).append("</td>");
    }

    private static void details(Report report, StringBuilder html) {
        html.append("<h2>How</h2>\n<dl>\n");
        for (ReportFinding finding : report.findings()) {
            Measurement found = finding.measurement();
            html.append("<dt>%s</dt><dd>%s".formatted(escape(found.name()), escape(found.how())));
            for (String error : found.errors().lines())
                html.append("<br><span class=\"error\">%s</span>".formatted(escape(error)));
            html.append("</dd>\n");
        }
        html.append("</dl>\n");
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
