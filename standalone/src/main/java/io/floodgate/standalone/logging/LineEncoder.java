package io.floodgate.standalone.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import io.floodgate.topics.json.JsonOut;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Log lines as text, or each as a JSON object (OJS logging §5.2). */
public final class LineEncoder extends PatternLayoutEncoder {
    private boolean json;

    public void setFormat(String format) {
        json = format.equals("json");
        if (!json && !format.equals("text")) addError("FLOODGATE_LOG_FORMAT is text or json, not '" + format + "'.");
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        if (!json) return super.encode(event);
        JsonOut out = JsonOut.object()
                .field("timestamp", Instant.ofEpochMilli(event.getTimeStamp()))
                .field("severity", event.getLevel().toString())
                .field("severity_number", number(event.getLevel()))
                .field("message", event.getFormattedMessage())
                .field("component", event.getLoggerName().startsWith("io.floodgate.worker") ? "worker" : "server")
                .beginObject("attributes")
                .field("logger", event.getLoggerName())
                .field("thread", event.getThreadName());
        if (event.getThrowableProxy() != null)
            out.field("exception", ThrowableProxyUtil.asString(event.getThrowableProxy()));
        return (out.endObject().endObject() + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static long number(Level level) {
        return switch (level.toInt()) {
            case Level.TRACE_INT -> 1;
            case Level.DEBUG_INT -> 5;
            case Level.INFO_INT -> 9;
            case Level.WARN_INT -> 13;
            default -> 17;
        };
    }
}
