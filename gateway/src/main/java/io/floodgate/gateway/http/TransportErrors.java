package io.floodgate.gateway.http;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.helidon.http.DirectHandler;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** Requests that are rejected before any route sees them look like every other rejection. */
public final class TransportErrors implements DirectHandler {
    private final Ids ids;
    private final StandardHeaders standard;

    private TransportErrors(Clock clock, Ids ids) {
        this.ids = ids;
        standard = new StandardHeaders(clock);
    }

    public static DirectHandlers handlers(Clock clock, Ids ids) {
        TransportErrors errors = new TransportErrors(clock, ids);
        DirectHandlers.Builder handlers = DirectHandlers.builder();
        for (EventType type : EventType.values()) handlers.addHandler(type, errors);
        return handlers.build();
    }

    @Override
    public TransportResponse handle(
            TransportRequest request,
            EventType eventType,
            Status status,
            ServerResponseHeaders headers,
            @Nullable String message) {
        String requestId = ids.request();
        standard.addTo(headers, requestId);
        headers.set(ApiResponse.JSON);
        Rejection rejection = Rejection.of(code(status), message == null || message.isEmpty() ? text(status) : message);
        return TransportResponse.builder()
                .status(status)
                .headers(headers)
                .keepAlive(eventType.keepAlive())
                .entity(ErrorAnswers.body(rejection, requestId))
                .build();
    }

    /** A whole response for a request that does not end, to be written past the server. */
    public static byte[] tooSlow() {
        Rejection rejection = Rejection.of(ErrorCode.REQUEST_TIMEOUT, "The request took too long to arrive.");
        String body = new String(ErrorAnswers.body(rejection, "none"), StandardCharsets.UTF_8);
        return ("HTTP/1.1 408 Request Timeout\r\nContent-Type: application/openjobspec+json\r\nOJS-Version: 1.0\r\n"
                        + "Connection: close\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String text(Status status) {
        return "The request could not be handled: %s.".formatted(status.reasonPhrase());
    }

    private static ErrorCode code(Status status) {
        return switch (status.code()) {
            case 404 -> ErrorCode.NOT_FOUND;
            case 405 -> ErrorCode.METHOD_NOT_ALLOWED;
            case 408 -> ErrorCode.REQUEST_TIMEOUT;
            case 413 -> ErrorCode.ENVELOPE_TOO_LARGE;
            case 501, 505 -> ErrorCode.UNSUPPORTED;
            case 503 -> ErrorCode.BACKEND_UNAVAILABLE;
            default -> status.code() < 500 ? ErrorCode.INVALID_REQUEST : ErrorCode.INTERNAL_ERROR;
        };
    }
}
