package io.floodgate.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.command.WebhookCommand.Following;
import io.floodgate.topics.command.WebhookCommand.Secrets;
import io.floodgate.topics.command.WebhookCommand.Subscriber;
import io.floodgate.topics.command.WebhookCommand.Subscription;
import io.floodgate.topics.command.WebhookCommand.Target;
import io.floodgate.topics.event.OjsEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WantedTest {
    private static final String QUEUE = "webhook.019539a4-b68c-7def-8000-aabbccddeeff";

    private static Subscription subscription(
            List<String> events, List<String> queues, List<String> types, @Nullable List<String> reach) {
        return new Subscription(
                "sub_019539a4-b68c-7def-8000-aabbccddeeff",
                new Target("https://a.example", events, queues, types, false, Duration.ofSeconds(30), null),
                new Secrets("s", null, null),
                null,
                new Subscriber("key", reach),
                Instant.EPOCH,
                new Following(Instant.parse("2026-02-12T10:30:00Z"), 1, 0));
    }

    private static OjsEvent event(String type, String time, String subject, String data) {
        return OjsEvent.read(
                0,
                7,
                "{\"id\":\"evt_1\",\"type\":\"%s\",\"time\":\"%s\",\"subject\":\"%s\",\"data\":%s}"
                        .formatted(type, time, subject, data)
                        .getBytes(UTF_8));
    }

    private static OjsEvent event(String type, String data) {
        return event(type, "2026-02-12T10:30:00.000Z", "x", data);
    }

    @ParameterizedTest
    @CsvSource({
        "job.completed, job.completed, true",
        "job.completed, job.failed, false",
        "job.*, job.failed, true",
        "job.*, queue.paused, false",
        "*, queue.paused, true"
    })
    void types_decide(String wanted, String type, boolean isWanted) {
        assertThat(Wanted.by(subscription(List.of(wanted), List.of(), List.of(), null))
                        .test(event(type, "{}")))
                .isEqualTo(isWanted);
    }

    @ParameterizedTest
    @CsvSource({"mail, send, true", "mail, other, false", "other, send, false", ", send, false", "mail, , false"})
    void types_queues_and_job_types_decide(@Nullable String queue, @Nullable String jobType, boolean isWanted) {
        String data = "{%s\"job_type\":%s}"
                .formatted(
                        queue == null ? "" : "\"queue\":\"%s\",".formatted(queue),
                        jobType == null ? "null" : "\"%s\"".formatted(jobType));
        assertThat(Wanted.by(subscription(List.of("*"), List.of("mail"), List.of("send"), null))
                        .test(event("job.failed", data)))
                .isEqualTo(isWanted);
    }

    @Test
    void what_happened_before_the_subscription_is_not_wanted() {
        Subscription all = subscription(List.of("*"), List.of(), List.of(), null);
        assertThat(Wanted.by(all).test(event("a.b", "2026-02-12T10:29:59.999Z", "x", "{}")))
                .isFalse();
        assertThat(Wanted.by(all).test(event("a.b", "2026-02-12T10:30:00.001Z", "x", "{}")))
                .isTrue();
    }

    @Test
    void who_may_see_some_queues_gets_what_happens_in_them_only() {
        Subscription some = subscription(List.of("*"), List.of(), List.of(), List.of("mail*"));
        assertThat(Wanted.by(some).test(event("job.failed", "{\"queue\":\"mails\"}")))
                .isTrue();
        assertThat(Wanted.by(some).test(event("job.failed", "{\"queue\":\"bills\"}")))
                .isFalse();
        assertThat(Wanted.by(some).test(event("worker.started", "{}"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "webhook.delivered, sub_1, mail, false",
        "job.completed, x, " + QUEUE + ", false",
        "queue.paused, " + QUEUE + ", , false",
        "rate_limit.exceeded, queue:" + QUEUE + ", , false",
        "job.completed, x, webhook.mine, true",
        "rate_limit.exceeded, queue:mail, , true"
    })
    void of_deliveries_nothing_is_delivered(String type, String subject, @Nullable String queue, boolean isForOthers) {
        String data = queue == null ? "{}" : "{\"queue\":\"%s\"}".formatted(queue);
        assertThat(Wanted.isForOthers(event(type, "2026-02-12T10:30:00.000Z", subject, data)))
                .isEqualTo(isForOthers);
    }
}
