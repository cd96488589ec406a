package io.floodgate.gateway.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.WebhookCommand;
import io.floodgate.topics.command.WebhookCommand.Target;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.webhook.WebhookTargets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a subscriber wants (OJS webhooks §5.1 and §6).
 *
 * @param secret chosen by the subscriber; null for one that is made
 */
record SubscriptionBody(
        Target target, Optional<Boolean> active, @Nullable String secret) {
    private static final Set<String> KNOWN =
            Set.of("url", "events", "filter", "active", "metadata", "secret", "ordered", "timeout_ms", "timeout");
    private static final Set<String> FILTER = Set.of("queues", "job_types");
    /** What is not said about a new one. */
    private static final Target NEW =
            new Target("", List.of(), List.of(), List.of(), false, Duration.ofSeconds(30), null);

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int SHORTEST_SECRET = 16;

    /** Rejects fields that do not exist, whatever the body is about. */
    static RequestFields known(RequestFields body) throws RejectedException {
        return body.only(KNOWN);
    }

    /** @param before what is there already, of which what is not named stays; null for a new one */
    static SubscriptionBody read(RequestFields body, @Nullable Target before, WebhookTargets targets)
            throws RejectedException {
        String url = body.text("url", WebhookCommand.URL_CHARS);
        if (url == null && before == null)
            throw body.fault("url", "The '%s' field is missing: where events are to be delivered.");
        if (url != null) {
            Optional<String> fault = targets.fault(url);
            if (fault.isPresent())
                throw RequestFields.wrong(
                        body.path("url"), "The 'url' field is not accepted: %s.".formatted(fault.get()));
        }
        Target base = before == null ? NEW : before;
        RequestFields filter = body.has("filter") ? body.object("filter").only(FILTER) : null;
        Target target = new Target(
                url == null ? base.url() : url,
                events(body, base.events()),
                filter == null
                        ? base.queues()
                        : filter.names(
                                "queues",
                                WebhookCommand.MOST_NAMES,
                                EnvelopeReader::isQueueName,
                                "the name of a queue"),
                filter == null
                        ? base.jobTypes()
                        : filter.names("job_types", WebhookCommand.MOST_NAMES, EnvelopeReader::isType, "a job type"),
                body.has("ordered") ? !body.flag("ordered") : base.isUnordered(),
                timeout(body, base.timeout()),
                metadata(body, base.metadata()));
        Optional<Boolean> active = body.has("active") ? Optional.of(body.flag("active")) : Optional.empty();
        return new SubscriptionBody(target, active, secret(body, before == null));
    }

    private static List<String> events(RequestFields body, List<String> before) throws RejectedException {
        if (!body.has("events") && !before.isEmpty()) return before;
        List<String> events = body.has("events") ? body.texts("events") : List.of();
        if (events.isEmpty() || events.size() > WebhookCommand.MOST_NAMES)
            throw body.fault(
                    "events",
                    "The '%%s' field must have 1 to %d types of events, such as 'job.completed', 'job.*' or '*'."
                            .formatted(WebhookCommand.MOST_NAMES));
        for (String event : events)
            if (!Access.isTypePattern(event))
                throw body.fault(
                        "events",
                        "'%s' in '%%s' cannot be a type of events: use 'job.completed', 'job.*' or '*'."
                                .formatted(Limits.echo(event).replace("%", "%%")));
        return events;
    }

    private static Duration timeout(RequestFields body, Duration before) throws RejectedException {
        Duration timeout = body.length("timeout_ms", "timeout");
        if (timeout == null) return before;
        if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0)
            throw body.fault(
                    body.has("timeout_ms") ? "timeout_ms" : "timeout",
                    "The '%%s' field must be from %d to %d seconds."
                            .formatted(SHORTEST.toSeconds(), LONGEST.toSeconds()));
        return timeout;
    }

    private static @Nullable String metadata(RequestFields body, @Nullable String before) throws RejectedException {
        if (body.isNull("metadata")) return null;
        byte[] metadata = body.raw("metadata");
        if (metadata == null) return before;
        body.object("metadata");
        String text = new String(metadata, UTF_8);
        if (text.length() > WebhookCommand.MOST_METADATA_CHARS)
            throw body.fault(
                    "metadata",
                    "The '%%s' field may have at most %d characters.".formatted(WebhookCommand.MOST_METADATA_CHARS));
        return text;
    }

    private static @Nullable String secret(RequestFields body, boolean isNew) throws RejectedException {
        String secret = body.text("secret", Limits.NAME_CHARS);
        if (secret == null) return null;
        if (!isNew)
            throw body.fault(
                    "secret",
                    "The '%s' field cannot be changed: POST …/rotate-secret makes another one, and returns it.");
        if (secret.length() < SHORTEST_SECRET)
            throw body.fault(
                    "secret",
                    "The '%%s' field must have at least %d characters; leave it out to have one made."
                            .formatted(SHORTEST_SECRET));
        return secret;
    }
}
