package io.floodgate.gateway.http;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to jobs that do not fit into their queue. The texts of OJS show it in two forms, which are both in it: an error
 * as any other (OJS backpressure §7.1), and beside it the plain one of the site's page about backpressure.
 */
final class QueueFullAnswer {
    /** Advice for a partition that does not say how long to wait. */
    private static final String RETRY_SOON = "1";

    private static final String REQUEST_ID = "\"request_id\":";
    private static final String NONE = "\"\"";

    /** A capacity cache gives all callers of a flood the same answer, so that most of it is there already. */
    private static volatile @Nullable QueueFullAnswer latest;

    private final Rejection rejection;
    private final byte[] untilId;
    private final byte[] afterId;
    private final List<Header> headers;

    private QueueFullAnswer(Rejection rejection) {
        this.rejection = rejection;
        QueueLoad load = QueueLoad.of(rejection);
        String body = body(rejection, load);
        int id = body.lastIndexOf(REQUEST_ID + NONE) + REQUEST_ID.length();
        untilId = body.substring(0, id).getBytes(StandardCharsets.UTF_8);
        afterId = body.substring(id + NONE.length()).getBytes(StandardCharsets.UTF_8);
        headers = headers(rejection, load);
    }

    static ApiResponse.Whole of(Rejection rejection, String requestId) {
        QueueFullAnswer prepared = latest;
        if (prepared == null || !isSame(prepared.rejection, rejection)) {
            prepared = new QueueFullAnswer(rejection);
            latest = prepared;
        }
        return prepared.to(requestId);
    }

    /** Compares rejections by identity: to compare their members would take longer than it saves. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(Rejection one, Rejection other) {
        return one == other;
    }

    private ApiResponse.Whole to(String requestId) {
        byte[] id = new JsonOut(64).value(requestId).toBytes();
        byte[] body = ByteBuffer.allocate(untilId.length + id.length + afterId.length)
                .put(untilId)
                .put(id)
                .put(afterId)
                .array();
        return new ApiResponse.Whole(ErrorAnswers.status(rejection.code()), ApiResponse.JSON, body, headers, () -> {});
    }

    private static String body(Rejection rejection, QueueLoad load) {
        ErrorCode code = rejection.code();
        String plain = code == ErrorCode.QUEUE_FULL
                ? "Queue '%s' is at capacity".formatted(load.queue())
                : rejection.message();
        JsonOut out = JsonOut.object(1_280);
        ErrorAnswers.error(shown(rejection), "", out);
        return out.field("code", "OJS_RATE_LIMITED")
                .field("message", plain)
                .field("retryable", code.retryable())
                .endObject()
                .toString();
    }

    private static List<Header> headers(Rejection rejection, QueueLoad load) {
        List<Header> headers = new ArrayList<>(load.headers());
        // What cannot fit at any time is not worth another try.
        if (rejection.code().retryable())
            headers.add(HeaderValues.create(
                    HeaderNames.RETRY_AFTER, load.figures().getOrDefault("retry_after_seconds", RETRY_SOON)));
        return List.copyOf(headers);
    }

    /** Returns the rejection with the pressure as clients see it everywhere. */
    private static Rejection shown(Rejection rejection) {
        List<Rejection.Detail> details = new ArrayList<>();
        for (Rejection.Detail detail : rejection.details())
            details.add(
                    detail.name().equals("pressure")
                            ? new Rejection.Detail(detail.name(), QueueLoad.shown(detail.json()))
                            : detail);
        return new Rejection(rejection.code(), rejection.message(), details);
    }
}
