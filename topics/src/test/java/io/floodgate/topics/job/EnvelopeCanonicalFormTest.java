package io.floodgate.topics.job;

import static io.floodgate.topics.job.Jobs.job;
import static io.floodgate.topics.job.Jobs.read;
import static io.floodgate.topics.job.Jobs.text;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A gateway sends what it read; the partition reads it again. */
class EnvelopeCanonicalFormTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"id\":\"019539a4-b68c-7def-8000-1a2b3c4d5e6f\"",
                "\"queue\":\"q\",\"priority\":-7",
                "\"timeout\":30",
                "\"timeout\":\"PT1M\"",
                "\"timeout\":0",
                "\"timeout\":1,\"options\":{\"timeout\":2}",
                "\"timeout\":1,\"timeout_ms\":2",
                "\"visibility_timeout\":0.5",
                "\"visibility_timeout\":\"PT0.0015S\"",
                "\"scheduled_at\":\"2030-01-01T14:00:00.123456789+02:00\"",
                "\"delay\":\"P100Y\"",
                "\"delay\":\"P1Y2M3W4DT5H6M7.891234567S\"",
                "\"delay\":0",
                "\"delay_until\":\"+PT0.000000001S\"",
                "\"expires_at\":\"2030-01-01T14:00:00.123456789+02:00\"",
                "\"options\":{\"expires_at\":\"2030-01-01t14:00:00z\"}",
                "\"ttl\":\"PT0S\"",
                "\"expires_at\":\"+PT1.5S\"",
                "\"retry\":{}",
                "\"retry\":{\"x_unknown\":1}",
                "\"retry\":{\"maxAttempts\":9,\"backoff\":\"none\",\"initial_interval_ms\":1,\"max_interval\":\"90d\",\"jitter\":false,"
                        + "\"backoffCoefficient\":1.5,\"nonRetryableErrors\":[\"a.*\",\"é\\\"\"],\"onExhaustion\":\"discard\"}",
                "\"retry\":{\"initial_interval\":\"PT0.0015S\",\"max_interval\":\"PT0.0019S\"}",
                "\"retry\":{\"backoff_coefficient\":1.1000000000000000001}",
                "\"max_attempts\":4",
                "\"options\":{\"pending\":true}",
                "\"on_worker_lost\":\"discard\"",
                "\"meta\":{\"test_directive\":\"quiet\"}",
                "\"meta\":{\"a\":1},\"options\":{\"metadata\":{\"a\":2,\"b\":null}}",
                "\"options\":{\"tags\":[\"a\"],\"unique\":{},\"rate_limit\":{\"max_per_second\":1},\"schema\":\"s\"}",
                "\"specversion\":\"1.0.0-rc.1\"",
                "\"version\":\"1\"",
                "\"x\":null,\"y\":[ 1 , 2 ],\"\":\"\",\"\\u00e9\\n\":\"\\u00e9\""
            })
    void read_again_is_the_same_job(String fields) {
        Envelope job = read(job(fields));
        Envelope again = read(job.toJson());
        Jobs.same(again, job);
        assertThat(text(again.toJson())).isEqualTo(text(job.toJson()));
        assertThat(text(again.payload(Jobs.ID))).isEqualTo(text(job.payload(Jobs.ID)));
    }

    @Test
    void says_nothing_that_was_not_said() {
        assertThat(text(read(job("")).toJson()))
                .isEqualTo(
                        "{\"specversion\":\"1.0\",\"type\":\"email.send\",\"args\":[],\"meta\":{},\"queue\":\"default\"}");
    }

    @Test
    void has_one_spelling() {
        Envelope job = read(
                job(
                        "\"options\":{\"queue\":\"q\",\"priority\":5,\"delay\":\"2s\",\"ttl\":60,\"timeout\":30,"
                                + "\"visibility_timeout\":\"1m\",\"retry_policy\":{\"maxAttempts\":2,\"backoff\":\"fixed\"},\"pending\":true}"));
        assertThat(text(job.withId(Jobs.ID).toJson()))
                .isEqualTo(
                        "{\"id\":\"019539a4-b68c-7def-8000-1a2b3c4d5e6f\",\"specversion\":\"1.0\",\"type\":\"email.send\","
                                + "\"args\":[],\"meta\":{},\"visibility_timeout_ms\":60000,\"queue\":\"q\","
                                + "\"priority\":5,\"scheduled_at\":\"+PT2S\",\"expires_at\":\"+PT1M\","
                                + "\"retry\":{\"max_attempts\":2,\"backoff_strategy\":\"constant\"},\"pending\":true,\"timeout_ms\":30000}");
    }
}
