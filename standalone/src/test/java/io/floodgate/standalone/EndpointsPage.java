package io.floodgate.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The page that shows a request and an answer of each operation, as a test has recorded them. */
final class EndpointsPage {
    static final Path FILE = Path.of("../docs/reference/endpoints.md");
    private static final int MAX_LINES = 24;
    private static final int MAX_WIDTH = 110;
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String INTRODUCTION = """
            # Endpoints

            A request and an answer of each operation, as a test has recorded them from a running server; ids and times are
            replaced, and long answers cut. [The HTTP API](http-api.md) says what fields mean, [routes](routes.md) who may do what,
            and `GET /ojs/v1/openapi.json` describes all of it for programs.
            """;

    private final JsonNode document;
    private final Map<String, StringBuilder> byTag = new TreeMap<>();
    private final Map<String, String> ids = new HashMap<>();

    EndpointsPage(JsonNode document) {
        this.document = document;
    }

    static String heading(String method, String path) {
        return "### `%s %s`".formatted(method, path);
    }

    /** @param answer empty if it is none that a reader could use */
    void add(JsonNode operation, String method, String path, String request, String body, int status, String answer) {
        StringBuilder out = byTag.computeIfAbsent(
                operation.at("/tags/0").asString(),
                tag -> new StringBuilder("\n## " + tag + "\n\n" + description(tag) + "\n"));
        String scope = operation.path("x-ojs-scope").asString();
        out.append("\n%s\n\n%s%s\n\n```http\n%s %s\n"
                .formatted(
                        heading(method, path),
                        operation.path("summary").asString(),
                        scope.equals("public") ? "." : ". Scope: `%s`.".formatted(scope),
                        method,
                        neutral(request)));
        if (!body.isEmpty())
            out.append("Content-Type: application/json\n\n")
                    .append(neutral(body))
                    .append('\n');
        if (!answer.isEmpty())
            out.append("\nHTTP/1.1 %d\n\n".formatted(status))
                    .append(cut(neutral(pretty(answer))))
                    .append('\n');
        out.append("```\n");
    }

    private String description(String tag) {
        for (JsonNode each : document.path("tags"))
            if (each.path("name").asString().equals(tag))
                return each.path("description").asString();
        return "";
    }

    private static String pretty(String json) {
        return JSON.readTree(json).toPrettyString();
    }

    private static String cut(String text) {
        List<String> lines = text.lines()
                .map(line -> line.length() <= MAX_WIDTH ? line : line.substring(0, MAX_WIDTH) + "…")
                .toList();
        return lines.size() <= MAX_LINES
                ? String.join("\n", lines)
                : String.join("\n", lines.subList(0, MAX_LINES)) + "\n…";
    }

    /** The same at each recording, as far as that can be. */
    private String neutral(String text) {
        String timeless = TIME.matcher(text).replaceAll("2026-02-12T10:00:00.000Z");
        return ID.matcher(timeless)
                .replaceAll(this::id)
                .replaceAll("(localhost|127\\.0\\.0\\.1):\\d+", "localhost:8080");
    }

    private String id(MatchResult found) {
        return ids.computeIfAbsent(found.group(), id -> "019539a0-0000-7000-8000-%012d".formatted(ids.size() + 1));
    }

    void write() throws IOException {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        byTag.values().forEach(page::append);
        Files.writeString(FILE, page);
    }
}
