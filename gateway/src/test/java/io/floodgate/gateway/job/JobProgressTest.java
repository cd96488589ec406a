package io.floodgate.gateway.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.Progress;
import io.floodgate.topics.command.Rejection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobProgressTest extends GatewayFixture {
    private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";
    private static final String PATH = "/ojs/v1/jobs/" + ID + "/progress";
    private static final String HALF =
            "\"progress\":{\"progress\":0.5,\"message\":\"half\",\"data\":{\"row\":14},\"updated_at\":\"2026-02-12T10:30:00.000Z\"}";
    private static final String ANSWER = "{\"job_id\":\"" + ID + "\",\"state\":\"active\"," + HALF + "}";

    private static String job(String state, String more) {
        return "{\"id\":\"%s\",\"type\":\"a\",\"args\":[],\"meta\":{\"tenant_id\":\"acme\"},\"state\":\"%s\"%s}"
                .formatted(ID, state, more);
    }

    @Test
    void is_reported_and_answered() {
        logs.answer(ANSWER);

        Got got = send(
                "PUT",
                PATH,
                "{\"progress\":0.5,\"message\":\"half\",\"data\":{\"row\": 14},\"checkpoint\":{\"at\":1},\"worker_id\":\"w\",\"lease\":7}");

        got.answers(200, """
            {"job_id":"%s","progress":0.5,"message":"half","data":{"row":14},
            "updated_at":"2026-02-12T10:30:00.000Z"}""", ID);
        assertThat(got.header("X-OJS-Progress")).isEqualTo("0.5");
        assertThat(got.header("Cache-Control")).isEqualTo("no-cache");
        Progress sent = logs.theCommand(Progress.class);
        assertThat(sent.claimant().worker()).isEqualTo("w");
        assertThat(sent.claimant().lease()).isEqualTo(7);
        assertThat(sent.report().share()).isEqualTo(0.5);
        assertThat(new String(sent.report().data(), UTF_8)).isEqualTo("{\"row\": 14}");
        assertThat(new String(sent.report().checkpoint(), UTF_8)).isEqualTo("{\"state\":{\"at\":1}}");
    }

    @Test
    void may_be_given_in_percent_and_is_brought_to_what_it_can_be() {
        logs.answer(ANSWER);
        post("/ojs/v1/workers/progress", "{\"job_id\":\"" + ID + "\",\"percentage\":47}")
                .answers(200);
        assertThat(logs.theCommand(Progress.class).report().share()).isEqualTo(0.47);
        logs.reset().answer(ANSWER);
        send("PUT", PATH, "{\"progress\":1.3}");
        assertThat(logs.theCommand(Progress.class).report().share()).isEqualTo(1.0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"progress\":\"0.5\"}",
                "{\"progress\":1e999}",
                "{\"percentage\":[]}",
                "{\"data\":[]}",
                "{\"data\":\"x\"}",
                "{\"checkpoint\":7}",
                "{\"message\":7}",
                "{\"progress\":null}",
                "[]",
                "nonsense"
            })
    void is_rejected_if_it_says_nothing_sensible(String body) {
        send("PUT", PATH, body).answers(400);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void is_rejected_if_it_says_too_much() {
        for (String field : new String[] {"data", "checkpoint"}) {
            String large = "{\"%s\":{\"a\":\"%s\"}}".formatted(field, "x".repeat(16 * 1024));
            send("PUT", PATH, large).answers("{'error':{'details':{'field':'%s'}}}", field);
        }
        send("PUT", PATH, "{\"message\":\"%s\"}".formatted("x".repeat(1_001))).answers(400);
        send("PUT", PATH, "{\"data\":\"%s\"}".formatted("x".repeat(100_000))).answers(413);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void of_a_run_that_is_over_is_ignored() {
        logs.reject(Rejection.of(ErrorCode.CONFLICT, "too late").with("current_state", "completed"));

        for (Got late : List.of(
                send("PUT", PATH, "{\"progress\":0.5}"),
                post("/ojs/v1/workers/progress", "{\"job_id\":\"" + ID + "\",\"progress\":0.5}"))) {
            late.answers(200, "{'accepted':false,'reason':'too late'}");
        }
    }

    @Test
    void of_a_job_that_no_client_knows_is_not_found() {
        logs.reject(Rejection.notFound("job", ID));
        send("PUT", PATH, "{\"progress\":0.5}").answers(404);
        post("/ojs/v1/workers/progress", "{\"job_id\":\"x\",\"progress\":0.5}").answers(404);
        get(PATH).answers(404);
    }

    @Test
    void is_null_before_anything_was_said() {
        logs.answer(job("active", ""));

        Got got = get(PATH);

        got.answers(200, "{'state':'active'}");
        assertThat(got.at("/progress").isNull()).isTrue();
        assertThat(got.at("/data").isNull()).isTrue();
        assertThat(got.header("X-OJS-Progress")).isNull();
    }

    @Test
    void is_shown_with_the_checkpoint() {
        logs.answer(job("retryable", "," + HALF + ",\"last_checkpoint\":{\"at\":1}"));

        get(PATH).answers("{'progress':0.5,'last_checkpoint':{'at':1}}");
        logs.theCommand(GetJob.class);
    }

    @Test
    void is_nothing_to_another_tenant() {
        logs.answer(job("active", "," + HALF));
        get(PATH, "X-OJS-Tenant", "other").answers(404);
        get(PATH + "/stream", "X-OJS-Tenant", "other").answers(404);
    }

    @Test
    void is_streamed_until_the_job_has_ended() throws Exception {
        AtomicReference<String> now = new AtomicReference<>(job("active", "," + HALF));
        logs.answer(command -> FakePartitions.done(now.get()));
        URI uri = URI.create("http://127.0.0.1:%d%s/stream".formatted(port(), PATH));
        try (HttpClient http = HttpClient.newHttpClient();
                Stream<String> lines = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofLines())
                        .body()) {
            Iterator<String> read = lines.iterator();
            assertThat(next("data: ", read)).contains("\"progress\":0.5", "\"state\":\"active\"");
            now.set(job("completed", ",\"progress\":{\"progress\":1.0,\"updated_at\":\"2026-02-12T10:30:01.000Z\"}"));
            given.happenedTo(ID);
            assertThat(next("event: ", read)).isEqualTo("event: completed");
            assertThat(next("data: ", read)).contains("\"progress\":1.0", "\"state\":\"completed\"");
            while (read.hasNext()) assertThat(read.next()).isEmpty();
        }
        await(() -> given.streams.open() == 0);
    }

    private static String next(String beginning, Iterator<String> lines) {
        String line = lines.next();
        while (!line.startsWith(beginning)) line = lines.next();
        return line;
    }

    @Test
    void of_a_job_that_has_ended_is_a_stream_of_one() {
        logs.answer(job("discarded", "," + HALF));
        assertThat(get(PATH + "/stream").body()).contains("event: failed", "\"progress\":0.5");
    }
}
