package io.floodgate.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.AdminCommand.BeginBulk;
import io.floodgate.topics.command.AdminCommand.BulkAction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueuePurgeTest extends GatewayFixture {
    private static final String JOBS = "/ojs/v1/admin/queues/mail/jobs";

    @BeforeEach
    void answer() {
        logs.answer(
                "{\"action\":\"purge\",\"state\":\"done\",\"matched\":8,\"succeeded\":7,\"failed\":1,\"errors\":[]}");
    }

    @Test
    void is_a_piece_of_work_of_the_log_that_has_the_queue() {
        Got got = send(
                "DELETE",
                JOBS,
                "{\"states\":[\"completed\",\"available\"],\"older_than\":\"2026-02-06T00:00:00Z\",\"confirm\":true}");

        got.answers(200, "{'purged_count':7}");
        BeginBulk begun = logs.theCommand(BeginBulk.class);
        assertThat(begun.action()).isEqualTo(BulkAction.PURGE);
        assertThat(begun.filter().queue()).isEqualTo("mail");
        assertThat(begun.filter().states()).containsExactlyInAnyOrder(JobState.COMPLETED, JobState.AVAILABLE);
        assertThat(begun.filter().until()).isEqualTo("2026-02-06T00:00:00Z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST /ojs/v1/queues/mail/purge", "DELETE /ojs/v1/queues/mail/purge"})
    void is_not_confirmed_where_the_command_line_tool_asks_for_it(String request) {
        String[] line = request.split(" ", 2);
        send(line[0], line[1], "{\"states\":[\"discarded\"]}").answers(200, "{'deleted':7}");
        assertThat(logs.theCommand(BeginBulk.class).filter().states()).containsExactly(JobState.DISCARDED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"states\":[\"completed\"]}",
                "{\"states\":[\"completed\"],\"confirm\":false}",
                "{\"confirm\":true}",
                "{\"states\":[],\"confirm\":true}",
                "{\"states\":\"completed\",\"confirm\":true}",
                "{\"states\":[\"done\"],\"confirm\":true}",
                "{\"states\":[\"completed\"],\"type\":\"a\",\"confirm\":true}",
                "{\"states\":[\"completed\"],\"older_than\":\"yesterday\",\"confirm\":true}"
            })
    void of_which_something_is_not_said_or_not_understood_touches_nothing(String body) {
        send("DELETE", JOBS, body).answers(400);
        send("POST", "/ojs/v1/admin/queues/mail/purge", body).answers(400);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void of_a_queue_that_cannot_be_is_rejected() {
        send("POST", "/ojs/v1/queues/No%20Queue/purge", "{\"states\":[\"completed\"]}")
                .answers(400);
    }
}
