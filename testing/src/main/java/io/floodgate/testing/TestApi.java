package io.floodgate.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The requests of a test. An answer that it does not expect is an error with that answer. */
final class TestApi {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int TIMED_OUT = 408;

    private final URI http;

    TestApi(URI http) {
        this.http = http;
    }

    String enqueue(String queue, Map<String, ?> members) {
        Map<String, Object> job = new LinkedHashMap<>(members);
        job.put("queue", queue);
        HttpRequest.Builder request = request("/ojs/v1/jobs")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(job)));
        return read(send(request), CREATED).at("/job/id").asString();
    }

    JsonNode job(String id) {
        return read(send(request("/ojs/v1/jobs/" + encoded(id))), OK).path("job");
    }

    List<JsonNode> jobs(String queue) {
        List<JsonNode> jobs = new ArrayList<>();
        String path = "/ojs/v1/admin/jobs?per_page=100&queue=" + encoded(queue);
        for (JsonNode job : read(send(request(path)), OK).path("items")) jobs.add(job);
        return jobs;
    }

    /** Returns whether a job has ended by then; the server answers as soon as it has. */
    boolean awaitEnd(String id, Duration patience) {
        long seconds = Math.clamp(patience.plusMillis(999).toSeconds(), 1, 60);
        String path = "/ojs/v1/jobs/%s/result?wait=true&timeout=%d".formatted(encoded(id), seconds);
        HttpResponse<String> answer = send(request(path));
        if (answer.statusCode() == TIMED_OUT) return false;
        read(answer, OK);
        return true;
    }

    /** Returns the server's explanation of a job, for people. */
    String explanation(String id) {
        return send(request("/ojs/v1/jobs/%s/explain?format=text".formatted(encoded(id))))
                .body();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(http.resolve(path)).timeout(Duration.ofSeconds(70));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        HttpRequest built = request.build();
        try {
            return CLIENT.send(built, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException("%s %s failed".formatted(built.method(), built.uri()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + built.uri(), e);
        }
    }

    private static JsonNode read(HttpResponse<String> answer, int expected) {
        if (answer.statusCode() == expected) return JSON.readTree(answer.body());
        throw new AssertionError("%s %s was answered with %d: %s"
                .formatted(answer.request().method(), answer.uri(), answer.statusCode(), answer.body()));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
