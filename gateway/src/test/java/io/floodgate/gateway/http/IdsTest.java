package io.floodgate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdsTest {
    private final Ids ids = new Ids(Clock.fixed(Instant.parse("2026-02-12T10:30:00Z"), ZoneOffset.UTC), 42);

    @Test
    void of_jobs_are_valid_and_lead_to_the_queue() {
        JobId id = ids.job("email");

        assertThat(JobId.parse(id.toString())).contains(id);
        assertThat(id.slot()).isEqualTo(Slot.of("email"));
    }

    @Test
    void differ_within_one_millisecond() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 100_000; i++)
            assertThat(seen.add(ids.job("q").toString())).isTrue();
    }

    @Test
    void of_requests_are_valid() {
        assertThat(JobId.parse(ids.request().substring("req_".length()))).isPresent();
    }
}
