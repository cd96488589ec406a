package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayConfig;
import io.floodgate.gateway.GatewayConfig.Access;
import io.floodgate.gateway.GatewayLimits;
import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.processor.ProcessorConfig.Logs;
import io.floodgate.standalone.broker.BrokerConfig;
import io.floodgate.topics.webhook.AddressBlock;
import io.floodgate.topics.webhook.WebhookSignature;
import io.floodgate.topics.webhook.WebhookTargets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks from end to end (OJS webhooks). */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WebhooksTest {
    private static final String SUBSCRIPTIONS = "/ojs/v1/webhooks/subscriptions";
    private static final String DELIVERIES = "/ojs/v1/webhooks/deliveries";
    private static final WebhookSettings LOCAL =
            new WebhookSettings(true, new WebhookTargets(true, List.of(AddressBlock.parse("127.0.0.0/8"))));

    private final AtomicInteger queues = new AtomicInteger();
    private Path data;
    private Running running;
    private HttpApi http;
    private Subscriber subscriber;
    private String queue = "";

    private record Subscription(String id, String secret) {
        String path() {
            return SUBSCRIPTIONS + "/" + id;
        }
    }

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        data = directory;
        start();
    }

    private void start() throws Exception {
        running = new Running();
        var local = new HttpConfig(
                "127.0.0.1",
                0,
                true,
                GatewayConfig.DEFAULT_WAIT,
                Duration.ZERO,
                Access.LOCAL,
                GatewayLimits.ofHeap(),
                QueueTopics.Settings.DEFAULT,
                LOCAL);
        var broker = new BrokerConfig(data.resolve("kafka"), 0, Optional.empty(), Map.of());
        http = new HttpApi(Standalone.start(
                        new StandaloneConfig(broker, data.resolve("streams"), 4, 1, Logs.DEFAULT, local, Map.of()),
                        running)
                .port());
    }

    @AfterAll
    void stop() {
        running.close();
    }

    @BeforeEach
    void a_subscriber() throws Exception {
        if (subscriber != null) subscriber.close();
        subscriber = new Subscriber();
        queue = "q" + queues.incrementAndGet();
    }

    private Subscription subscribe(String path, String events, String more) throws Exception {
        var made = http.post(
                SUBSCRIPTIONS,
                "{\"url\":\"%s\",\"events\":[\"%s\"],\"filter\":{\"queues\":[\"%s\"]}%s}"
                        .formatted(subscriber.url(path), events, queue, more));
        return new Subscription(made.text("/subscription/id"), made.text("/secret"));
    }

    private List<String> enqueue(int jobs) throws Exception {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < jobs; i++)
            ids.add(http.post("/ojs/v1/jobs", "{\"type\":\"t\",\"queue\":\"%s\",\"args\":[%d]}".formatted(queue, i))
                    .text("/job/id"));
        return ids;
    }

    private List<String> subjects(String path) {
        return subscriber.got(path).stream().map(Subscriber.Got::subject).toList();
    }

    private void awaitSubjects(String path, List<String> expected) throws Exception {
        Eventually.until("deliveries at " + path, () -> subjects(path).size() >= expected.size());
        assertThat(subjects(path)).isEqualTo(expected);
    }

    @Test
    void each_event_after_the_subscription_is_delivered_once_signed_and_in_order() throws Exception {
        enqueue(3);
        Subscription subscription = subscribe("hook", "job.enqueued", "");
        List<String> ids = enqueue(40);

        awaitSubjects("hook", ids);
        for (Subscriber.Got got : subscriber.got("hook")) {
            assertThat(got.eventType()).isEqualTo("job.enqueued");
            assertThat(got.signature())
                    .isEqualTo(WebhookSignature.header(
                            List.of(subscription.secret), Long.parseLong(got.timestamp()), got.body()));
        }
        assertThat(subscriber.got("hook").stream().map(Subscriber.Got::delivery))
                .doesNotHaveDuplicates();
        Eventually.until(
                "all are counted",
                () -> http.get(subscription.path()).text("/delivered").equals("40"));
        assertThat(http.get(subscription.path()).body().has("secret")).isFalse();
    }

    @Test
    void a_delivery_that_fails_holds_back_those_after_it_and_nobody_else() throws Exception {
        subscriber.answers(500);
        Subscription failing = subscribe("failing", "job.enqueued", "");
        List<String> ids = enqueue(5);
        Eventually.until(
                "it has failed", () -> http.get(failing.path()).text("/failed").equals("1"));
        subscriber.answers(200);
        subscribe("well", "job.enqueued", "");
        List<String> later = enqueue(3);
        awaitSubjects("well", later);
        assertThat(subjects("failing")).isEqualTo(ids.subList(0, 1));

        String delivery = http.get(DELIVERIES + "?status=retrying&subscription_id=" + failing.id)
                .text("/deliveries/0/id");
        http.post(DELIVERIES + "/" + delivery + "/retry", "");

        List<String> expected = new ArrayList<>(ids.subList(0, 1));
        expected.addAll(ids);
        expected.addAll(later);
        awaitSubjects("failing", expected);
        assertThat(subscriber.got("failing").get(0).delivery())
                .isEqualTo(subscriber.got("failing").get(1).delivery())
                .isEqualTo(delivery);
    }

    @Test
    void what_a_subscriber_rejects_is_dead_until_it_is_retried() throws Exception {
        subscriber.answers(404);
        Subscription subscription = subscribe("gone", "job.enqueued", "");
        List<String> ids = enqueue(2);
        String dead = DELIVERIES + "?status=dead&subscription_id=" + subscription.id;
        Eventually.until(
                "both are dead", () -> http.get(dead).body().path("deliveries").size() == 2);
        assertThat(subjects("gone")).isEqualTo(ids);
        assertThat(http.get(dead).body().toString()).contains("status 404").contains("job.enqueued");

        subscriber.answers(204);
        http.post(DELIVERIES + "/" + http.get(dead).text("/deliveries/0/id") + "/retry", "");

        Eventually.until("it is delivered", () -> subjects("gone").size() == 3);
    }

    /** Other processes learn of a change within a second; one that knows a later subscription knows it. */
    private void awaitChangesAreKnown() throws Exception {
        String path = "probe" + queues.incrementAndGet();
        subscribe(path, "job.enqueued", "");
        Eventually.until("changes are known", () -> {
            enqueue(1);
            return !subscriber.got(path).isEmpty();
        });
    }

    @Test
    void a_paused_subscription_gets_nothing_and_what_happened_meanwhile_comes_by_a_replay() throws Exception {
        Subscription subscription = subscribe("hook", "job.enqueued", "");
        awaitSubjects("hook", enqueue(2));
        http.put(subscription.path(), "{\"active\":false}");
        awaitChangesAreKnown();
        String from = http.get("/ojs/v1/events?limit=1&types=job.enqueued").text("/events/0/time");
        List<String> meanwhile = enqueue(3);
        http.put(subscription.path(), "{\"active\":true}");
        String after = enqueue(1).getFirst();
        Eventually.until("it is active", () -> subjects("hook").contains(after));
        assertThat(subjects("hook")).doesNotContainAnyElementsOf(meanwhile);

        http.post(subscription.path() + "/replay", "{\"from\":\"%s\"}".formatted(from));

        List<String> replayed = new ArrayList<>(meanwhile);
        replayed.add(after);
        Eventually.until(
                "the rest comes",
                () -> subjects("hook").stream().filter(after::equals).count() == 2);
        assertThat(subjects("hook")).endsWith(replayed.toArray(String[]::new));
    }

    @Test
    void both_secrets_count_after_a_rotation() throws Exception {
        Subscription subscription = subscribe("hook", "job.enqueued", "");
        String rotated = http.post(subscription.path() + "/rotate-secret", "").text("/secret");
        assertThat(rotated).isNotEqualTo(subscription.secret);
        Eventually.until(
                "the new secret is known to all",
                () -> http.post(subscription.path() + "/test", "")
                                .text("/success")
                                .equals("true")
                        && subscriber.got("hook").getLast().signature().contains(","));

        Subscriber.Got got = subscriber.got("hook").getLast();
        assertThat(got.eventType()).isEqualTo("webhook.test");
        assertThat(got.signature())
                .isEqualTo(WebhookSignature.header(
                        List.of(rotated, subscription.secret), Long.parseLong(got.timestamp()), got.body()));
    }

    @Test
    void a_test_says_what_the_subscriber_answers() throws Exception {
        Subscription subscription = subscribe("hook", "job.enqueued", "");
        subscriber.answers(503);

        var answer = http.post(subscription.path() + "/test", "");

        assertThat(answer.text("/success")).isEqualTo("false");
        assertThat(answer.text("/status_code")).isEqualTo("503");
    }

    @Test
    void deliveries_cause_no_deliveries() throws Exception {
        http.post(
                SUBSCRIPTIONS,
                "{\"url\":\"%s\",\"events\":[\"*\"],\"ordered\":false}".formatted(subscriber.url("all")));
        enqueue(60);
        Eventually.until(
                "all are delivered",
                () -> subscriber.got("all").stream()
                                .filter(got -> got.eventType().equals("job.enqueued"))
                                .count()
                        == 60);

        assertThat(subscriber.got("all"))
                .noneMatch(got -> got.eventType().startsWith("webhook.")
                        || got.event().at("/data/queue").asString().startsWith("webhook."));
    }

    @Test
    void with_a_subscription_its_deliveries_go() throws Exception {
        subscriber.answers(500);
        Subscription subscription = subscribe("hook", "job.enqueued", "");
        enqueue(3);
        Eventually.until("it has failed", () -> !subscriber.got("hook").isEmpty());

        http.delete(subscription.path());

        assertThat(http.statusOf(subscription.path())).isEqualTo(404);
        String of = "/ojs/v1/queues/webhook." + subscription.id.substring(4);
        Eventually.until("its queue is gone", () -> http.statusOf(of) == 404);
    }

    @Test
    void nothing_is_lost_or_doubled_when_the_server_stops_and_starts() throws Exception {
        Subscription subscription = subscribe("hook", "job.enqueued", "");
        List<String> ids = enqueue(30);
        running.close();
        start();
        ids.addAll(enqueue(10));

        awaitSubjects("hook", ids.stream().distinct().toList());
        assertThat(http.get(subscription.path()).text("/url")).isEqualTo(subscriber.url("hook"));
    }
}
