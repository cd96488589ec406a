package io.floodgate.topics.job;

import static io.floodgate.topics.job.Jobs.detail;
import static io.floodgate.topics.job.Jobs.job;
import static io.floodgate.topics.job.Jobs.read;
import static io.floodgate.topics.job.Jobs.rejected;
import static io.floodgate.topics.job.Jobs.rejection;
import static io.floodgate.topics.job.Jobs.withOptions;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Table;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import java.nio.charset.Charset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is rejected, with which code, and which field is blamed. */
class EnvelopeRejectionTest {
    private static final String ABSURD = "1e99999999999";
    private static final String LONG = "9".repeat(2_000);

    @Test
    void a_job_without_a_type() {
        rejected("{\"args\":[]}", ErrorCode.INVALID_REQUEST, "type");
        rejected("{\"type\":null,\"args\":[]}", ErrorCode.INVALID_REQUEST, "type");
        assertThat(detail(rejection("{\"args\":[]}"), "validation")).contains("\"required\"");
    }

    @ParameterizedTest
    @Table("""
        "" | 1 | true | [] | {} | "Email.send" | ".a" | "a." | "a..b" | "1a" | "a.1b" | "a b" | "a/b" | "é" | "a\\n"
        "a\\u0000"
        """)
    void a_type_that_is_none(String type) {
        rejected("{\"type\":%s,\"args\":[]}".formatted(type), ErrorCode.INVALID_JOB_TYPE, "type");
    }

    @Test
    void a_type_of_more_than_255_characters() {
        rejected("{\"type\":\"%s\",\"args\":[]}".formatted("a".repeat(256)), ErrorCode.INVALID_JOB_TYPE, "type");
    }

    @Test
    void a_job_without_arguments() {
        rejected("{\"type\":\"a\"}", ErrorCode.INVALID_REQUEST, "args");
        rejected("{\"type\":\"a\",\"args\":null}", ErrorCode.INVALID_REQUEST, "args");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "\"x\"", "1", "true"})
    void arguments_that_are_no_array(String args) {
        rejected("{\"type\":\"a\",\"args\":%s}".formatted(args), ErrorCode.INVALID_ARGS, "args");
    }

    @ParameterizedTest
    @Table("""
        "" | 1 | "junk" | {} | [] | "019539A4-B68C-7DEF-8000-1A2B3C4D5E6F" | "c232ab00-9414-4f5d-8e0f-123456789abc"
        "019539a4-b68c-7def-0000-1a2b3c4d5e6f"
        """)
    void an_id_that_is_no_uuid_of_version_7(String id) {
        rejected(job("\"id\":" + id), ErrorCode.INVALID_REQUEST, "id");
    }

    @ParameterizedTest
    @Table("""
        "" | 1 | {} | "Upper" | "-a" | ".a" | "_default" | "a_b" | "a b" | "a/b" | "a\\n" | "é"
        """)
    void a_queue_that_may_not_be(String queue) {
        rejected(job("\"queue\":" + queue), ErrorCode.INVALID_QUEUE, "queue");
        rejected(withOptions("\"queue\":" + queue), ErrorCode.INVALID_QUEUE, "queue");
    }

    @ParameterizedTest
    @Table("""
        101 | -101 | 1.5 | 1.0 | "5" | true | [] | 4294967296 | 18446744073709551616 | 1e2 | 1e400
        """)
    void a_priority_out_of_range_or_of_another_type(String priority) {
        rejected(job("\"priority\":" + priority), ErrorCode.INVALID_REQUEST, "priority");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"x\"", "[]", "1", "true"})
    void meta_and_options_that_are_no_objects(String value) {
        rejected(job("\"meta\":" + value), ErrorCode.INVALID_REQUEST, "meta");
        rejected(withOptions("\"meta\":" + value), ErrorCode.INVALID_REQUEST, "meta");
        rejected(withOptions("\"metadata\":" + value), ErrorCode.INVALID_REQUEST, "meta");
        rejected(job("\"options\":" + value), ErrorCode.INVALID_REQUEST, "options");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "\"30\"", "true", "3155760000001", "18446744073709551617", "1e3"})
    void lengths_in_milliseconds_that_are_none(String value) {
        rejected(job("\"timeout_ms\":" + value), ErrorCode.INVALID_REQUEST, "timeout_ms");
        rejected(job("\"visibility_timeout_ms\":" + value), ErrorCode.INVALID_REQUEST, "visibility_timeout_ms");
    }

    @Test
    void a_visibility_timeout_of_zero() {
        rejected(job("\"visibility_timeout_ms\":0"), ErrorCode.INVALID_REQUEST, "visibility_timeout_ms");
        rejected(job("\"visibility_timeout\":0"), ErrorCode.INVALID_REQUEST, "visibility_timeout");
    }

    @ParameterizedTest
    @Table("""
        -1 | true | [] | "" | "soon" | "-PT1S" | 3155760001 | 1e400 | -1e400 | "18446744073709551617s"
        """)
    void lengths_in_seconds_that_are_none(String value) {
        for (String name : new String[] {"timeout", "visibility_timeout", "delay"})
            rejected(job("\"%s\":%s".formatted(name, value)), ErrorCode.INVALID_REQUEST, name);
        rejected(job("\"enqueue_ttl\":" + value), ErrorCode.INVALID_REQUEST, "enqueue_ttl");
    }

    @ParameterizedTest
    @Table("""
        1770000000 | true | "" | "tomorrow" | "2030-01-01" | "2030-01-01T00:00:00" | "+1s" | "-PT1S" | "+P" | {}
        """)
    void times_that_are_none(String value) {
        for (String name : new String[] {"scheduled_at", "delay_until", "expires_at"})
            rejected(job("\"%s\":%s".formatted(name, value)), ErrorCode.INVALID_REQUEST, name);
    }

    @Test
    void flags_and_choices_that_are_none() {
        rejected(job("\"pending\":1"), ErrorCode.INVALID_REQUEST, "pending");
        rejected(job("\"pending\":\"true\""), ErrorCode.INVALID_REQUEST, "pending");
        rejected(job("\"on_worker_lost\":\"explode\""), ErrorCode.INVALID_REQUEST, "on_worker_lost");
        rejected(job("\"on_worker_lost\":true"), ErrorCode.INVALID_REQUEST, "on_worker_lost");
        rejected(job("\"specversion\":1"), ErrorCode.INVALID_REQUEST, "specversion");
        rejected(job("\"specversion\":\"one\""), ErrorCode.INVALID_REQUEST, "specversion");
    }

    @Test
    void tags_unique_rate_limit_and_schema_of_another_type() {
        rejected(job("\"tags\":\"x\""), ErrorCode.INVALID_REQUEST, "tags");
        rejected(job("\"tags\":[1]"), ErrorCode.INVALID_REQUEST, "tags");
        rejected(job("\"unique\":true"), ErrorCode.INVALID_REQUEST, "unique");
        rejected(job("\"rate_limit\":10"), ErrorCode.INVALID_REQUEST, "rate_limit");
        rejected(job("\"schema\":{}"), ErrorCode.INVALID_REQUEST, "schema");
    }

    @Test
    void a_retry_policy_that_is_none() {
        rejected(job("\"retry\":3"), ErrorCode.INVALID_RETRY_POLICY, "retry");
        rejected(job("\"retry\":[]"), ErrorCode.INVALID_RETRY_POLICY, "retry");
        rejected(withOptions("\"retry\":{\"max_attempts\":-1}"), ErrorCode.INVALID_RETRY_POLICY, "max_attempts");
        rejected(withOptions("\"max_attempts\":-1"), ErrorCode.INVALID_RETRY_POLICY, "max_attempts");
        rejected(withOptions("\"max_attempts\":\"3\""), ErrorCode.INVALID_RETRY_POLICY, "max_attempts");
    }

    @Test
    void a_field_that_is_given_twice() {
        rejected("{\"type\":\"a\",\"args\":[],\"type\":\"b\"}", ErrorCode.INVALID_PAYLOAD, "type");
        rejected(job("\"x\":1,\"x\":1"), ErrorCode.INVALID_PAYLOAD, "x");
        rejected(withOptions("\"queue\":\"a\",\"queue\":\"b\""), ErrorCode.INVALID_PAYLOAD, "queue");
        rejected(job("\"meta\":{\"a\":1,\"a\":2}"), ErrorCode.INVALID_PAYLOAD, "a");
        rejected(job("\"retry\":{\"jitter\":true,\"jitter\":false}"), ErrorCode.INVALID_PAYLOAD, "jitter");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "[]",
                "1",
                "\"x\"",
                "{",
                "{\"type\":\"a\",\"args\":[]",
                "{\"type\":\"a\",\"args\":[}",
                "{\"type\":\"a\",\"args\":[]} {}",
                "{\"type\":\"a\",\"args\":[]}]",
                "{\"type\":\"a\",\"args\":[\"\n\"]}",
                "{\"type\":\"a\",\"args\":[01]}",
                "{\"type\":\"a\",\"args\":[\"\\x\"]}",
                "{\"type\":\"a\",\"args\":[]}\u0000",
                "{\"type\":\"a\",\"args\":[\"\u0000\"]}",
                "\u0000{\"type\":\"a\",\"args\":[]}",
                "{'type':'a','args':[]}",
                "{\"type\":\"a\",\"args\":[NaN]}",
                "{\"type\":\"a\",\"args\":[],}",
                "// x\n{\"type\":\"a\",\"args\":[]}"
            })
    void what_is_no_json_object(String json) {
        assertThat(rejection(json).code()).isEqualTo(ErrorCode.INVALID_PAYLOAD);
        assertThat(rejection(json).message()).isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32LE", "UTF-32BE", "ISO-8859-1"})
    void any_other_encoding_than_utf_8(String charset) {
        byte[] json = job("\"x\":\"é\"").getBytes(Charset.forName(charset));
        assertThat(rejection(json).code()).isEqualTo(ErrorCode.INVALID_PAYLOAD);
    }

    @Test
    void broken_utf_8_in_the_arguments() {
        byte[] json = "{\"type\":\"a\",\"args\":[\"??\"]}".getBytes(UTF_8);
        for (byte[] broken : new byte[][] {{(byte) 0xC3, '"'}, {(byte) 0xC0, (byte) 0x80}, {(byte) 0xFF, ' '}}) {
            json[21] = broken[0];
            json[22] = broken[1];
            assertThat(rejection(json).code()).isEqualTo(ErrorCode.INVALID_PAYLOAD);
        }
    }

    @Test
    void numbers_beyond_all_reason_where_a_number_is_read() {
        for (String number : new String[] {ABSURD, "-" + ABSURD, "1e-99999999999", LONG, "0." + LONG, "1e" + LONG})
            for (String name : new String[] {
                "priority",
                "timeout",
                "timeout_ms",
                "delay",
                "ttl",
                "max_attempts",
                "visibility_timeout_ms",
                "scheduled_at"
            }) {
                Rejection rejection = rejection(job("\"%s\":%s".formatted(name, number)));
                assertThat(rejection.code())
                        .isIn(ErrorCode.INVALID_PAYLOAD, ErrorCode.INVALID_REQUEST, ErrorCode.INVALID_RETRY_POLICY);
            }
        for (String number : new String[] {ABSURD, "1e400", LONG})
            for (String name : new String[] {"backoff_coefficient", "max_attempts", "initial_interval_ms", "jitter"})
                assertThat(rejection(job("\"retry\":{\"%s\":%s}".formatted(name, number)))
                                .code())
                        .isIn(ErrorCode.INVALID_PAYLOAD, ErrorCode.INVALID_RETRY_POLICY);
    }

    @Test
    void what_is_nested_too_deep() {
        String fits = "[".repeat(99) + "]".repeat(99);
        read("{\"type\":\"a\",\"args\":%s}".formatted(fits));
        read(job("\"x\":%s".formatted(fits)));
        read(job("\"meta\":{\"a\":%s}".formatted("[".repeat(98) + "]".repeat(98))));
        for (String json : new String[] {
            "{\"type\":\"a\",\"args\":[%s]}".formatted(fits),
            job("\"x\":[%s]".formatted(fits)),
            job("\"meta\":{\"a\":%s}".formatted(fits)),
            "[".repeat(500_000),
            "{\"a\":".repeat(200_000)
        }) assertThat(rejection(json).code()).isEqualTo(ErrorCode.INVALID_PAYLOAD);
    }

    @Test
    void more_than_a_mebibyte() {
        String filling = "x".repeat(EnvelopeReader.MAX_JOB_BYTES);
        for (String json : new String[] {
            "{\"type\":\"a\",\"args\":[\"%s\"]}".formatted(filling),
            job("\"x\":\"%s\"".formatted(filling)),
            "{\"type\":\"a\",\"args\":[\"%s\"]}".formatted(filling.repeat(3))
        }) {
            Rejection rejection = rejection(json);
            assertThat(rejection.code()).isEqualTo(ErrorCode.ENVELOPE_TOO_LARGE);
            assertThat(detail(rejection, "max_envelope_bytes")).contains("1048576");
            assertThat(detail(rejection, "size_bytes")).isPresent();
        }
    }

    @Test
    void but_not_a_mebibyte_and_what_a_gateway_took_the_log_takes_too() {
        String empty = "{\"type\":\"a\",\"args\":[\"\"]}";
        String filling = "x".repeat(EnvelopeReader.MAX_JOB_BYTES - empty.length() - 40);
        Envelope job = read("{\"type\":\"a\",\"args\":[\"%s\"]}".formatted(filling));
        byte[] sent = job.withId(Jobs.ID).toJson();
        assertThat(sent).hasSizeGreaterThan(EnvelopeReader.MAX_JOB_BYTES);
        Jobs.same(read(sent), job.withId(Jobs.ID));
    }

    @Test
    void meta_of_more_than_64_kibibytes() {
        String fits = "\"meta\":{\"a\":\"%s\"}".formatted("x".repeat(EnvelopeReader.MAX_META_BYTES - 8));
        String tooMuch = "\"meta\":{\"a\":\"%s\"}".formatted("x".repeat(EnvelopeReader.MAX_META_BYTES - 7));
        Jobs.same(read(read(job(fits)).toJson()), read(job(fits)));
        rejected(job(tooMuch), ErrorCode.METADATA_TOO_LARGE, "meta");
        rejected(withOptions(tooMuch), ErrorCode.METADATA_TOO_LARGE, "meta");
        String half = "\"%s\":{\"%s\":\"" + "x".repeat(40_000) + "\"}";
        rejected(
                job(half.formatted("meta", "a") + ",\"options\":{" + half.formatted("metadata", "b") + "}"),
                ErrorCode.METADATA_TOO_LARGE,
                "meta");
    }
}
