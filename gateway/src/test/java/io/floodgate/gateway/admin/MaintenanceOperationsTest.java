package io.floodgate.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.gateway.TestApi;
import io.floodgate.topics.command.AdminCommand.Maintain;
import io.floodgate.topics.command.PartitionCommand.Inspect;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MaintenanceOperationsTest extends GatewayFixture {
    private static final String PATH = "/ojs/v1/admin/system/maintenance";
    private static final String ON = "{\"maintenance\":true,\"maintenance_since\":\"2026-02-12T10:00:00.000Z\","
            + "\"maintenance_reason\":\"a new disk\"}";

    @Test
    void begins_in_every_log() {
        logs.answer(ON);

        post(PATH, "{\"enabled\":true,\"reason\":\"a new disk\",\"estimated_duration\":\"PT30M\"}")
                .answers("""
            {"enabled":true,"maintenance":true,"reason":"a new disk","started_at":"2026-02-12T10:00:00.000Z"}""");
        assertThat(logs.sent())
                .hasSize(4)
                .extracting(FakePartitions.Sent::command)
                .containsOnly(new Maintain(true, "a new disk", TestApi.NOW.plus(Duration.ofMinutes(30))));
    }

    @Test
    void ends() {
        logs.answer("{\"maintenance\":false}");

        Got got = post("/ojs/v1/admin/maintenance", "{\"enabled\":false}");

        assertThat(got.body()).isEqualTo("{\"enabled\":false,\"maintenance\":false}");
        assertThat(logs.sent().getFirst().command()).isEqualTo(new Maintain(false, null, null));
    }

    @Test
    void is_shown_and_says_when_it_is_not_everywhere() {
        logs.answerByLog(sent -> FakePartitions.done(sent.log().partition() == 1 ? ON : "{\"maintenance\":false}"));

        get(PATH).answers("{'enabled':true,'partial':true}");
        assertThat(logs.sent()).extracting(FakePartitions.Sent::command).allMatch(Inspect.class::isInstance);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"enabled\":\"yes\"}", "{\"enabled\":true,\"duration\":\"long\"}"})
    void is_not_begun_by_accident(String body) {
        post(PATH, body).answers(400);
        assertThat(logs.sent()).isEmpty();
    }
}
