package io.floodgate.gateway.http;

import io.floodgate.gateway.connection.Peer;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ServerConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Puts an answer onto the wire. */
final class AnswerWriter {
    private static final Header NONE_REMAINING = HeaderValues.createCached(StandardHeaders.REMAINING, "0");

    private AnswerWriter() {}

    static void write(ApiResponse answer, Call call, ServerRequest request, ServerResponse response) {
        boolean headOnly = request.prologue().method().equals(Method.HEAD);
        Peer peer = Peer.current();
        switch (answer) {
            case ApiResponse.Whole whole -> write(whole, headOnly, peer, response);
            case ApiResponse.Streamed streamed -> {
                if (peer != null && peer.speaksOldHttp()) {
                    streamed.unwritten().run();
                    write(needsChunks(call), headOnly, peer, response);
                } else {
                    stream(streamed, headOnly, response);
                }
            }
            case ApiResponse.Empty empty -> {
                empty.headers().accept(response.headers());
                response.status(empty.status()).send();
            }
        }
    }

    private static ApiResponse.Whole needsChunks(Call call) {
        Rejection rejection = Rejection.of(
                ErrorCode.UNSUPPORTED,
                "A stream needs HTTP/1.1; of nginx, say 'proxy_http_version 1.1' and 'proxy_buffering off'.");
        return ErrorAnswers.answer(Status.HTTP_VERSION_NOT_SUPPORTED_505, rejection, call.requestId());
    }

    private static void write(
            ApiResponse.Whole answer, boolean headOnly, @Nullable Peer peer, ServerResponse response) {
        if (peer != null) {
            if (peer.hasLeft()) {
                answer.unwritten().run();
                throw new CloseConnectionException("The caller has left before its answer was ready.");
            }
            peer.isReceiving();
        }
        ServerResponseHeaders headers = response.headers();
        headers.set(answer.contentType());
        for (Header header : answer.headers()) headers.set(header);
        if (answer.status().equals(Status.TOO_MANY_REQUESTS_429)) headers.set(NONE_REMAINING);
        response.status(answer.status());
        try {
            if (headOnly) {
                headers.set(HeaderNames.CONTENT_LENGTH, Integer.toString(answer.body().length));
                response.send();
            } else {
                response.send(answer.body());
            }
        } catch (ServerConnectionException | UncheckedIOException gone) {
            answer.unwritten().run();
            throw gone;
        }
    }

    private static void stream(ApiResponse.Streamed answer, boolean headOnly, ServerResponse response) {
        response.headers().set(answer.contentType());
        response.headers().set(HeaderValues.CACHE_NO_CACHE);
        response.status(Status.OK_200);
        if (headOnly) {
            answer.unwritten().run();
            response.send();
            return;
        }
        try (OutputStream out = response.outputStream()) {
            answer.writer().writeTo(out);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
