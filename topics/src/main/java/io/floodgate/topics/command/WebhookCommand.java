package io.floodgate.topics.command;

import io.floodgate.topics.json.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands to the registry of webhook subscriptions, all of which are in one partition. */
public sealed interface WebhookCommand extends Command {
    /** The key of commands to the registry. */
    String KEY = "webhooks";

    /** Subscriptions that there may be: each process that delivers has a copy of all. */
    int MOST = 500;

    int URL_CHARS = 2_048;
    int MOST_NAMES = 50;
    int MOST_METADATA_CHARS = 4 * 1024;
    int MOST_ERROR_CHARS = 500;
    String ID = "sub_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

    /** How long deliveries are signed with the secret before, too. */
    Duration OLD_SECRET = Duration.ofHours(24);

    /** After this time without a successful delivery, a subscription is paused. */
    Duration GIVES_UP = Duration.ofDays(3);

    /**
     * What is delivered, and to whom.
     *
     * @param events types, with {@code *} for any characters
     * @param queues of the events; those of all queues, and what is about no queue, if it is empty
     * @param jobTypes of the events; likewise
     * @param isUnordered a delivery does not wait for the one before
     * @param timeout of a request
     * @param metadata of the subscriber, as JSON
     */
    record Target(
            @Wire.Most(URL_CHARS) String url,
            @Wire.Least(1) @Wire.Most(MOST_NAMES) List<String> events,
            @Wire.OrEmpty @Wire.Most(MOST_NAMES) List<String> queues,
            @Wire.OrEmpty @Wire.Most(MOST_NAMES) List<String> jobTypes,
            boolean isUnordered,
            @Wire.Least(1_000) @Wire.Most(60_000) Duration timeout,
            @Wire.Most(MOST_METADATA_CHARS) @Nullable String metadata) {
        public Target {
            events = List.copyOf(events);
            queues = List.copyOf(queues);
            jobTypes = List.copyOf(jobTypes);
        }
    }

    /**
     * With what deliveries are signed.
     *
     * @param before the secret that counts until a time, beside the present one
     */
    record Secrets(
            String secret,
            @Wire.Name("secret_before") @Nullable String before,
            @Wire.Name("secret_before_until") @Nullable Instant until) {
        @Override
        public String toString() {
            return "Secrets";
        }
    }

    /**
     * Who subscribes.
     *
     * @param owner the key that made it; null without keys
     * @param reach the queues that the owner may see; null for all
     */
    record Subscriber(
            @Nullable String owner,
            @Wire.Most(Identity.MOST_QUEUES) @Nullable List<String> reach) {}

    /**
     * Which events are delivered.
     *
     * @param from events before this time are not delivered, or have been delivered
     * @param revision of the registry at which {@code from} was decided
     * @param replay the number of times that past events were asked for again
     */
    record Following(
            @Wire.Rfc3339 Instant from,
            @Wire.Least(0) long revision,
            @Wire.Least(0) long replay) {}

    /**
     * A subscription as it is stored.
     *
     * @param pausedBecause null while it is active
     */
    record Subscription(
            String id,
            @Wire.Inline Target target,
            @Wire.Inline Secrets secrets,
            @Nullable String pausedBecause,
            @Wire.Inline Subscriber subscriber,
            @Wire.Rfc3339 Instant createdAt,
            @Wire.Inline Following following) {
        public boolean isActive() {
            return pausedBecause == null;
        }
    }

    /**
     * What has come of its deliveries.
     *
     * @param failingSince the first failure after the last success; null if it does not fail
     */
    record Standing(
            @Wire.Least(0) long delivered,
            @Wire.Least(0) long failed,
            @Wire.Least(0) long dead,
            @Wire.Rfc3339 @Nullable Instant lastDeliveryAt,
            @Wire.Rfc3339 @Nullable Instant failingSince,
            @Wire.Most(MOST_ERROR_CHARS) @Nullable String lastError) {
        public static final Standing NONE = new Standing(0, 0, 0, null, null, null);
    }

    /** A line of a reply. */
    record Row(
            @Wire.Inline Subscription subscription,
            @Wire.Inline Standing standing) {}

    record CreateSubscription(
            @Wire.Matches(ID) String id,
            @Wire.Inline Target target,
            String secret,
            @Nullable String pausedBecause,
            @Wire.Inline Subscriber subscriber)
            implements WebhookCommand {
        /** Commands may be logged, and secrets may not. */
        @Override
        public String toString() {
            return "CreateSubscription[%s, %s]".formatted(id, target);
        }
    }

    /**
     * Changes a subscription; whatever is null stays as it is.
     *
     * @param pausedBecause empty to activate it
     * @param secret the new one; the one before counts for another day
     * @param replayFrom events since this time are delivered again
     */
    record ChangeSubscription(
            @Wire.Matches(ID) String id,
            @Nullable Target target,
            @Nullable String pausedBecause,
            @Nullable String secret,
            @Wire.Rfc3339 @Nullable Instant replayFrom)
            implements WebhookCommand {
        @Override
        public String toString() {
            return "ChangeSubscription[%s, %s, %s, %s]".formatted(id, target, pausedBecause, replayFrom);
        }
    }

    record DeleteSubscription(@Wire.Matches(ID) String id) implements WebhookCommand {}

    /**
     * Asks for all subscriptions.
     *
     * @param seen the revision that is known: if there is no other, only the first line is answered
     */
    record ListSubscriptions(@Wire.Least(0) long seen) implements WebhookCommand {}

    /**
     * Reports an attempt of a delivery.
     *
     * @param error null if it was delivered
     * @param isLast there is no further attempt
     */
    record ReportDelivery(
            @Wire.Matches(ID) String id,
            String deliveryId,
            String eventType,
            @Wire.Least(1) int attempt,
            boolean isLast,
            @Wire.Most(MOST_ERROR_CHARS) @Nullable String error)
            implements WebhookCommand {}
}
