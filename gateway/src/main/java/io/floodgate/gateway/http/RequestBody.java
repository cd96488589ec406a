package io.floodgate.gateway.http;

import io.floodgate.gateway.connection.MalformedBody;
import io.floodgate.gateway.connection.Peer;
import io.floodgate.gateway.memory.MemoryBudget;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads bodies, which must be JSON by their media type and not larger than the operation expects. */
final class RequestBody {
    /** Bytes that a request gets once its first byte is there; they are doubled whenever they are full. */
    private static final int FIRST_PIECE = 16 * 1024;

    private static final byte[] NONE = {};
    private static final List<String> MEDIA_TYPES = List.of("application/openjobspec+json", "application/json");

    private RequestBody() {}

    static byte[] read(ServerRequest request, int limit, MemoryBudget.Share share) throws RejectedException {
        return read(request, MEDIA_TYPES, limit, share);
    }

    /** @param share is asked for memory before what arrives is kept, never for what is only announced */
    static byte[] read(ServerRequest request, List<String> mediaTypes, int limit, MemoryBudget.Share share)
            throws RejectedException {
        if (!request.content().hasEntity()) return NONE;
        checkMediaType(request.headers().first(HeaderNames.CONTENT_TYPE).orElse(null), mediaTypes);
        byte[] body = readEntity(request, limit, share);
        Peer peer = Peer.current();
        if (peer != null) peer.hasSent();
        return body;
    }

    private static byte[] readEntity(ServerRequest request, int limit, MemoryBudget.Share share)
            throws RejectedException {
        ServerRequestHeaders headers = request.headers();
        OptionalLong announced = headers.contentLength();
        if (announced.isPresent() && announced.getAsLong() > limit) throw tooLarge(announced.getAsLong(), limit);
        // A caller that asks before it sends the body gets the answer at once.
        if (!request.continueSent() && announced.isPresent() && !share.couldGrowTo(announced.getAsLong()))
            throw Call.noRoom("this request");
        try {
            // Not closed: closing reads what is left, and the server does that once the answer is out.
            InputStream in = request.content().inputStream();
            return asItArrives(in, announced, limit, share);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] asItArrives(InputStream in, OptionalLong announced, int limit, MemoryBudget.Share share)
            throws IOException, RejectedException {
        int most = announced.isPresent() ? (int) announced.getAsLong() : limit + 1;
        int first = in.read();
        if (first < 0) return complete(NONE, 0, announced);
        byte[] body = taken(Math.min(FIRST_PIECE, most), share);
        body[0] = (byte) first;
        int size = 1;
        while (size < most) {
            if (size == body.length) {
                // Both are there while one is copied, but only for that moment.
                byte[] larger = taken((int) Math.min(most, 2L * size), share);
                System.arraycopy(body, 0, larger, 0, size);
                body = larger;
            }
            int read = in.read(body, size, body.length - size);
            if (read < 0) break;
            size += read;
        }
        if (size > limit) throw tooLarge(size, limit);
        // The end is asked for, or what frames the last chunk would be taken for the next request.
        if (in.read() >= 0) throw tooLarge(size, limit);
        return complete(body, size, announced);
    }

    private static byte[] taken(int bytes, MemoryBudget.Share share) throws RejectedException {
        if (!share.growTo(bytes)) throw Call.noRoom("this request");
        return new byte[bytes];
    }

    private static byte[] complete(byte[] body, int size, OptionalLong announced) throws RejectedException {
        if (announced.isPresent() && size < announced.getAsLong())
            throw new RejectedException(Rejection.of(
                    ErrorCode.INVALID_PAYLOAD,
                    "The body is shorter than its Content-Length of %d.".formatted(announced.getAsLong())));
        return size == body.length ? body : Arrays.copyOf(body, size);
    }

    private static RejectedException tooLarge(long bytes, int limit) {
        return new RejectedException(Rejection.of(
                        ErrorCode.ENVELOPE_TOO_LARGE,
                        "The body has %d bytes or more; at most %d are accepted here.".formatted(bytes, limit))
                .with("max_bytes", limit));
    }

    /** Browsers send what they like across sites as long as it has no type, or one of a form. */
    private static void checkMediaType(@Nullable String type, List<String> mediaTypes) throws RejectedException {
        for (String accepted : mediaTypes) if (type != null && isType(type, accepted)) return;
        String what = type == null ? "There is a body, but no Content-Type" : "The Content-Type is not supported";
        throw new RejectedException(Rejection.of(
                        ErrorCode.INVALID_REQUEST, what + "; send %s.".formatted(String.join(" or ", mediaTypes)))
                .with("header", "Content-Type"));
    }

    /** Returns whether a Content-Type is this media type, with or without parameters. */
    static boolean isType(String type, String accepted) {
        int end = accepted.length();
        if (!type.regionMatches(true, 0, accepted, 0, end)) return false;
        return type.length() == end || type.charAt(end) == ';' || type.charAt(end) == ' ';
    }

    /** The frame of the body, which a caller's server or a proxy made, is broken: where the body ends is unknown. */
    static Rejection rejection(MalformedBody malformed) {
        return Rejection.of(
                ErrorCode.INVALID_REQUEST, "The body is not framed as HTTP asks: " + malformed.getMessage());
    }
}
