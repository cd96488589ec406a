package io.floodgate.topics.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.WebhookCommand.Following;
import io.floodgate.topics.command.WebhookCommand.Secrets;
import io.floodgate.topics.command.WebhookCommand.Subscriber;
import io.floodgate.topics.command.WebhookCommand.Subscription;
import io.floodgate.topics.command.WebhookCommand.Target;
import io.floodgate.topics.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeliveriesTest {
    private static final Instant NOW = Instant.parse("2026-02-12T10:30:00Z");
    private static final String UUID = "019539a4-b68c-7def-8000-aabbccddeeff";

    private static Subscription subscription(boolean isUnordered, long replay) {
        return new Subscription(
                "sub_" + UUID,
                new Target(
                        "https://a.example",
                        List.of("*"),
                        List.of(),
                        List.of(),
                        isUnordered,
                        Duration.ofSeconds(30),
                        null),
                new Secrets("s", null, null),
                null,
                new Subscriber(null, null),
                NOW,
                new Following(NOW, 1, replay));
    }

    private static JobId id(Subscription subscription, String event) {
        return Deliveries.id(subscription, event, NOW.toEpochMilli());
    }

    @Test
    void a_queue_leads_to_its_subscription_and_back() {
        String queue = Deliveries.queue("sub_" + UUID);
        assertThat(queue).isEqualTo("webhook." + UUID);
        assertThat(Deliveries.subscriptionOf(queue)).isEqualTo("sub_" + UUID);
        assertThat(Deliveries.names(queue)).isTrue();
        assertThat(Deliveries.names("queue:" + queue)).isTrue();
        assertThat(Deliveries.names("webhook.mine")).isFalse();
        assertThat(Deliveries.names("queue:mail")).isFalse();
    }

    @Test
    void an_event_has_one_delivery_for_each_subscription_and_replay_in_the_partition_of_its_queue() {
        JobId id = id(subscription(false, 0), "evt_1");
        assertThat(id(subscription(true, 0), "evt_1")).isEqualTo(id);
        assertThat(id(subscription(false, 1), "evt_1")).isNotEqualTo(id);
        assertThat(id(subscription(false, 0), "evt_2")).isNotEqualTo(id);
        Routing routing = new Routing(64);
        assertThat(routing.ofJob(id)).isEqualTo(routing.ofQueue("webhook." + UUID));
    }

    @Test
    void deliveries_are_in_order_unless_the_subscriber_wants_none() {
        byte[] event = "{\"id\":\"evt_1\"}".getBytes(UTF_8);
        assertThat(job(false, "job.completed", event))
                .contains("\"order_key\":\"events\"", "\"args\":[{\"id\":\"evt_1\"}]");
        assertThat(job(true, "job.completed", event)).doesNotContain("order_key");
        assertThat(job(false, Deliveries.TEST, event))
                .doesNotContain("order_key")
                .contains("\"type\":\"webhook.test\"");
    }

    private static String job(boolean isUnordered, String type, byte[] event) {
        Subscription subscription = subscription(isUnordered, 0);
        return new String(Deliveries.job(subscription, id(subscription, "evt_1"), "evt_1", type, event), UTF_8);
    }

    /** The figures of docs/how-to/receive-events-by-webhook.md. */
    @Test
    void attempts_are_as_far_apart_as_documented() {
        RetryPolicy policy = Deliveries.config(false).policy().jobs().retry().over(RetryPolicy.DEFAULT);
        List<Duration> delays = new ArrayList<>();
        for (int attempt = 1; attempt < policy.maxAttempts(); attempt++)
            delays.add(policy.delayAfter(attempt, id(subscription(false, 0), "evt_1")));
        assertThat(delays)
                .containsExactly(
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(8),
                        Duration.ofMinutes(32),
                        Duration.ofMinutes(128),
                        Duration.ofMinutes(512),
                        Duration.ofHours(24));
    }

    @Test
    void no_one_else_can_put_deliveries_in() {
        var access = Deliveries.config(true).policy().access();
        assertThat(access.allowsProducer(Deliveries.BY.name())).isTrue();
        assertThat(access.allowsProducer(null)).isFalse();
        assertThat(access.allowsType("mine")).isFalse();
    }
}
