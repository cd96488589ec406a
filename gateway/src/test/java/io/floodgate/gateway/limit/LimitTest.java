package io.floodgate.gateway.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.LimitCommand.CountLimited;
import io.floodgate.topics.command.LimitCommand.EndOverride;
import io.floodgate.topics.command.LimitCommand.GetLimit;
import io.floodgate.topics.command.LimitCommand.ListLimits;
import io.floodgate.topics.command.LimitCommand.OverrideLimit;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitTest extends GatewayFixture {
    private static final String LINE =
            "{\"key\":\"tenant:acme.1\",\"outstanding\":4,\"concurrency\":5,\"rate\":{\"limit\":100,\"period\":\"PT1M\",\"current_count\":47,"
                    + "\"window_resets_at\":\"2026-02-13T12:01:00.000Z\"},\"throttle\":{\"limit\":10,\"period\":\"PT1S\",\"next_allowed_at\":\"2026-02-13T12:00:00.100Z\"},"
                    + "\"override\":{\"concurrency\":5}}";

    private static final String COUNTED =
            "{\"key\":\"tenant:acme.1\",\"active\":1,\"waiting\":3,\"limits\":{\"concurrency\":7}}";

    private static Reply answer(Command command) {
        return switch (command) {
            case CountLimited c -> FakePartitions.done("{}", COUNTED);
            case ListLimits c -> FakePartitions.done("{\"total\":1}", LINE);
            default -> FakePartitions.done(LINE);
        };
    }

    private static void showsAll(Got got, String at) {
        assertThat(got.at(at + "/key").stringValue()).isEqualTo("tenant:acme.1");
        assertThat(got.at(at + "/concurrency/limit").intValue()).isEqualTo(5);
        // One of each of the four logs.
        assertThat(got.at(at + "/concurrency/active").intValue()).isEqualTo(4);
        assertThat(got.at(at + "/concurrency/available").intValue()).isEqualTo(1);
        assertThat(got.at(at + "/rate/limit").intValue()).isEqualTo(100);
        assertThat(got.at(at + "/rate/current_count").intValue()).isEqualTo(47);
        assertThat(got.at(at + "/throttle/next_allowed_at").stringValue()).isEqualTo("2026-02-13T12:00:00.100Z");
        assertThat(got.at(at + "/waiting_count").intValue()).isEqualTo(12);
        assertThat(got.at(at + "/limit").intValue()).isEqualTo(100);
        assertThat(got.at(at + "/period").stringValue()).isEqualTo("PT1M");
    }

    @Test
    void is_shown_with_what_runs_and_waits_in_all_logs() {
        logs.answer(LimitTest::answer);
        Got got = get("/ojs/v1/rate-limits/tenant%3Aacme.1");
        got.answers(200);
        showsAll(got, "");
    }

    @Test
    void is_shown_before_its_log_has_heard_of_it() {
        logs.answer(command -> command instanceof CountLimited
                ? answer(command)
                : new Reply.Rejected(Rejection.notFound("rate limit", "tenant:acme.1")));
        get("/ojs/v1/rate-limits/tenant:acme.1").answers(200, "{'concurrency':{'limit':7,'active':4}}");
    }

    @Test
    void that_no_client_knows_is_not_found() {
        logs.answer(command -> command instanceof CountLimited
                ? FakePartitions.done("{}")
                : new Reply.Rejected(Rejection.notFound("rate limit", "k")));
        get("/ojs/v1/rate-limits/k").answers(404);
    }

    @Test
    void is_listed_under_both_names() {
        logs.answerByLog(
                sent -> sent.command() instanceof ListLimits && sent.log().partition() > 0
                        ? FakePartitions.done("{\"total\":0}")
                        : answer(sent.command()));
        Got got = get("/ojs/v1/rate-limits?page=1&per_page=20");
        showsAll(got, "/items/0");
        showsAll(got, "/rate_limits/0");
        got.answers("{'pagination':{'total':1,'per_page':20}}");
    }

    @ParameterizedTest
    @CsvSource({"/ojs/v1/rate-limits/tenant:acme.1", "/ojs/v1/rate-limits/tenant:acme.1/override"})
    void is_overridden_and_the_override_ended(String path) {
        logs.answer(LimitTest::answer);
        Got got = send("PUT", path, "{\"concurrency\":0,\"expires_at\":\"2026-02-13T13:00:00Z\"}");
        got.answers(200, "{'override':{'concurrency':5}}");
        assertThat(logs.sent().getFirst().command())
                .isEqualTo(new OverrideLimit(
                        "tenant:acme.1", new Allowance(0L, null, null), Instant.parse("2026-02-13T13:00:00Z")));
        logs.reset().answer(LimitTest::answer);
        send("DELETE", path, "").answers(200);
        assertThat(logs.sent().getFirst().command()).isEqualTo(new EndOverride("tenant:acme.1"));
    }

    @Test
    void is_overridden_as_the_page_of_the_administration_does() {
        logs.answer(LimitTest::answer);
        send("PUT", "/ojs/v1/rate-limits/k", "{\"limit\":7,\"period\":\"1m\"}");
        assertThat(logs.sent().getFirst().command())
                .isEqualTo(new OverrideLimit("k", new Allowance(null, new Pace(7, Duration.ofMinutes(1)), null), null));
    }

    @Test
    void of_a_client_with_keys_of_its_own_is_named_with_whose_it_is() {
        logs.answer(LimitTest::answer);
        get("/ojs/v1/rate-limits/k@billing.*,mail").answers(200);
        assertThat(logs.sent().getFirst().command()).isEqualTo(new GetLimit("k@billing.*,mail"));
    }

    @Test
    void of_a_queue_is_asked_of_the_log_of_the_queue() {
        logs.answer(LimitTest::answer);
        send("PUT", "/ojs/v1/rate-limits/queue:mail", "{\"rate\":{\"limit\":0,\"period\":\"PT1M\"}}");
        FakePartitions.Sent sent = logs.sent().getFirst();
        assertThat(sent.command()).isEqualTo(new OverrideLimit("queue:mail", new Allowance(0L, null, null), null));
        assertThat(sent.log()).isEqualTo(new Routing(4).ofQueue("mail"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        k       | {}                                     | concurrency
        k       | {'concurrency':-1}                     | concurrency
        k       | {'rate':{'limit':1}}                   | rate.period
        k       | {'concurrency':1,'expires_at':'soon'}  | expires_at
        k       | {'concurrency':1,'expires_at':7}       | expires_at
        -k      | {'concurrency':1}                      | key
        a%20b   | {'concurrency':1}                      | key
        """)
    void what_makes_no_sense_is_rejected_by_name(String key, String body, String field) {
        Got got = send("PUT", "/ojs/v1/rate-limits/" + key, body.replace('\'', '"'));
        got.answers(400, "{'error':{'details':{'field':'%s'}}}", field);
        assertThat(logs.sent()).isEmpty();
    }
}
