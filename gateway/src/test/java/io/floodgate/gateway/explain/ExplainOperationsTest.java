package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.gateway.system.PartitionOwners.Owner;
import io.floodgate.topics.command.QueueCommand.ExplainQueue;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The forms of an explanation, and what is answered when there is none. */
class ExplainOperationsTest extends GatewayFixture {
    private static String paused() {
        return Given.queue("'paused':true,'depth':2,'available':2")
                .facts()
                .json()
                .toString();
    }

    @Test
    void one_command_is_sent_to_the_partition_of_the_queue() {
        logs.answer(paused());

        Got got = get("/ojs/v1/queues/email/explain");

        got.answers(200);
        assertThat(got.header("Floodgate-Severity")).isEqualTo("warning");
        got.answers("{'verdict':{'code':'paused'},'findings':[{'do':[{'action':{'scope':'admin'}}]}],'exact':true}");
        assertThat(logs.theCommand(ExplainQueue.class).queue()).isEqualTo("email");
        assertThat(logs.theOnlySent().log()).isEqualTo(logs.routing().ofQueue("email"));
    }

    @Test
    void the_caller_chooses_the_form() {
        logs.answer(paused());

        assertThat(get("/ojs/v1/queues/email/explain", "Accept", "text/plain").body())
                .startsWith("WARNING: Queue 'email' is paused: 2 jobs wait\n");
        assertThat(get("/ojs/v1/queues/email/explain?format=markdown").body())
                .startsWith("## WARNING: Queue 'email' is paused: 2 jobs wait\n");
        assertThat(get("/ojs/v1/queues/email/explain?format=text").header("content-type"))
                .isEqualTo("text/plain; charset=utf-8");
        get("/ojs/v1/queues/email/explain?format=xml").answers(400);
    }

    @Test
    void a_partition_that_does_not_answer_is_the_verdict_and_nothing_is_advised_but_to_look_at_it() {
        given.published(
                "{\"name\":\"email\",\"created_at\":\"2026-02-12T09:00:00.000Z\",\"updated_at\":\"2026-02-12T10:00:00.000Z\","
                        + "\"depth\":7,\"available\":7,\"paused\":true,\"version\":3,\"config\":{}}");

        given.owners.put(logs.routing().ofQueue("email"), new Owner("node-7-1", "10.0.0.7"));

        Got got = get("/ojs/v1/queues/email/explain");

        got.answers("""
            {"verdict":{"code":"partition_silent"},"findings":[{"evidence":{"owner":"node-7-1","host":"10.0.0.7"}}],
            "exact":false,"as_of":"2026-02-12T10:00:00.000Z","figures":{"depth":7}}""");
        assertThat(got.body()).doesNotContain("\"action\"");
    }

    @Test
    void an_unknown_queue_is_not_found_with_the_explanation_among_the_details() {
        given.published(
                "{\"name\":\"emails\",\"created_at\":\"2026-02-12T09:00:00.000Z\",\"depth\":0,\"version\":3,\"config\":{}}");
        logs.answer("{\"name\":\"email\",\"depth\":0,\"version\":0,\"as_of\":\"2026-02-12T10:30:00.000Z\"}");

        Got got = get("/ojs/v1/queues/email/explain");

        got.answers(404, "{'error':{'details':{'explanation':{'verdict':{'code':'never_used'}}}}}");
        assertThat(got.at("/error/details/explanation/verdict/text").stringValue())
                .contains("emails");
        Got text = get("/ojs/v1/queues/email/explain?format=text");
        assertThat(text.body()).startsWith("UNKNOWN: There is no queue 'email'");
        assertThat(text.header("Floodgate-Severity")).isEqualTo("unknown");
    }

    @Test
    void no_more_than_a_hundred_in_a_second() {
        logs.answer(paused());
        for (int i = 0; i < ExplainBudget.MAX_PER_SECOND; i++)
            get("/ojs/v1/queues/email/explain").answers(200);

        get("/ojs/v1/queues/email/explain").answers(503);
        given.pass(Duration.ofSeconds(1));
        get("/ojs/v1/queues/email/explain").answers(200);
    }

    @Test
    void workers_that_were_lost_are_known_from_events() {
        for (int i = 0; i < 3; i++)
            given.happened(
                    ("{\"id\":\"e%d\",\"type\":\"job.failed\",\"time\":\"2026-02-12T10:29:00.000Z\",\"subject\":\"j%d\",\"data\":"
                                    + "{\"queue\":\"email\",\"error\":{\"type\":\"worker_death\",\"worker_id\":\"w1\"}}}")
                            .formatted(i, i));
        logs.answer(command -> FakePartitions.done(
                Given.queue("'depth':3,'available':3").facts().json().toString()));

        Got got = get("/ojs/v1/queues/email/explain");

        assertThat(got.at("/verdict/title").stringValue())
                .isEqualTo("Worker 'w1' was lost with 3 jobs of queue 'email'");
    }
}
