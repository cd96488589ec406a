package io.floodgate.processor.webhook;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.store.RevisedRows;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.WebhookCommand;
import io.floodgate.topics.command.WebhookCommand.ChangeSubscription;
import io.floodgate.topics.command.WebhookCommand.CreateSubscription;
import io.floodgate.topics.command.WebhookCommand.DeleteSubscription;
import io.floodgate.topics.command.WebhookCommand.Following;
import io.floodgate.topics.command.WebhookCommand.ListSubscriptions;
import io.floodgate.topics.command.WebhookCommand.ReportDelivery;
import io.floodgate.topics.command.WebhookCommand.Row;
import io.floodgate.topics.command.WebhookCommand.Secrets;
import io.floodgate.topics.command.WebhookCommand.Standing;
import io.floodgate.topics.command.WebhookCommand.Subscription;
import io.floodgate.topics.command.WebhookCommand.Target;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The registry of webhook subscriptions: where events are to be delivered, and what has come of it. Deliveries are jobs of
 * queues; processes that make and run them have copies of the registry.
 */
public final class Subscriptions implements Entity {
    private static final String DISABLED =
            "No delivery has succeeded for %d days.".formatted(WebhookCommand.GIVES_UP.toDays());

    private static final StoredForm<Row> STORED = new StoredForm<>(Row.class, 1, "a webhook subscription");

    private final RevisedRows<Row> rows;
    private final Effects out;

    public Subscriptions(PartitionContext context) {
        rows = new RevisedRows<>(context.entities(), "webhook", STORED);
        out = context.out();
    }

    @Override
    public void register(Handlers handlers) {
        handlers.on(CreateSubscription.class, this::create);
        handlers.on(ChangeSubscription.class, this::change);
        handlers.on(DeleteSubscription.class, this::delete);
        handlers.on(ListSubscriptions.class, this::list);
        handlers.on(ReportDelivery.class, this::report);
    }

    private void create(CreateSubscription command) {
        Row there = rows.find(command.id());
        if (there != null) {
            // The gateway asks again if it had no answer.
            out.reply(ReplyLines.write(there));
            return;
        }
        if (rows.size() >= WebhookCommand.MOST) {
            out.reject(Rejection.of(
                    ErrorCode.CONFLICT,
                    "There are %d webhook subscriptions, and there can be no more: delete one."
                            .formatted(rows.size())));
            return;
        }
        Row row = new Row(
                new Subscription(
                        command.id(),
                        command.target(),
                        new Secrets(command.secret(), null, null),
                        command.pausedBecause(),
                        command.subscriber(),
                        out.now(),
                        new Following(out.now(), rows.changed(out.now(), 1), 0)),
                Standing.NONE);
        store(row);
        emit("webhook.subscription.created", row.subscription());
        out.reply(ReplyLines.write(row));
    }

    private void change(ChangeSubscription command) {
        Row row = rows.find(command.id());
        if (row == null) {
            out.reject(notFound(command.id()));
            return;
        }
        Subscription before = row.subscription();
        String pausedBecause = command.pausedBecause() == null ? before.pausedBecause() : command.pausedBecause();
        if (pausedBecause != null && pausedBecause.isEmpty()) pausedBecause = null;
        boolean isActivated = pausedBecause == null && !before.isActive();
        Instant replayFrom = command.replayFrom();
        Following following = before.following();
        Instant from = replayFrom != null ? replayFrom : isActivated ? out.now() : following.from();
        Target target = command.target() == null ? before.target() : command.target();
        long revision = rows.changed(out.now(), 0);
        // A change of what is wanted holds from now on; what was delivered before is not looked at again.
        Row after = new Row(
                new Subscription(
                        before.id(),
                        target,
                        secrets(before.secrets(), command.secret()),
                        pausedBecause,
                        before.subscriber(),
                        before.createdAt(),
                        new Following(
                                from,
                                from.equals(following.from()) ? following.revision() : revision,
                                following.replay() + (replayFrom == null ? 0 : 1))),
                isActivated ? recovered(row.standing()) : row.standing());
        store(after);
        emit("webhook.subscription.updated", after.subscription());
        out.reply(ReplyLines.write(after));
    }

    private Secrets secrets(Secrets before, @Nullable String secret) {
        if (secret == null) return before;
        return new Secrets(secret, before.secret(), out.now().plus(WebhookCommand.OLD_SECRET));
    }

    /** A subscription that is activated has another three days. */
    private static Standing recovered(Standing standing) {
        return new Standing(
                standing.delivered(), standing.failed(), standing.dead(), standing.lastDeliveryAt(), null, null);
    }

    private void delete(DeleteSubscription command) {
        Row row = rows.find(command.id());
        if (row == null) {
            out.reject(notFound(command.id()));
            return;
        }
        rows.delete(command.id(), out.now());
        emit("webhook.subscription.deleted", row.subscription());
        out.reply(ReplyLines.write(row));
    }

    private void list(ListSubscriptions command) {
        out.reply(rows.list(command.seen()));
    }

    private void report(ReportDelivery command) {
        Row row = rows.find(command.id());
        if (row == null) {
            out.reply(JsonOut.object().endObject());
            return;
        }
        boolean isDelivered = command.error() == null;
        Standing before = row.standing();
        Instant failingSince = before.failingSince() == null ? out.now() : before.failingSince();
        Standing after = new Standing(
                before.delivered() + (isDelivered ? 1 : 0),
                before.failed() + (isDelivered ? 0 : 1),
                before.dead() + (!isDelivered && command.isLast() ? 1 : 0),
                isDelivered ? out.now() : before.lastDeliveryAt(),
                isDelivered ? null : failingSince,
                isDelivered ? null : command.error());
        Subscription subscription = row.subscription();
        String type = isDelivered ? "webhook.delivered" : command.isLast() ? "webhook.dead" : "webhook.failed";
        out.emit(
                type,
                subscription.id(),
                WebhookCommand.KEY,
                JsonOut.object()
                        .field("subscription_id", subscription.id())
                        .field("delivery_id", command.deliveryId())
                        .field("event_type", command.eventType())
                        .field("attempt", command.attempt())
                        .optional("error", command.error())
                        .endObject());
        boolean givesUp = !isDelivered
                && subscription.isActive()
                && failingSince.plus(WebhookCommand.GIVES_UP).isBefore(out.now());
        if (givesUp) rows.changed(out.now(), 0);
        store(new Row(givesUp ? paused(subscription) : subscription, after));
        if (givesUp) emit("webhook.subscription.disabled", subscription);
        out.reply(JsonOut.object().endObject());
    }

    private static Subscription paused(Subscription subscription) {
        return new Subscription(
                subscription.id(),
                subscription.target(),
                subscription.secrets(),
                DISABLED,
                subscription.subscriber(),
                subscription.createdAt(),
                subscription.following());
    }

    private void emit(String event, Subscription subscription) {
        out.emit(
                event,
                subscription.id(),
                WebhookCommand.KEY,
                JsonOut.object()
                        .field("subscription_id", subscription.id())
                        .field("url", subscription.target().url())
                        .field("active", subscription.isActive())
                        .endObject());
    }

    private static Rejection notFound(String id) {
        return Rejection.notFound("webhook subscription", id);
    }

    private void store(Row row) {
        rows.put(row.subscription().id(), row);
    }

    /** Deletes up to {@code most} subscriptions for a reset. */
    @Override
    public boolean clear(int most) {
        return rows.clear(most, out.now());
    }
}
