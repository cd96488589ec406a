package io.floodgate.gateway.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.PartitionCommand.Reset;
import org.junit.jupiter.api.Test;

class ResetTest extends GatewayFixture {
    @Override
    protected boolean testMode() {
        return true;
    }

    @Test
    void makes_every_log_forget() {
        logs.answer("{\"topic_id\":\"the-topic\"}");

        post("/ojs/v1/admin/reset", "").answers(200);
        assertThat(logs.sent())
                .filteredOn(sent -> sent.command().equals(new Reset("the-topic")))
                .extracting(sent -> sent.log())
                .containsExactlyElementsOf(logs.routing().logs());
    }

    @Test
    void says_so_when_a_log_does_not_answer() {
        post("/ojs/v1/admin/reset", "").answers(503);
    }
}
