package io.floodgate.gateway.explain;

import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is so.
 *
 * @param title one line
 * @param text at most three sentences
 * @param since null if that is not known
 * @param advice the likeliest first, at most three
 */
record Finding(
        FindingCode code,
        Severity severity,
        @Nullable Instant since,
        String title,
        String text,
        Evidence evidence,
        List<Advice> advice) {
    static final int MAX_ADVICE = 3;

    Finding {
        if (advice.size() > MAX_ADVICE) throw new IllegalArgumentException("too much advice for " + code);
        advice = List.copyOf(advice);
    }

    /** What a program decides by, and a reader sees first. */
    void writeHead(JsonOut out) {
        out.field("code", code.wire())
                .field("severity", severity.wire())
                .optional("since", since)
                .field("title", title)
                .field("text", text);
    }

    void write(JsonOut out) {
        writeHead(out.beginObject());
        evidence.write(out.name("evidence"));
        out.beginArray("do");
        advice.forEach(one -> one.write(out));
        out.endArray().endObject();
    }
}
