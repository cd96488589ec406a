package io.floodgate.topics.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {
    private static final Set<String> KNOWN = Set.of("timezone", "overlap_policy", "max_attempts", "queue", "jitter");

    @ParameterizedTest
    @CsvSource({
        "time_zone,timezone",
        "overlap,overlap_policy",
        "max_atempts,max_attempts",
        "Queue,queue",
        "queues,queue",
        "jiter,jitter",
        "foo,",
        "x,"
    })
    void a_misspelled_name_has_a_nearest_one(String name, String nearest) {
        assertThat(NearestName.of(name, KNOWN).orElse(null)).isEqualTo(nearest);
    }

    @ParameterizedTest
    @CsvSource({
        "time_zone,timezone",
        "maxAttempts,max_attempts",
        "max_atempts,max_attempts",
        "jiter,jitter",
        "que,",
        "overlap,",
        "timeouts,",
        "queue,"
    })
    void a_name_is_misspelled_if_a_letter_or_two_are_wrong(String name, String meant) {
        assertThat(NearestName.misspelled(name, KNOWN).orElse(null)).isEqualTo(meant);
    }

    @Test
    void a_name_of_a_megabyte_is_compared_with_none() {
        assertThat(NearestName.of("timezone".repeat(131_072), KNOWN)).isEmpty();
    }
}
