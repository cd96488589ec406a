package io.floodgate.gateway.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.RegistryHead;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.SinkCommand.ChangeSink;
import io.floodgate.topics.command.SinkCommand.DeleteSink;
import io.floodgate.topics.command.SinkCommand.ListSinks;
import io.floodgate.topics.command.SinkCommand.PutSink;
import io.floodgate.topics.command.SinkCommand.Row;
import io.floodgate.topics.command.SinkCommand.Sink;
import io.floodgate.topics.command.SinkCommand.Standing;
import io.floodgate.topics.command.SourceCommand.Beginning;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SinkRoutesTest extends GatewayFixture {
    private static final String SINKS = "/ojs/v1/admin/sinks";
    private static final String RESULTS =
            "{'topic':'shop.results','queues':['orders'],'outcomes':['completed'],'record':{'key':'$.id'}}";

    private final Map<String, Row> registry = new TreeMap<>();

    @BeforeEach
    void newRegistry() {
        registry.clear();
        given.sources.answers(true);
        given.sources.has("group of results", new SourceTopics.Row(0, 7, 10), new SourceTopics.Row(1, 5, 5));
        given.sources.has("ojs.events", new SourceTopics.Row(0, 0, 10), new SourceTopics.Row(1, 0, 5));
        logs.answer(this::answer);
    }

    private Reply answer(Command command) {
        return switch (command) {
            case PutSink put -> {
                Row before = registry.get(put.name());
                yield store(
                        new Sink(
                                put.name(),
                                put.target(),
                                put.selection(),
                                new Beginning("2026-02-12T10:30:00Z", 1),
                                put.isPaused(),
                                Instant.EPOCH,
                                1,
                                before == null ? 1 : 2),
                        Standing.NONE);
            }
            case ChangeSink change -> {
                Row before = registry.get(change.name());
                if (before == null) yield new Reply.Rejected(Rejection.notFound("sink", change.name()));
                Sink sink = before.sink();
                String start = change.start();
                Boolean paused = change.paused();
                yield store(
                        new Sink(
                                sink.name(),
                                sink.target(),
                                sink.selection(),
                                start == null ? sink.beginning() : new Beginning(start, 2),
                                paused == null ? sink.isPaused() : paused,
                                sink.createdAt(),
                                1,
                                2),
                        before.standing());
            }
            case DeleteSink delete -> {
                if (registry.remove(delete.name()) == null)
                    yield new Reply.Rejected(Rejection.notFound("sink", delete.name()));
                yield FakePartitions.done("{}");
            }
            case ListSinks list -> {
                List<String> lines = new ArrayList<>();
                lines.add(ReplyLines.write(new RegistryHead(1)).toString());
                registry.values().forEach(row -> lines.add(ReplyLines.write(row).toString()));
                yield FakePartitions.done(lines.toArray(String[]::new));
            }
            default -> throw new AssertionError(command);
        };
    }

    private Reply store(Sink sink, Standing standing) {
        Row row = new Row(sink, standing);
        registry.put(sink.name(), row);
        return FakePartitions.done(ReplyLines.write(row).toString());
    }

    private Got put(String name, String body) {
        return send("PUT", SINKS + "/" + name, body.replace('\'', '"'));
    }

    private void standing(@Nullable String error) {
        Sink sink = registry.get("results").sink();
        Instant since = error == null ? null : Instant.EPOCH;
        registry.put("results", new Row(sink, new Standing(3, "too large", since, error, "a", since)));
    }

    @Test
    void a_sink_is_made_shown_and_listed_with_its_lag() {
        put("results", RESULTS)
                .answers(
                        201,
                        "{'name':'results','topic':'shop.results','queues':['orders'],'job_types':[],"
                                + "'outcomes':['completed'],'value':'json','record':{'key':'$.id'},'paused':false}");
        put("results", RESULTS).answers(200);
        get(SINKS + "/results")
                .answers(
                        200,
                        "{'state':'writing','lag':3,'skipped':0,'partitions':[{'partition':0,'position':7,'end':10,'lag':3},{'lag':0}]}");
        get(SINKS).answers(200, "{'sinks':[{'name':'results','lag':3}],'pagination':{'total':1}}");
        assertThat(get(SINKS).at("/sinks/0").has("partitions")).isFalse();
        send("PUT", SINKS + "/results", get(SINKS + "/results").json().toString())
                .answers(200);
    }

    @Test
    void without_more_than_a_topic_it_gets_all_ends_of_jobs() {
        put("results", "{'topic':'shop.results'}")
                .answers(201, "{'queues':[],'outcomes':['completed','discarded','cancelled'],'record':{}}");
    }

    @Test
    void the_state_says_how_it_goes() {
        put("results", RESULTS).answers(201);
        standing(null);
        get(SINKS + "/results").answers(200, "{'state':'writing','skipped':3,'last_skip':'too large'}");
        standing("no topic");
        get(SINKS + "/results")
                .answers(200, "{'state':'failing','failing_since':'1970-01-01T00:00:00.000Z','error':'no topic'}");
        send("PATCH", SINKS + "/results", "{\"paused\":true}").answers(200, "{'paused':true}");
        get(SINKS + "/results").answers(200, "{'state':'paused'}");
        put("results", RESULTS).answers(200);
        given.sources.has("group of results", new SourceTopics.Row(0, -1, 4));
        get(SINKS + "/results").answers(200, "{'state':'opening','lag':4}");
        given.sources.answers(false);
        get(SINKS + "/results").answers(200, "{'state':'unknown'}");
    }

    @Test
    void a_sink_is_resumed_rewound_and_deleted() {
        put("results", RESULTS).answers(201);
        send("PATCH", SINKS + "/results", "{\"paused\":false}").answers(200, "{'paused':false}");
        send("PATCH", SINKS + "/results", "{}").answers(400);
        post(SINKS + "/results/rewind", "{\"to\":\"earliest\",\"dry_run\":true}")
                .answers(200, "{'dry_run':true,'events':15,'partitions':[{'partition':0,'events':10},{'events':5}]}");
        post(SINKS + "/results/rewind", "{\"to\":\"2026-02-12T11:30:00+01:00\"}")
                .answers(200, "{'start':'2026-02-12T10:30:00Z'}");
        post(SINKS + "/results/rewind", "{}").answers(400);
        delete(SINKS + "/results").answers(200, "{'deleted':true,'name':'results'}");
        get(SINKS + "/results").answers(404, "{'error':{'code':'not_found'}}");
        delete(SINKS + "/results").answers(404);
        send("PATCH", SINKS + "/results", "{\"paused\":true}").answers(404);
        put("No_sink", RESULTS).answers(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | topic",
                "{'topic':'a b'} | topic",
                "{'topic':'ojs.commands'} | topic",
                "{'topic':'__consumer_offsets'} | topic",
                "{'topic':'$.meta.t'} | topics",
                "{'topic':'t','topics':['t']} | topics",
                "{'topic':'$.meta.t','topics':['a b']} | topics",
                "{'topic':'$meta','topics':['t']} | record",
                "{'topic':'t','queues':['No queue']} | queues",
                "{'topic':'t','job_types':['No type']} | job_types",
                "{'topic':'t','outcomes':['ended']} | outcomes",
                "{'topic':'t','outcomes':[]} | outcomes",
                "{'topic':'t','value':'avro'} | value",
                "{'topic':'t','record':[]} | record",
                "{'topic':'t','record':{'kye':'$.id'}} | record",
                "{'topic':'t','record':{'key':'$id'}} | record",
                "{'topic':'t','tpoic':'t'} | tpoic",
                "{'topic':'t','name':'other'} | name",
            })
    void what_makes_no_sink_names_its_field(String body, String field) {
        put("results", body).answers(400, "{'error':{'code':'invalid_request','details':{'field':'%s'}}}", field);
    }
}
