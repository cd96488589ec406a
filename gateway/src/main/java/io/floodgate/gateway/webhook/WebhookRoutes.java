package io.floodgate.gateway.webhook;

import static io.floodgate.gateway.access.Scope.ADMIN;
import static io.floodgate.gateway.http.Route.delete;
import static io.floodgate.gateway.http.Route.get;
import static io.floodgate.gateway.http.Route.patch;
import static io.floodgate.gateway.http.Route.post;
import static io.floodgate.gateway.http.Route.put;

import io.floodgate.gateway.http.Ids;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.Route;
import io.floodgate.gateway.job.JobOperations;
import io.floodgate.topics.webhook.WebhookTargets;
import java.time.Clock;
import java.util.List;

/** The routes of webhooks (OJS webhooks §10). */
public final class WebhookRoutes {
    private static final String SUBSCRIPTIONS = SubscriptionOperations.PATH;
    private static final String SUBSCRIPTION = SUBSCRIPTIONS + "/{id}";
    private static final String DELIVERIES = "/ojs/v1/webhooks/deliveries";
    private static final int MAX_BODY = 64 * 1024;

    private WebhookRoutes() {}

    public static List<Route> of(
            Partitions partitions, WebhookTargets targets, JobOperations jobs, Ids ids, Clock clock) {
        var subscriptions = new SubscriptionOperations(partitions, targets, ids, clock);
        var deliveries = new DeliveryOperations(partitions, subscriptions, jobs, ids, clock);
        return List.of(
                post("webhook.create", SUBSCRIPTIONS, ADMIN, subscriptions::create)
                        .ofQueues()
                        .upTo(MAX_BODY),
                get("webhook.list", SUBSCRIPTIONS, subscriptions::list).ofQueues(),
                get("webhook.get", SUBSCRIPTION, subscriptions::get).ofQueues(),
                patch("webhook.change", SUBSCRIPTION, ADMIN, subscriptions::change)
                        .ofQueues()
                        .upTo(MAX_BODY),
                put("webhook.change", SUBSCRIPTION, ADMIN, subscriptions::change)
                        .ofQueues()
                        .upTo(MAX_BODY),
                delete("webhook.delete", SUBSCRIPTION, ADMIN, subscriptions::delete)
                        .ofQueues(),
                post("webhook.test", SUBSCRIPTION + "/test", ADMIN, deliveries::test)
                        .ofQueues(),
                post("webhook.rotate_secret", SUBSCRIPTION + "/rotate-secret", ADMIN, subscriptions::rotateSecret)
                        .ofQueues(),
                post("webhook.replay", SUBSCRIPTION + "/replay", ADMIN, subscriptions::replay)
                        .ofQueues()
                        .upTo(MAX_BODY),
                get("webhook.delivery.list", DELIVERIES, deliveries::list).ofQueues(),
                get("webhook.delivery.get", DELIVERIES + "/{id}", deliveries::get)
                        .ofQueues(),
                post("webhook.delivery.retry", DELIVERIES + "/{id}/retry", ADMIN, deliveries::retry)
                        .ofQueues());
    }
}
