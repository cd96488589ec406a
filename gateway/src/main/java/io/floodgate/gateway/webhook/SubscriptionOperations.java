package io.floodgate.gateway.webhook;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Ids;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.DeleteQueue;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.WebhookCommand;
import io.floodgate.topics.command.WebhookCommand.ChangeSubscription;
import io.floodgate.topics.command.WebhookCommand.CreateSubscription;
import io.floodgate.topics.command.WebhookCommand.DeleteSubscription;
import io.floodgate.topics.command.WebhookCommand.ListSubscriptions;
import io.floodgate.topics.command.WebhookCommand.Row;
import io.floodgate.topics.command.WebhookCommand.Subscriber;
import io.floodgate.topics.command.WebhookCommand.Subscription;
import io.floodgate.topics.command.WebhookCommand.Target;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Timestamps;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.webhook.Deliveries;
import io.floodgate.topics.webhook.WebhookTargets;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code /ojs/v1/webhooks/subscriptions} (OJS webhooks §6). Each subscription has a queue, in which its deliveries are jobs. A
 * caller whose key is confined to queues has subscriptions of its own, and no others.
 */
final class SubscriptionOperations {
    static final String PATH = "/ojs/v1/webhooks/subscriptions";

    private static final Pattern ID = Pattern.compile(WebhookCommand.ID);
    private static final String PAUSED = "It was paused by a request.";
    private static final String SECRET = "whsec_";
    private static final int SECRET_BYTES = 32;
    /** Events are kept for about as long. */
    private static final Duration OLDEST_REPLAY = Duration.ofDays(30);

    private final SecureRandom random = new SecureRandom();
    private final Partitions partitions;
    private final WebhookTargets targets;
    private final Ids ids;
    private final Clock clock;

    SubscriptionOperations(Partitions partitions, WebhookTargets targets, Ids ids, Clock clock) {
        this.partitions = partitions;
        this.targets = targets;
        this.ids = ids;
        this.clock = clock;
    }

    private Partitions.Owner registry(Call call) {
        return partitions.by(call).ofWebhooks();
    }

    ApiResponse create(Call call) throws CommandFailed, RejectedException {
        SubscriptionBody body = SubscriptionBody.read(SubscriptionBody.known(call.json()), null, targets);
        String id = Deliveries.subscription(ids.job(WebhookCommand.KEY).toString());
        Identity caller = call.caller().identity();
        String secret = body.secret() == null ? newSecret() : body.secret();
        configure(id, body.target());
        Row row;
        try {
            row = row(registry(call)
                    .askLine(new CreateSubscription(
                            id,
                            body.target(),
                            secret,
                            body.active().orElse(true) ? null : PAUSED,
                            caller == null
                                    ? new Subscriber(null, null)
                                    : new Subscriber(caller.name(), caller.queues()))));
        } catch (RejectedException rejected) {
            deleteQueue(id);
            throw rejected;
        }
        return ApiResponse.json(Status.CREATED_201, SubscriptionView.whole(row, true))
                .with(HeaderValues.create(HeaderNames.LOCATION, PATH + "/" + id));
    }

    /** Before the first delivery comes: else the queue would have no bound. */
    private void configure(String id, Target target) throws CommandFailed, RejectedException {
        String queue = Deliveries.queue(id);
        var config = Deliveries.config(target.isUnordered());
        partitions
                .ofQueue(queue)
                .ask(new ConfigureQueue(queue, config, target.isUnordered() ? Set.of() : Set.of("concurrency")));
    }

    private void deleteQueue(String id) throws CommandFailed, RejectedException {
        String queue = Deliveries.queue(id);
        partitions.ofQueue(queue).ask(new DeleteQueue(queue, Deletion.DISCARD));
    }

    private String newSecret() {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return SECRET + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }

    private static Row row(byte[] line) {
        return ReplyLines.read(Row.class, line);
    }

    ApiResponse list(Call call) throws CommandFailed, RejectedException {
        Paging paging = Paging.of(call);
        List<Row> all = all(call);
        JsonOut items = new JsonOut(4_096).beginArray();
        all.stream()
                .skip(paging.offset())
                .limit(paging.limit())
                .forEach(row -> SubscriptionView.members(row, false, items.beginObject())
                        .endObject());
        return ApiResponse.ok(paging.page("subscriptions", items.endArray(), all.size()));
    }

    /** The subscriptions of the caller. */
    List<Row> all(Call call) throws CommandFailed, RejectedException {
        List<byte[]> lines = partitions.from(call).ofWebhooks().ask(new ListSubscriptions(0));
        call.makeRoom(lines);
        return lines.stream()
                .skip(1)
                .map(SubscriptionOperations::row)
                .filter(row -> isOf(call.caller().identity(), row.subscription()))
                .toList();
    }

    private static boolean isOf(@Nullable Identity caller, Subscription subscription) {
        return caller == null
                || !caller.isConfined()
                || subscription.subscriber().equals(new Subscriber(caller.name(), caller.queues()));
    }

    /** Returns the subscription in the path. */
    Row find(Call call) throws CommandFailed, RejectedException {
        return find(call, call.parameter("id"));
    }

    Row find(Call call, String id) throws CommandFailed, RejectedException {
        if (ID.matcher(id).matches())
            for (Row row : all(call)) if (row.subscription().id().equals(id)) return row;
        throw new RejectedException(Rejection.notFound("webhook subscription", Limits.echo(id)));
    }

    ApiResponse get(Call call) throws CommandFailed, RejectedException {
        return ApiResponse.ok(SubscriptionView.whole(find(call), false));
    }

    ApiResponse change(Call call) throws CommandFailed, RejectedException {
        RequestFields fields = SubscriptionBody.known(call.json());
        Row before = find(call);
        Target target = before.subscription().target();
        SubscriptionBody body = SubscriptionBody.read(fields, target, targets);
        if (body.target().isUnordered() != target.isUnordered())
            configure(before.subscription().id(), body.target());
        String pausedBecause = body.active().map(active -> active ? "" : PAUSED).orElse(null);
        return ApiResponse.ok(SubscriptionView.whole(
                changed(
                        call,
                        new ChangeSubscription(before.subscription().id(), body.target(), pausedBecause, null, null)),
                false));
    }

    private Row changed(Call call, ChangeSubscription change) throws CommandFailed, RejectedException {
        return row(registry(call).askLine(change));
    }

    ApiResponse delete(Call call) throws CommandFailed, RejectedException {
        String id = find(call).subscription().id();
        registry(call).ask(new DeleteSubscription(id));
        deleteQueue(id);
        return ApiResponse.ok(
                JsonOut.object().field("deleted", true).field("id", id).endObject());
    }

    ApiResponse rotateSecret(Call call) throws CommandFailed, RejectedException {
        String id = find(call).subscription().id();
        return ApiResponse.ok(
                SubscriptionView.whole(changed(call, new ChangeSubscription(id, null, null, newSecret(), null)), true));
    }

    /** Delivers past events again, those of before a failure for instance. */
    ApiResponse replay(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json().only(Set.of("from"));
        Row row = find(call);
        String text = body.requiredText("from");
        Instant from = Timestamps.parse(text)
                .orElseThrow(() -> body.fault("from", "The '%s' field must be an RFC 3339 time."));
        Instant now = clock.instant();
        if (from.isAfter(now) || from.isBefore(now.minus(OLDEST_REPLAY)))
            throw body.fault(
                    "from", "The '%%s' field must be a time in the last %d days.".formatted(OLDEST_REPLAY.toDays()));
        if (!row.subscription().isActive())
            throw body.fault("", "The subscription is paused: activate it, and then ask for past events.");
        Row after = changed(call, new ChangeSubscription(row.subscription().id(), null, null, null, from));
        return ApiResponse.json(Status.ACCEPTED_202, SubscriptionView.whole(after, false));
    }
}
