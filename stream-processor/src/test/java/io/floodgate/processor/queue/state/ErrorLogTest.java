package io.floodgate.processor.queue.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ErrorLogTest {
    private static byte[] entry(int attempt) {
        return "{\"attempt\":%d}".formatted(attempt).getBytes(UTF_8);
    }

    private static JsonNode shown(ErrorLog errors) {
        return Json.tree(ErrorLog.STORED.read(ErrorLog.STORED.write(errors)).show(true));
    }

    @Test
    void shows_the_last_and_all_in_order() {
        ErrorLog errors = new ErrorLog().with(entry(1)).with(entry(2));
        assertThat(new String(errors.show(true), UTF_8))
                .isEqualTo("{\"error\":{\"attempt\":2},\"errors\":[{\"attempt\":1},{\"attempt\":2}]}");
        assertThat(new String(errors.show(false), UTF_8)).isEqualTo("{\"errors\":[{\"attempt\":1},{\"attempt\":2}]}");
    }

    @Test
    void keeps_the_last_hundred() {
        ErrorLog errors = new ErrorLog();
        for (int attempt = 1; attempt <= 250; attempt++) errors = errors.with(entry(attempt));
        JsonNode shown = shown(errors).get("errors");
        assertThat(shown.size()).isEqualTo(100);
        assertThat(shown.get(0).get("attempt").intValue()).isEqualTo(151);
        assertThat(shown.get(99).get("attempt").intValue()).isEqualTo(250);
    }

    @Test
    void forgets_the_oldest_when_it_grows_too_large() {
        ErrorLog errors = new ErrorLog();
        for (int attempt = 1; attempt <= 60; attempt++)
            errors = errors.with("{\"attempt\":%d,\"message\":\"%s\"}"
                    .formatted(attempt, "x".repeat(10_000))
                    .getBytes(UTF_8));
        assertThat(ErrorLog.STORED.write(errors).length).isLessThan(520 * 1024);
        JsonNode shown = shown(errors).get("errors");
        assertThat(shown.get(shown.size() - 1).get("attempt").intValue()).isEqualTo(60);
        assertThat(shown.size()).isBetween(50, 53);
    }

    @Test
    void keeps_the_last_however_large_it_is() {
        ErrorLog errors =
                new ErrorLog().with(entry(1)).with(("{\"m\":\"" + "x".repeat(600 * 1024) + "\"}").getBytes(UTF_8));
        assertThat(shown(errors).get("errors").size()).isEqualTo(1);
    }
}
