package io.floodgate.gateway.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.RegistryHead;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.SourceCommand.Beginning;
import io.floodgate.topics.command.SourceCommand.ChangeSource;
import io.floodgate.topics.command.SourceCommand.DeleteSource;
import io.floodgate.topics.command.SourceCommand.ListSources;
import io.floodgate.topics.command.SourceCommand.PutSource;
import io.floodgate.topics.command.SourceCommand.Source;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceRoutesTest extends GatewayFixture {
    private static final String SOURCES = "/ojs/v1/admin/sources";
    private static final String ORDERS =
            "{'topic':'shop.orders','queue':'orders','job':{'type':'order.placed','order_key':'$.key?'}}";

    private final Map<String, Source> registry = new TreeMap<>();

    @BeforeEach
    void newRegistry() {
        registry.clear();
        given.sources.answers(true);
        given.sources.has("shop.orders", new SourceTopics.Row(0, 7, 10), new SourceTopics.Row(1, 5, 5));
        logs.answer(this::answer);
    }

    private Reply answer(Command command) {
        return switch (command) {
            case PutSource put ->
                store(new Source(
                        put.name(),
                        put.topic(),
                        put.queue(),
                        put.mapping(),
                        new Beginning(put.start(), registry.containsKey(put.name()) ? 0 : 1),
                        put.isPaused(),
                        Instant.EPOCH,
                        1));
            case ChangeSource change -> {
                Source before = registry.get(change.name());
                if (before == null) yield new Reply.Rejected(Rejection.notFound("source", change.name()));
                yield store(new Source(
                        before.name(),
                        before.topic(),
                        before.queue(),
                        before.mapping(),
                        change.start() == null ? before.beginning() : new Beginning(change.start(), 2),
                        change.paused() == null ? before.isPaused() : change.paused(),
                        before.createdAt(),
                        2));
            }
            case DeleteSource delete -> {
                if (registry.remove(delete.name()) == null)
                    yield new Reply.Rejected(Rejection.notFound("source", delete.name()));
                yield FakePartitions.done("{}");
            }
            case ListSources list -> {
                List<String> lines = new ArrayList<>();
                lines.add(ReplyLines.write(new RegistryHead(1)).toString());
                registry.values()
                        .forEach(source -> lines.add(ReplyLines.write(source).toString()));
                yield FakePartitions.done(lines.toArray(String[]::new));
            }
            default -> throw new AssertionError(command);
        };
    }

    private Reply store(Source source) {
        registry.put(source.name(), source);
        return FakePartitions.done(ReplyLines.write(source).toString());
    }

    private Got put(String name, String body) {
        return send("PUT", SOURCES + "/" + name, body.replace('\'', '"'));
    }

    @Test
    void a_source_is_made_shown_and_listed_with_its_lag() {
        put("orders", ORDERS)
                .answers(
                        201,
                        "{'name':'orders','topic':'shop.orders','queue':'orders','value':'json',"
                                + "'job':{'type':'order.placed'},'start':'earliest','paused':false}");
        put("orders", ORDERS).answers(200);
        get(SOURCES + "/orders")
                .answers(
                        200,
                        "{'state':'reading','lag':3,'partitions':[{'partition':0,'position':7,'end':10,'lag':3},{'lag':0}]}");
        get(SOURCES).answers(200, "{'sources':[{'name':'orders','lag':3}],'pagination':{'total':1}}");
        assertThat(get(SOURCES).at("/sources/0").has("partitions")).isFalse();
    }

    @Test
    void what_is_shown_can_be_sent_back() {
        put("orders", ORDERS).answers(201);
        String shown = new String(get(SOURCES + "/orders").json().toString().getBytes(UTF_8), UTF_8);
        send("PUT", SOURCES + "/orders", shown).answers(200);
    }

    @Test
    void the_state_says_why_nothing_comes() {
        put("orders", ORDERS.replace("shop.orders", "none")).answers(201);
        get(SOURCES + "/orders").answers(200, "{'state':'topic_missing'}");
        put("new", ORDERS.replace("shop.orders", "fresh")).answers(201);
        given.sources.has("fresh", new SourceTopics.Row(0, -1, 4));
        get(SOURCES + "/new").answers(200, "{'state':'opening','lag':4}");
        given.sources.answers(false);
        get(SOURCES + "/orders").answers(200, "{'state':'unknown'}");
    }

    @Test
    void a_source_begins_at_offsets_and_is_shown_so() {
        put("orders", ORDERS.replace("'queue'", "'start':{'0':1500,'3':7},'queue'"))
                .answers(201, "{'start':{'0':1500,'3':7}}");
        assertThat(registry.get("orders").beginning().at()).isEqualTo("{\"0\":1500,\"3\":7}");
        post(SOURCES + "/orders/rewind", "{\"to\":{\"1\":2}}").answers(200, "{'start':{'1':2}}");
        post(SOURCES + "/orders/rewind", "{\"to\":{\"1\":2},\"dry_run\":true}").answers(200, "{'to':{'1':2}}");
    }

    @Test
    void a_source_is_explained() {
        put("orders", ORDERS).answers(201);
        get(SOURCES + "/orders/explain").answers(200, "{'verdict':{'code':'reads'},'figures':{'lag':3}}");
        put("gone", ORDERS.replace("shop.orders", "none")).answers(201);
        get(SOURCES + "/gone/explain").answers(200, "{'verdict':{'code':'no_topic','severity':'problem'}}");
        get(SOURCES + "/other/explain").answers(404, "{'error':{'code':'not_found'}}");
    }

    @Test
    void a_source_is_paused_resumed_rewound_and_deleted() {
        put("orders", ORDERS).answers(201);
        send("PATCH", SOURCES + "/orders", "{\"paused\":true}").answers(200, "{'paused':true}");
        get(SOURCES + "/orders").answers(200, "{'state':'paused'}");
        send("PATCH", SOURCES + "/orders", "{\"paused\":false}").answers(200, "{'paused':false}");
        post(SOURCES + "/orders/rewind", "{\"to\":\"earliest\",\"dry_run\":true}")
                .answers(
                        200, "{'dry_run':true,'records':15,'partitions':[{'partition':0,'records':10},{'records':5}]}");
        assertThat(registry.get("orders").beginning().epoch()).isLessThan(2);
        post(SOURCES + "/orders/rewind", "{\"to\":\"2026-02-12T11:30:00+01:00\"}")
                .answers(200, "{'start':'2026-02-12T10:30:00Z'}");
        delete(SOURCES + "/orders").answers(200, "{'deleted':true,'name':'orders'}");
        get(SOURCES + "/orders").answers(404, "{'error':{'code':'not_found'}}");
        delete(SOURCES + "/orders").answers(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'queue':'q','job':{'type':'a'}} | topic",
                "{'topic':'a b','queue':'q','job':{'type':'a'}} | topic",
                "{'topic':'t','queue':'q','job':{'type':'a'},'start':{'x':1}} | start",
                "{'topic':'t','queue':'q','job':{'type':'a'},'start':{'0':-1}} | start",
                "{'topic':'t','queue':'q','job':{'type':'a'},'start':{'0':'1'}} | start.0",
                "{'topic':'t','queue':'q','job':{'type':'a'},'start':7} | start",
                "{'topic':'ojs.events','queue':'q','job':{'type':'a'}} | topic",
                "{'topic':'__consumer_offsets','queue':'q','job':{'type':'a'}} | topic",
                "{'topic':'floodgate-x-changelog','queue':'q','job':{'type':'a'}} | topic",
                "{'topic':'t','job':{'type':'a'}} | queue",
                "{'topic':'t','queue':'No queue','job':{'type':'a'}} | queue",
                "{'topic':'t','queue':'q'} | job",
                "{'topic':'t','queue':'q','job':[]} | job",
                "{'topic':'t','queue':'q','job':{'type':'$.valeu'}} | job",
                "{'topic':'t','queue':'q','job':{'type':'a'},'value':'avro'} | value",
                "{'topic':'t','queue':'q','job':{'type':'a'},'start':'yesterday'} | start",
                "{'topic':'t','queue':'q','job':{'type':'a'},'dead_letter_topic':'t'} | dead_letter_topic",
                "{'topic':'t','queue':'q','job':{'type':'a'},'dead_letter_topic':'ojs.commands'} | dead_letter_topic",
                "{'topic':'t','queue':'q','job':{'type':'a'},'tpoic':'t'} | tpoic",
                "{'topic':'t','queue':'q','job':{'type':'a'},'name':'other'} | name",
            })
    void what_makes_no_source_names_its_field(String body, String field) {
        put("orders", body).answers(400, "{'error':{'code':'invalid_request','details':{'field':'%s'}}}", field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'type':'No type'}",
                "{'type':'a','priority':'high'}",
                "{'type':'a','retry':{'max_attempts':-1}}",
                "{'type':'a','args':{}}",
            })
    void a_job_that_would_be_rejected_whatever_the_record_is_rejected_at_once(String job) {
        assertThat(put("orders", "{'topic':'t','queue':'q','job':%s}".formatted(job))
                        .status())
                .isIn(400, 422);
        assertThat(registry).isEmpty();
    }

    @Test
    void requests_about_no_source_are_rejected() {
        put("No_source", ORDERS).answers(400);
        send("PATCH", SOURCES + "/none", "{\"paused\":true}").answers(404);
        put("orders", ORDERS).answers(201);
        send("PATCH", SOURCES + "/orders", "{}").answers(400);
        post(SOURCES + "/orders/rewind", "{}").answers(400);
        post(SOURCES + "/orders/rewind", "{\"to\":\"soon\"}").answers(400);
        given.sources.answers(false);
        post(SOURCES + "/orders/rewind", "{\"to\":\"latest\",\"dry_run\":true}")
                .answers(503, "{'error':{'code':'BACKEND_UNAVAILABLE'}}");
    }
}
