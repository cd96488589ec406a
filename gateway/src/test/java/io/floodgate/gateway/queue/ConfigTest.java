package io.floodgate.gateway.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantBounds;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ConfigTest extends GatewayFixture {
    private static final String PATH = "/ojs/v1/admin/queues/q/config";
    private static final QueueConfig BOUNDS = new QueueConfig(50_000L, 1_024L, Overflow.BLOCK, null);

    private static String status(String config, String more) {
        return "{\"name\":\"q\",\"state\":\"active\",\"paused\":false,\"created_at\":\"2026-02-12T09:00:00.000Z\","
                + "\"depth\":42,\"available\":42,\"size_bytes\":512,\"config\":" + config
                + ",\"rejected\":3,\"dropped\":0"
                + more + ",\"version\":7}";
    }

    private Got put(String body) {
        return send("PUT", PATH, body);
    }

    private ConfigureQueue decided(String body) {
        logs.reset().answer(status("{}", ""));
        assertThat(put(body).status()).as(body).isEqualTo(200);
        return logs.theCommand(ConfigureQueue.class);
    }

    private Got rejected(String body) {
        Got got = put(body);
        assertThat(got.status()).as(body).isEqualTo(400);
        assertThat(logs.sent()).isEmpty();
        return got;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"backpressure\":{\"max_depth\":50000,\"max_size_bytes\":1024,\"strategy\":\"block\"}}",
                "{\"capacity\":{\"max_depth\":50000,\"max_size_bytes\":1024,\"on_overflow\":\"block\"},\"name\":\"q\"}",
                "{\"max_size\":50000,\"max_size_bytes\":1024,\"overflow_policy\":\"block\"}",
                "{\"config\":{\"max_size\":50000,\"max_size_bytes\":1024,\"overflow_policy\":\"block\"}}",
                "{\"configuration\":{\"backpressure\":{\"max_depth\":50000,\"max_size_bytes\":1024,\"strategy\":\"block\"}}}",
                "{\"queue\":{\"name\":\"q\",\"capacity\":{\"max_depth\":50000,\"max_size_bytes\":1024,\"on_overflow\":\"block\"}}}",
                "{\"name\":\"q\",\"config\":{\"max_size\":50000,\"backpressure\":{\"max_size_bytes\":1024},\"capacity\":{\"on_overflow\":\"block\"}}}",
                "{\"max_size\":50000,\"max_size_bytes\":1024,\"overflow_policy\":\"block\",\"capacity\":{\"max_depth\":50000,\"on_overflow\":\"block\"}}"
            })
    void is_decided_in_any_vocabulary(String body) {
        assertThat(decided(body)).isEqualTo(new ConfigureQueue("q", BOUNDS, Set.of()));
    }

    @Test
    void goes_to_the_log_of_the_queue_under_both_paths() {
        for (String path : new String[] {"/ojs/v1/queues/q/config", PATH}) {
            logs.reset().answer(status("{}", ""));

            send("PUT", path, "{\"max_size\":1}").answers(200);

            assertThat(logs.theOnlySent().log()).isEqualTo(logs.routing().ofQueue("q"));
            assertThat(logs.theOnlySent().key()).isEqualTo("q");
        }
    }

    @Test
    void changes_only_what_is_named() {
        assertThat(decided("{\"backpressure\":{\"warning_threshold\":0.5}}"))
                .isEqualTo(new ConfigureQueue("q", new QueueConfig(null, null, null, 0.5), Set.of()));
        assertThat(decided("{}")).isEqualTo(new ConfigureQueue("q", QueueConfig.NONE, Set.of()));
        assertThat(decided("{\"max_size\":0}"))
                .isEqualTo(new ConfigureQueue("q", new QueueConfig(0L, null, null, null), Set.of()));
    }

    @Test
    void is_as_usual_again_where_null_is_sent() {
        assertThat(decided("{\"backpressure\":{\"max_depth\":null,\"strategy\":\"reject\"}}"))
                .isEqualTo(new ConfigureQueue(
                        "q", new QueueConfig(null, null, Overflow.REJECT, null), Set.of("max_depth")));
        assertThat(decided("{\"config\":{\"max_size\":null,\"overflow_policy\":null}}")
                        .unset())
                .containsExactlyInAnyOrder("max_depth", "strategy");
        assertThat(decided("{\"backpressure\":null}").unset())
                .containsExactlyInAnyOrder("max_depth", "max_size_bytes", "strategy", "warning_threshold");
        assertThat(decided("{\"capacity\":null}").unset())
                .containsExactlyInAnyOrder("max_depth", "max_size_bytes", "strategy");
    }

    @Test
    void has_limits_for_tenants() {
        String acme = "{\"tenant_id\":\"acme-corp\",\"limits\":{\"max_queue_depth\":50000}}";
        for (String body : new String[] {
            "{\"tenants\":[%s,{\"tenant_id\":\"*\",\"limits\":{\"max_queue_depth\":0}},{\"tenant_id\":\"b\",\"limits\":null}]}",
            "{\"backpressure\":{\"tenants\":[%s,{\"tenant_id\":\"*\",\"limits\":{\"max_queue_depth\":0}},{\"tenant_id\":\"b\"}]}}"
        })
            assertThat(decided(body.formatted(acme)))
                    .isEqualTo(new ConfigureQueue(
                            "q",
                            QueueConfig.of(new TenantBounds(Map.of("acme-corp", 50_000L, "*", 0L))),
                            Set.of("tenants.b")));
        assertThat(decided("{\"backpressure\":{\"tenants\":null}}").unset()).containsExactly("tenants");
        assertThat(decided("{\"tenants\":[]}")).isEqualTo(new ConfigureQueue("q", QueueConfig.NONE, Set.of()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"tenants":{}} | tenants
        {"tenants":[7]} | tenants[0]
        {"tenants":[{"limits":{}}]} | tenants[0].tenant_id
        {"tenants":[{"tenant_id":"a b"}]} | tenants[0].tenant_id
        {"tenants":[{"tenant_id":"a","limits":{"max_queue_depth":-1}}]} | tenants[0].limits.max_queue_depth
        {"tenants":[{"tenant_id":"a","limits":{"max_queue_depth":1.5}}]} | tenants[0].limits.max_queue_depth
        {"tenants":[{"tenant_id":"a","limits":{"max":1}}]} | tenants[0].limits.max
        {"tenants":[{"tenant_id":"a"},{"tenant_id":"a"}]} | tenants[1]
        {"backpressure":{"tenants":[]},"tenants":[{"tenant_id":"a","limits":{"max_queue_depth":1}}]} | tenants
        {"capacity":{"tenants":[]}} | capacity.tenants
        """)
    void names_what_is_wrong_with_limits_of_tenants(String body, String field) {
        assertThat(rejected(body).at("/error/details/field").stringValue()).isEqualTo(field);
    }

    @Test
    void says_which_limits_of_tenants_cannot_be_decided_yet() {
        Got got = put("{\"tenants\":[{\"tenant_id\":\"a\",\"limits\":{\"max_concurrency\":5}}]}");

        got.answers(422, "{'error':{'details':{'field':'tenants[0].limits.max_concurrency'}}}");
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void shows_the_limits_of_tenants() {
        logs.answer(status("{\"tenants\":{\"*\":5,\"acme\":7}}", ""));

        Got got = get(PATH);

        for (String at : new String[] {"/config/tenants", "/config/backpressure/tenants"}) {
            assertThat(got.at(at + "/0/tenant_id").stringValue()).isEqualTo("*");
            assertThat(got.at(at + "/1/limits/max_queue_depth").intValue()).isEqualTo(7);
        }
    }

    @Test
    void names_drop_oldest_in_two_ways() {
        for (String name : new String[] {"drop_oldest", "drop-oldest"})
            assertThat(decided("{\"overflow_policy\":\"" + name + "\"}").set().strategy())
                    .isEqualTo(Overflow.DROP_OLDEST);
    }

    private static final String IN_FORCE = "{\"max_depth\":10,\"strategy\":\"block\",\"tenants\":{\"acme\":7},"
            + "\"limits\":{\"concurrency\":4},\"visibility_timeout_ms\":30000,\"retention_ms\":{\"discarded\":60000}}";

    /** What is decided when a client sends the configuration back that it has read, as it is after the change. */
    private ConfigureQueue decidedAfter(String from, UnaryOperator<String> change) {
        logs.reset().answer(status(IN_FORCE, ""));
        String read = get(PATH).at(from).toString();
        logs.reset().answer(status(IN_FORCE, ""));
        Got got = put(change.apply("{\"%s\":%s}".formatted(from.substring(1), read)));
        assertThat(got.status()).as(got.body()).isEqualTo(200);
        return (ConfigureQueue) logs.sent().getLast().command();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/config", "/configuration"})
    void is_not_decided_by_sending_back_what_was_read(String from) {
        assertThat(decidedAfter(from, read -> read)).isEqualTo(new ConfigureQueue("q", QueueConfig.NONE, Set.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"max_size\":10", "\"capacity\":{\"max_depth\":10", "\"backpressure\":{\"max_depth\":10"})
    void is_decided_by_what_was_changed_of_what_was_read(String bound) {
        assertThat(decidedAfter("/config", read -> read.replace(bound, bound.replace("10", "20"))))
                .isEqualTo(new ConfigureQueue("q", new QueueConfig(20L, null, null, null), Set.of()));
    }

    @Test
    void is_as_usual_again_where_what_was_read_is_sent_back_as_null() {
        assertThat(decidedAfter("/config", read -> read.replace("\"concurrency\":4", "\"concurrency\":null"))
                        .unset())
                .containsExactly("concurrency");
        assertThat(decided("{\"dead_letter\":null}").unset())
                .containsExactlyInAnyOrder("dead_letter_ttl_ms", "dead_letter_max_size");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"max_size":1,"backpressure":{"max_depth":2}} | backpressure.max_depth | max_size
        {"capacity":{"on_overflow":"block"},"overflow_policy":"reject"} | overflow_policy | capacity.on_overflow
        {"backpressure":{"max_size_bytes":5},"config":{"max_size_bytes":6}} | config.max_size_bytes | backpressure.max_size_bytes
        {"max_size":0,"capacity":{"max_depth":null}} | capacity.max_depth | max_size
        {"max_size":1,"backpressure":null} | backpressure | max_size
        """)
    void must_not_contradict_itself(String body, String field, String other) {
        Got got = rejected(body);

        got.answers("{'error':{'code':'invalid_request','details':{'field':'%s','contradicts':'%s'}}}", field, other);
        assertThat(got.at("/error/message").stringValue()).contains(field, other);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"backpressure":{"max_depth":-1}} | backpressure.max_depth
        {"backpressure":{"max_depth":1.5}} | backpressure.max_depth
        {"backpressure":{"max_depth":"7"}} | backpressure.max_depth
        {"backpressure":{"max_depth":99999999999999999999}} | backpressure.max_depth
        {"config":{"capacity":{"max_size_bytes":-5}}} | config.capacity.max_size_bytes
        {"max_size":true} | max_size
        {"backpressure":{"strategy":"drop_newest"}} | backpressure.strategy
        {"overflow_policy":7} | overflow_policy
        {"backpressure":{"warning_threshold":1.01}} | backpressure.warning_threshold
        {"backpressure":{"warning_threshold":-0.1}} | backpressure.warning_threshold
        {"backpressure":{"warning_threshold":"0.5"}} | backpressure.warning_threshold
        {"backpressure":{"warning_threshold":1e999999999}} | backpressure.warning_threshold
        {"backpressure":[]} | backpressure
        {"config":null} | config
        {"queue":"q"} | queue
        {"name":"other"} | name
        {"queue":{"name":"other"}} | queue.name
        {"max_dept":5} | max_dept
        {"backpressure":{"max_size":5}} | backpressure.max_size
        {"capacity":{"warning_threshold":0.5}} | capacity.warning_threshold
        """)
    void names_the_field_that_is_wrong(String body, String field) {
        rejected(body).answers("{'error':{'code':'invalid_request','details':{'field':'%s'}}}", field);
    }

    @Test
    void is_one_object_without_the_same_field_twice() {
        for (String body : new String[] {"", "[]", "{", "{\"backpressure\":{\"max_depth\":1,\"max_depth\":2}}"})
            assertThat(rejected(body).at("/error/code").stringValue()).isEqualTo("invalid_payload");
    }

    @Test
    void is_not_read_beyond_what_it_can_be() {
        put("{\"x\":\"" + "y".repeat(70_000) + "\"}").answers(413);
    }

    @Test
    void has_limits_in_any_vocabulary() {
        Allowance limits = new Allowance(20L, new Pace(1_000, Duration.ofHours(1)), null);
        for (String body : new String[] {
            "{\"concurrency\":20,\"rate_limit\":{\"limit\":1000,\"period\":\"1h\"}}",
            "{\"config\":{\"rate_limit\":{\"concurrency\":20,\"rate\":{\"limit\":1000,\"period\":\"PT1H\"}}}}"
        }) assertThat(decided(body)).isEqualTo(new ConfigureQueue("q", QueueConfig.of(limits), Set.of()));
        assertThat(decided("{\"concurrency\":null,\"rate_limit\":null,\"throttle\":{\"limit\":1,\"period\":\"1s\"}}"))
                .isEqualTo(new ConfigureQueue(
                        "q",
                        QueueConfig.of(new Allowance(null, null, new Pace(1, Duration.ofSeconds(1)))),
                        Set.of("concurrency", "rate")));
    }

    @Test
    void limits_can_be_decided_alone() {
        logs.reset().answer(status("{\"limits\":{\"concurrency\":20}}", ""));
        Got got = send(
                "PUT",
                "/ojs/v1/admin/queues/q/rate-limit",
                "{\"concurrency\":20,\"rate\":{\"limit\":1000,\"period\":\"PT1H\"}}");
        got.answers(200, "{'configuration':{'concurrency':20}}");
        assertThat(logs.theCommand(ConfigureQueue.class).set().limits())
                .isEqualTo(new Allowance(20L, new Pace(1_000, Duration.ofHours(1)), null));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {'concurrency':-1}                              | concurrency
        {'concurrency':'x'}                             | concurrency
        {'rate_limit':7}                                | rate_limit
        {'rate_limit':{'limit':0,'period':'1s'}}        | rate_limit.limit
        {'rate_limit':{'limit':1}}                      | rate_limit.period
        {'rate_limit':{'rate':{'limit':1}}}             | rate_limit.rate.period
        {'rate_limit':{'burst':1}}                      | rate_limit.burst
        {'throttle':1}                                  | throttle
        """)
    void limits_that_make_no_sense_are_rejected_by_name(String body, String field) {
        Got got = rejected(body.replace('\'', '"'));
        assertThat(got.at("/error/details/field").stringValue()).isEqualTo(field);
        assertThat(got.at("/error/message").stringValue()).contains(field);
    }

    @Test
    void is_shown_in_all_vocabularies() {
        logs.answer(status(
                "{\"max_depth\":50,\"max_size_bytes\":4096,\"strategy\":\"drop_oldest\",\"warning_threshold\":0.5}",
                ",\"pressure\":0.84,\"level\":\"warning\""));

        Got got = put("{\"backpressure\":{\"max_depth\":50}}");

        got.answers("{'name':'q','queue':{'name':'q'},'state':'active','depth':42,'rejected':3}");
        for (String config : new String[] {"/config", "/configuration"}) {
            JsonNode shown = got.at(config);
            answers(shown, """
                {"max_size":50,"max_size_bytes":4096,"overflow_policy":"drop_oldest","capacity":{"max_depth":50,
                "max_size_bytes":4096,"on_overflow":"drop_oldest"},"backpressure":{"max_depth":50,
                "max_size_bytes":4096,"strategy":"drop_oldest","warning_threshold":0.5}}""");
        }
        JsonNode page = got.at("/configuration/backpressure");
        answers(page, "{'enabled':true,'threshold':50,'current_depth':42,'state':'warning'}");
    }

    @Test
    void of_an_unbounded_queue_has_what_is_usual_and_no_bound() {
        logs.answer(status("{\"max_depth\":0}", ""));

        Got got = put("{\"max_size\":0}");

        JsonNode backpressure = got.at("/config/backpressure");
        assertThat(backpressure.has("max_depth")).isFalse();
        answers(backpressure, "{'strategy':'reject','warning_threshold':0.8}");
        assertThat(got.at("/config").has("max_size")).isFalse();
        got.answers("{'configuration':{'backpressure':{'enabled':false,'state':'normal'}}}");
    }

    @Test
    void of_a_full_queue_is_critical_to_the_administrations_page() {
        logs.answer(status("{\"max_depth\":42}", ",\"pressure\":1.0,\"level\":\"full\""));

        get(PATH).answers("{'configuration':{'backpressure':{'state':'critical'}}}");
    }

    @Test
    void can_be_looked_at_under_both_paths() {
        for (String path : new String[] {"/ojs/v1/queues/q/config", PATH}) {
            logs.reset().answer(status("{\"max_depth\":50}", ",\"pressure\":0.84,\"level\":\"normal\""));

            get(path).answers(200, "{'config':{'max_size':50}}");
            assertThat(logs.theCommand(GetQueue.class).queue()).isEqualTo("q");
        }
    }

    @Test
    void of_a_queue_that_no_client_has_used_is_not_found() {
        logs.answer("{\"name\":\"q\",\"state\":\"active\",\"paused\":false,\"depth\":0,\"config\":{},\"version\":0}");

        get(PATH).answers(404);
    }

    @Test
    void is_only_of_queues_with_a_proper_name() {
        send("PUT", "/ojs/v1/queues/A%20B/config", "{}").answers(400);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void is_in_the_list_the_detail_and_the_stats_with_the_pressure() {
        String bounded = status("{\"max_depth\":30}", ",\"pressure\":1.4,\"level\":\"full\"");
        logs.answer(bounded);

        Got stats = get("/ojs/v1/queues/q/stats");
        Got detail = get("/ojs/v1/queues/q");
        Got list = get("/ojs/v1/queues");

        for (JsonNode figures : new JsonNode[] {
            stats.json(),
            stats.at("/stats"),
            stats.at("/queue"),
            detail.json(),
            detail.at("/stats"),
            list.at("/queues/0")
        }) {
            answers(figures, "{'max_depth':30,'bound':30,'pressure':1.0,'rejected':3}");
        }
        for (JsonNode config : new JsonNode[] {stats.at("/config"), detail.at("/config"), list.at("/queues/0/config")})
            assertThat(config.at("/backpressure/max_depth").intValue()).isEqualTo(30);
        assertThat(stats.at("/stats").has("config")).isFalse();
    }

    @Test
    void without_bounds_has_no_pressure() {
        logs.answer(status("{\"max_size_bytes\":0}", ""));

        JsonNode stats = get("/ojs/v1/queues/q/stats").at("/stats");

        assertThat(stats.has("bound")).isFalse();
        assertThat(stats.has("pressure")).isFalse();
    }

    @Test
    void with_a_bound_on_the_size_alone_has_that_for_its_bound() {
        logs.answer(status("{\"max_size_bytes\":2048}", ",\"pressure\":0.25,\"level\":\"normal\""));

        JsonNode stats = get("/ojs/v1/queues/q/stats").at("/stats");

        assertThat(stats.has("max_depth")).isFalse();
        answers(stats, "{'bound':2048,'pressure':0.25}");
    }
}
