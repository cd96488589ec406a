package io.floodgate.gateway.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.command.WebhookCommand.Row;
import io.floodgate.topics.command.WebhookCommand.Standing;
import io.floodgate.topics.command.WebhookCommand.Subscription;
import io.floodgate.topics.command.WebhookCommand.Target;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.webhook.Deliveries;

/** A subscription as its owner sees it: without its secret, which is shown once. */
final class SubscriptionView {
    private SubscriptionView() {}

    /** Bare, and again under its name. */
    static JsonOut whole(Row row, boolean withSecret) {
        JsonOut out = members(row, withSecret, JsonOut.object(4_096));
        return members(row, withSecret, out.beginObject("subscription"))
                .endObject()
                .endObject();
    }

    static JsonOut members(Row row, boolean withSecret, JsonOut out) {
        Subscription subscription = row.subscription();
        Target target = subscription.target();
        out.field("id", subscription.id()).field("url", target.url()).field("events", target.events());
        if (!target.queues().isEmpty() || !target.jobTypes().isEmpty()) {
            out.beginObject("filter");
            if (!target.queues().isEmpty()) out.field("queues", target.queues());
            if (!target.jobTypes().isEmpty()) out.field("job_types", target.jobTypes());
            out.endObject();
        }
        out.field("active", subscription.isActive())
                .optional("paused_because", subscription.pausedBecause())
                .field("ordered", !target.isUnordered())
                .field("timeout_ms", target.timeout().toMillis());
        if (withSecret) out.field("secret", subscription.secrets().secret());
        out.optional("old_secret_until", subscription.secrets().until());
        String metadata = target.metadata();
        if (metadata != null) out.fieldRaw("metadata", metadata.getBytes(UTF_8));
        out.field("created_at", subscription.createdAt()).field("queue", Deliveries.queue(subscription.id()));
        Standing standing = row.standing();
        return out.field("delivered", standing.delivered())
                .field("failed", standing.failed())
                .field("dead", standing.dead())
                .optional("last_delivery_at", standing.lastDeliveryAt())
                .optional("failing_since", standing.failingSince())
                .optional("last_error", standing.lastError());
    }
}
