package io.floodgate.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JobTest {
    private record Address(String street, int number) {}

    @Test
    void has_a_type_and_arguments() {
        assertThat(Job.of("email.send", "ada", 7, null, new Address("Long", 3)))
                .hasToString("{\"type\":\"email.send\",\"args\":[\"ada\",7,null,{\"street\":\"Long\",\"number\":3}]}");
    }

    @Test
    void has_whatever_is_said() {
        assertThat(Job.of("a")
                        .queue("email")
                        .priority(5)
                        .id("0190b8a0-7c00-7a2b-8c3d-0123456789ab")
                        .tenant("acme")
                        .meta("trace", "t1")
                        .with("tags", List.of("x")))
                .hasToString("{\"type\":\"a\",\"args\":[],\"queue\":\"email\",\"priority\":5,"
                        + "\"id\":\"0190b8a0-7c00-7a2b-8c3d-0123456789ab\","
                        + "\"meta\":{\"tenant_id\":\"acme\",\"trace\":\"t1\"},\"tags\":[\"x\"]}");
    }

    @Test
    void can_be_for_later() {
        Instant noon = Instant.parse("2026-02-13T12:00:00Z");

        assertThat(Job.of("a").at(noon).expiresAt(noon.plusSeconds(60)))
                .hasToString("{\"type\":\"a\",\"args\":[],\"scheduled_at\":\"2026-02-13T12:00:00Z\","
                        + "\"expires_at\":\"2026-02-13T12:01:00Z\"}");
        assertThat(Job.of("a").delay(Duration.ofMinutes(5)))
                .hasToString("{\"type\":\"a\",\"args\":[],\"scheduled_at\":\"+PT5M\"}");
    }

    @Test
    void is_never_changed() {
        Job job = Job.of("a").meta("x", 1);

        job.queue("email").meta("y", 2);

        assertThat(job).hasToString("{\"type\":\"a\",\"args\":[],\"meta\":{\"x\":1}}");
    }

    @Test
    void can_be_read_from_json_in_any_spelling() {
        Job job = Job.parse("{\"type\":\"a\",\"args\":[1.50],\"meta\":{\"x\":1},\"options\":{\"queue\":\"email\"}}");

        assertThat(job.meta("y", Map.of("z", 2)))
                .hasToString("{\"type\":\"a\",\"args\":[1.50],\"meta\":{\"x\":1,\"y\":{\"z\":2}},"
                        + "\"options\":{\"queue\":\"email\"}}");
    }

    @Test
    void what_is_no_json_is_rejected() {
        assertThatThrownBy(() -> Job.parse("{"))
                .isInstanceOfSatisfying(
                        JobRejected.class,
                        rejected -> assertThat(rejected.code()).isEqualTo("invalid_payload"));
        List<Object> endless = new ArrayList<>();
        endless.add(endless);
        Job unwritable = Job.of("a", endless);
        assertThatThrownBy(unwritable::toJson).isInstanceOf(JobRejected.class);
    }
}
