package io.floodgate.standalone;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The overview of a server as text for terminals. */
final class StatusText {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NAME = 32;

    private final JsonNode overview;
    private final boolean coloured;

    StatusText(String overview, boolean coloured) {
        this.overview = JSON.readTree(overview);
        this.coloured = coloured;
    }

    /** Returns whether the output is coloured: on a terminal, unless NO_COLOR is set (no-color.org). */
    static boolean isColoured() {
        return isTerminal() && System.getenv("NO_COLOR") == null;
    }

    /** The launcher has looked: Java 21 cannot. */
    static boolean isTerminal() {
        return Boolean.getBoolean("floodgate.terminal");
    }

    String severity() {
        return overview.at("/verdict/severity").asString();
    }

    String status(int most) {
        JsonNode jobs = overview.path("jobs");
        StringBuilder out = new StringBuilder()
                .append(marked(severity(), overview.at("/verdict/title").asString()))
                .append("   ")
                .append(overview.path("as_of").asString())
                .append('\n')
                .append("%s waiting, %s running, %s to retry, %s for later, %s dead letters; %s offered, %s leave%n"
                        .formatted(
                                number(jobs, "available"),
                                number(jobs, "active"),
                                number(jobs, "retryable"),
                                count(jobs.path("scheduled").asLong(0)
                                        + jobs.path("pending").asLong(0)),
                                number(jobs, "dead"),
                                rate(jobs.path("fills_per_second").asDouble(0)),
                                rate(jobs.path("drains_per_second").asDouble(0))));
        int shown = 0;
        for (JsonNode problem : overview.path("problems")) {
            if (shown == most) break;
            shown++;
            out.append(marked(problem.at("/finding/severity").asString(), line(problem)))
                    .append('\n');
        }
        long more = overview.path("problems").size()
                - (long) shown
                + overview.path("more_problems").asLong(0);
        if (more > 0)
            out.append("… and %s more: --problems %s, or --json%n".formatted(count(more), count(shown + more)));
        long unknown = overview.path("ungrouped").asLong(0);
        if (unknown > 0)
            out.append("… %s look suspicious and were not examined: /ojs/v1/admin/queues?view=row&show=suspect%n"
                    .formatted(unknown == 1 ? "1 queue" : count(unknown) + " queues"));
        return out.toString();
    }

    private static String line(JsonNode problem) {
        String title = problem.path("title").asString();
        if (problem.path("count").asLong(1) > 1)
            return "%s (all: %s)".formatted(title, problem.path("list").asString());
        return "%s %s: %s"
                .formatted(
                        problem.at("/subject/kind").asString(),
                        problem.at("/subject/name").asString(),
                        title);
    }

    /** @param rows the answer to a list of queues by rows */
    String queues(String rows) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("QUEUE", "FULL", "JOBS", "WAITING", "RUNNING", "LATER", "IN", "OUT", "OLDEST", "FAILED", ""));
        JsonNode answer = JSON.readTree(rows);
        Instant now = Instant.parse(answer.path("as_of").asString());
        for (JsonNode row : answer.path("items")) lines.add(line(row, now));
        int columns = lines.getFirst().size();
        int[] widths = IntStream.range(0, columns)
                .map(i -> lines.stream()
                        .mapToInt(line -> line.get(i).length())
                        .max()
                        .orElse(0))
                .toArray();
        StringBuilder out = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                boolean isText = i == 0 || i == columns - 1;
                String format = widths[i] == 0 ? "%s" : "%" + (isText ? "-" : "") + widths[i] + "s";
                text.append(format.formatted(line.get(i))).append(i == columns - 1 ? "" : "  ");
            }
            out.append(text.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }

    private static List<String> line(JsonNode row, Instant now) {
        String name = row.path("name").asString();
        long failed = row.path("failed_last_hour").asLong(0);
        long runs = failed + row.path("completed_last_hour").asLong(0);
        List<String> signs = new ArrayList<>();
        row.path("signs").forEach(sign -> signs.add(sign.asString()));
        signs.removeAll(List.of("unbounded", "dead"));
        return List.of(
                name.length() <= NAME ? name : name.substring(0, NAME - 1) + "…",
                row.has("pressure")
                        ? (int) Math.floor(100 * row.path("pressure").asDouble(0)) + "%"
                        : "-",
                number(row, "depth") + (row.has("max_depth") ? "/" + number(row, "max_depth") : ""),
                number(row, "available"),
                number(row, "active"),
                count(row.path("scheduled").asLong(0)
                        + row.path("retryable").asLong(0)
                        + row.path("pending").asLong(0)),
                rate(row.path("fills_per_second").asDouble(0)),
                rate(row.path("drains_per_second").asDouble(0)),
                row.has("oldest_available_at")
                        ? lasting(Duration.between(
                                Instant.parse(row.path("oldest_available_at").asString()), now))
                        : "-",
                runs == 0 ? "-" : Math.round(100.0 * (double) failed / (double) runs) + "%",
                String.join(", ", signs));
    }

    private String marked(String severity, String text) {
        String mark = switch (severity) {
            case "problem" -> "▲";
            case "warning" -> "●";
            default -> "✓";
        };
        if (!coloured) return mark + " " + text;
        int colour = switch (severity) {
            case "problem" -> 31;
            case "warning" -> 33;
            default -> 32;
        };
        return "\033[%dm%s\033[0m %s".formatted(colour, mark, text);
    }

    private static String number(JsonNode of, String name) {
        return count(of.path(name).asLong(0));
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String rate(double perSecond) {
        if (perSecond == 0) return "0";
        if (perSecond >= 10) return String.format(Locale.ROOT, "%,.0f/s", perSecond);
        if (perSecond >= 1) return String.format(Locale.ROOT, "%.1f/s", perSecond);
        return String.format(Locale.ROOT, "%.1f/min", 60 * perSecond);
    }

    static String lasting(Duration time) {
        long seconds = Math.max(0, time.toSeconds());
        if (seconds < 60) return seconds + " s";
        if (seconds < 3_600) return seconds / 60 + " min";
        if (seconds < 86_400) return seconds / 3_600 + " h";
        return seconds / 86_400 + " d";
    }
}
