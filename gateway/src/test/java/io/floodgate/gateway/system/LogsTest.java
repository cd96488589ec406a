package io.floodgate.gateway.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.command.PartitionCommand.Acknowledge;
import io.floodgate.topics.command.PartitionCommand.DiscardQuarantined;
import io.floodgate.topics.command.PartitionCommand.ListQuarantined;
import io.floodgate.topics.command.PartitionCommand.RetryQuarantined;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LogsTest extends GatewayFixture {
    @Test
    void are_listed_with_those_that_are_silent() {
        logs.answerLater(sent -> sent.log().partition() == 2
                ? CompletableFuture.failedFuture(new NoReply("no answer"))
                : CompletableFuture.completedFuture(
                        FakePartitions.done("{\"log\":\"" + sent.log() + "\",\"offset\":7,\"alarms\":[]}")));

        Got got = get("/ojs/v1/admin/logs");

        got.answers(200);
        assertThat(got.at("/logs").size()).isEqualTo(4);
        got.answers("{'logs':[{},{'offset':7,'partition':1}]}");
        assertThat(got.at("/logs/2/silent").stringValue()).contains("no answer");
        assertThat(got.at("/logs/2/log").stringValue()).isEqualTo("ojs.commands/2");
    }

    @Test
    void have_their_alarms_acknowledged() {
        logs.answer("{}");

        post("/ojs/v1/admin/logs/3/alarms/commands_lost/acknowledge", "{}").answers(200);
        assertThat(logs.theOnlySent().log().partition()).isEqualTo(3);
        assertThat(logs.theCommand(Acknowledge.class).code()).isEqualTo("commands_lost");
        post("/ojs/v1/admin/logs/9/alarms/commands_lost/acknowledge", "{}").answers(404);
    }

    /** A topic that was made again, for a restored backup for instance, raises one in each. */
    @Test
    void have_an_alarm_of_all_acknowledged_at_once() {
        logs.answerByLog(sent -> sent.log().partition() == 2
                ? new Reply.Rejected(Rejection.notFound("alarm", "topic_recreated"))
                : FakePartitions.done("{}"));

        Got got = post("/ojs/v1/admin/logs/all/alarms/topic_recreated/acknowledge", "{}");

        got.answers(200);
        assertThat(got.at("/logs").valueStream().map(log -> log.stringValue()))
                .containsExactly("ojs.commands/0", "ojs.commands/1", "ojs.commands/3");
        logs.answerByLog(sent -> new Reply.Rejected(Rejection.notFound("alarm", "topic_recreated")));
        post("/ojs/v1/admin/logs/all/alarms/topic_recreated/acknowledge", "{}").answers(404);
    }

    @Test
    void show_what_they_have_quarantined_page_by_page() {
        logs.answerByLog(sent -> {
            ListQuarantined list = (ListQuarantined) sent.command();
            if (sent.log().partition() != 1 && sent.log().partition() != 3) return FakePartitions.done("{\"total\":0}");
            return list.after() == null
                    ? FakePartitions.done(
                            "{\"total\":2,\"next\":\"x\"}", "{\"id\":1,\"kind\":\"job\",\"failure\":\"f\"}")
                    : FakePartitions.done("{\"total\":2}", "{\"id\":2,\"kind\":\"timer\"}");
        });

        Got all = get("/ojs/v1/admin/set-aside");
        assertThat(all.at("/total").intValue()).isEqualTo(4);
        assertThat(all.at("/items").valueStream().map(i -> i.get("id").stringValue()))
                .containsExactly("1-1", "1-2", "3-1", "3-2");
        assertThat(all.at("/items/0/kind").stringValue()).isEqualTo("job");
        Got page = get("/ojs/v1/admin/set-aside?limit=2&page=2");
        assertThat(page.at("/items").valueStream().map(i -> i.get("id").stringValue()))
                .containsExactly("3-1", "3-2");
        get("/ojs/v1/admin/set-aside?limit=1&offset=1").answers("{'items':[{'id':'1-2'}]}");
    }

    @Test
    void try_what_was_quarantined_once_more_or_give_it_up() {
        logs.answer("{}");
        post("/ojs/v1/admin/set-aside/3-42/retry", "").answers(200);
        assertThat(logs.theCommand(RetryQuarantined.class).id()).isEqualTo(42);
        assertThat(logs.theOnlySent().log().partition()).isEqualTo(3);

        logs.reset().answer("{}");
        delete("/ojs/v1/admin/set-aside/0-7").answers(200);
        assertThat(logs.theCommand(DiscardQuarantined.class).id()).isEqualTo(7);

        delete("/ojs/v1/admin/set-aside/nonsense").answers(404);
    }
}
