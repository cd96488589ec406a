package io.floodgate.gateway.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.DeleteQueue;
import io.floodgate.topics.command.RegistryHead;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.WebhookCommand.ChangeSubscription;
import io.floodgate.topics.command.WebhookCommand.CreateSubscription;
import io.floodgate.topics.command.WebhookCommand.DeleteSubscription;
import io.floodgate.topics.command.WebhookCommand.Following;
import io.floodgate.topics.command.WebhookCommand.ListSubscriptions;
import io.floodgate.topics.command.WebhookCommand.Row;
import io.floodgate.topics.command.WebhookCommand.Secrets;
import io.floodgate.topics.command.WebhookCommand.Standing;
import io.floodgate.topics.command.WebhookCommand.Subscription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookRoutesTest extends GatewayFixture {
    private static final String PATH = "/ojs/v1/webhooks/subscriptions";
    private static final String WANTED = "{\"url\":\"https://a.example/h\",\"events\":[\"job.*\"]}";
    private static final Instant NOW = Instant.parse("2026-02-12T10:30:00Z");

    /** The only one. */
    private @Nullable Row row;

    private boolean isFull;

    @BeforeEach
    void a_registry() {
        row = null;
        isFull = false;
        logs.answer(this::carryOut);
    }

    private Reply carryOut(Command command) {
        return switch (command) {
            case CreateSubscription create when isFull -> new Reply.Rejected(Rejection.of(ErrorCode.CONFLICT, "full"));
            case CreateSubscription create ->
                store(new Subscription(
                        create.id(),
                        create.target(),
                        new Secrets(create.secret(), null, null),
                        create.pausedBecause(),
                        create.subscriber(),
                        NOW,
                        new Following(NOW, 1, 0)));
            case ChangeSubscription change -> store(changed(change));
            case DeleteSubscription delete -> {
                Row gone = row;
                row = null;
                yield FakePartitions.done(ReplyLines.write(gone).toString());
            }
            case ListSubscriptions list ->
                row == null
                        ? FakePartitions.done(
                                ReplyLines.write(new RegistryHead(1)).toString())
                        : FakePartitions.done(
                                ReplyLines.write(new RegistryHead(1)).toString(),
                                ReplyLines.write(row).toString());
            default -> FakePartitions.done("{}");
        };
    }

    private Subscription changed(ChangeSubscription change) {
        Subscription before = row.subscription();
        String paused = change.pausedBecause() == null ? before.pausedBecause() : change.pausedBecause();
        return new Subscription(
                before.id(),
                change.target() == null ? before.target() : change.target(),
                change.secret() == null
                        ? before.secrets()
                        : new Secrets(change.secret(), before.secrets().secret(), NOW),
                paused == null || paused.isEmpty() ? null : paused,
                before.subscriber(),
                NOW,
                new Following(change.replayFrom() == null ? before.following().from() : change.replayFrom(), 2, 0));
    }

    private Reply store(Subscription subscription) {
        row = new Row(subscription, Standing.NONE);
        return FakePartitions.done(ReplyLines.write(row).toString());
    }

    private String make() {
        Got got = post(PATH, WANTED);
        got.answers(201);
        return PATH + "/" + got.at("/id").stringValue();
    }

    @Test
    void a_subscription_is_made_shown_changed_and_deleted() {
        Got made = post(PATH, WANTED);
        made.answers(
                201,
                "{'url':'https://a.example/h','events':['job.*'],'active':true,'ordered':true,'timeout_ms':30000}");
        assertThat(made.at("/subscription/secret").stringValue())
                .startsWith("whsec_")
                .hasSize(49);
        String one = PATH + "/" + made.at("/id").stringValue();
        assertThat(made.header("Location")).isEqualTo(one);

        Got shown = get(one);
        shown.answers(200, "{'subscription':{'url':'https://a.example/h'}}");
        assertThat(shown.body()).doesNotContain("secret");
        get(PATH).answers(200, "{'subscriptions':[{'events':['job.*']}],'items':[{}],'pagination':{'total':1}}");
        assertThat(get(PATH).body()).doesNotContain("secret");

        send("PATCH", one, "{\"active\":false,\"filter\":{\"queues\":[\"q\"]},\"timeout\":5}")
                .answers(200, "{'active':false,'events':['job.*'],'filter':{'queues':['q']},'timeout_ms':5000}");
        send("PUT", one, "{\"active\":true}").answers(200, "{'active':true,'filter':{'queues':['q']}}");

        delete(one).answers(200, "{'deleted':true}");
        get(one).answers(404);
        assertThat(logs.sent()).anyMatch(sent -> sent.command() instanceof DeleteQueue);
    }

    @Test
    void its_queue_is_configured_before_it_is_there() {
        make();
        Class<?>[] sent =
                logs.sent().stream().map(each -> each.command().getClass()).toArray(Class<?>[]::new);
        assertThat(sent).containsExactly(ConfigureQueue.class, CreateSubscription.class);
    }

    @Test
    void one_that_is_not_taken_leaves_no_queue() {
        isFull = true;
        post(PATH, WANTED).answers(409);
        assertThat(logs.sent().getLast().command()).isInstanceOf(DeleteQueue.class);
    }

    @Test
    void a_rotation_returns_another_secret() {
        String one = make();
        String before = row.subscription().secrets().secret();
        Got rotated = post(one + "/rotate-secret", "");
        rotated.answers(200, "{'old_secret_until':'2026-02-12T10:30:00.000Z'}");
        assertThat(rotated.at("/secret").stringValue()).startsWith("whsec_").isNotEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"events":["*"]} | url
            {"url":"http://a.example","events":["*"]} | url
            {"url":"https://10.0.0.1","events":["*"]} | url
            {"url":"https://a.example"} | events
            {"url":"https://a.example","events":[]} | events
            {"url":"https://a.example","events":["Job %s"]} | events
            {"url":"https://a.example","events":["*"],"filter":{"queue":["q"]}} | filter.queue
            {"url":"https://a.example","events":["*"],"filter":{"queues":["Q"]}} | filter.queues
            {"url":"https://a.example","events":["*"],"timeout_ms":10} | timeout_ms
            {"url":"https://a.example","events":["*"],"timeout":3600} | timeout
            {"url":"https://a.example","events":["*"],"secret":"short"} | secret
            {"url":"https://a.example","events":["*"],"metadata":"text"} | metadata
            {"url":"https://a.example","events":["*"],"evnts":["*"]} | evnts
            """)
    void what_is_wrong_is_rejected_by_name(String body, String field) {
        post(PATH, body).answers(400, "{'error':{'code':'invalid_request','details':{'field':'%s'}}}", field);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void a_secret_is_not_changed_but_rotated() {
        String one = make();
        send("PATCH", one, "{\"secret\":\"whsec_0123456789abcdef\"}").answers(400);
    }

    @Test
    void a_replay_begins_in_the_past_of_one_that_is_active() {
        String one = make();
        String time = given.clock.instant().minusSeconds(60).toString();
        post(one + "/replay", "{\"from\":\"%s\"}".formatted(time)).answers(202);
        assertThat(row.subscription().following().from()).isEqualTo(time);
        post(
                        one + "/replay",
                        "{\"from\":\"%s\"}".formatted(given.clock.instant().plusSeconds(60)))
                .answers(400);
        post(one + "/replay", "{\"from\":\"yesterday\"}").answers(400);
        send("PATCH", one, "{\"active\":false}").answers(200);
        post(one + "/replay", "{\"from\":\"%s\"}".formatted(time)).answers(400);
        post(one + "/test", "").answers(409);
    }

    @Test
    void what_is_no_subscription_and_no_delivery_is_not_found() {
        make();
        get(PATH + "/sub_nonsense").answers(404);
        get("/ojs/v1/webhooks/deliveries?subscription_id=sub_nonsense").answers(404);
        get("/ojs/v1/webhooks/deliveries/del_nonsense").answers(404);
        get("/ojs/v1/webhooks/deliveries?status=lost").answers(400);
    }
}
