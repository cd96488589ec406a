package io.floodgate.topics.command;

import static io.floodgate.topics.command.Samples.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyTest {
    private static List<String> lines(String body) {
        return new Reply.Done(json(body))
                .lines().stream().map(line -> new String(line, UTF_8)).toList();
    }

    @Test
    void a_body_is_lines() {
        assertThat(lines("{\"a\":1}\n{\"b\":2}")).containsExactly("{\"a\":1}", "{\"b\":2}");
        assertThat(lines("{\"a\":1}\n{\"b\":2}\n")).containsExactly("{\"a\":1}", "{\"b\":2}");
        assertThat(lines("{}")).containsExactly("{}");
    }

    @Test
    void no_body_is_no_line() {
        assertThat(lines("")).isEmpty();
    }

    @Test
    void what_was_done_is_carried_as_it_is() {
        Reply.Done done = new Reply.Done(json("{\"é\":1}\n{}"));
        assertThat(((Reply.Done) Reply.read(null, done.toBytes())).body()).isEqualTo(done.body());
        assertThat(done).hasToString("{\"é\":1}\n{}");
    }

    @Test
    void every_refusal_is_read_as_it_was_written() {
        for (Refusal refusal : Samples.refusals().values())
            assertThat(Reply.read(refusal.code().name(), new Reply.Refused(refusal).toBytes()))
                    .isEqualTo(new Reply.Refused(refusal));
    }

    @Test
    void a_refusal_for_a_reason_of_a_newer_version_is_an_internal_error() {
        Refusal refusal = Reply.readRefusal(json("{\"code\":\"TOO_NEW\",\"message\":\"m\",\"details\":{}}"));
        assertThat(refusal).isEqualTo(Refusal.of(ErrorCode.INTERNAL_ERROR, "m"));
    }

    @Test
    void details_may_be_missing_and_may_be_anything() {
        assertThat(Reply.readRefusal(json("{\"code\":\"CONFLICT\",\"message\":\"m\"}"))
                        .details())
                .isEmpty();
        Refusal refusal = Reply.readRefusal(
                json(
                        "{\"code\":\"CONFLICT\",\"message\":\"m\",\"details\":{\"a\":1e5,\"b\":{\"c\":[\"\\ud83d\"]},\"d\":null}}"));
        assertThat(refusal.details())
                .containsExactly(new Refusal.Detail("a", "1e5"), new Refusal.Detail("b", "{\"c\":[\"\\ud83d\"]}"));
        assertThat(Reply.readRefusal(Reply.write(refusal))).isEqualTo(refusal);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "null",
                "{\"code\":\"CONFLICT\"}",
                "{\"message\":\"m\"}",
                "{\"code\":1,\"message\":\"m\"}",
                "{\"code\":\"CONFLICT\",\"message\":\"m\"",
                "xx"
            })
    void anything_else_is_no_refusal(String value) {
        assertThatIllegalArgumentException().isThrownBy(() -> Reply.readRefusal(json(value)));
    }

    @Test
    void an_address_is_read_as_it_was_written() {
        for (ReplyTo to :
                List.of(new ReplyTo(0, "a", 1), new ReplyTo(7, "ab:cd:ef", Long.MAX_VALUE), new ReplyTo(3, "", 0)))
            assertThat(ReplyTo.parse(to.toString())).isEqualTo(to);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "::",
                "1",
                "1:2",
                "a:b:c",
                "1:b:c",
                "a:b:1",
                "1:b:",
                ":b:1",
                "-1:b:1",
                "99999999999:b:1",
                "1:b:99999999999999999999"
            })
    void anything_else_is_no_address(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ReplyTo.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"job, Job", "queue, Queue", "worker, Worker"})
    void what_was_not_found_is_named(String kind, String name) {
        Refusal refusal = Refusal.notFound(kind, "x\"y");
        assertThat(refusal.code()).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(refusal.message()).isEqualTo(name + " 'x\"y' not found.");
        assertThat(refusal.details())
                .containsExactly(
                        new Refusal.Detail("resource_type", "\"%s\"".formatted(kind)),
                        new Refusal.Detail("resource_id", "\"x\\\"y\""));
        assertThat(refusal.withMessage("other").details()).isEqualTo(refusal.details());
    }

    @Test
    void codes_are_read_by_name() {
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(ErrorCode.parse(code.name())).contains(code);
            assertThat(code.catalogued()).matches("OJS-\\d{4}");
        }
        assertThat(ErrorCode.parse("conflict")).isEmpty();
    }
}
