package io.floodgate.gateway.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.QueueCommand.CreateQueue;
import io.floodgate.topics.command.QueueCommand.DeleteQueue;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.QueueConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators say of queues that are to be, and of those that are not to be any more. */
class QueueLifeTest extends GatewayFixture {
    private static final String STATUS =
            "{\"name\":\"payments\",\"state\":\"active\",\"paused\":false,\"created_at\":\"2026-02-12T09:00:00.000Z\",\"depth\":0,"
                    + "\"explicit\":true,\"config\":{\"max_depth\":100000},\"version\":7}";
    private static final String DELETED =
            "{\"queue\":\"old\",\"strategy\":\"discard\",\"jobs_affected\":42,\"jobs_left\":42,\"state\":\"draining\"}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\":\"payments\",\"config\":{\"max_size\":100000}}",
                "{\"name\":\"payments\",\"max_size\":100000}",
                "{\"name\":\"payments\",\"capacity\":{\"max_depth\":100000}}"
            })
    void a_queue_is_made_in_any_vocabulary_and_shown_whole(String body) {
        logs.answer(STATUS);

        Got got = post("/ojs/v1/queues", body);

        got.answers(201);
        assertThat(got.header("Location")).isEqualTo("/ojs/v1/queues/payments");
        assertThat(logs.theCommand(CreateQueue.class))
                .isEqualTo(new CreateQueue("payments", new QueueConfig(100_000L, null, null, null)));
        assertThat(logs.theOnlySent().log()).isEqualTo(logs.routing().ofQueue("payments"));
        got.answers("""
            {"name":"payments","state":"active","config":{"max_size":100000,"overflow_policy":"reject"},
            "created_at":"2026-02-12T09:00:00.000Z","queue":{"name":"payments"}}""");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {} | name
        {"name":""} | name
        {"name":7} | name
        {"name":"_default"} | name
        {"name":"No Name"} | name
        {"name":"q","config":[]} | config
        {"name":"q","config":{"max_size":-1}} | config.max_size
        {"name":"q","config":{"colour":"red"}} | config.colour
        """)
    void what_makes_no_queue_is_rejected_by_name(String body, String field) {
        post("/ojs/v1/queues", body).answers(400, "{'error':{'details':{'field':'%s'}}}", field);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void a_queue_that_is_there_is_a_conflict() {
        logs.reject(Rejection.of(ErrorCode.CONFLICT, "Queue 'payments' exists already."));

        post("/ojs/v1/queues", "{\"name\":\"payments\"}").answers(409);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "- | - | REJECT",
                "- | {} | REJECT",
                "?strategy=reject | - | REJECT",
                "?strategy=discard | - | DISCARD",
                "- | {\"strategy\":\"discard\"} | DISCARD",
                "?strategy=drain | {\"strategy\":\"drain\"} | DRAIN"
            })
    void a_queue_is_deleted_as_body_or_query_say(String query, String body, Deletion strategy) {
        logs.answer(DELETED);

        Got got = send("DELETE", "/ojs/v1/queues/old" + (query == null ? "" : query), body);

        got.answers(202);
        assertThat(logs.theCommand(DeleteQueue.class)).isEqualTo(new DeleteQueue("old", strategy));
        got.answers("{'queue':'old','jobs_affected':42,'state':'draining'}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "?strategy=burn | - | strategy",
                "- | {\"strategy\":\"burn\"} | strategy",
                "- | {\"strategy\":1} | strategy",
                "?strategy=reject | {\"strategy\":\"discard\"} | strategy",
                "- | {\"mode\":\"discard\"} | mode"
            })
    void a_deletion_that_means_nothing_is_rejected(String query, String body, String field) {
        Got got = send("DELETE", "/ojs/v1/queues/old" + (query == null ? "" : query), body);

        got.answers(400, "{'error':{'details':{'field':'%s'}}}", field);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void a_job_for_a_queue_that_takes_none_is_rejected_with_advice() {
        logs.reject(Rejection.of(ErrorCode.QUEUE_NOT_FOUND, "There is no queue 'q'."));
        Got unknown = post("/ojs/v1/jobs", "{\"type\":\"a.b\",\"args\":[],\"queue\":\"q\"}");
        unknown.answers(404, "{'error':{'code':'QUEUE_NOT_FOUND'}}");
        assertThat(unknown.at("/error/hint").stringValue()).contains("POST /ojs/v1/queues");

        logs.reject(Rejection.of(ErrorCode.QUEUE_DRAINING, "Queue 'q' is being deleted."));
        Got draining = post("/ojs/v1/jobs", "{\"type\":\"a.b\",\"args\":[],\"queue\":\"q\"}");
        draining.answers(422, "{'error':{'code':'queue_draining','retryable':false}}");
    }
}
