package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.WEBHOOKS;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import java.util.List;

/** Commands to the registry of webhook subscriptions. */
final class WebhookCommandTypes {
    static final List<CommandType<?>> ROWS = rows(
            command(
                    "create-subscription",
                    WebhookCommand.CreateSubscription.class,
                    WEBHOOKS,
                    WORK,
                    "Registers a URL to which events are delivered."),
            command(
                    "change-subscription",
                    WebhookCommand.ChangeSubscription.class,
                    WEBHOOKS,
                    WORK,
                    "Changes, pauses or activates a subscription, gives it another secret, or delivers past events again."),
            command(
                    "delete-subscription",
                    WebhookCommand.DeleteSubscription.class,
                    WEBHOOKS,
                    WORK,
                    "Deletes a subscription."),
            query(
                    "list-subscriptions",
                    WebhookCommand.ListSubscriptions.class,
                    WEBHOOKS,
                    READS,
                    "Returns all subscriptions, unless they are known."),
            command(
                    "report-delivery",
                    WebhookCommand.ReportDelivery.class,
                    WEBHOOKS,
                    WORK,
                    "Reports what has come of an attempt to deliver an event."));

    private WebhookCommandTypes() {}
}
