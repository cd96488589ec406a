package io.floodgate.bench.report;

import java.util.List;
import java.util.Locale;

/** Curves as SVG: percentiles to the right, each step a further nine; latency upwards, by powers of ten. */
final class Chart {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 420;
    private static final int LEFT = 70;
    private static final int RIGHT = 20;
    private static final int TOP = 20;
    private static final int BOTTOM = 50;
    private static final List<String> LABELS = List.of("0%", "90%", "99%", "99.9%", "99.99%", "99.999%", "99.9999%");

    private final double mostNines;
    private final int lowest;
    private final int highest;

    private Chart(List<Curve> curves) {
        var points = curves.stream().flatMap(curve -> curve.points().stream()).toList();
        mostNines = Math.max(
                1, points.stream().mapToDouble(Curve.Point::nines).max().orElse(1));
        lowest = (int) Math.floor(
                points.stream().mapToDouble(p -> magnitude(p.millis())).min().orElse(0));
        highest = Math.max(lowest + 1, (int) Math.ceil(
                points.stream().mapToDouble(p -> magnitude(p.millis())).max().orElse(1)));
    }

    static String svg(List<Curve> curves) {
        Chart chart = new Chart(curves);
        StringBuilder svg = new StringBuilder();
        svg.append("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Latency by percentile\">\n"
                .formatted(WIDTH, HEIGHT));
        chart.grid(svg);
        for (int i = 0; i < curves.size(); i++) chart.line(curves.get(i), color(i), svg);
        return svg.append("</svg>\n").toString();
    }

    static String color(int number) {
        // The golden angle keeps neighbours apart, however many there are.
        return String.format(Locale.ROOT, "hsl(%.0f 65%% 45%%)", (number * 137.508) % 360);
    }

    private static double magnitude(double millis) {
        return Math.log10(Math.max(millis, 0.001));
    }

    private void grid(StringBuilder svg) {
        for (int power = lowest; power <= highest; power++) {
            double y = y(Math.pow(10, power));
            svg.append(String.format(
                    Locale.ROOT,
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s ms</text>%n",
                    LEFT,
                    WIDTH - RIGHT,
                    y,
                    y,
                    LEFT - 8,
                    y + 4,
                    power < 0 ? Double.toString(Math.pow(10, power)) : Long.toString(Math.round(Math.pow(10, power)))));
        }
        for (int nines = 0; nines <= mostNines && nines < LABELS.size(); nines++) {
            double x = x(nines);
            svg.append(String.format(
                    Locale.ROOT,
                    "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                    x,
                    x,
                    TOP,
                    HEIGHT - BOTTOM,
                    x,
                    HEIGHT - BOTTOM + 20,
                    LABELS.get(nines)));
        }
    }

    private void line(Curve curve, String color, StringBuilder svg) {
        if (curve.points().isEmpty()) return;
        svg.append("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"".formatted(color));
        for (Curve.Point point : curve.points())
            svg.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(point.nines()), y(point.millis())));
        svg.append("\"><title>%s</title></polyline>\n".formatted(HtmlReport.escape(curve.name())));
    }

    private double x(double nines) {
        return LEFT + nines / mostNines * (WIDTH - LEFT - RIGHT);
    }

    private double y(double millis) {
        double share = (magnitude(millis) - lowest) / (highest - lowest);
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    }
}
