package io.floodgate.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.WebhookCommand;
import io.floodgate.topics.command.WebhookCommand.ReportDelivery;
import io.floodgate.topics.command.WebhookCommand.Secrets;
import io.floodgate.topics.command.WebhookCommand.Subscription;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.webhook.Deliveries;
import io.floodgate.topics.webhook.WebhookSignature;
import io.floodgate.webhook.WebhookAnswer.Answered;
import io.floodgate.webhook.WebhookAnswer.Failed;
import io.floodgate.webhook.WebhookAnswer.Refused;
import io.floodgate.worker.JobContext;
import io.floodgate.worker.JobFailure;
import io.floodgate.worker.LeasedJob;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Posts the event of a job to the URL of its subscription (OJS webhooks §5.3 and §7). */
final class DeliveryHandler {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String USER_AGENT = "OJS-Webhook/1.0 (Floodgate)";
    private static final int TOO_MANY_REQUESTS = 429;

    private final CommandClient client;
    private final KnownSubscriptions known;
    private final WebhookEndpoint endpoint;
    private final DeliveryMeters meters;
    private final Clock clock;

    DeliveryHandler(
            CommandClient client,
            KnownSubscriptions known,
            WebhookEndpoint endpoint,
            DeliveryMeters meters,
            Clock clock) {
        this.client = client;
        this.known = known;
        this.endpoint = endpoint;
        this.meters = meters;
        this.clock = clock;
    }

    /** What has come of a request: an error is null if the event was delivered. */
    private record Outcome(
            @Nullable String error,
            boolean isFinal,
            @Nullable Instant until,
            Map<String, Object> shown) {}

    Object deliver(JobContext context) throws Exception {
        Subscription subscription = subscription(context.job());
        Outcome outcome = post(context.job(), subscription);
        report(context.job(), subscription, outcome);
        String error = outcome.error;
        if (error == null) return outcome.shown;
        JobFailure failure = outcome.isFinal
                ? JobFailure.permanent("webhook_rejected", error)
                : JobFailure.of("webhook_failed", error).retryable(true);
        throw outcome.until == null ? failure : failure.rateLimitUntil(outcome.until);
    }

    /** A test is done whatever comes of it: that is its result. */
    Object test(JobContext context) throws Exception {
        Outcome outcome = post(context.job(), subscription(context.job()));
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("success", outcome.error == null);
        result.putAll(outcome.shown);
        if (outcome.error != null) result.put("error", outcome.error);
        result.put("delivery_id", Deliveries.ID + context.job().id());
        return result;
    }

    private Subscription subscription(LeasedJob job) throws CommandFailed, RejectedException, JobFailure {
        String id = Deliveries.subscriptionOf(job.queue());
        Subscription subscription = known.find(id);
        if (subscription == null) {
            known.refresh();
            subscription = known.find(id);
        }
        if (subscription == null) throw JobFailure.permanent("webhook_unsubscribed", "The subscription was deleted.");
        return subscription;
    }

    private Outcome post(LeasedJob job, Subscription subscription) {
        byte[] body = Json.MAPPER.writeValueAsBytes(job.args().get(0));
        long seconds = clock.instant().getEpochSecond();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("User-Agent", USER_AGENT);
        headers.put("X-OJS-Event-Type", eventType(job));
        headers.put("X-OJS-Delivery-ID", Deliveries.ID + job.id());
        headers.put("X-OJS-Subscription-ID", subscription.id());
        headers.put("X-OJS-Timestamp", Long.toString(seconds));
        headers.put("X-OJS-Signature", WebhookSignature.header(secrets(subscription.secrets()), seconds, body));
        long began = System.nanoTime();
        WebhookAnswer answer = endpoint.post(
                subscription.target().url(),
                headers,
                body,
                subscription.target().timeout());
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        meters.took(took);
        return outcome(answer, took);
    }

    private static String eventType(LeasedJob job) {
        return job.json().path("meta").path("event_type").stringValue("");
    }

    private List<String> secrets(Secrets secrets) {
        List<String> all = new ArrayList<>(List.of(secrets.secret()));
        Instant until = secrets.until();
        if (secrets.before() != null && until != null && clock.instant().isBefore(until)) all.add(secrets.before());
        return all;
    }

    private Outcome outcome(WebhookAnswer answer, Duration took) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("response_time_ms", took.toMillis());
        return switch (answer) {
            case Refused refused -> new Outcome(refused.reason(), true, null, shown);
            case Failed failed -> new Outcome(failed.kind() + ": " + failed.message(), false, null, shown);
            case Answered answered -> {
                int status = answered.status();
                shown.put("status_code", status);
                shown.put("response_body", new String(answered.excerpt(), UTF_8));
                if (status >= 200 && status < 300) yield new Outcome(null, true, null, shown);
                boolean isTooMany = status == TOO_MANY_REQUESTS;
                boolean isFinal = status >= 400 && status < 500 && !isTooMany;
                Duration wait = isTooMany ? answered.retryAfter() : null;
                Instant until = wait == null ? null : clock.instant().plus(wait);
                yield new Outcome("The subscriber answered with status %d.".formatted(status), isFinal, until, shown);
            }
        };
    }

    /** Without waiting: what is lost is missing in the figures of the subscription only. */
    private void report(LeasedJob job, Subscription subscription, Outcome outcome) {
        String error = outcome.error;
        boolean isLast = outcome.isFinal || job.attempt() >= Deliveries.ATTEMPTS;
        String eventType = eventType(job);
        meters.count(eventType, error == null ? "success" : isLast ? "dead" : "failed", job.attempt());
        var unused = client.send(
                client.routing().ofWebhooks(),
                WebhookCommand.KEY,
                new ReportDelivery(
                        subscription.id(),
                        Deliveries.ID + job.id(),
                        Limits.cut(eventType, Limits.NAME_CHARS),
                        job.attempt(),
                        isLast,
                        error == null ? null : Limits.cut(error, WebhookCommand.MOST_ERROR_CHARS)),
                PATIENCE);
    }
}
