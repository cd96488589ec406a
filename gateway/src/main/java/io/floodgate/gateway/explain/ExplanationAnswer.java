package io.floodgate.gateway.explain;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Limits;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** In which form the caller wants an explanation: {@code ?format=}, or else the header {@code Accept}. */
enum ExplanationAnswer {
    JSON,
    TEXT,
    MARKDOWN;

    private static final Header PLAIN =
            HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8");
    private static final Header MARKED =
            HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "text/markdown; charset=utf-8");
    /** For scripts that do not read the body. */
    private static final HeaderName SEVERITY = HeaderNames.create("Floodgate-Severity");

    private static final Header BY_ACCEPT = HeaderValues.createCached(HeaderNames.VARY, "Accept");

    static ExplanationAnswer wanted(Call call) throws RejectedException {
        String format = call.query("format").orElse(null);
        if (format != null) {
            for (ExplanationAnswer one : values())
                if (one.name().toLowerCase(Locale.ROOT).equals(format)) return one;
            throw RequestFields.wrong(
                    "format", "'%s' is no format: json, text or markdown.".formatted(Limits.echo(format)));
        }
        String accept = call.header(HeaderNames.ACCEPT);
        if (accept == null) return JSON;
        for (String range : accept.split(",", -1)) {
            String type = range.split(";", -1)[0].strip();
            if (type.equals("text/plain")) return TEXT;
            if (type.equals("text/markdown")) return MARKDOWN;
            if (type.equals("application/json") || type.equals("*/*")) return JSON;
        }
        return JSON;
    }

    ApiResponse.Whole of(Status status, Explanation explanation) {
        String severity = explanation.verdict().severity().wire();
        return shown(status, explanation).with(BY_ACCEPT).with(HeaderValues.create(SEVERITY, severity));
    }

    private ApiResponse.Whole shown(Status status, Explanation explanation) {
        return switch (this) {
            case JSON -> ApiResponse.json(status, explanation.json());
            case TEXT -> text(status, PLAIN, ExplanationText.plain(explanation));
            case MARKDOWN -> text(status, MARKED, ExplanationText.markdown(explanation));
        };
    }

    private static ApiResponse.Whole text(Status status, Header type, String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        return new ApiResponse.Whole(status, type, body, List.of(), () -> {});
    }
}
