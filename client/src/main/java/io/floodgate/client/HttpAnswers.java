package io.floodgate.client;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.json.Json;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Translates a server's answers to enqueues. */
final class HttpAnswers {
    private static final int CREATED = 201;
    private static final int OK = 200;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int FORBIDDEN = 403;
    private static final int INTERNAL_ERROR = 500;
    /** A server that wants more than that is mistaken. */
    private static final double LONGEST_S = 3_600;

    private static final String NOT_EXECUTED = "not_executed";

    private HttpAnswers() {}

    static SendResult read(HttpResponse<byte[]> response, String queue) {
        int status = response.statusCode();
        Optional<Duration> retryAfter = retryAfter(response.headers());
        // A proxy that says 200 has stored nothing.
        if (status == CREATED || status == OK)
            return isOjs(response.headers())
                    ? new SendResult.Stored(pressure(response.headers(), queue))
                    : stranger(response, retryAfter);
        JsonNode error = error(response.body());
        String code = error.path("code").asString("");
        String message = error.path("message").asString("HTTP %d".formatted(status));
        return switch (status) {
            case 400, 409, 413, 422, INTERNAL_ERROR, TOO_MANY_REQUESTS -> {
                // A peer that does not speak OJS, a proxy for instance, has decided nothing about the job.
                if (code.isEmpty() && status != TOO_MANY_REQUESTS) yield stranger(response, retryAfter);
                boolean backpressure = status == TOO_MANY_REQUESTS;
                boolean retryable = error.path("retryable").asBoolean(backpressure) || status == INTERNAL_ERROR;
                yield new SendResult.Rejected(
                        code.isEmpty() ? "rate_limited" : code,
                        message,
                        backpressure,
                        retryable,
                        retryAfter,
                        Details.of(error.path("details")));
            }
            case 503 -> {
                boolean executed = !error.at("/details/outcome").asString("").equals(NOT_EXECUTED);
                yield code.isEmpty()
                        ? stranger(response, retryAfter)
                        : new SendResult.Unavailable(code, message, executed, retryAfter);
            }
            default -> {
                if (code.isEmpty() || status >= INTERNAL_ERROR || !isOjs(response.headers()))
                    yield stranger(response, retryAfter);
                yield isOfTheJob(status, code, error)
                        ? new SendResult.Rejected(
                                code, message, false, false, retryAfter, Details.of(error.path("details")))
                        : new SendResult.Unavailable(code, message, false, retryAfter);
            }
        };
    }

    /**
     * Returns whether Floodgate's own rejection is about this job: its queue is not there, or is not for this producer.
     * An unknown key, a wrong path or a wrong Host header would keep out every job alike, until it is corrected.
     */
    private static boolean isOfTheJob(int status, String code, JsonNode error) {
        if (code.equals(ErrorCode.QUEUE_NOT_FOUND.wire())) return true;
        return status == FORBIDDEN && !error.at("/details/header").isString();
    }

    private static boolean isOjs(HttpHeaders headers) {
        return headers.firstValue("Content-Type").orElse("").startsWith("application/openjobspec+json");
    }

    private static SendResult stranger(HttpResponse<byte[]> response, Optional<Duration> retryAfter) {
        String body = Limits.printable(new String(response.body(), StandardCharsets.UTF_8));
        return new SendResult.Unavailable(
                "client_no_answer",
                "%s answered with status %d, and not as Floodgate does: %s"
                        .formatted(response.uri(), response.statusCode(), body),
                response.statusCode() >= INTERNAL_ERROR,
                retryAfter);
    }

    /** Returns the result of a failure. Without a connection, nothing was sent; otherwise the outcome is unknown. */
    static SendResult failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        boolean unsent = cause instanceof ConnectException
                || cause instanceof HttpConnectTimeoutException
                || cause.getCause() instanceof UnresolvedAddressException;
        return new SendResult.Unavailable(
                ErrorCode.BACKEND_UNAVAILABLE.wire(),
                (unsent ? "The server cannot be reached: " : "The server did not answer: ") + cause,
                !unsent,
                Optional.empty());
    }

    private static JsonNode error(byte[] body) {
        try {
            return Json.tree(body).path("error");
        } catch (JacksonException notJson) {
            return Json.MAPPER.createObjectNode();
        }
    }

    private static Optional<Duration> retryAfter(HttpHeaders headers) {
        return headers.firstValue("Retry-After")
                .map(text -> Duration.ofMillis((long) (1_000 * Math.min(number(text), LONGEST_S))))
                .filter(Duration::isPositive);
    }

    private static Optional<QueuePressure> pressure(HttpHeaders headers, String queue) {
        return headers.firstValue("X-OJS-Queue-Pressure")
                .map(pressure -> new QueuePressure(
                        queue,
                        (long) number(headers.firstValue("X-OJS-Queue-Depth").orElse("0")),
                        (long) number(headers.firstValue("X-OJS-Queue-Bound").orElse("0")),
                        number(pressure)));
    }

    /** 0 for what is no number, and for a date, which no server of OJS sends. */
    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException noNumber) {
            return 0;
        }
    }
}
