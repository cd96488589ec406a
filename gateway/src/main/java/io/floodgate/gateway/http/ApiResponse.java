package io.floodgate.gateway.http;

import io.floodgate.topics.json.JsonOut;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** An answer to the caller. */
public sealed interface ApiResponse {
    /** The one media type of JSON replies; suites compare it exactly, so it carries no charset. */
    Header JSON = HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "application/openjobspec+json");

    /** Content type of documents for other tools, which know no type of OJS. */
    Header PLAIN_JSON = HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "application/json");

    /**
     * A whole body, written at once.
     *
     * @param unwritten runs when the caller turned out to be gone
     */
    record Whole(Status status, Header contentType, byte[] body, List<Header> headers, Runnable unwritten)
            implements ApiResponse {
        public Whole {
            headers = List.copyOf(headers);
        }

        public Whole with(Header header) {
            List<Header> more = new ArrayList<>(headers);
            more.add(header);
            return new Whole(status, contentType, body, more, unwritten);
        }

        public Whole ifUnwritten(Runnable action) {
            return new Whole(status, contentType, body, headers, action);
        }
    }

    /**
     * A body that grows for as long as both sides like.
     *
     * @param unwritten runs when the body is not sent
     */
    record Streamed(Header contentType, Writer writer, Runnable unwritten) implements ApiResponse {}

    /** An answer without a body. */
    record Empty(Status status, Consumer<ServerResponseHeaders> headers) implements ApiResponse {}

    @FunctionalInterface
    interface Writer {
        void writeTo(OutputStream out) throws IOException;
    }

    static Whole ok(JsonOut json) {
        return json(Status.OK_200, json);
    }

    static Whole json(Status status, JsonOut json) {
        return new Whole(status, JSON, json.toBytes(), List.of(), () -> {});
    }
}
