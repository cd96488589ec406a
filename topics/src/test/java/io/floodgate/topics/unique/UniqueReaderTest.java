package io.floodgate.topics.unique;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.floodgate.topics.JobState;
import io.floodgate.topics.Table;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UniqueReaderTest {
    private static final String JOB =
            "{\"type\":\"email.send\",\"args\":[{\"user_id\":42,\"template\":\"welcome\"},7],\"meta\":{\"region\":\"eu\",\"trace\":\"x\"}}";

    private static UniquePolicy read(String policy, String job, @Nullable String tenant) throws Exception {
        return UniqueReader.read(policy.getBytes(UTF_8), job.getBytes(UTF_8), "mail", tenant);
    }

    private static UniquePolicy read(String policy) throws Exception {
        return read(policy, JOB, null);
    }

    private static String fingerprint(String args) throws Exception {
        return read("{}", "{\"type\":\"a\",\"args\":" + args + "}", null).fingerprint();
    }

    private static String sha256(String canonical) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(canonical.getBytes(UTF_8)));
    }

    // ---- the fingerprint

    @Test
    void the_fingerprint_is_the_hash_of_the_canonical_form() throws Exception {
        assertThat(read("{\"keys\":[\"type\"]}").fingerprint()).isEqualTo(sha256("{\"type\":\"email.send\"}"));
        assertThat(read("{\"keys\":[\"queue\",\"args\",\"type\"],\"args_keys\":[\"user_id\"]}")
                        .fingerprint())
                .isEqualTo(sha256("{\"args\":{\"user_id\":42},\"queue\":\"mail\",\"type\":\"email.send\"}"));
        assertThat(read("{\"keys\":[\"type\",\"meta\"],\"meta_keys\":[\"region\",\"none\"]}")
                        .fingerprint())
                .isEqualTo(sha256("{\"meta\":{\"region\":\"eu\"},\"type\":\"email.send\"}"));
        assertThat(read("{}").fingerprint())
                .isEqualTo(sha256("{\"args\":[{\"template\":\"welcome\",\"user_id\":42},7],\"type\":\"email.send\"}"));
        assertThat(read("{\"keys\":[\"args\"],\"args_keys\":[\"1\"]}").fingerprint())
                .isEqualTo(sha256("{\"args\":{\"1\":7},\"type\":\"email.send\"}"));
    }

    @Test
    void the_published_vectors() throws Exception {
        assertThat(read("{\"keys\":[\"type\"]}").fingerprint())
                .isEqualTo("b427cb16d1d6f10ffdad95ac22b2fef22f6c30d89ef11703401cbf4110c42186");
    }

    @ParameterizedTest
    @Table("""
        [{"a":1,"b":2}]          | [{"b":2,"a":1}]
        [1]                      | [1.0] | [1e0]
        [100]                    | [1E2]
        [0]                      | [-0.0]
        ["\\u00e9"]              | ["e\\u0301"]
        ["é"]                    | ["\\u00e9"]
        [{"x":{"b":[],"a":null}}] | [ { "x" : {"a":null,"b":[ ]} } ]
        """)
    void the_same_arguments_in_another_spelling_have_the_same_fingerprint(String one, String other) throws Exception {
        assertThat(fingerprint(one)).isEqualTo(fingerprint(other));
    }

    @ParameterizedTest
    @Table("""
        [9007199254740992] | [9007199254740993]
        [0.1]              | [0.10000000000000001]
        [1]                | ["1"]
        [true]             | ["true"]
        [null]             | []
        ["a"]              | ["A"]
        [1,2]              | [2,1]
        [1e40]             | [1e41]
        [{"a":null}]       | [{}]
        """)
    void other_arguments_have_another_fingerprint(String one, String other) throws Exception {
        assertThat(fingerprint(one)).isNotEqualTo(fingerprint(other));
    }

    @Test
    void type_tenant_and_version_are_always_part_of_it() throws Exception {
        String plain = "{\"type\":\"a\",\"args\":[]}";
        assertThat(List.of(
                        read("{\"keys\":[\"args\"]}", plain, null).fingerprint(),
                        read("{\"keys\":[\"args\"]}", plain, "acme").fingerprint(),
                        read("{\"keys\":[\"args\"]}", "{\"type\":\"b\",\"args\":[]}", null)
                                .fingerprint(),
                        read("{\"keys\":[\"args\"]}", "{\"type\":\"a\",\"args\":[],\"version\":1}", null)
                                .fingerprint(),
                        read("{\"keys\":[\"args\"]}", "{\"type\":\"a\",\"args\":[],\"version\":\"1\"}", null)
                                .fingerprint()))
                .doesNotHaveDuplicates();
    }

    @Test
    void a_given_fingerprint_of_another_tenant_or_space_is_another_one() throws Exception {
        String policy = "{\"unique_key\":\"" + "0123456789abcdef".repeat(4) + "\"}";
        UniquePolicy plain = read(policy);
        UniquePolicy acme = read(policy, JOB, "acme");
        assertThat(List.of(
                        plain.fingerprint(),
                        acme.fingerprint(),
                        read(policy, JOB, "beta").fingerprint(),
                        plain.in("mine").fingerprint(),
                        plain.in("shop").fingerprint(),
                        acme.in("mine").fingerprint()))
                .doesNotHaveDuplicates()
                .allMatch(UniqueReader::isFingerprint);
        assertThat(plain.in(null)).isEqualTo(plain);
        assertThat(plain.in("mine")).isEqualTo(read(policy).in("mine"));
    }

    // ---- the dialects

    @ParameterizedTest
    @Table("""
        {"key":["type","queue"]} | {"keys":["type","queue"]}
        {"key":["user_id"]}      | {"keys":["type","args"],"args_keys":["user_id"]}
        {"key":"user_id"}        | {"keys":["type","args"],"args_keys":["user_id"]}
        {"key":[]}               | {"keys":["type","args"]}
        {"keys":[]}              | {"keys":["type","args"]}
        {}                       | {"keys":["type","args"]}
        {"keys":null,"states":null} | {}
        {"period_ms":3600000}    | {"period":"PT1H"}
        {"within":"1h"}          | {"period":"PT1H"}
        {"ttl":3600}             | {"period":"PT1H"}
        {"period":3600}          | {"period":"PT1H"}
        {"period":"3600s"}       | {"period":"PT1H"}
        {"on_conflict":"use_existing"} | {"on_conflict":"ignore"}
        {"on_conflict":null}     | {"on_conflict":"reject"}
        """)
    void all_dialects_say_the_same(String spelled, String canonical) throws Exception {
        assertThat(read(spelled)).isEqualTo(read(canonical));
    }

    @Test
    void a_given_fingerprint_is_taken_as_it_is() throws Exception {
        String own = "0123456789abcdef".repeat(4);
        UniquePolicy policy = read("{\"unique_key\":\"" + own + "\",\"keys\":[\"queue\"]}");
        assertThat(policy.fingerprint()).isEqualTo(own);
        assertThat(policy.ofQueue()).isFalse();
    }

    @ParameterizedTest
    @Table("""
        []                       | unique
        true                     | unique
        {"keys":["argz"]}        | unique.keys
        {"keys":["Type"]}        | unique.keys
        {"keys":"type"}          | unique.keys
        {"keys":[1]}             | unique.keys
        {"keys":["meta"]}        | unique.meta_keys
        {"keys":["meta"],"meta_keys":[]} | unique.meta_keys
        {"args_keys":["nobody"]} | unique.args_keys
        {"args_keys":["2"]}      | unique.args_keys
        {"key":["User_id"]}      | unique.key
        {"key":"user-123","within":"1h"} | unique.key
        {"states":["done"]}      | unique.states
        {"states":"active"}      | unique.states
        {"states":[]}            | unique.states
        {"arg_keys":["user_id"]} | unique.arg_keys
        {"foo":1}                | unique.foo
        {"on_conflict":"explode"} | unique.on_conflict
        {"on_conflict":1}        | unique.on_conflict
        {"period":"PT0S"}        | unique.period
        {"period":"P11Y"}        | unique.period
        {"period":"soon"}        | unique.period
        {"period_ms":0}          | unique.period_ms
        {"period_ms":-1}         | unique.period_ms
        {"period_ms":"5"}        | unique.period_ms
        {"unique_key":"abc"}     | unique.unique_key
        """)
    void what_makes_no_sense_is_rejected_by_its_field(String policy, String field) {
        assertThatThrownBy(() -> read(policy))
                .isInstanceOfSatisfying(
                        UnreadableUnique.class,
                        unreadable -> assertThat(unreadable.field()).isEqualTo(field));
    }

    @Test
    void a_misspelled_member_is_named_with_the_nearest_one() {
        assertThatThrownBy(() -> read("{\"on_conflit\":\"replace\"}"))
                .hasMessageContaining("has no member 'on_conflit'. Did you mean 'on_conflict'?");
    }

    @Test
    void more_than_32_keys_are_rejected() {
        String keys = "\"type\",".repeat(32) + "\"type\"";
        assertThatThrownBy(() -> read("{\"keys\":[" + keys + "]}")).isInstanceOf(UnreadableUnique.class);
    }

    // ---- what a client sends is read in linear time

    @Test
    void a_text_with_more_than_30_marks_in_a_row_is_rejected_before_it_is_normalized() {
        String half = "\u0316\u0301".repeat(250_000);
        for (String args : List.of("[\"a" + half + "\"]", "[{\"a" + half.substring(0, 4_000) + "\":1}]"))
            assertThatThrownBy(() -> assertTimeoutPreemptively(Duration.ofSeconds(20), () -> fingerprint(args)))
                    .isInstanceOf(UnreadableUnique.class)
                    .hasMessageContaining("more than 30 combining marks in a row");
    }

    @Test
    void named_members_with_many_marks_are_rejected_too() {
        String marks = "a" + "\u0301".repeat(31);
        String job = "{\"type\":\"a\",\"args\":[{\"x\":\"" + marks + "\"}],\"meta\":{\"x\":\"" + marks
                + "\"},\"version\":1}";
        for (String policy : List.of("{\"args_keys\":[\"x\"]}", "{\"keys\":[\"meta\"],\"meta_keys\":[\"x\"]}"))
            assertThatThrownBy(() -> read(policy, job, null)).isInstanceOf(UnreadableUnique.class);
    }

    @Test
    void thirty_marks_on_each_letter_are_accepted_in_any_order() throws Exception {
        String one = "[\"" + ("a" + "\u0316\u0301".repeat(15)).repeat(1_000) + "\"]";
        String other = "[\"" + ("a" + "\u0301".repeat(15) + "\u0316".repeat(15)).repeat(1_000) + "\"]";
        assertThat(fingerprint(one)).isEqualTo(fingerprint(other));
    }

    // ---- who is a duplicate

    @ParameterizedTest
    @ValueSource(strings = {"available", "active", "scheduled", "retryable", "pending"})
    void unfinished_jobs_are_duplicates_unless_states_are_given(String state) throws Exception {
        Instant now = Instant.EPOCH;
        JobState known = JobState.parse(state).orElseThrow();
        assertThat(read("{}").counts(known, now, now)).isTrue();
        assertThat(read("{\"states\":[\"completed\"]}").counts(known, now, now)).isFalse();
        assertThat(read("{}").remembersEnded()).isFalse();
        assertThat(read("{\"states\":[\"completed\"]}").remembersEnded()).isTrue();
    }

    @Test
    void a_job_is_a_duplicate_until_its_creation_is_a_period_ago() throws Exception {
        UniquePolicy policy = read("{\"period\":\"PT2S\"}");
        Instant created = Instant.EPOCH;
        assertThat(policy.period()).isEqualTo(Duration.ofSeconds(2));
        assertThat(policy.counts(JobState.ACTIVE, created, created.plusMillis(1_999)))
                .isTrue();
        assertThat(policy.counts(JobState.ACTIVE, created, created.plusMillis(2_000)))
                .isFalse();
    }

    @Test
    void jobs_with_the_same_policy_have_fingerprints_of_their_own() throws Exception {
        String policy = "{\"keys\":[\"queue\",\"args\"],\"states\":[\"active\"],\"period\":\"PT1H\"}";
        UniquePolicy first = read(policy, "{\"type\":\"a\",\"args\":[1]}", null);
        UniquePolicy second = read(policy, "{\"type\":\"a\",\"args\":[2]}", null);
        assertThat(second.fingerprint()).isNotEqualTo(first.fingerprint());
        assertThat(List.of(second.ofQueue(), second.states(), second.period(), second.onConflict()))
                .isEqualTo(List.of(first.ofQueue(), first.states(), first.period(), first.onConflict()));
        assertThat(read(policy, "{\"type\":\"a\",\"args\":[1]}", null)).isEqualTo(first);
    }

    @Test
    void a_policy_that_cannot_be_read_is_rejected_each_time() {
        for (int i = 0; i < 2; i++)
            assertThatThrownBy(() -> read("{\"keys\":[\"meta\"]}")).isInstanceOf(UnreadableUnique.class);
    }
}
