package io.floodgate.topics.command;

import static io.floodgate.topics.command.Samples.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.floodgate.topics.Table;
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
    void every_rejection_is_read_as_it_was_written() {
        for (Rejection rejection : Samples.rejections().values())
            assertThat(Reply.read(rejection.code().name(), new Reply.Rejected(rejection).toBytes()))
                    .isEqualTo(new Reply.Rejected(rejection));
    }

    @Test
    void a_rejection_for_a_reason_of_a_newer_version_is_an_internal_error() {
        Rejection rejection = Reply.readRejection(json("{\"code\":\"TOO_NEW\",\"message\":\"m\",\"details\":{}}"));
        assertThat(rejection).isEqualTo(Rejection.of(ErrorCode.INTERNAL_ERROR, "m"));
    }

    @Test
    void details_may_be_missing_and_may_be_anything() {
        assertThat(Reply.readRejection(json("{\"code\":\"CONFLICT\",\"message\":\"m\"}"))
                        .details())
                .isEmpty();
        Rejection rejection = Reply.readRejection(
                json(
                        "{\"code\":\"CONFLICT\",\"message\":\"m\",\"details\":{\"a\":1e5,\"b\":{\"c\":[\"\\ud83d\"]},\"d\":null}}"));
        assertThat(rejection.details())
                .containsExactly(new Rejection.Detail("a", "1e5"), new Rejection.Detail("b", "{\"c\":[\"\\ud83d\"]}"));
        assertThat(Reply.readRejection(Reply.write(rejection))).isEqualTo(rejection);
    }

    @ParameterizedTest
    @Table("""
        {} | [] | null | {"code":"CONFLICT"} | {"message":"m"} | {"code":1,"message":"m"}
        {"code":"CONFLICT","message":"m" | xx
        """)
    @ValueSource(strings = "")
    void anything_else_is_no_rejection(String value) {
        assertThatIllegalArgumentException().isThrownBy(() -> Reply.readRejection(json(value)));
    }

    @Test
    void an_address_is_read_as_it_was_written() {
        for (ReplyTo to :
                List.of(new ReplyTo(0, "a", 1), new ReplyTo(7, "ab:cd:ef", Long.MAX_VALUE), new ReplyTo(3, "", 0)))
            assertThat(ReplyTo.parse(to.toString())).isEqualTo(to);
    }

    @ParameterizedTest
    @Table("""
        : | :: | 1 | 1:2 | a:b:c | 1:b:c | a:b:1 | 1:b: | :b:1 | -1:b:1 | 99999999999:b:1 | 1:b:99999999999999999999
        """)
    @ValueSource(strings = "")
    void anything_else_is_no_address(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ReplyTo.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"job, Job", "queue, Queue", "worker, Worker"})
    void what_was_not_found_is_named(String kind, String name) {
        Rejection rejection = Rejection.notFound(kind, "x\"y");
        assertThat(rejection.code()).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(rejection.message()).isEqualTo(name + " 'x\"y' not found.");
        assertThat(rejection.details())
                .containsExactly(
                        new Rejection.Detail("resource_type", "\"%s\"".formatted(kind)),
                        new Rejection.Detail("resource_id", "\"x\\\"y\""));
        assertThat(rejection.withMessage("other").details()).isEqualTo(rejection.details());
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
