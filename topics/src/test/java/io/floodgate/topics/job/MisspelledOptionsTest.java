package io.floodgate.topics.job;

import static io.floodgate.topics.job.Jobs.read;
import static io.floodgate.topics.job.Jobs.rejected;
import static io.floodgate.topics.job.Jobs.withOptions;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Table;
import io.floodgate.topics.command.ErrorCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client misspells among a job's options is rejected; what an extension brings is not. */
class MisspelledOptionsTest {
    @ParameterizedTest
    @CsvSource({"queu,queue", "prioritiy,priority", "tag,tags", "max_attempt,max_attempts", "ratelimit,rate_limit"})
    void a_misspelled_option_is_named_with_the_nearest_one(String name, String nearest) {
        String job = withOptions("\"%s\":1".formatted(name));
        rejected(job, ErrorCode.INVALID_REQUEST, "options." + name);
        assertThat(Jobs.rejection(job).message()).endsWith("Did you mean '%s'?".formatted(nearest));
    }

    @ParameterizedTest
    @Table("""
        x_shard | ext_audit | total_timeout | heartbeat_timeout | grace_period | metadata | version
        """)
    void an_option_of_an_extension_is_taken(String name) {
        String value = name.equals("metadata") ? "{}" : "\"1\"";
        assertThat(read(withOptions("\"%s\":%s".formatted(name, value))).queue())
                .isEqualTo("default");
    }
}
