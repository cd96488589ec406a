package io.floodgate.standalone.crash;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.http.HttpResponse;
import io.floodgate.bench.http.HttpTarget;
import io.floodgate.bench.http.NotConnected;
import io.floodgate.topics.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** One caller of the API, who turns to the next gateway when one fails. For one thread. */
final class Caller implements AutoCloseable {
    private static final byte[] NOTHING = new byte[0];

    private final List<HttpConnection> gateways;
    private int current;

    Caller(List<String> urls, int first, Duration timeout) {
        gateways = urls.stream()
                .map(url -> new HttpConnection(HttpTarget.parse(url), timeout))
                .toList();
        current = first % urls.size();
    }

    /** @param status 0 when nobody was there to be asked */
    record Response(int status, byte[] body) {
        boolean isOk() {
            return status >= 200 && status < 300;
        }

        /** A definite no; everything that is neither this nor a yes may have been carried out. */
        boolean isRefusal() {
            return status == 0 || (status >= 400 && status < 500);
        }

        JsonNode json() throws IOException {
            try {
                return Json.tree(body);
            } catch (JacksonException unreadable) {
                throw new IOException("a response cannot be read: " + unreadable.getMessage(), unreadable);
            }
        }
    }

    Response get(String path) throws IOException {
        return exchange("GET", path, NOTHING);
    }

    Response post(String path, byte[] body) throws IOException {
        return exchange("POST", path, body);
    }

    private Response exchange(String method, String path, byte[] body) throws IOException {
        boolean served = false;
        try {
            HttpResponse response = gateways.get(current).exchange(method, path, body);
            served = response.status() < 500;
            return new Response(response.status(), response.body());
        } catch (NotConnected nothingSent) {
            return new Response(0, NOTHING);
        } finally {
            if (!served) current = (current + 1) % gateways.size();
        }
    }

    @Override
    public void close() {
        gateways.forEach(HttpConnection::close);
    }
}
