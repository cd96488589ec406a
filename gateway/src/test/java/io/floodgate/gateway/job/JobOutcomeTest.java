package io.floodgate.gateway.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** OJS results. */
class JobOutcomeTest extends GatewayFixture {
    private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";
    private static final String PATH = "/ojs/v1/jobs/" + ID;

    private String completed(long secondsAgo, String more) {
        Instant end = given.clock.instant().minusSeconds(secondsAgo);
        return "{\"id\":\"%s\",\"type\":\"a\",\"args\":[],\"meta\":{\"tenant_id\":\"acme\"},\"state\":\"completed\",\"completed_at\":\"%s\",\"result\":{\"n\":1}%s}"
                .formatted(ID, end, more);
    }

    @ParameterizedTest
    @CsvSource({"60,59,200", "60,60,410", "0,0,410", "-1,9999999,200"})
    void is_shown_until_its_time_is_over(int ttl, int secondsAgo, int status) {
        logs.answer(completed(secondsAgo, ",\"result_ttl\":" + ttl));

        Got got = get(PATH + "/result");

        assertThat(got.status()).isEqualTo(status);
        assertThat(get(PATH).json().has("result")).isEqualTo(status == 200);
        if (status == 200) return;
        assertThat(got.at("/error/code").stringValue()).isEqualTo("RESULT_PRUNED");
        assertThat(got.at("/error/message").stringValue()).startsWith("The result was kept until 2");
    }

    @Test
    void says_when_it_was_stored_and_how_large_it_is() {
        logs.answer(completed(10, ",\"result_ttl\":60"));

        Got got = get(PATH);

        Instant stored = given.clock.instant().minusSeconds(10);
        assertThat(Instant.parse(got.at("/job/result_stored_at").stringValue())).isEqualTo(stored);
        assertThat(Instant.parse(got.at("/result_expires_at").stringValue())).isEqualTo(stored.plusSeconds(60));
        assertThat(got.at("/result_size_bytes").intValue()).isEqualTo(7);
    }

    /** The job is removed at the end of 100 s: without `result_ttl`, and with a longer one, that is the end of the result. */
    @ParameterizedTest
    @CsvSource({"-1,100", "0,0", "60,60", "600,100"})
    void expires_with_its_job_at_the_latest(int ttl, int seconds) {
        Instant end = given.clock.instant();
        logs.answer(completed(0, ",\"kept_until\":\"%s\",\"result_ttl\":%d".formatted(end.plusSeconds(100), ttl)));

        assertThat(Instant.parse(get(PATH).at("/job/result_expires_at").stringValue()))
                .isEqualTo(end.plusSeconds(seconds));
    }

    @ParameterizedTest
    @CsvSource({"active,0,1", "scheduled,5,5", "scheduled,900,60", "retryable,-3,1", "completed,0,"})
    void that_is_not_there_yet_is_worth_another_look_later(String state, int dueInSeconds, String seconds) {
        String due = given.clock.instant().plusSeconds(dueInSeconds).toString();
        String time = state.equals("retryable") ? "next_attempt_at" : "scheduled_at";
        logs.answer("{\"id\":\"%s\",\"state\":\"%s\"%s}"
                .formatted(ID, state, state.equals("active") ? "" : ",\"%s\":\"%s\"".formatted(time, due)));

        for (String path : List.of(PATH, PATH + "/result"))
            assertThat(get(path).header("Retry-After")).isEqualTo(seconds);
    }

    @Test
    void of_a_discarded_job_is_its_error() {
        logs.answer(
                "{\"id\":\"" + ID + "\",\"state\":\"discarded\",\"discarded_at\":\"2026-02-12T10:30:00.000Z\"}",
                "{\"error\":{\"type\":\"SmtpError\",\"message\":\"no\"},\"errors\":[]}");

        assertThat(get(PATH + "/result").at("/error/type").stringValue()).isEqualTo("SmtpError");
        assertThat(many(ID).at("/results/" + ID + "/error/type").stringValue()).isEqualTo("SmtpError");
    }

    @Test
    void of_many_jobs_come_in_one_answer() {
        String active = ID.substring(0, ID.length() - 1) + "1";
        String unknown = ID.substring(0, ID.length() - 1) + "2";
        logs.answer(command -> result(command, active));

        Got got = many(ID, active, unknown, "no-id", ID);

        got.answers(200);
        assertThat(got.at("/results").size()).isEqualTo(4);
        assertThat(got.at("/results/" + ID + "/result/n").intValue()).isEqualTo(1);
        assertThat(got.at("/results/" + ID + "/state").stringValue()).isEqualTo("completed");
        assertThat(got.at("/results/" + active + "/state").stringValue()).isEqualTo("active");
        assertThat(got.at("/results/" + active + "/result").isNull()).isTrue();
        assertThat(got.at("/results/" + unknown).isNull()).isTrue();
        assertThat(got.at("/results/no-id").isNull()).isTrue();
        assertThat(logs.sent()).hasSize(3);
    }

    private Reply result(Command command, String active) {
        String id = ((GetJob) command).job().toString();
        if (id.equals(ID)) return FakePartitions.done(completed(1, ""));
        if (id.equals(active)) return FakePartitions.done("{\"id\":\"" + id + "\",\"state\":\"active\"}");
        return new Reply.Rejected(Rejection.notFound("job", id));
    }

    @Test
    void of_another_tenants_jobs_are_null() {
        logs.answer(completed(1, ""));

        Got got = post("/ojs/v1/jobs/results", "{\"ids\":[\"" + ID + "\"]}", "X-OJS-Tenant", "other");

        assertThat(got.at("/results/" + ID).isNull()).isTrue();
        assertThat(got.at("/results").has(ID)).isTrue();
    }

    @Test
    void of_too_many_jobs_are_rejected() {
        String ids = IntStream.range(0, 101).mapToObj(i -> "\"" + i + "\"").collect(Collectors.joining(","));

        Got got = post("/ojs/v1/jobs/results", "{\"ids\":[" + ids + "]}");

        got.answers(413, "{'error':{'code':'BATCH_SIZE_EXCEEDED'}}");
        post("/ojs/v1/jobs/results", "{}").answers(400);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void that_are_too_large_together_are_rejected() {
        String large = "\"" + "x".repeat(1_000_000) + "\"";
        logs.answer(command -> FakePartitions.done(
                "{\"id\":\"%s\",\"state\":\"completed\",\"result\":%s}".formatted(((GetJob) command).job(), large)));
        String[] ids = IntStream.range(10, 40)
                .mapToObj(i -> ID.substring(0, ID.length() - 2) + i)
                .toArray(String[]::new);

        assertThat(many(ids).at("/error/code").stringValue()).isEqualTo("BATCH_SIZE_EXCEEDED");
    }

    private Got many(String... ids) {
        return post("/ojs/v1/jobs/results", "{\"ids\":[\"" + String.join("\",\"", ids) + "\"]}");
    }

    @Test
    void that_is_too_large_is_rejected_with_a_code_of_its_own() {
        String result = "{\"job_id\":\"%s\",\"result\":\"%s\"}".formatted(ID, "x".repeat(1_200_000));

        for (Got got : new Got[] {post("/ojs/v1/workers/ack", result), post(PATH + "/ack", result)}) {
            got.answers(413, "{'error':{'code':'RESULT_TOO_LARGE'}}");
        }
        logs.reject(Rejection.of(ErrorCode.RESULT_TOO_LARGE, "The result has 3000000 bytes."));
        post(PATH + "/ack", "{\"result\":1}").answers(413);
    }

    @Test
    void is_the_end_of_a_stream() throws Exception {
        logs.answer(completed(1, ""));

        URI uri = URI.create("http://127.0.0.1:%d%s/result/stream".formatted(port(), PATH));
        String text;
        try (HttpClient http = HttpClient.newHttpClient()) {
            text = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
        }

        assertThat(text)
                .contains("event: result")
                .contains("\"value\":{\"n\":1}")
                .doesNotContain("event: completed");
    }
}
