package io.floodgate.gateway.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class EventTriggersTest extends GatewayFixture {
    private static final String TAIL = "{\"queue\":\"default\",\"state\":\"available\"}";
    private static final String STRUCTURED = "application/cloudevents+json";
    private static final String BATCH = "application/cloudevents-batch+json";
    private static final String EVENT = """
            {"specversion":"1.0","id":"evt_1","source":"https://api.stripe.com/v1","type":"com.stripe.charge.succeeded",
             "time":"2026-02-15T14:22:00.000Z","subject":"ch_3","datacontenttype":"application/json","region":7,
             "traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","data":{"amount":2000}}""";
    private static final String[] HEADERS = {
        "Content-Type",
        "application/json",
        "ce-specversion",
        "1.0",
        "ce-id",
        "evt_1",
        "ce-source",
        "https://api.stripe.com/v1",
        "ce-type",
        "com.stripe.charge.succeeded",
        "ce-subject",
        "ch_3"
    };

    private Got event(String event) {
        return post("/ojs/v1/jobs", event, "Content-Type", STRUCTURED);
    }

    private static JsonNode job(Command command) {
        return JsonMapper.shared().readTree(((Enqueue) command).job());
    }

    private JsonNode theJob() {
        return job(logs.theOnlySent().command());
    }

    @Test
    void an_event_in_structured_mode_becomes_a_job() {
        logs.answer(TAIL);

        event(EVENT).answers(201, "{'job':{'type':'com.stripe.charge.succeeded','state':'available'}}");

        answers(theJob(), """
                {"type":"com.stripe.charge.succeeded","queue":"default","args":[{"amount":2000}],"meta":{
                 "trigger_event_id":"evt_1","trigger_source":"https://api.stripe.com/v1","trigger_subject":"ch_3",
                 "trigger_time":"2026-02-15T14:22:00.000Z","trigger_region":"7",
                 "traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}""");
        assertThat(theJob().path("meta").size()).isEqualTo(6);
    }

    @Test
    void an_event_in_binary_mode_becomes_the_same_job() {
        logs.answer(TAIL);
        event(EVENT);
        String id = theJob().path("id").asString();
        logs.reset().answer(TAIL);

        post("/ojs/v1/jobs", "{\"amount\":2000}", HEADERS).answers(201);

        answers(
                theJob(),
                "{'id':'%s','args':[{'amount':2000}],'meta':{'trigger_event_id':'evt_1','trigger_subject':'ch_3'}}",
                id);
    }

    @Test
    void headers_are_decoded() {
        logs.answer(TAIL);
        String[] headers = HEADERS.clone();
        headers[5] = "\"a \\\"b\\\" %E2%82%AC+\"";

        post("/ojs/v1/jobs", "1", headers).answers(201);

        assertThat(theJob().at("/meta/trigger_event_id").stringValue()).isEqualTo("a \"b\" €+");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'{\"a\":1}'  | '[{\"a\":1}]'",
                "'[1,\"b\"]'  | '[1,\"b\"]'",
                "'[]'         | '[]'",
                "' \"text\" ' | '[\"text\"]'",
                "'null'       | '[]'",
                "''           | '[]'"
            })
    void the_data_is_the_argument_and_an_array_is_all_of_them(String data, String args) {
        logs.answer(TAIL);

        post("/ojs/v1/jobs", data.isEmpty() ? null : data, HEADERS).answers(201);

        assertThat(theJob().path("args").toString()).isEqualTo(args);
    }

    @Test
    void a_body_cannot_add_to_the_job() {
        logs.answer(TAIL);

        for (String body : List.of("1],\"priority\":5,\"x\":[2", "1,2", "{"))
            post("/ojs/v1/jobs", body, HEADERS).answers(400);

        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void the_url_names_queue_and_type() {
        logs.answer(TAIL);

        post("/ojs/v1/jobs?queue=billing&job_type=billing.charge", EVENT, "Content-Type", STRUCTURED)
                .answers(201);

        answers(theJob(), "{'type':'billing.charge','queue':'billing'}");
        JobId id = JobId.parse(theJob().path("id").asString()).orElseThrow();
        assertThat(id.slot()).isEqualTo(Slot.of("billing"));
    }

    @Test
    void a_trigger_names_the_type_behind_its_prefix() {
        logs.answer(TAIL);

        event(EVENT.replace("com.stripe.charge.succeeded", "org.openjobspec.trigger.email.send"))
                .answers(201);

        answers(theJob(), "{'type':'email.send'}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"specversion\":\"1.0\"                       | \"specversion\":\"0.3\"  | specversion",
                "\"id\":\"evt_1\",                             |                          | id",
                "\"id\":\"evt_1\"                              | \"id\":\"\"              | id",
                "\"source\":\"https://api.stripe.com/v1\",     |                          | source",
                "\"type\":\"com.stripe.charge.succeeded\",     |                          | type",
                "com.stripe.charge.succeeded                   | org.openjobspec.job.completed | type",
                "com.stripe.charge.succeeded                   | Microsoft.Storage.Blob   | type",
                "2026-02-15T14:22:00.000Z                      | yesterday                | time",
                "application/json                              | text/xml                 | datacontenttype",
                "\"data\"                                      | \"data_base64\"          | data_base64",
                "\"region\":7                                  | \"region\":{}            | region",
                "\"region\"                                    | \"my_region\"            | my_region"
            })
    void what_is_wrong_is_named_by_its_attribute(String part, String instead, String field) {
        event(EVENT.replace(part.strip(), instead == null ? "" : instead.strip()))
                .answers(400, "{'error':{'code':'invalid_request','details':{'field':'%s'}}}", field);

        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void a_binary_event_is_checked_alike() {
        String[] without = HEADERS.clone();
        without[4] = "ce-other";
        post("/ojs/v1/jobs", "{}", without).answers(400, "{'error':{'details':{'field':'id'}}}");

        String[] text = HEADERS.clone();
        text[1] = "text/plain";
        post("/ojs/v1/jobs", "a", text).answers(400, "{'error':{'details':{'field':'datacontenttype'}}}");

        String[] percent = HEADERS.clone();
        percent[11] = "100%";
        post("/ojs/v1/jobs", "1", percent).answers(400, "{'error':{'details':{'field':'subject'}}}");
    }

    @Test
    void headers_beside_a_structured_event_must_say_the_same() {
        logs.answer(TAIL);

        post("/ojs/v1/jobs", EVENT, "Content-Type", STRUCTURED, "ce-id", "evt_1")
                .answers(201);
        post("/ojs/v1/jobs", EVENT, "Content-Type", STRUCTURED, "ce-id", "evt_2")
                .answers(400, "{'error':{'details':{'field':'id'}}}");
    }

    @Test
    void a_body_of_ojs_is_a_job_whatever_headers_there_are() {
        logs.answer(TAIL);
        String[] headers = HEADERS.clone();
        headers[1] = JSON;

        post("/ojs/v1/jobs", "{\"type\":\"a\",\"args\":[]}", headers).answers(201);

        answers(theJob(), "{'type':'a'}");
    }

    @Test
    void a_job_names_its_own_queue() {
        post("/ojs/v1/jobs?queue=billing", "{\"type\":\"a\",\"args\":[]}")
                .answers(400, "{'error':{'details':{'field':'queue'}}}");
    }

    @Test
    void an_event_that_comes_again_is_answered_with_its_job() {
        logs.answer(command -> command instanceof GetJob get
                ? FakePartitions.done("{\"id\":\"%s\",\"state\":\"completed\"}".formatted(get.job()))
                : new Reply.Rejected(Rejection.of(ErrorCode.DUPLICATE, "there")));

        event(EVENT).answers(200, "{'deduplicated':true,'job':{'state':'completed'}}");
    }

    @Test
    void source_id_type_queue_and_tenant_make_the_job() {
        logs.answer(TAIL);
        List<Got> all = new ArrayList<>();
        all.add(event(EVENT));
        all.add(event(EVENT.replace("evt_1", "evt_2")));
        all.add(event(EVENT.replace("com/v1", "com/v2")));
        all.add(post("/ojs/v1/jobs?job_type=b", EVENT, "Content-Type", STRUCTURED));
        all.add(post("/ojs/v1/jobs?queue=b", EVENT, "Content-Type", STRUCTURED));
        all.add(post("/ojs/v1/jobs", EVENT, "Content-Type", STRUCTURED, "X-OJS-Tenant", "acme"));
        Got again = event(EVENT.replace("14:22", "15:22").replace("2000", "3000"));

        assertThat(all.stream().map(got -> got.at("/id").stringValue()))
                .doesNotHaveDuplicates()
                .contains(again.at("/id").stringValue());
    }

    @Test
    void events_of_a_batch_are_taken_one_by_one() {
        logs.answer(TAIL);
        String wrong = EVENT.replace("\"id\":\"evt_1\",", "");
        String other = EVENT.replace("evt_1", "evt_2");

        Got got = post("/ojs/v1/jobs", "[%s,%s,7,%s]".formatted(EVENT, wrong, other), "Content-Type", BATCH);

        got.answers(201, """
                {"count":4,"enqueued":2,"failed":2,"events":[{"index":0,"deduplicated":false},
                 {"index":1,"error":{"code":"invalid_request","details":{"field":"id"}}},
                 {"index":2,"error":{"code":"invalid_payload"}},{"index":3}]}""");
        assertThat(logs.sent().stream().map(sent -> job(sent.command()).path("id")))
                .containsExactly(got.at("/events/0/job_id"), got.at("/events/3/job_id"));
    }

    @Test
    void a_batch_of_which_nothing_became_a_job_is_rejected() {
        post("/ojs/v1/jobs", "[7,{}]", "Content-Type", BATCH)
                .answers(400, "{'error':{'code':'invalid_payload','details':{'events':[{'index':0},{'index':1}]}}}");
        post("/ojs/v1/jobs", "[]", "Content-Type", BATCH).answers(400);
        post("/ojs/v1/jobs", "{}", "Content-Type", BATCH).answers(400);
        post("/ojs/v1/jobs", "[" + "7,".repeat(100) + "7]", "Content-Type", BATCH)
                .answers(413, "{'error':{'max_batch_size':100}}");
    }

    @Test
    void without_capacity_the_batch_is_to_be_sent_again() {
        logs.answerByLog(sent -> logs.sent().size() == 1
                ? FakePartitions.done(TAIL)
                : new Reply.Rejected(Rejection.of(ErrorCode.RATE_LIMITED, "later")));
        String events = "[%s,%s,%s]".formatted(EVENT, EVENT.replace("evt_1", "evt_2"), EVENT.replace("evt_1", "evt_3"));

        Got got = post("/ojs/v1/jobs", events, "Content-Type", BATCH);

        got.answers(429);
        assertThat(got.header("Retry-After")).isEqualTo("1");
        assertThat(logs.sent()).hasSize(2);

        logs.reset().fail(new NoReply("silence"));
        post("/ojs/v1/jobs", events, "Content-Type", BATCH).answers(503);
        assertThat(logs.sent()).hasSize(1);
    }

    @Test
    void other_routes_take_no_events() {
        post("/ojs/v1/jobs/batch", EVENT, "Content-Type", STRUCTURED)
                .answers(400, "{'error':{'details':{'header':'Content-Type'}}}");
    }
}
