package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The HTTP API as a caller sees it; what is not a success fails the test. */
final class HttpApi {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final String base;

    HttpApi(int port) {
        base = "http://127.0.0.1:" + port;
    }

    record Answer(int status, JsonNode body) {
        /** The text at a JSON pointer. */
        String text(String pointer) {
            return body.at(pointer).asString();
        }
    }

    Answer get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    Answer post(String path, String body, String... headers) throws IOException, InterruptedException {
        return send(postOf(path, body, headers));
    }

    /** The same, whatever its status is. */
    Answer answerTo(String path, String body) throws IOException, InterruptedException {
        return sendAnyhow(postOf(path, body));
    }

    Answer put(String path, String body) throws IOException, InterruptedException {
        return send(request(path).header("Content-Type", "application/json").PUT(BodyPublishers.ofString(body)));
    }

    Answer patch(String path, String body) throws IOException, InterruptedException {
        return send(request(path)
                .header("Content-Type", "application/json")
                .method("PATCH", BodyPublishers.ofString(body)));
    }

    Answer delete(String path) throws IOException, InterruptedException {
        return send(request(path).DELETE());
    }

    /** What is no JSON. */
    String text(String path) throws IOException, InterruptedException {
        return client.send(request(path).GET().build(), BodyHandlers.ofString()).body();
    }

    /** The status of the answer, whatever it is. */
    int statusOf(String path) throws IOException, InterruptedException {
        return client.send(request(path).GET().build(), BodyHandlers.discarding())
                .statusCode();
    }

    /** The same of a POST with these headers. */
    int statusOfPost(String path, String body, String... headers) throws IOException, InterruptedException {
        return client.send(postOf(path, body, headers).build(), BodyHandlers.discarding())
                .statusCode();
    }

    private HttpRequest.Builder postOf(String path, String body, String... headers) {
        HttpRequest.Builder request =
                request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) request.setHeader(headers[i], headers[i + 1]);
        return request;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path));
    }

    private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        Answer answer = sendAnyhow(request);
        assertThat(answer.status).as(answer.body.toString()).isBetween(200, 299);
        return answer;
    }

    private Answer sendAnyhow(HttpRequest.Builder request) throws IOException, InterruptedException {
        var response = client.send(request.build(), BodyHandlers.ofString());
        return new Answer(response.statusCode(), JSON.readTree(response.body()));
    }
}
