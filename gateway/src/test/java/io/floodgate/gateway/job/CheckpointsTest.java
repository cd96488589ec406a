package io.floodgate.gateway.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.DropCheckpoint;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.Progress;
import io.floodgate.topics.command.Rejection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointsTest extends GatewayFixture {
    private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";
    private static final String SAVED =
            "{\"state\":{\"row\":14},\"metadata\":{\"_replay_log\":\"[1]\"},\"sequence\":3,\"created_at\":\"2026-02-12T10:30:00.000Z\"}";
    private static final String STORED =
            "{\"job_id\":\"" + ID + "\",\"state\":\"active\",\"checkpoint\":" + SAVED + "}";

    @ParameterizedTest
    @ValueSource(strings = {"/ojs/v1/jobs/%s/checkpoint", "/ojs/v1/checkpoints/%s", "/ojs/v1/ojs/v1/checkpoints/%s"})
    void are_stored_shown_and_deleted(String path) {
        logs.answer(STORED);
        for (String method : new String[] {"PUT", "POST"}) {
            logs.reset().answer(STORED);
            Got got = send(
                    method,
                    path.formatted(ID),
                    "{\"state\":{\"row\":14},\"sequence\":3,\"worker_id\":\"w\",\"lease\":7}");
            got.answers(200, """
                {"state":{"row":14},"sequence":3,"checkpoint":{"job_id":"%s",
                "created_at":"2026-02-12T10:30:00.000Z"}}""", ID);
            Progress sent = logs.theCommand(Progress.class);
            assertThat(new String(sent.report().checkpoint(), UTF_8)).isEqualTo("{\"state\":{\"row\":14}}");
            assertThat(sent.report().sequence()).isEqualTo(3);
            assertThat(sent.claimant().lease()).isEqualTo(7);
        }
        logs.reset().answer(STORED);
        assertThat(get(path.formatted(ID)).at("/state/row").intValue()).isEqualTo(14);
        logs.theCommand(GetJob.class);
        post(path.formatted(ID) + "/resume", "").answers("{'sequence':3}");
        logs.reset().answer("{\"job_id\":\"" + ID + "\",\"state\":\"active\"}");
        send("DELETE", path.formatted(ID), null).answers(200);
        logs.theCommand(DropCheckpoint.class);
    }

    @Test
    void of_durable_jobs_come_back_with_their_replay_log() {
        logs.answer(STORED);
        String body = "{\"state\":{\"v\":1},\"step_index\":1,\"metadata\":{\"_replay_log\":\"[1]\"}}";
        post("/ojs/v1/checkpoints/" + ID, body).answers(200);
        assertThat(new String(logs.theCommand(Progress.class).report().checkpoint(), UTF_8))
                .isEqualTo("{\"state\":{\"v\":1},\"metadata\":{\"_replay_log\":\"[1]\"},\"step_index\":1}");
        logs.reset().answer(STORED);
        Got resumed = get("/ojs/v1/ojs/v1/checkpoints/" + ID + "/resume");
        resumed.answers("{'has_checkpoint':true,'checkpoint':{'metadata':{'_replay_log':'[1]'}}}");
        logs.reset().answer("{\"id\":\"" + ID + "\",\"state\":\"active\"}");
        get("/ojs/v1/ojs/v1/checkpoints/" + ID + "/resume").answers(200, "{'has_checkpoint':false}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "null", "\"x\"", "[1]", "false"})
    void have_any_json_value_as_state(String state) {
        logs.answer(STORED);
        send("PUT", "/ojs/v1/jobs/" + ID + "/checkpoint", "{\"state\":" + state + "}");
        assertThat(new String(logs.theCommand(Progress.class).report().checkpoint(), UTF_8))
                .isEqualTo("{\"state\":" + state + "}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"state\":{},\"sequence\":9223372036854775807}",
                "{\"state\":{},\"sequence\":-1}",
                "{\"state\":{},\"sequence\":\"x\"}"
            })
    void without_a_state_are_rejected(String body) {
        send("PUT", "/ojs/v1/jobs/" + ID + "/checkpoint", body).answers(400);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void that_are_too_large_are_rejected() {
        String body = "{\"state\":{\"a\":\"%s\"}}".formatted("x".repeat(256 * 1024));

        Got got = send("PUT", "/ojs/v1/jobs/" + ID + "/checkpoint", body);

        got.answers(413);
        assertThat(got.at("/error/message").stringValue()).contains("262144");
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void that_are_not_there_are_not_found() {
        logs.answer("{\"id\":\"" + ID + "\",\"state\":\"active\"}");
        get("/ojs/v1/jobs/" + ID + "/checkpoint").answers(404);
        logs.reject(Rejection.of(ErrorCode.CONFLICT, "a later one is there"));
        send("PUT", "/ojs/v1/jobs/" + ID + "/checkpoint", "{\"state\":{}}").answers(409);
    }
}
