package io.floodgate.gateway.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.Rejection;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class JobHistoryTest extends GatewayFixture {
    private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";
    private static final String PATH = "/ojs/v1/jobs/" + ID + "/history";
    private static final String JOB = "{\"id\":\"" + ID
            + "\",\"type\":\"a\",\"args\":[1],\"queue\":\"q\",\"attempt\":2,\"created_at\":\"2026-02-12T10:00:00.000Z\",";
    private static final String ERRORS =
            "{\"errors\":[{\"attempt\":1,\"type\":\"t\",\"worker_id\":\"w1\",\"occurred_at\":\"2026-02-12T10:02:00.000Z\"}]}";

    private static List<String> types(Got got) {
        JsonNode events = got.at("/events");
        return IntStream.range(0, events.size())
                .mapToObj(i -> events.get(i).get("event_type").stringValue())
                .toList();
    }

    @Test
    void begins_with_its_coming_and_ends_with_its_end() {
        logs.answer(
                JOB
                        + "\"state\":\"completed\",\"started_at\":\"2026-02-12T10:05:00.000Z\",\"completed_at\":\"2026-02-12T10:05:01.500Z\"}",
                ERRORS);

        Got got = get(PATH);

        assertThat(types(got))
                .containsExactly("job.created", "job.attempt_failed", "job.attempt_started", "job.attempt_completed");
        assertThat(got.at("/total").intValue()).isEqualTo(4);
        assertThat(got.at("/history")).isEqualTo(got.at("/events"));
        got.answers("""
            {"events":[{"data":{"queue":"q","args_size_bytes":3},"job_id":"%s"},{"actor":{"id":"w1"},
            "data":{"will_retry":true,"error":{"type":"t"}}}]}""", ID);
        assertThat(got.at("/events/3/data/duration_ms").intValue()).isEqualTo(1_500);
        assertThat(got.at("/events/3/timestamp").stringValue()).isEqualTo("2026-02-12T10:05:01.500Z");
    }

    @Test
    void of_a_discarded_job_says_that_its_last_failure_was_the_last() {
        logs.answer(JOB + "\"state\":\"discarded\",\"discarded_at\":\"2026-02-12T10:02:00.000Z\"}", ERRORS);

        Got got = get(PATH);

        assertThat(types(got)).containsExactly("job.created", "job.attempt_failed", "job.discarded");
        got.answers("""
            {"events":[{},{"data":{"will_retry":false}},{"data":{"total_attempts":2,"last_error":{"type":"t"}}}]}""");
    }

    @Test
    void comes_in_pages() {
        logs.answer(JOB + "\"state\":\"cancelled\",\"cancelled_at\":\"2026-02-12T10:03:00.000Z\"}", ERRORS);

        Got first = get(PATH + "?limit=2");
        Got last = get(PATH + "?limit=2&cursor=" + first.at("/next_cursor").stringValue());

        assertThat(types(first)).containsExactly("job.created", "job.attempt_failed");
        assertThat(types(last)).containsExactly("job.cancelled");
        assertThat(last.at("/next_cursor").isMissingNode()).isTrue();
        assertThat(types(get(PATH + "?cursor=99"))).isEmpty();
        get(PATH + "?cursor=x").answers(400);
    }

    @Test
    void of_a_job_that_no_client_knows_is_not_found() {
        logs.reject(Rejection.notFound("job", ID));
        get(PATH).answers(404);
    }
}
