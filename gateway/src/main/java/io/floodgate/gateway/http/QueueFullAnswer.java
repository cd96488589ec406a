package io.floodgate.gateway.http;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.json.JsonOut;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer to jobs that do not fit into their queue. The texts of OJS show it in two forms, which are both in it: an error
 * as any other (OJS backpressure §7.1), and beside it the plain one of the site's page about backpressure.
 */
final class QueueFullAnswer {
    /** For a log that does not say how long to wait. */
    private static final String RETRY_SOON = "1";

    private QueueFullAnswer() {}

    static Answer.Whole of(Refusal refusal, String requestId) {
        QueueLoad load = QueueLoad.of(refusal);
        ErrorCode code = refusal.code();
        String plain =
                code == ErrorCode.QUEUE_FULL ? "Queue '%s' is at capacity".formatted(load.queue()) : refusal.message();
        JsonOut out = new JsonOut(1_280).beginObject();
        ErrorAnswers.error(shown(refusal), requestId, out);
        out.field("code", "OJS_RATE_LIMITED")
                .field("message", plain)
                .field("retryable", code.retryable())
                .endObject();
        List<Header> headers = new ArrayList<>(load.headers());
        // What cannot fit at any time is not worth another try.
        if (code.retryable())
            headers.add(HeaderValues.create(
                    HeaderNames.RETRY_AFTER, load.figures().getOrDefault("retry_after_seconds", RETRY_SOON)));
        return new Answer.Whole(ErrorAnswers.status(code), Answer.JSON, out.toBytes(), headers, () -> {});
    }

    /** With the pressure as clients are shown it everywhere. */
    private static Refusal shown(Refusal refusal) {
        List<Refusal.Detail> details = new ArrayList<>();
        for (Refusal.Detail detail : refusal.details())
            details.add(
                    detail.name().equals("pressure")
                            ? new Refusal.Detail(detail.name(), QueueLoad.shown(detail.json()))
                            : detail);
        return new Refusal(refusal.code(), refusal.message(), details);
    }
}
