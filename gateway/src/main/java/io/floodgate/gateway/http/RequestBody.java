package io.floodgate.gateway.http;

import io.floodgate.gateway.connection.Caller;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Refusal;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.HeaderNames;
import io.helidon.http.RequestException;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.webserver.http.DirectTransportRequest;
import io.helidon.webserver.http.ServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.OptionalLong;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Reads bodies, which must be JSON by their media type and not larger than the operation expects. */
final class RequestBody {
    /** For everything but jobs: a result or an error may be as large as a job, plus what stands around it. */
    static final int MODERATE = 1024 * 1024 + 64 * 1024;

    private static final int PIECE = 16 * 1024;
    private static final byte[] NONE = {};
    private static final String[] MEDIA_TYPES = {"application/openjobspec+json", "application/json"};

    private RequestBody() {}

    /** @param room is asked, before more is kept than was allowed, whether the body may have that many bytes */
    static byte[] read(ServerRequest request, int limit, LongPredicate room) throws RefusedException {
        if (!request.content().hasEntity()) return NONE;
        byte[] body = readEntity(request, limit, room);
        Caller caller = Caller.current();
        if (caller != null) caller.hasSent();
        return body;
    }

    private static byte[] readEntity(ServerRequest request, int limit, LongPredicate room) throws RefusedException {
        ServerRequestHeaders headers = request.headers();
        checkMediaType(headers.first(HeaderNames.CONTENT_TYPE).orElse(null));
        OptionalLong announced = headers.contentLength();
        if (announced.isPresent() && announced.getAsLong() > limit) throw tooLarge(announced.getAsLong(), limit);
        if (announced.isPresent() && !room.test(announced.getAsLong())) throw noRoom();
        try {
            // Not closed: closing reads what is left, and the server does that once the answer is out.
            InputStream in = request.content().inputStream();
            if (announced.isPresent()) return exactly(in, (int) announced.getAsLong());
            return toItsEnd(in, limit, room);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NumberFormatException malformed) {
            throw RequestException.builder()
                    .type(EventType.BAD_REQUEST)
                    .request(DirectTransportRequest.create(request.prologue(), headers))
                    .setKeepAlive(false)
                    .message("The chunks of the body are malformed.")
                    .build();
        }
    }

    private static byte[] exactly(InputStream in, int length) throws IOException, RefusedException {
        byte[] body = new byte[length];
        if (in.readNBytes(body, 0, length) < length)
            throw new RefusedException(Refusal.of(
                    ErrorCode.INVALID_PAYLOAD, "The body is shorter than its Content-Length of %d.".formatted(length)));
        return body;
    }

    private static byte[] toItsEnd(InputStream in, int limit, LongPredicate room) throws IOException, RefusedException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            byte[] piece = in.readNBytes(PIECE);
            long size = (long) body.size() + piece.length;
            if (size > limit) throw tooLarge(size, limit);
            if (!room.test(size)) throw noRoom();
            body.write(piece, 0, piece.length);
            if (piece.length < PIECE) return body.toByteArray();
        }
    }

    private static RefusedException noRoom() {
        return new RefusedException(Refusal.of(
                        ErrorCode.BACKEND_UNAVAILABLE,
                        "The request was not carried out: large requests already fill the memory that there is for"
                                + " them. Send it again later, or in smaller batches.")
                .with("outcome", "not_executed"));
    }

    private static RefusedException tooLarge(long bytes, int limit) {
        return new RefusedException(Refusal.of(
                        ErrorCode.ENVELOPE_TOO_LARGE,
                        "The body has %d bytes or more; at most %d are accepted here.".formatted(bytes, limit))
                .with("max_bytes", limit));
    }

    /** A body without a type is taken for JSON. */
    private static void checkMediaType(@Nullable String type) throws RefusedException {
        if (type == null) return;
        for (String accepted : MEDIA_TYPES) if (isType(type, accepted)) return;
        throw new RefusedException(Refusal.of(
                        ErrorCode.INVALID_REQUEST,
                        "The Content-Type '%s' is not supported; send application/openjobspec+json or application/json."
                                .formatted(type))
                .with("header", "Content-Type"));
    }

    private static boolean isType(String type, String accepted) {
        int end = accepted.length();
        if (!type.regionMatches(true, 0, accepted, 0, end)) return false;
        return type.length() == end || type.charAt(end) == ';' || type.charAt(end) == ' ';
    }
}
