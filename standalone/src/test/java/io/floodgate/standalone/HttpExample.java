package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** A request or an answer as a document shows it: a first line, headers, and behind an empty line or a brace, a body. */
record HttpExample(String firstLine, Map<String, String> headers, String body) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static HttpExample of(String text) {
        List<String> lines = new ArrayList<>(text.strip().lines().toList());
        String first = lines.removeFirst();
        Map<String, String> headers = new LinkedHashMap<>();
        while (!lines.isEmpty()
                && !lines.getFirst().isBlank()
                && !lines.getFirst().startsWith("{")) {
            String[] header = lines.removeFirst().split(": ", 2);
            headers.put(header[0], header[1]);
        }
        return new HttpExample(first, headers, String.join("\n", lines).strip());
    }

    /** The request, to be sent there; {@code {name}} in its path is the queue's. */
    HttpRequest request(int port, String queue) {
        String[] first = firstLine.split(" ", -1);
        URI uri = URI.create("http://127.0.0.1:%d%s".formatted(port, first[1].replace("{name}", queue)));
        var request = HttpRequest.newBuilder(uri).method(first[0], BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return request.build();
    }

    /**
     * The answer shows all that this one shows, and may show more. One header is left out: OJS' own binding to HTTP has
     * another {@code Content-Type} for every answer (§4.1), and wins.
     */
    void isShownBy(HttpResponse<String> answer) {
        assertThat(answer.statusCode())
                .as(answer.body())
                .isEqualTo(Integer.parseInt(firstLine.split(" ", -1)[1]));
        headers.forEach((name, value) -> {
            if (!name.equals("Content-Type"))
                assertThat(answer.headers().firstValue(name)).as(name).hasValue(value);
        });
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/openjobspec+json");
        if (!body.isEmpty()) shows(JSON.readTree(answer.body()), JSON.readTree(body), "");
    }

    private static void shows(JsonNode answered, JsonNode expected, String path) {
        if (expected.isObject())
            for (var member : expected.properties())
                shows(answered.path(member.getKey()), member.getValue(), path + "/" + member.getKey());
        else assertThat(answered).as(path).isEqualTo(expected);
    }
}
