package io.floodgate.processor.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.WebhookCommand;
import io.floodgate.topics.command.WebhookCommand.ChangeSubscription;
import io.floodgate.topics.command.WebhookCommand.CreateSubscription;
import io.floodgate.topics.command.WebhookCommand.DeleteSubscription;
import io.floodgate.topics.command.WebhookCommand.ListSubscriptions;
import io.floodgate.topics.command.WebhookCommand.ReportDelivery;
import io.floodgate.topics.command.WebhookCommand.Subscriber;
import io.floodgate.topics.command.WebhookCommand.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SubscriptionsTest extends PartitionTest {
    private static final Target TARGET = new Target(
            "https://example.com/hook",
            List.of("job.*"),
            List.of("mail"),
            List.of(),
            false,
            Duration.ofSeconds(30),
            "{\"owner\":\"x\"}");

    private static String id(int number) {
        return "sub_00000000-0000-7000-8000-%012d".formatted(number);
    }

    private static CreateSubscription create(int number) {
        return new CreateSubscription(
                id(number), TARGET, "whsec_" + number, null, new Subscriber("key", List.of("mail")));
    }

    private static ChangeSubscription change(
            @Nullable String pausedBecause, @Nullable String secret, @Nullable Instant replayFrom) {
        return new ChangeSubscription(id(1), null, pausedBecause, secret, replayFrom);
    }

    private List<Shown> list(long seen) {
        log.receives(ask(new ListSubscriptions(seen)));
        return log.replies().lines();
    }

    private long revision() {
        return Long.parseLong(list(0).getFirst().text("revision"));
    }

    private Shown one() {
        return list(0).get(1);
    }

    private void report(int attempt, boolean isLast, @Nullable String error) {
        log.receives(ask(new ReportDelivery(id(1), "del_1", "job.completed", attempt, isLast, error)));
    }

    @Test
    void a_subscription_is_shown_as_it_was_made_also_after_a_restart() {
        log.receives(ask(create(1)));
        log.event("webhook.subscription.created")
                .shows("subscription_id", id(1))
                .shows("active", true);
        log.restarts();

        one().shows("id", id(1))
                .shows("url", "https://example.com/hook")
                .shows("secret", "whsec_1")
                .shows("owner", "key")
                .shows("metadata", "{\"owner\":\"x\"}")
                .shows("delivered", 0);
    }

    @Test
    void to_make_it_again_changes_nothing() {
        log.receives(ask(create(1)));
        long before = revision();
        log.receives(ask(create(1)));
        log.replies().shown().shows("secret", "whsec_1");
        assertThat(list(0)).hasSize(2);
        assertThat(revision()).isEqualTo(before);
    }

    @Test
    void who_knows_the_revision_is_told_no_more() {
        log.receives(ask(create(1)));
        assertThat(list(revision())).hasSize(1);
        log.receives(ask(create(2)));
        assertThat(list(revision() - 1)).hasSize(3);
    }

    @Test
    void the_old_secret_counts_for_a_day() {
        log.receives(ask(create(1)), ask(change(null, "whsec_new", null)));

        one().shows("secret", "whsec_new").shows("secret_before", "whsec_1");
        assertThat(Instant.ofEpochMilli(Long.parseLong(one().text("secret_before_until"))))
                .isEqualTo(log.now().plus(WebhookCommand.OLD_SECRET));
    }

    @Test
    void one_that_is_activated_gets_what_happens_from_then_on() {
        log.receives(ask(create(1)));
        String from = one().text("from");
        String revision = one().text("revision");
        log.receives(ask(change("It was paused.", null, null)));
        one().shows("paused_because", "It was paused.").shows("from", from).shows("revision", Long.parseLong(revision));
        log.after(Duration.ofSeconds(5));

        log.receives(ask(change("", null, null)));

        assertThat(one().text("from")).isGreaterThan(from);
        assertThat(Long.parseLong(one().text("revision"))).isGreaterThan(Long.parseLong(revision));
    }

    @Test
    void a_replay_begins_at_its_time_and_has_a_number() {
        log.receives(ask(create(1)));
        Instant from = log.now().minusSeconds(60);

        log.receives(ask(change(null, null, from)));

        one().shows("replay", 1);
        assertThat(Instant.parse(one().text("from"))).isEqualTo(from);
    }

    @Test
    void what_has_come_of_deliveries_is_counted_and_announced() {
        log.receives(ask(create(1)));
        long before = revision();
        report(1, false, "status 500");
        log.event("webhook.failed").shows("delivery_id", "del_1").shows("error", "status 500");
        one().shows("failed", 1).shows("last_error", "status 500");
        report(8, true, "status 500");
        log.event("webhook.dead");
        one().shows("failed", 2).shows("dead", 1);
        report(1, true, null);
        log.event("webhook.delivered");
        one().shows("delivered", 1).hides("failing_since", "last_error");
        // Other processes need not know.
        assertThat(revision()).isEqualTo(before);
    }

    @Test
    void one_that_fails_for_three_days_is_paused() {
        log.receives(ask(create(1)));
        report(1, false, "status 500");
        log.after(WebhookCommand.GIVES_UP.plusSeconds(1));
        long before = revision();

        report(2, false, "status 500");

        log.event("webhook.subscription.disabled");
        one().shows("paused_because", "No delivery has succeeded for 3 days.");
        assertThat(revision()).isGreaterThan(before);
    }

    @Test
    void what_is_not_there_is_not_found_and_reports_of_it_are_forgotten() {
        log.receives(ask(change("", null, null))).rejects(ErrorCode.NOT_FOUND);
        log.receives(ask(new DeleteSubscription(id(1)))).rejects(ErrorCode.NOT_FOUND);
        report(1, true, null);
        log.receives(ask(create(1)), ask(new DeleteSubscription(id(1))));
        log.event("webhook.subscription.deleted");
        assertThat(list(0)).hasSize(1);
    }

    @Test
    void there_are_only_so_many() {
        for (int i = 0; i < WebhookCommand.MOST; i++) log.receives(ask(create(i)));
        log.receives(ask(create(WebhookCommand.MOST))).rejects(ErrorCode.CONFLICT);
        log.receives(ask(new DeleteSubscription(id(7))), ask(create(WebhookCommand.MOST)));
        assertThat(list(0)).hasSize(WebhookCommand.MOST + 1);
    }
}
