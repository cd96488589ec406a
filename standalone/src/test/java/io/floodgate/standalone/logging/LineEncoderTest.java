package io.floodgate.standalone.logging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import io.floodgate.topics.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class LineEncoderTest {
    private final LineEncoder encoder = new LineEncoder();
    private final LoggingEvent event = new LoggingEvent();

    private String line(String format) {
        encoder.setContext(new LoggerContext());
        encoder.setPattern("%-5level %logger{24} - %msg%n");
        encoder.setFormat(format);
        encoder.start();
        event.setLevel(Level.WARN);
        event.setLoggerName("io.floodgate.worker.Worker");
        event.setThreadName("main");
        event.setTimeStamp(1_771_192_800_123L);
        event.setMessage("a \"quoted\"\nmessage");
        return new String(encoder.encode(event), UTF_8);
    }

    @Test
    void is_one_json_object_a_line_with_the_fields_of_ojs() {
        event.setThrowableProxy(new ThrowableProxy(new IllegalStateException("why")));

        String line = line("json");

        assertThat(line).endsWith("}\n").containsOnlyOnce("\n");
        JsonNode json = Json.tree(line.getBytes(UTF_8));
        assertThat(json.path("timestamp").stringValue()).isEqualTo("2026-02-15T22:00:00.123Z");
        assertThat(json.path("severity").stringValue()).isEqualTo("WARN");
        assertThat(json.path("severity_number").intValue()).isEqualTo(13);
        assertThat(json.path("message").stringValue()).isEqualTo("a \"quoted\"\nmessage");
        assertThat(json.path("component").stringValue()).isEqualTo("worker");
        assertThat(json.at("/attributes/exception").stringValue()).startsWith("java.lang.IllegalStateException: why");
    }

    @Test
    void is_a_line_of_text_otherwise() {
        assertThat(line("text")).isEqualTo("WARN  i.f.worker.Worker - a \"quoted\"\nmessage\n");
    }
}
