package io.floodgate.topics.command;

import static io.floodgate.topics.command.Samples.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Table;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

class ErrorReportTest {
    private static ErrorReport read(String json) {
        return ErrorReport.read(Json.tree(json(json)));
    }

    @Test
    void everything_said_is_kept() {
        ErrorReport report = read(
                "{\"type\":\"smtp.refused\",\"code\":\"RETRY\",\"message\":\"550\",\"retryable\":false,\"details\":{\"a\":[1]}}");
        assertThat(report.type()).isEqualTo("smtp.refused");
        assertThat(report.code()).isEqualTo("RETRY");
        assertThat(report.message()).isEqualTo("550");
        assertThat(report.retryable()).isFalse();
        assertThat(new String(report.details(), UTF_8)).isEqualTo("{\"a\":[1]}");
    }

    @Test
    void the_type_is_the_class_of_the_error_or_else_its_code() {
        assertThat(read("{\"code\":\"c\",\"details\":{\"error_class\":\"SMTPError\"}}")
                        .type())
                .isEqualTo("SMTPError");
        assertThat(read("{\"code\":\"c\",\"details\":{}}").type()).isEqualTo("c");
        assertThat(read("{\"message\":\"m\"}").type()).isEqualTo("handler_error");
        assertThat(read("{\"message\":\"m\"}").code()).isEqualTo("handler_error");
    }

    @ParameterizedTest
    @Table("""
        null | 1 | "boom" | [] | {} | {"type":1,"code":[],"message":{},"retryable":"no","details":"x"}
        {"details":[1]} | {"details":null}
        """)
    void nothing_is_rejected(String json) {
        assertThat(read(json))
                .usingRecursiveComparison()
                .isEqualTo(new ErrorReport("handler_error", "handler_error", "", null, json("{}")));
    }

    @Test
    void no_error_at_all_is_one_too() {
        assertThat(ErrorReport.read(null).code()).isEqualTo("handler_error");
    }

    @Test
    void what_is_too_long_is_cut_between_characters() {
        String message = "x".repeat(ErrorReport.MAX_MESSAGE_CHARS - 1) + "😀 and more";
        assertThat(read("{\"message\":\"%s\"}".formatted(message)).message())
                .isEqualTo("x".repeat(ErrorReport.MAX_MESSAGE_CHARS - 1));
        assertThat(read("{\"type\":\"%s\"}".formatted("t".repeat(300))).type()).hasSize(255);
        String whole = "x".repeat(ErrorReport.MAX_MESSAGE_CHARS - 2) + "😀";
        assertThat(read("{\"message\":\"%s\"}".formatted(whole)).message()).isEqualTo(whole);
    }

    @Test
    void details_that_are_too_large_leave_their_size() {
        String filling = "x".repeat(ErrorReport.MAX_DETAILS_BYTES);
        assertThat(new String(
                        read("{\"details\":{\"a\":\"%s\"}}".formatted(filling)).details(), UTF_8))
                .isEqualTo("{\"truncated\":true,\"size_bytes\":32776}");
    }

    @Test
    void half_a_surrogate_pair_becomes_a_replacement_character_wherever_it_stands() {
        ErrorReport report = read("{\"message\":\"a\\ud83d\",\"details\":{\"a\":\"\\ud83d\\ud83d\\ude00\\ude00\"}}");
        assertThat(report.message()).isEqualTo("a\ufffd");
        assertThat(new String(report.details(), UTF_8)).isEqualTo("{\"a\":\"\\ufffd\ud83d\ude00\\ufffd\"}");
    }

    @Test
    void is_read_again_as_it_was_written() {
        for (ErrorReport report : new ErrorReport[] {
            ErrorReport.of("a.b", "m\n\"é"),
            new ErrorReport("t", "c", "", true, json("{\"x\":1.5}")),
            new ErrorReport("t", "c", "m", false, json("{}"))
        }) {
            byte[] written = report.write(JsonOut.object()).endObject().toBytes();
            assertThat(ErrorReport.read(Json.tree(written)))
                    .usingRecursiveComparison()
                    .isEqualTo(report);
        }
    }
}
