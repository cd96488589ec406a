package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Explanation.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Whether a subscriber gets its events, from what the registry of subscriptions knows. */
final class WebhookExplainer {
    /** A delivery that fails once is tried again within this time. */
    private static final Duration SOON = Duration.ofMinutes(1);

    private WebhookExplainer() {}

    /** @param subscription as the API shows it */
    static Explanation explain(Facts subscription, Instant now, String from) {
        return Explanation.of(
                new Subject("webhook", String.valueOf(subscription.text("id"))),
                now,
                from,
                List.of(code(subscription, now).finding(FindingFacts.of(subscription, now))),
                subscription.pick("url queue active delivered failed dead last_delivery_at failing_since"),
                new Evidence().with("last_error", subscription.text("last_error")));
    }

    private static WebhookCode code(Facts subscription, Instant now) {
        Instant since = subscription.time("failing_since");
        if (since == null) return WebhookCode.DELIVERS;
        if (!subscription.flag("active")) return WebhookCode.GAVE_UP;
        return since.plus(SOON).isBefore(now) ? WebhookCode.FAILING : WebhookCode.DELIVERS;
    }
}
