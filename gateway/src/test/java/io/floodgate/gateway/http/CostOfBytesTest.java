package io.floodgate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.sun.management.OperatingSystemMXBean;
import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whatever a client sends is read in linear time, or bounded before: each field and each parameter of the OpenAPI description, with as
 * much as fits of what algorithms are slow with. Only this process's processor time counts, so that a busy machine does not matter.
 */
class CostOfBytesTest extends GatewayFixture {
    private static final int BYTES = 300_000;
    private static final long LIMIT_NANOS = 1_000_000_000;
    /** Of a request line and of a header; nearly all that the server accepts. */
    private static final int LINE_BYTES = 7_500;

    private static final int HEADER_BYTES = 15_000;
    /** So few bytes are read in less than a millisecond. */
    private static final long HEAD_LIMIT_NANOS = 20_000_000;

    private static final int ATTEMPTS = 5;
    private static final int MOST_LEVELS = 6;
    private static final String HERE = "\"@here@\"";
    /** The gate has less time: it tries all that a place is tried with, but each at some places only. */
    private static final boolean SOME = Double.parseDouble(System.getProperty("search.effort", "1")) < 1;

    /** As JSON. */
    private static final Map<String, String> KINDS = Map.ofEntries(
            text("marks", "\u0316\u0301"),
            text("digits", "9"),
            text("letters", "a"),
            text("stars", "*a"),
            text("questions", "?"),
            text("backslashes", "\\\\"),
            text("halves of pairs", "\\ud800"),
            text("brackets", "["),
            text("commas", "a,"),
            text("dots", "1."),
            text("spaces", " "),
            text("slashes", "/"),
            text("Hangul", "\u1100\u1161\u11a8"),
            Map.entry("a number of many digits", "1" + "0".repeat(BYTES)),
            Map.entry("a number with a large exponent", "1e999999999"),
            Map.entry("nested arrays", "[".repeat(BYTES / 2) + "]".repeat(BYTES / 2)),
            Map.entry("many texts", many("[", "]", i -> "\"a" + i + "\"")),
            Map.entry("many names", many("{", "}", i -> "\"a" + i + "\":1")),
            Map.entry("one name, many times", many("{", "}", i -> "\"a\":1")));

    /** Marks, letters, separators, escapes and half of one, many parameters, of which one comes often. */
    private static final List<String> IN_LINES = List.of(
            "%CC%96%CC%81",
            "9", "a", "*a", "%2F", "%5C", "%ED%A0%80", "[", "a,", "1.", "+", "%", "a=1&", "&", "=", ";");

    private static final List<String> IN_HEADERS =
            List.of("\u00cc\u0096\u00cc\u0081", "9", "a", "a,", "a=b,", "a;", "\"", "\\", " a", "1.");

    private static final Pattern HEADER = Pattern.compile("HeaderNames\\.(?:create\\(\"([^\"]+)\"\\)|([A-Z][A-Z_]+))");

    private static Map.Entry<String, String> text(String kind, String unit) {
        return Map.entry(kind, '"' + unit.repeat(BYTES / unit.getBytes(StandardCharsets.UTF_8).length) + '"');
    }

    private static String many(String begin, String end, IntFunction<String> element) {
        StringBuilder all = new StringBuilder(begin);
        for (int i = 0; all.length() < BYTES; i++) all.append(i == 0 ? "" : ",").append(element.apply(i));
        return all.append(end).toString();
    }

    private record Route(String method, String path, JsonNode operation) {}

    /** The answers of the fake partitions say nothing, which fails in some places. */
    private final Logger failures = (Logger) LoggerFactory.getLogger(Dispatcher.class);

    private JsonNode description;
    /** Stays open while the server leaves it open. */
    private RawHttp http;

    @AfterAll
    void speak() {
        failures.setLevel(null);
    }

    @BeforeEach
    void describe() {
        failures.setLevel(Level.OFF);
        answerAtOnce();
        description = get("/ojs/v1/openapi.json").json();
    }

    /** The commands that were sent are forgotten: together they are large. */
    private void answerAtOnce() {
        logs.reset();
        logs.answer(command -> FakePartitions.done("{}"));
    }

    private List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : description.path("paths").properties())
            for (Map.Entry<String, JsonNode> method : path.getValue().properties())
                if (!method.getKey().equals("parameters"))
                    routes.add(new Route(method.getKey().toUpperCase(Locale.ROOT), path.getKey(), method.getValue()));
        assertThat(routes).hasSizeGreaterThan(50);
        return routes;
    }

    private static String path(String template) {
        return template.replaceAll("\\{[a-z_]+}", "a");
    }

    // ---- bodies: a sample of the schema, with the text in one place

    private JsonNode resolved(JsonNode schema) {
        String ref = schema.path("$ref").asString("");
        return ref.isEmpty() ? schema : resolved(description.at(ref.substring(1)));
    }

    private JsonNode sample(JsonNode unresolved, int level) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        JsonNode schema = resolved(unresolved);
        for (String choice : List.of("oneOf", "anyOf", "allOf"))
            if (schema.path(choice).size() > 0)
                return sample(schema.path(choice).get(0), level);
        if (schema.path("enum").size() > 0) return schema.path("enum").get(0);
        return switch (type(schema)) {
            case "string" -> nodes.stringNode("a");
            case "integer", "number" -> nodes.numberNode(1);
            case "boolean" -> nodes.booleanNode(true);
            case "array" -> {
                ArrayNode array = nodes.arrayNode();
                if (level < MOST_LEVELS) array.add(sample(schema.path("items"), level + 1));
                yield array;
            }
            default -> {
                ObjectNode object = nodes.objectNode();
                if (level < MOST_LEVELS)
                    for (Map.Entry<String, JsonNode> member :
                            schema.path("properties").properties())
                        object.set(member.getKey(), sample(member.getValue(), level + 1));
                yield object;
            }
        };
    }

    private static String type(JsonNode schema) {
        JsonNode type = schema.path("type");
        if (type.isArray()) return type.get(0).asString("");
        return type.asString(schema.path("properties").size() > 0 ? "object" : "string");
    }

    /** The paths of all places of a document where a value stands. */
    private static void places(JsonNode node, String path, List<String> all) {
        all.add(path);
        for (Map.Entry<String, JsonNode> member : node.properties())
            places(member.getValue(), path + "/" + member.getKey(), all);
        if (node.isArray()) for (int i = 0; i < node.size(); i++) places(node.get(i), path + "/" + i, all);
    }

    private static String with(JsonNode document, String place) {
        if (place.isEmpty()) return HERE;
        JsonNode copy = document.deepCopy();
        int slash = place.lastIndexOf('/');
        JsonNode parent = copy.at(place.substring(0, slash));
        JsonNode here = JsonNodeFactory.instance.stringNode("@here@");
        if (parent instanceof ObjectNode object) object.set(place.substring(slash + 1), here);
        else ((ArrayNode) parent).set(Integer.parseInt(place.substring(slash + 1)), here);
        return new String(Json.bytes(copy), StandardCharsets.UTF_8);
    }

    /** Bodies with a place for a value, by the place. */
    private Map<String, String> bodies(Route route) {
        Map<String, String> bodies = new LinkedHashMap<>();
        // The description does not say what a unique job is made of.
        if (route.path.equals("/ojs/v1/jobs") && route.method.equals("POST"))
            bodies.put(
                    "args of a unique job",
                    "{\"type\":\"a\",\"queue\":\"a\",\"args\":[%s],\"unique\":{\"keys\":[\"args\"]}}".formatted(HERE));
        JsonNode content = route.operation.path("requestBody").path("content");
        if (content.size() == 0) return bodies;
        JsonNode document =
                sample(content.properties().iterator().next().getValue().path("schema"), 0);
        List<String> places = new ArrayList<>();
        places(document, "", places);
        for (String place : places) bodies.put(place, with(document, place));
        return bodies;
    }

    // ---- measuring

    private static long processorTime() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    /** The first times also pay for what the virtual machine compiles: the best of some counts. */
    private void measure(String what, long limit, Runnable request, Map<String, Long> slow) {
        long best = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && best > limit; attempt++) {
            long begun = processorTime();
            request.run();
            best = Math.min(best, processorTime() - begun);
        }
        if (best > limit) slow.put(what, best / 1_000_000);
        answerAtOnce();
    }

    /** A request whose head is accepted, whatever the answer is. */
    private void sendHead(Route route, String target, String headers) {
        String lower = headers.toLowerCase(Locale.ROOT);
        String rest = (lower.contains("\nhost:") ? "" : "\r\nHost: localhost")
                + (lower.contains("\ncontent-length:") ? "" : "\r\nContent-Length: 0");
        try {
            if (http == null) http = new RawHttp(port());
            RawHttp.Response response = http.send(
                            route.method + " " + target + " HTTP/1.1" + rest + headers + "\r\n\r\n")
                    .read();
            assertThat(response.status()).as(target).isNotIn(414, 431);
            if (response.has("content-length:") && !response.has("connection: close")) return;
            http.close();
            http = null;
        } catch (IOException e) {
            throw new UncheckedIOException(headers.substring(0, Math.min(30, headers.length())), e);
        }
    }

    /** All whose names are written in the sources, and some that the web server reads. */
    private static Set<String> headers() throws IOException {
        Set<String> names = new TreeSet<>(List.of(
                "Baggage", "Traceparent", "Tracestate", "Connection", "Content-Length", "Cookie", "Expect", "Upgrade"));
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList())
                HEADER.matcher(Files.readString(file))
                        .results()
                        .map(found -> found.group(1) == null ? found.group(2).replace('_', '-') : found.group(1))
                        .forEach(names::add);
        }
        assertThat(names).hasSizeGreaterThan(30);
        return names;
    }

    private static String repeated(String unit, int bytes) {
        return unit.repeat(bytes / unit.length());
    }

    @Test
    void no_field_of_a_body_takes_a_second_of_processor_time() {
        Map<String, Long> slow = new TreeMap<>();
        int requests = 0;
        int places = 0;
        for (Route route : routes()) {
            for (Map.Entry<String, String> body : bodies(route).entrySet()) {
                String what = "%s %s %s: ".formatted(route.method, route.path, body.getKey());
                int turn = places++;
                for (Map.Entry<String, String> kind : KINDS.entrySet()) {
                    if (SOME && turn++ % 3 > 0) continue;
                    String json = body.getValue().replace(HERE, kind.getValue());
                    measure(what + kind.getKey(), LIMIT_NANOS, () -> send(route.method, path(route.path), json), slow);
                    requests++;
                }
            }
        }
        assertThat(requests).isGreaterThan(1_000);
        assertThat(slow).isEmpty();
    }

    @Test
    void no_parameter_takes_long() {
        Map<String, Long> slow = new TreeMap<>();
        int requests = 0;
        for (Route route : routes()) {
            List<String> targets = new ArrayList<>(List.of(path(route.path) + "?" + HERE));
            for (JsonNode parameter : route.operation.path("parameters")) {
                String name = parameter.path("name").asString();
                if (parameter.path("in").asString().equals("query"))
                    targets.add(path(route.path) + "?" + name + "=" + HERE);
                else targets.add(path(route.path.replace("{" + name + "}", HERE)));
            }
            for (String target : targets) {
                for (String unit : IN_LINES) {
                    String line = target.replace(HERE, repeated(unit, LINE_BYTES));
                    String what = "%s %s: %s".formatted(route.method, target, unit);
                    measure(what, HEAD_LIMIT_NANOS, () -> sendHead(route, line, ""), slow);
                    requests++;
                }
            }
        }
        assertThat(requests).isGreaterThan(1_000);
        assertThat(slow).isEmpty();
    }

    @Test
    void no_header_takes_long() throws IOException {
        Map<String, Long> slow = new TreeMap<>();
        Set<String> headers = headers();
        int places = 0;
        for (Route route : routes()) {
            for (String header : headers) {
                int turn = places++;
                for (String unit : IN_HEADERS) {
                    if (SOME && turn++ % IN_HEADERS.size() > 0) continue;
                    String line = "\r\n" + header + ": " + repeated(unit, HEADER_BYTES);
                    String what = "%s %s %s: %s".formatted(route.method, route.path, header, unit);
                    measure(what, HEAD_LIMIT_NANOS, () -> sendHead(route, path(route.path), line), slow);
                }
            }
            String many = repeated("\r\na: " + "1".repeat(50), HEADER_BYTES);
            measure(
                    route.path + ": many headers",
                    HEAD_LIMIT_NANOS,
                    () -> sendHead(route, path(route.path), many),
                    slow);
        }
        assertThat(slow).isEmpty();
    }
}
