package io.floodgate.gateway.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.DeadLettering;
import io.floodgate.topics.queue.JobDefaults;
import io.floodgate.topics.queue.Keeping;
import io.floodgate.topics.queue.KeyOrder;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.queue.TenantFairness;
import io.floodgate.topics.retry.RetryOptions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is decided about the jobs of a queue, or of all queues. */
class PolicyTest extends GatewayFixture {
    private static final String PATH = "/ojs/v1/queues/q/config";

    /** As a partition answers, every field resolved. */
    private static String answer(String name, String config) {
        return "{\"name\":\"" + name + "\",\"created_at\":\"2026-02-12T09:00:00.000Z\",\"config\":" + config
                + ",\"decided\":{},\"version\":7}";
    }

    private ConfigureQueue decided(String body) {
        logs.reset().answer(answer("q", "{}"));
        assertThat(send("PUT", PATH, body).status()).as(body).isEqualTo(200);
        return logs.theCommand(ConfigureQueue.class);
    }

    private QueuePolicy policy(String body) {
        ConfigureQueue command = decided(body);
        assertThat(command.unset()).isEmpty();
        return command.set().policy();
    }

    private Got rejected(int status, String body) {
        Got got = send("PUT", PATH, body);
        assertThat(got.status()).as(body).isEqualTo(status);
        assertThat(logs.sent()).isEmpty();
        return got;
    }

    @Test
    void orders_jobs_by_a_key() {
        String body = "{\"order\":{\"key\":\"args.0.order\",\"on_failure\":\"skip\",\"block_at_most\":\"PT10M\"}}";
        assertThat(policy(body).order()).isEqualTo(new KeyOrder("args.0.order", true, ofMinutes(10)));
        assertThat(decided("{\"order\":{\"key\":null}}").unset()).containsExactly("order_by");
        assertThat(decided("{\"order\":null}").unset())
                .containsExactlyInAnyOrder("order_by", "order_on_failure", "order_block_at_most_ms");
        logs.reset().answer(answer("q", "{\"order_by\":\"meta.x\",\"order_on_failure\":\"block\"}"));
        assertThat(get(PATH).at("/config/order").toString()).isEqualTo("{\"key\":\"meta.x\",\"on_failure\":\"block\"}");
        for (String wrong :
                List.of("\"key\":\"meta..x\"", "\"on_failure\":\"wait\"", "\"block_at_most\":0", "\"kye\":\"a\"")) {
            logs.reset();
            rejected(400, "{\"order\":{" + wrong + "}}");
        }
    }

    @Test
    void has_the_fields_of_the_specification() {
        assertThat(policy("{\"visibility_timeout\":300,\"default_timeout\":1800,\"on_worker_lost\":\"discard\","
                        + "\"retention\":{\"completed\":\"P3D\",\"discarded\":\"P30D\"},"
                        + "\"allowed_job_types\":[\"payment.*\"],\"producers\":[\"*\"],"
                        + "\"default_retry\":{\"max_attempts\":5,\"initial_interval\":\"PT5S\"}}"))
                .isEqualTo(new QueuePolicy(
                        new JobDefaults(
                                ofMinutes(30),
                                ofMinutes(5),
                                new RetryOptions(5, ofSeconds(5), null, null, null, null, null, null),
                                true),
                        new Keeping(ofDays(3), ofDays(30), null, null, null, null),
                        QueuePolicy.NONE.deadLetters(),
                        new Access(List.of("payment.*"), List.of("*"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"default_timeout\":2.5}",
                "{\"default_timeout\":\"PT2.5S\"}",
                "{\"default_timeout\":\"2500ms\"}",
                "{\"default_timeout_ms\":2500}",
                "{\"config\":{\"default_timeout\":2.5}}",
                "{\"configuration\":{\"default_timeout\":2.5},\"default_timeout_ms\":2500}"
            })
    void takes_lengths_in_any_spelling(String body) {
        assertThat(policy(body).jobs().timeout()).isEqualTo(ofMillis(2_500));
    }

    @Test
    void says_where_dead_letters_go() {
        DeadLettering dead = new DeadLettering("payments-dlq", 1_000L, ofDays(30));
        assertThat(policy(
                                "{\"dead_letter_queue\":\"payments-dlq\",\"dead_letter_max_size\":1000,\"dead_letter_ttl\":\"P30D\"}")
                        .deadLetters())
                .isEqualTo(dead);
        assertThat(policy(
                                "{\"dead_letter_queue\":\"payments-dlq\",\"dead_letter\":{\"retention\":{\"max_age\":\"P30D\",\"max_count\":1000}}}")
                        .deadLetters())
                .isEqualTo(dead);
        assertThat(decided("{\"dead_letter_queue\":null}").unset()).containsExactly("dead_letter_queue");
    }

    @Test
    void takes_turns_between_tenants_with_and_without_weights() {
        assertThat(policy("{\"tenant_fairness\":true}").fairness()).isEqualTo(TenantFairness.ON);
        assertThat(policy("{\"tenant_fairness\":{}}").fairness()).isEqualTo(TenantFairness.ON);
        assertThat(policy("{\"tenant_fairness\":false}").fairness()).isEqualTo(TenantFairness.OFF);
        assertThat(policy("{\"config\":{\"tenant_fairness\":{\"weights\":{\"acme\":3,\"*\":2}}}}")
                        .fairness())
                .isEqualTo(TenantFairness.of(Map.of("acme", 3L, "*", 2L)));
        assertThat(decided("{\"tenant_fairness\":null}").unset()).containsExactly("tenant_fairness");
    }

    @Test
    void takes_turns_between_tenants_as_the_specification_writes_it() {
        String form =
                "{\"tenant_fairness\":{\"enabled\":%s,\"strategy\":\"fair-share\",\"weights\":{\"acme\":5},\"default_weight\":2}}";
        assertThat(policy(form.formatted("true")).fairness()).isEqualTo(TenantFairness.of(Map.of("acme", 5L, "*", 2L)));
        assertThat(policy(form.formatted("false")).fairness()).isEqualTo(TenantFairness.OFF);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"tenant_fairness\":\"on\"}",
                "{\"tenant_fairness\":3}",
                "{\"tenant_fairness\":{\"acme\":3}}",
                "{\"tenant_fairness\":{\"weights\":[3]}}",
                "{\"tenant_fairness\":{\"strategy\":\"strict\"}}",
                "{\"tenant_fairness\":{\"enabled\":1}}",
                "{\"tenant_fairness\":{\"default_weight\":0}}",
                "{\"tenant_fairness\":{\"weights\":{\"acme\":0}}}",
                "{\"tenant_fairness\":{\"weights\":{\"acme\":101}}}",
                "{\"tenant_fairness\":{\"weights\":{\"acme\":1.5}}}",
                "{\"tenant_fairness\":{\"weights\":{\"a c m e\":1}}}"
            })
    void rejects_what_is_no_weight(String body) {
        assertThat(rejected(400, body).at("/error/message").stringValue()).contains("tenant_fairness");
    }

    @Test
    void keeps_all_weights_when_one_of_them_is_sent_back_changed() {
        String shown = "{\"tenant_fairness\":{\"weights\":{\"acme\":3,\"beta\":2}}}";
        PublishedStatus status = PublishedStatus.read(answer("q", shown).getBytes(UTF_8));
        JsonOut out = JsonOut.object();
        ConfigView.fields(status, out);
        String sent = new String(out.endObject().toBytes(), UTF_8);
        assertThat(sent).contains("\"weights\":{\"acme\":3,\"beta\":2}");
        assertThat(new String(EchoedConfig.changes(sent.replace(":2}", ":4}").getBytes(UTF_8), status), UTF_8))
                .isEqualTo("{\"tenant_fairness\":{\"weights\":{\"acme\":3,\"beta\":4}}}");
    }

    @Test
    void takes_one_retention_for_all_that_has_finished() {
        assertThat(policy("{\"retention\":\"24h\"}").keeping())
                .isEqualTo(new Keeping(ofDays(1), ofDays(1), ofDays(1), null, null, null));
    }

    @Test
    void falls_back_where_null_is_sent() {
        assertThat(decided("{\"default_timeout\":null,\"retention\":{\"completed\":null},\"default_retry\":"
                                + "{\"max_attempts\":null,\"initialInterval\":null},\"allowed_job_types\":null}")
                        .unset())
                .containsExactlyInAnyOrder(
                        "default_timeout_ms",
                        "retention_ms.completed",
                        "default_retry.max_attempts",
                        "default_retry.initial_interval",
                        "allowed_job_types");
        assertThat(decided("{\"default_retry\":null}").unset()).containsExactly("default_retry");
        assertThat(decided("{\"retention\":null}").unset())
                .contains("retention_ms.completed", "retention_ms.discarded", "retention_ms.cancelled");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"default_timeout":0} | default_timeout
        {"default_timeout":-1} | default_timeout
        {"default_timeout":"soon"} | default_timeout
        {"config":{"visibility_timeout":true}} | config.visibility_timeout
        {"visibility_timeout_ms":1.5} | visibility_timeout_ms
        {"on_worker_lost":"cry"} | on_worker_lost
        {"on_worker_lost":7} | on_worker_lost
        {"retention":7} | retention
        {"retention":{"completed":"P"}} | retention.completed
        {"retention":{"completed":7}} | retention.completed
        {"retention":{"done":"P1D"}} | retention.done
        {"dead_letter_ttl":"never"} | dead_letter_ttl
        {"dead_letter_queue":"No Queue"} | dead_letter_queue
        {"dead_letter_queue":7} | dead_letter_queue
        {"dead_letter_max_size":-1} | dead_letter_max_size
        {"dead_letter":{"retention":{"max_count":1.5}}} | dead_letter.retention.max_count
        {"dead_letter":{"keep":1}} | dead_letter.keep
        {"dead_letter_max_size":5,"dead_letter":{"retention":{"max_count":6}}} | dead_letter.retention.max_count
        {"allowed_job_types":"*"} | allowed_job_types
        {"allowed_job_types":["A B"]} | allowed_job_types
        {"producers":[7]} | producers
        {"producers":[""]} | producers
        {"default_retry":[]} | default_retry
        {"default_retry":{"max_attempt":1}} | default_retry.max_attempt
        {"default_timeout":1,"default_timeout_ms":2000} | default_timeout_ms
        {"default_timeout":1,"default_timeout_ms":1000,"config":{"default_timeout":2}} | config.default_timeout
        """)
    void names_the_field_that_is_wrong(String body, String field) {
        rejected(400, body).answers("{'error':{'code':'invalid_request','details':{'field':'%s'}}}", field);
    }

    @Test
    void names_the_field_of_a_retry_policy_that_is_wrong() {
        Got got = rejected(422, "{\"default_retry\":{\"backoff_coefficient\":0.5}}");

        got.answers("{'error':{'type':'validation_error','details':{'field':'default_retry.backoff_coefficient'}}}");
    }

    @Test
    void has_lists_of_a_bounded_length() {
        String many = "\"a\",".repeat(100) + "\"a\"";
        rejected(400, "{\"allowed_job_types\":[" + many + "]}");
        rejected(400, "{\"producers\":[" + many + "]}");
        rejected(400, "{\"default_retry\":{\"non_retryable_errors\":[" + many + "]}}");
    }

    private static final String RESOLVED =
            "{\"default_timeout_ms\":1800000,\"visibility_timeout_ms\":2500,\"default_retry\":{\"max_attempts\":5,"
                    + "\"initial_interval\":\"PT5S\"},\"on_worker_lost\":\"retry\",\"retention_ms\":{\"completed\":259200000,"
                    + "\"discarded\":2592000000},\"allowed_job_types\":[\"payment.*\"],\"producers\":[\"*\"]}";

    private static final String OF_ALL =
            "{\"name\":\"_default\",\"config\":" + RESOLVED + ",\"decided\":{},\"version\":7}";

    @Test
    void is_shown_as_the_specification_names_it() {
        logs.answer(answer("q", RESOLVED));

        Got got = get(PATH);

        for (String at : new String[] {"/config", "/configuration"}) {
            assertThat(got.at(at + "/default_timeout").intValue()).isEqualTo(1_800);
            assertThat(got.at(at + "/visibility_timeout").doubleValue()).isEqualTo(2.5);
            assertThat(got.at(at + "/default_retry/max_attempts").intValue()).isEqualTo(5);
            assertThat(got.at(at + "/on_worker_lost").stringValue()).isEqualTo("retry");
            assertThat(got.at(at + "/retention/completed").stringValue()).isEqualTo("P3D");
            assertThat(got.at(at + "/dead_letter_ttl").stringValue()).isEqualTo("P30D");
            assertThat(got.at(at + "/allowed_job_types/0").stringValue()).isEqualTo("payment.*");
            assertThat(got.at(at + "/producers/0").stringValue()).isEqualTo("*");
        }
    }

    @Test
    void of_all_queues_is_decided_and_shown_by_a_name_of_its_own() {
        for (String path : new String[] {"/ojs/v1/queues/_default/config", "/ojs/v1/admin/queues/_default/config"}) {
            logs.reset().answer(OF_ALL);
            Got put = send("PUT", path, "{\"default_timeout\":1800}");

            assertThat(logs.theCommand(ConfigureQueue.class))
                    .isEqualTo(new ConfigureQueue(
                            QueueConfig.DEFAULT,
                            QueueConfig.of(QueuePolicy.NONE.with(
                                    new JobDefaults(ofMinutes(30), null, RetryOptions.NONE, null))),
                            Set.of()));
            put.answers("{'name':'_default','config':{'default_timeout':1800},'default_timeout':1800}");

            logs.reset().answer(OF_ALL);
            assertThat(get(path).at("/retention/completed").stringValue()).isEqualTo("P3D");
            assertThat(logs.theCommand(GetQueue.class).queue()).isEqualTo("_default");
        }
        assertThat(get("/ojs/v1/queues").at("/queues").size()).isZero();
    }

    @Test
    void of_all_queues_is_no_queue() {
        send("POST", "/ojs/v1/queues/_default/pause", "{}").answers(400);
        get("/ojs/v1/queues/_default").answers(400);
        assertThat(logs.sent()).isEmpty();
    }
}
