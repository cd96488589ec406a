package io.floodgate.topics.job;

import static io.floodgate.topics.job.Jobs.job;
import static io.floodgate.topics.job.Jobs.read;
import static io.floodgate.topics.job.Jobs.shown;
import static io.floodgate.topics.job.Jobs.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Table;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is carried through unchanged, and what is not. */
class EnvelopeCarriedTest {
    @ParameterizedTest
    @Table("""
        123456789012345678901234567890 | -0 | -0.0 | 1.0 | 1.10 | 1e5 | 1E+5 | 1e400 | 1e99999999999
        0.1000000000000000055511151231257827021181583404541015625
        3.141592653589793238462643383279502884197169399375105820974944592307816406286208998628034825342117067
        "\\u0041\\/\\ud83d\\ude00\\\\ud83d" | {"a":1,"a":2} | { "b" : [ ] }
        """)
    @ValueSource(strings = "\"😀\u2028\"")
    void every_value_is_kept_digit_by_digit(String value) {
        Envelope job =
                read("{\"type\":\"a\",\"args\":[%s],\"x_more\":%s,\"meta\":{\"m\":%s}}".formatted(value, value, value));
        assertThat(text(job.members()))
                .contains("\"args\":[" + value + "]")
                .contains("\"x_more\":" + value)
                .contains("\"meta\":{\"m\":" + value + "}");
        Jobs.same(read(job.toJson()), job);
    }

    @ParameterizedTest
    @Table("""
        args          | {"type":"a","args":[{"a":["\\ud83d\\ud83d\\ude00"]}]} | {"type":"a","args":["\\ude00\\ud83d"]}
        args          | {"type":"a","args":["\\\\\\\\\\udfff"]}
        meta.m        | {"type":"a","args":[],"meta":{"l":1,"m":"\\ud83dude00"}}
        x_more        | {"type":"a","args":[],"x_more":"\\uD800"}
        options.queue | {"type":"a","args":[],"options":{"queue":"\\udBFF"}}
        """)
    void half_a_surrogate_pair_is_no_text_and_is_rejected_with_its_place(String field, String job) {
        assertThat(Jobs.rejection(job)).satisfies(rejection -> {
            assertThat(rejection.code()).isEqualTo(ErrorCode.INVALID_PAYLOAD);
            assertThat(rejection.message()).contains("'" + field + "'", "half of a surrogate pair");
            assertThat(rejection.details()).contains(new Rejection.Detail("field", '"' + field + '"'));
        });
    }

    @Test
    void a_number_of_a_thousand_digits_is_kept_and_a_longer_one_rejected() {
        String digits = "7".repeat(1_000);
        assertThat(text(read("{\"type\":\"a\",\"args\":[%s]}".formatted(digits)).members()))
                .contains("[" + digits + "]");
        assertThat(Jobs.rejection("{\"type\":\"a\",\"args\":[%s7]}".formatted(digits))
                        .code())
                .isEqualTo(ErrorCode.INVALID_PAYLOAD);
    }

    @ParameterizedTest
    @Table("""
        x_trace | ext_foo | workflow | total_timeout | grace_period | é | a b | metadata | Type | uniqueX
        """)
    @ValueSource(strings = "")
    void unknown_fields_are_kept(String name) {
        assertThat(shown(job("\"%s\":{\"deep\":[1]}".formatted(name))).get(name))
                .hasToString("{\"deep\":[1]}");
    }

    @ParameterizedTest
    @Table("""
        state | workflow_id | workflow_step | attempt | created_at | enqueued_at | started_at | completed_at
        cancelled_at | discarded_at | activated_at | re_enqueued_at | next_attempt_at | next_retry_at
        retry_delay_ms | previous_state | worker_id | lease | error | errors | result | parent_results
        """)
    void what_only_the_system_may_say_is_dropped_whatever_it_is(String name) {
        for (String value : new String[] {"\"x\"", "1", "{\"a\":1}", "[]", "true"})
            Jobs.same(read(job("\"%s\":%s".formatted(name, value))), read(job("")));
    }

    @ParameterizedTest
    @Table("""
        queue | priority | options | delay | ttl | retry | max_attempts | pending | scheduled_at
        """)
    void what_the_log_shows_itself_is_not_among_the_members(String name) {
        String value = switch (name) {
            case "options", "retry" -> "{}";
            case "queue" -> "\"q\"";
            case "scheduled_at" -> "\"+PT1S\"";
            case "pending" -> "true";
            default -> "1";
        };
        assertThat(shown(job("\"%s\":%s".formatted(name, value))).has(name)).isFalse();
    }

    @Test
    void a_pretty_printed_job_is_the_same_job_on_one_line() {
        String pretty = """
                {
                  "type" : "email.send",
                  "args" : [
                    { "to" : "a@b.c" },
                    "line\\nfeed"
                  ],
                  "meta" : {
                    "a" : [
                      1
                    ]
                  },
                  "x_more" : {\r
                    "b" : 2
                  },
                  "tags": [
                    "t"
                  ],
                  "unique": {
                    "keys": [ "type" ]
                  },
                  "options" : {
                    "queue" : "q",
                    "retry" : {
                      "max_attempts" : 5
                    }
                  }
                }
                """;
        Envelope job = read(pretty);
        for (byte[] out : new byte[][] {job.members(), job.toJson(), job.payload(Jobs.ID)})
            assertThat(text(out)).doesNotContain("\n").doesNotContain("\r");
        Envelope compact = read(Json.bytes(Json.tree(pretty.getBytes(StandardCharsets.UTF_8))));
        assertThat(Json.tree(job.members())).isEqualTo(Json.tree(compact.members()));
        assertThat(job.terms()).usingRecursiveComparison().isEqualTo(compact.terms());
        assertThat(job.queue()).isEqualTo("q");
    }

    @Test
    void a_byte_order_mark_does_no_harm() {
        Jobs.same(read("\ufeff" + job("\"queue\":\"q\",\"x\":[1]")), read(job("\"queue\":\"q\",\"x\":[1]")));
    }

    @Test
    void a_hundred_thousand_unknown_fields_are_read_in_good_time() {
        StringBuilder more = new StringBuilder("\"x0\":0");
        for (int i = 1; i < 60_000; i++)
            more.append(",\"x").append(i).append("\":").append(i);
        assertThat(shown(job(more.toString())).size()).isEqualTo(60_000 + 5);
    }
}
