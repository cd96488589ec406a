package io.floodgate.verification.client;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.http.HttpResponse;
import io.floodgate.bench.http.HttpTarget;
import io.floodgate.bench.http.NotConnected;
import io.floodgate.topics.json.Json;
import io.floodgate.verification.history.Answer;
import io.floodgate.verification.history.Span;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * One caller of the API whose servers may be gone at any time; it turns to the next gateway when one fails. For one
 * thread. Only this class decides what an answer proves.
 */
public final class Caller implements AutoCloseable {
    private static final byte[] NOTHING = new byte[0];

    private final List<HttpConnection> gateways;
    private int current;

    /** @param first which of the gateways is asked first */
    public Caller(List<String> urls, int first, Duration patience) {
        gateways = urls.stream()
                .map(url -> new HttpConnection(HttpTarget.parse(url), patience))
                .toList();
        current = first % urls.size();
    }

    public Caller(String url, Duration patience) {
        this(List.of(url), 0, patience);
    }

    /** @param status 0 when nothing came back */
    public record Heard(Span span, Answer answer, int status, JsonNode body) {
        public boolean isOk() {
            return answer == Answer.OK;
        }

        /** Unavailable, and able to say what became of the request: {@code not_executed}, or {@code unknown}. */
        public boolean isHonestlyUnavailable() {
            return status == 503
                    && !body.at("/error/details/outcome").asString("").isEmpty();
        }

        /** At most so much of it as a report can show. */
        public String shown() {
            String text = body.isMissingNode() ? "" : " " + body;
            return status + text.substring(0, Math.min(text.length(), 300));
        }
    }

    public Heard get(String path) {
        return call("GET", path, NOTHING);
    }

    public Heard post(String path, byte[] body) {
        return call("POST", path, body);
    }

    /** The body of an answer that must be good. */
    public JsonNode ask(String path, byte[] body) throws IOException {
        Heard heard = post(path, body);
        if (!heard.isOk()) throw new IOException("%s was answered %s".formatted(path, heard.shown()));
        return heard.body();
    }

    public Heard call(String method, String path, byte[] body) {
        return call(method, path, body, Map.of());
    }

    public Heard call(String method, String path, byte[] body, Map<String, String> headers) {
        long begun = System.nanoTime();
        Answer answer = Answer.UNKNOWN;
        HttpResponse response = null;
        try {
            response = gateways.get(current).exchange(method, path, body, headers);
            answer = answer(response);
        } catch (NotConnected nothingSent) {
            answer = Answer.REJECTED;
        } catch (IOException broken) {
            // the request may have been executed
        }
        if (response == null || response.status() >= 500) current = (current + 1) % gateways.size();
        return new Heard(
                new Span(begun, System.nanoTime()), answer, response == null ? 0 : response.status(), body(response));
    }

    private static Answer answer(HttpResponse response) {
        int status = response.status();
        if (status >= 200 && status < 300) return Answer.OK;
        if (status >= 400 && status < 500) return Answer.REJECTED;
        // Unavailable, and sure that the command went nowhere.
        boolean nothingDone = status == 503
                && "not_executed"
                        .equals(body(response).at("/error/details/outcome").asString(""));
        return nothingDone ? Answer.REJECTED : Answer.UNKNOWN;
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
        gateways.forEach(HttpConnection::close);
    }
}
