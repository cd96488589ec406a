package io.floodgate.bench.chaos;

import io.floodgate.bench.history.Answer;
import io.floodgate.bench.history.Span;
import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.http.HttpResponse;
import io.floodgate.bench.http.HttpTarget;
import io.floodgate.bench.http.NotConnected;
import io.floodgate.topics.json.Json;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** One connection to a server that may be gone at any time. */
final class Caller implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** @param status 0 when nothing came back */
    record Heard(Span span, Answer answer, int status, JsonNode body) {}

    private final HttpConnection connection;

    Caller(HttpTarget target) {
        connection = new HttpConnection(target, PATIENCE);
    }

    Heard call(String method, String path, byte[] body) {
        long begun = System.nanoTime();
        Answer answer = Answer.UNKNOWN;
        HttpResponse response = null;
        try {
            response = connection.exchange(method, path, body);
            answer = answer(response);
        } catch (NotConnected nothingSent) {
            answer = Answer.REFUSED;
        } catch (IOException broken) {
            // the request may have been carried out
        }
        return new Heard(
                new Span(begun, System.nanoTime()), answer, response == null ? 0 : response.status(), body(response));
    }

    private static Answer answer(HttpResponse response) {
        int status = response.status();
        if (status >= 200 && status < 300) return Answer.OK;
        if (status >= 400 && status < 500) return Answer.REFUSED;
        // Unavailable, and sure that the command went nowhere.
        boolean nothingDone = status == 503
                && "not_executed"
                        .equals(body(response).at("/error/details/outcome").asString(""));
        return nothingDone ? Answer.REFUSED : Answer.UNKNOWN;
    }

    private static JsonNode body(@Nullable HttpResponse response) {
        if (response == null || response.body().length == 0) return MissingNode.getInstance();
        try {
            return Json.tree(response.body());
        } catch (JacksonException unreadable) {
            return MissingNode.getInstance();
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
