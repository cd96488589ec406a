package io.floodgate.gateway.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.gateway.access.Reach;
import io.floodgate.gateway.access.Scope;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.BundledFile;
import io.floodgate.gateway.http.Route;
import io.floodgate.topics.json.Json;
import io.helidon.http.Method;
import io.helidon.http.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * OpenAPI 3.1 of all routes. What a route is for, takes and answers stands in {@code operations.json} by its name,, the shapes
 * in {@code schemas.json}, and what belongs together in {@code tags.json}; path, method, scope and reach come from the route itself, so they cannot differ from what is served.
 */
public final class OpenApi {
    private static final Pattern PARAMETER = Pattern.compile("\\{([a-z]+)}");
    private static final String JSON = "application/openjobspec+json";
    private static final JsonNode OPERATIONS = read("operations.json");

    private OpenApi() {}

    /** Returns these routes, and one more that describes them and itself. */
    public static List<Route> describing(List<Route> routes, String version) {
        AtomicReference<byte[]> document = new AtomicReference<>(new byte[0]);
        List<Route> all = new ArrayList<>(routes);
        all.add(Route.get(
                        "system.openapi",
                        "/ojs/v1/openapi.json",
                        call -> new ApiResponse.Whole(
                                Status.OK_200, ApiResponse.PLAIN_JSON, document.get(), List.of(), () -> {}))
                .forEveryone());
        document.set(write(all, version).toString().getBytes(UTF_8));
        return all.stream().map(OpenApi::asDescribed).toList();
    }

    /** A route that takes the query parameters of its description, and no others. */
    private static Route asDescribed(Route route) {
        Set<String> queries = new TreeSet<>();
        for (JsonNode query : OPERATIONS.path(route.name()).path("query")) queries.add(query.asString());
        return route.with(call -> {
            call.takesOnly(queries);
            return route.operation().handle(call);
        });
    }

    static boolean isDocumented(String route) {
        return OPERATIONS.has(route);
    }

    private static JsonNode read(String name) {
        return Json.tree(BundledFile.read(OpenApi.class, name));
    }

    static ObjectNode write(List<Route> routes, String version) {
        JsonNode schemas = read("schemas.json");
        ObjectNode root = (ObjectNode) Json.tree("{\"openapi\":\"3.1.0\"}".getBytes(UTF_8));
        ObjectNode info = root.putObject("info");
        info.put("title", "Floodgate").put("version", version);
        info.put(
                "description",
                "Open Job Spec 1.0 over HTTP, and what Floodgate adds. docs/reference/http-api.md explains it.");
        info.putObject("license").put("name", "Apache-2.0").put("identifier", "Apache-2.0");
        root.putArray("servers")
                .addObject()
                .put("url", "/")
                .put("description", "The gateway that serves this document.");
        ArrayNode tags = root.putArray("tags");
        ObjectNode paths = root.putObject("paths");
        Map<String, Integer> times = new HashMap<>();
        TreeSet<String> used = new TreeSet<>();
        for (Route route : routes) {
            JsonNode described = OPERATIONS.path(route.name());
            int time = times.merge(route.name(), 1, Integer::sum);
            ObjectNode operation = paths.withObjectProperty(route.path())
                    .putObject(route.method().text().toLowerCase(Locale.ROOT));
            String tag = route.name().replaceFirst("^admin\\.", "").replaceFirst("\\..*", "");
            used.add(tag);
            operation.put("operationId", route.name() + (time == 1 ? "" : "_" + time));
            operation.putArray("tags").add(tag);
            operation.put(
                    "summary", described.path("summary").asString(route.name().replaceAll("[._]", " ")));
            if (time > 1) operation.put("description", "The same as '%s', under another path.".formatted(route.name()));
            operation.put("x-ojs-scope", route.scope().wire());
            if (route.scope() != Scope.PUBLIC) operation.put("x-ojs-reach", reach(route.reach()));
            ArrayNode security = operation.putArray("security");
            if (route.scope() != Scope.PUBLIC) security.addObject().putArray("key");
            if (route.scope() != Scope.PUBLIC) security.addObject();
            parameters(route, described, operation);
            body(route, described, operation);
            answers(described, operation);
        }
        JsonNode descriptions = read("tags.json");
        used.forEach(tag -> tags.addObject()
                .put("name", tag)
                .put("description", descriptions.path(tag).asString()));
        ObjectNode components = root.putObject("components");
        components.set("schemas", schemas);
        components
                .putObject("securitySchemes")
                .putObject("key")
                .put("type", "http")
                .put("scheme", "bearer");
        return root;
    }

    private static String reach(Reach reach) {
        return reach.name().toLowerCase(Locale.ROOT);
    }

    private static void parameters(Route route, JsonNode described, ObjectNode operation) {
        Matcher matcher = PARAMETER.matcher(route.path());
        while (matcher.find()) parameter("path", matcher.group(1), operation).put("required", true);
        for (JsonNode query : described.path("query")) parameter("query", query.asString(), operation);
    }

    private static ObjectNode parameter(String in, String name, ObjectNode operation) {
        ObjectNode parameter = operation.withArrayProperty("parameters").addObject();
        parameter.put("name", name).put("in", in);
        parameter.putObject("schema").put("type", "string");
        return parameter;
    }

    private static void body(Route route, JsonNode described, ObjectNode operation) {
        boolean takes = route.method().equals(Method.POST)
                || route.method().equals(Method.PUT)
                || route.method().equals(Method.PATCH);
        if (!takes) return;
        ObjectNode body = operation.putObject("requestBody");
        body.put("description", "At most %d bytes.".formatted(route.maxBody()));
        ObjectNode content = body.putObject("content");
        ref(content.putObject("application/json"), described.path("body").asString("Object"));
        described
                .path("bodies")
                .propertyStream()
                .forEach(each ->
                        ref(content.putObject(each.getKey()), each.getValue().asString()));
    }

    private static void answers(JsonNode described, ObjectNode operation) {
        ObjectNode answers = operation.putObject("responses");
        JsonNode given = described.path("answers");
        if (given.isEmpty()) answer(answers, "200", "Object");
        given.propertyStream()
                .forEach(each -> answer(answers, each.getKey(), each.getValue().asString()));
        answer(answers, "4XX", "Error");
        answer(answers, "default", "Error");
    }

    private static void answer(ObjectNode answers, String status, String shape) {
        ObjectNode answer = answers.putObject(status);
        answer.put(
                "description",
                switch (status) {
                    case "4XX" -> "It was rejected: the error has a code, and says what to do.";
                    case "default" -> "It failed, or there is no capacity for it now.";
                    default -> "It is done.";
                });
        switch (shape) {
            case "" -> {}
            case "text", "html", "css", "stream" -> {
                String type = switch (shape) {
                    case "html" -> "text/html";
                    case "css" -> "*/*";
                    case "stream" -> "text/event-stream";
                    default -> "text/plain";
                };
                answer.putObject("content").putObject(type).putObject("schema").put("type", "string");
            }
            default -> ref(answer.putObject("content").putObject(JSON), shape);
        }
    }

    private static void ref(ObjectNode content, String schema) {
        content.putObject("schema").put("$ref", "#/components/schemas/" + schema);
    }
}
