package io.floodgate.topics.job;

import static io.floodgate.topics.job.Jobs.job;
import static io.floodgate.topics.job.Jobs.read;
import static io.floodgate.topics.job.Jobs.shown;
import static io.floodgate.topics.job.Jobs.withOptions;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.Table;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.retry.RetryOptions;
import io.floodgate.topics.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every field in every spelling that OJS clients use. */
class EnvelopeFieldsTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    @Test
    void type_and_arguments_are_enough() {
        Envelope job = read("{\"type\":\"email.send\",\"args\":[1,\"x\"]}");
        assertThat(job.id()).isNull();
        assertThat(job.type()).isEqualTo("email.send");
        assertThat(job.queue()).isEqualTo("default");
        assertThat(job.priority()).isZero();
        assertThat(job.terms())
                .isEqualTo(new Envelope.Terms(
                        null, null, null, null, RetryOptions.NONE, false, null, null, null, null, null, null));
        assertThat(Jobs.text(job.members()))
                .isEqualTo("{\"specversion\":\"1.0\",\"type\":\"email.send\",\"args\":[1,\"x\"],\"meta\":{}}");
    }

    @Test
    void the_payload_is_the_members_under_an_id() {
        assertThat(Jobs.text(read(job("\"queue\":\"q\",\"priority\":5")).payload(Jobs.ID)))
                .isEqualTo("{\"id\":\"019539a4-b68c-7def-8000-1a2b3c4d5e6f\",\"specversion\":\"1.0\","
                        + "\"type\":\"email.send\",\"args\":[],\"meta\":{}}");
    }

    @Test
    void an_id_of_the_client_is_taken() {
        assertThat(read(job("\"id\":\"019539a4-b68c-7def-8000-1a2b3c4d5e6f\"")).id())
                .isEqualTo(Jobs.ID);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "email.send", "dlq.test.list-first", "a_b.c-d.e9", "x-.y_"})
    void a_type_is_words_joined_by_dots(String type) {
        assertThat(read("{\"type\":\"%s\",\"args\":[]}".formatted(type)).type()).isEqualTo(type);
    }

    @Test
    void a_type_may_have_255_characters() {
        String type = "a" + ".b".repeat(127);
        assertThat(read("{\"type\":\"%s\",\"args\":[]}".formatted(type)).type()).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(strings = {"q", "0", "email", "a.b-c", "9-", "high.priority"})
    void a_queue_is_named_at_the_top_or_among_the_options(String queue) {
        String field = "\"queue\":\"%s\"".formatted(queue);
        assertThat(read(job(field)).queue()).isEqualTo(queue);
        assertThat(read(withOptions(field)).queue()).isEqualTo(queue);
        assertThat(EnvelopeReader.isQueueName(queue)).isTrue();
    }

    @Test
    void a_queue_name_may_have_128_characters() {
        assertThat(EnvelopeReader.isQueueName("q".repeat(128))).isTrue();
        assertThat(EnvelopeReader.isQueueName("q".repeat(129))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "'\"specversion\":\"1.0\"', 1.0",
        "'\"specversion\":\"1.0.0-rc.1\"', 1.0.0-rc.1",
        "'\"version\":\"1\"', 1.0",
        "'\"version\":\"2\",\"specversion\":\"1.1\"', 1.1",
        "'\"specversion\":null', 1.0"
    })
    void the_version_of_the_specification_is_echoed(String fields, String version) {
        assertThat(shown(job(fields)).get("specversion").stringValue()).isEqualTo(version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "\"2.0\"", "9007199254740993", "\"3-beta\""})
    void the_version_of_the_job_is_carried_as_it_was_sent(String version) {
        assertThat(shown(job("\"version\":" + version)).get("version")).hasToString(version);
        assertThat(shown(job("\"version\":" + version)).get("specversion").stringValue())
                .isEqualTo("1.0");
    }

    @ParameterizedTest
    @CsvSource({
        "2, 2.0",
        "9007199254740993, other",
        "'\"2.1\"', 2.1",
        "'\"2.1.7\"', 2.1",
        "'\"3-beta\"', other",
        "'\"\\u0033.1\"', 3.1",
        "2.5, other",
        "true, other",
        "{}, other"
    })
    void fetches_compare_its_numbers(String version, String compared) {
        assertThat(read(job("\"version\":" + version)).version()).hasToString(compared);
        assertThat(read(job("")).version()).isNull();
    }

    @Test
    void the_version_may_stand_behind_the_type() {
        Envelope behind = read("{\"type\":\"invoice.generate@2.0\",\"args\":[]}");
        assertThat(behind.type()).isEqualTo("invoice.generate");
        assertThat(behind.version()).hasToString("2.0");
        assertThat(shown("{\"type\":\"a@2.0\",\"args\":[]}").get("type")).hasToString("\"a\"");
        assertThat(shown("{\"type\":\"a@2.0\",\"args\":[]}").get("version")).hasToString("\"2.0\"");
        Jobs.same(behind, read("{\"type\":\"invoice.generate\",\"args\":[],\"version\":\"2.0\"}"));
        for (String wrong : new String[] {"email@send!", "a@", "@2.0", "a@b@2.0", "a@2.x", "a @2"})
            assertThatThrownBy(() -> read("{\"type\":\"%s\",\"args\":[]}".formatted(wrong)))
                    .hasMessageContaining("'type' field");
        Envelope both = read("{\"type\":\"a@2.0\",\"args\":[],\"version\":3}");
        assertThat(both.version()).hasToString("3.0");
        assertThat(both.type()).isEqualTo("a");
    }

    @Test
    void meta_is_found_in_three_places() {
        assertThat(shown(job("\"meta\":{\"a\":1}")).get("meta")).hasToString("{\"a\":1}");
        assertThat(shown(withOptions("\"meta\":{\"a\":1}")).get("meta")).hasToString("{\"a\":1}");
        assertThat(shown(withOptions("\"metadata\":{\"a\":1}")).get("meta")).hasToString("{\"a\":1}");
    }

    @Test
    void of_two_meta_the_members_are_merged_and_those_at_the_top_win() {
        String merged = job(
                "\"meta\":{\"a\":1,\"b\":[1.50]},\"options\":{\"metadata\":{\"b\":2,\"c\":3e0},\"meta\":{\"d\":4}}");
        assertThat(shown(merged).get("meta"))
                .isEqualTo(io.floodgate.topics.json.Json.tree(
                        "{\"a\":1,\"b\":[1.50],\"c\":3e0}".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        assertThat(Jobs.text(read(merged).members())).contains("[1.50]").contains("3e0");
    }

    @ParameterizedTest
    @ValueSource(ints = {-100, -1, 0, 1, 100})
    void a_priority_is_between_minus_100_and_100(int priority) {
        String field = "\"priority\":%d".formatted(priority);
        assertThat(read(job(field)).priority()).isEqualTo(priority);
        assertThat(read(withOptions(field)).priority()).isEqualTo(priority);
    }

    @ParameterizedTest
    @CsvSource({
        "'\"timeout_ms\":1500', 1500",
        "'\"timeout\":30', 30000",
        "'\"timeout\":0.5', 500",
        "'\"timeout\":1.001', 1001",
        "'\"timeout\":\"PT1M\"', 60000",
        "'\"timeout\":\"90s\"', 90000",
        "'\"timeout_ms\":7,\"timeout\":30', 7",
    })
    void a_timeout_is_in_milliseconds_or_seconds_or_iso(String fields, long millis) {
        assertThat(read(job(fields)).terms().timeout()).isEqualTo(ofMillis(millis));
        assertThat(read(withOptions(fields)).terms().timeout()).isEqualTo(ofMillis(millis));
    }

    @Test
    void timeout_in_seconds_is_shown_only_to_those_who_wrote_it() {
        assertThat(shown(job("\"timeout\":30")).get("timeout").intValue()).isEqualTo(30);
        assertThat(Jobs.text(read(job("\"timeout_ms\":30000")).toJson()))
                .contains("\"timeout_ms\":30000")
                .doesNotContain("timeout\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"timeout\":0", "\"timeout_ms\":0"})
    void a_timeout_of_zero_is_none(String field) {
        assertThat(read(job(field)).terms().timeout()).isNull();
        assertThat(Jobs.text(read(job(field)).toJson())).doesNotContain("timeout_ms");
    }

    @ParameterizedTest
    @CsvSource({
        "'\"visibility_timeout_ms\":30000', 30000",
        "'\"visibility_timeout\":30', 30000",
        "'\"visibility_timeout\":\"PT45S\"', 45000",
        "'\"visibility_timeout\":\"1m\"', 60000",
        "'\"visibility_timeout\":1,\"visibility_timeout_ms\":2', 2",
    })
    void a_visibility_timeout_is_in_milliseconds_or_seconds_or_iso(String fields, long millis) {
        assertThat(read(job(fields)).terms().visibility()).isEqualTo(ofMillis(millis));
        assertThat(read(withOptions(fields)).terms().visibility()).isEqualTo(ofMillis(millis));
        assertThat(shown(job(fields)).get("visibility_timeout_ms").longValue()).isEqualTo(millis);
        assertThat(shown(job(fields)).has("visibility_timeout")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"scheduled_at", "delay_until"})
    void a_time_to_start_is_absolute(String name) {
        String field = "\"%s\":\"2030-01-01T14:00:00.000+02:00\"".formatted(name);
        assertThat(read(job(field)).terms().scheduledAt()).isEqualTo(When.at(NOON));
        assertThat(read(withOptions(field)).terms().scheduledAt()).isEqualTo(When.at(NOON));
        assertThat(shown(job(field)).has(name)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "'\"scheduled_at\":\"+PT2S\"', 2000",
        "'\"scheduled_at\":\"PT5M\"', 300000",
        "'\"delay_until\":\"+PT0.5S\"', 500",
        "'\"delay\":\"PT10S\"', 10000",
        "'\"delay\":\"10s\"', 10000",
        "'\"delay\":10', 10000",
        "'\"delay\":0.25', 250",
    })
    void or_relative(String field, long millis) {
        assertThat(read(job(field)).terms().scheduledAt()).isEqualTo(When.after(ofMillis(millis)));
        assertThat(read(withOptions(field)).terms().scheduledAt()).isEqualTo(When.after(ofMillis(millis)));
    }

    @Test
    void delay_until_goes_before_scheduled_at_and_that_before_delay() {
        String delay = "\"delay\":1";
        String scheduled = "\"scheduled_at\":\"+PT2S\"";
        String until = "\"delay_until\":\"+PT3S\"";
        assertThat(read(job(delay + "," + scheduled + "," + until)).terms().scheduledAt())
                .isEqualTo(When.after(ofSeconds(3)));
        assertThat(read(job(delay + "," + scheduled)).terms().scheduledAt()).isEqualTo(When.after(ofSeconds(2)));
    }

    @Test
    void an_absolute_expiry_is_shown_as_it_was_written() {
        String field = "\"expires_at\":\"2030-01-01T14:00:00.000000+02:00\"";
        assertThat(read(job(field)).terms().expiresAt()).isEqualTo(When.at(NOON));
        assertThat(shown(job(field)).get("expires_at").stringValue()).isEqualTo("2030-01-01T14:00:00.000000+02:00");
        assertThat(shown(withOptions(field)).get("expires_at").stringValue())
                .isEqualTo("2030-01-01T14:00:00.000000+02:00");
    }

    @ParameterizedTest
    @CsvSource({
        "'\"expires_at\":\"+PT2S\"', 2000",
        "'\"expires_at\":\"P1D\"', 86400000",
        "'\"enqueue_ttl\":5', 5000",
        "'\"enqueue_ttl\":\"PT5S\"', 5000",
        "'\"ttl\":\"1h\"', 3600000",
        "'\"ttl\":60', 60000",
        "'\"expires_at\":\"+PT1S\",\"ttl\":60', 1000",
    })
    void a_relative_one_is_left_to_the_log_to_resolve(String fields, long millis) {
        assertThat(read(job(fields)).terms().expiresAt()).isEqualTo(When.after(ofMillis(millis)));
        assertThat(read(withOptions(fields)).terms().expiresAt()).isEqualTo(When.after(ofMillis(millis)));
        assertThat(shown(job(fields)).has("expires_at")).isFalse();
        assertThat(shown(job(fields)).has("ttl")).isFalse();
        assertThat(shown(job(fields)).has("enqueue_ttl")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"retry", "retry_policy"})
    void a_retry_policy_is_found_under_two_names(String name) {
        String field = "\"%s\":{\"max_attempts\":7}".formatted(name);
        assertThat(maxAttempts(job(field))).isEqualTo(7);
        assertThat(maxAttempts(withOptions(field))).isEqualTo(7);
    }

    @Test
    void a_bare_number_of_attempts_is_a_retry_policy_too() {
        assertThat(maxAttempts(withOptions("\"max_attempts\":9"))).isEqualTo(9);
        assertThat(maxAttempts(job("\"max_attempts\":0"))).isZero();
    }

    private static int maxAttempts(String json) {
        return read(json).terms().retry().over(RetryPolicy.DEFAULT).maxAttempts();
    }

    @Test
    void pending_is_an_option() {
        assertThat(read(withOptions("\"pending\":true")).terms().pending()).isTrue();
        assertThat(read(withOptions("\"pending\":false")).terms().pending()).isFalse();
        assertThat(shown(withOptions("\"pending\":true")).has("pending")).isFalse();
    }

    @Test
    void what_to_do_when_a_worker_is_lost_is_an_option() {
        assertThat(read(job("\"on_worker_lost\":\"discard\"")).terms().discardOnWorkerLost())
                .isTrue();
        assertThat(read(withOptions("\"on_worker_lost\":\"discard\"")).terms().discardOnWorkerLost())
                .isTrue();
        assertThat(read(job("\"on_worker_lost\":\"retry\"")).terms().discardOnWorkerLost())
                .isFalse();
        assertThat(Jobs.text(read(job("\"on_worker_lost\":\"discard\"")).toJson()))
                .contains("\"on_worker_lost\":\"discard\"");
    }

    @ParameterizedTest
    @Table("""
        "tags":["a","é"] | "tags":[] | "unique":{"keys":["type"],"period":"PT1H"}
        "schema":"urn:ojs:schema:email.send:v1"
        """)
    void tags_unique_and_schema_are_shown_as_they_were_sent(String field) {
        assertThat(Jobs.text(read(job(field)).members())).contains(field);
        assertThat(Jobs.text(read(withOptions(field)).members())).contains(field);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 604800, Integer.MAX_VALUE})
    void the_time_to_keep_a_result_is_a_number_of_seconds(int ttl) {
        String field = "\"result_ttl\":" + ttl;
        assertThat(Jobs.text(read(job(field)).members())).contains(field);
        assertThat(Jobs.text(read(withOptions(field)).members())).contains(field);
    }

    @Test
    void a_limit_for_the_size_of_a_result_is_rejected_and_not_ignored() {
        for (String job : List.of(job("\"result_size_limit\":100"), withOptions("\"result_size_limit\":100"))) {
            Rejection rejection = Jobs.rejection(job);
            assertThat(rejection.code()).isEqualTo(ErrorCode.UNSUPPORTED);
            assertThat(rejection.message()).contains("1048576 bytes");
        }
    }

    @Test
    void an_option_goes_before_the_field_at_the_top() {
        Envelope job = read(
                job(
                        "\"queue\":\"top\",\"priority\":1,\"timeout_ms\":1,\"tags\":[\"top\"],\"scheduled_at\":\"+PT1S\",\"ttl\":1,"
                                + "\"options\":{\"queue\":\"opt\",\"priority\":2,\"timeout_ms\":2,\"tags\":[\"opt\"],\"scheduled_at\":\"+PT2S\",\"ttl\":2}"));
        assertThat(job.queue()).isEqualTo("opt");
        assertThat(job.priority()).isEqualTo(2);
        assertThat(job.terms().timeout()).isEqualTo(ofMillis(2));
        assertThat(job.terms().scheduledAt()).isEqualTo(When.after(ofSeconds(2)));
        assertThat(job.terms().expiresAt()).isEqualTo(When.after(ofSeconds(2)));
        assertThat(Jobs.text(job.members())).contains("\"tags\":[\"opt\"]").doesNotContain("top");
    }

    @ParameterizedTest
    @Table("""
        id | queue | priority | meta | timeout | timeout_ms | scheduled_at | delay_until | delay | expires_at
        enqueue_ttl | ttl | retry | retry_policy | max_attempts | visibility_timeout | visibility_timeout_ms | tags
        unique | rate_limit | schema | result_ttl | result_size_limit | pending | on_worker_lost | specversion
        version | options | state | x_anything
        """)
    void null_is_as_good_as_absent(String name) {
        Jobs.same(read(job("\"%s\":null".formatted(name))), read(job("")));
        Jobs.same(read(withOptions("\"%s\":null".formatted(name))), read(job("")));
    }

    @Test
    void a_null_option_leaves_the_field_at_the_top() {
        assertThat(read(job("\"queue\":\"top\",\"options\":{\"queue\":null}")).queue())
                .isEqualTo("top");
    }

    @Test
    void names_may_be_escaped() {
        assertThat(read("{\"\\u0074ype\":\"a.b\",\"\\u0061rgs\":[],\"que\\u0075e\":\"\\u0071\"}")
                        .queue())
                .isEqualTo("q");
    }

    @Test
    void a_directive_for_tests_is_read_from_meta() {
        assertThat(read(job("\"meta\":{\"test_directive\":\"quiet\"}")).terms().testDirective())
                .isEqualTo("quiet");
        assertThat(read(withOptions("\"metadata\":{\"test_directive\":\"terminate\"}"))
                        .terms()
                        .testDirective())
                .isEqualTo("terminate");
        assertThat(read(job("\"meta\":{\"test_directive\":\"explode\"}"))
                        .terms()
                        .testDirective())
                .isNull();
        assertThat(read(job("\"meta\":{\"test_directive\":1}")).terms().testDirective())
                .isNull();
    }

    @Test
    void the_longest_times_are_a_century() {
        Duration century = Duration.ofDays(36_525);
        assertThat(read(job("\"timeout_ms\":%d".formatted(century.toMillis())))
                        .terms()
                        .timeout())
                .isEqualTo(century);
        assertThat(read(job("\"delay\":%d".formatted(century.toSeconds())))
                        .terms()
                        .scheduledAt())
                .isEqualTo(When.after(century));
        assertThat(read(job("\"ttl\":\"PT1M\"")).terms().expiresAt()).isEqualTo(When.after(ofMinutes(1)));
    }
}
