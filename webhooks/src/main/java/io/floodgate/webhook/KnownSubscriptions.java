package io.floodgate.webhook;

import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.RegistryHead;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.WebhookCommand;
import io.floodgate.topics.command.WebhookCommand.ListSubscriptions;
import io.floodgate.topics.command.WebhookCommand.Row;
import io.floodgate.topics.command.WebhookCommand.Subscription;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The copy of the registry of subscriptions by which this process makes deliveries, and runs them. */
final class KnownSubscriptions {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private record Known(long revision, Map<String, Subscription> byId) {}

    private final CommandClient client;
    private volatile Known known = new Known(0, Map.of());

    KnownSubscriptions(CommandClient client) {
        this.client = client;
    }

    /** Asks the registry. */
    void refresh() throws CommandFailed, RejectedException {
        Known before = known;
        Reply reply = client.call(
                client.routing().ofWebhooks(), WebhookCommand.KEY, new ListSubscriptions(before.revision), PATIENCE);
        List<byte[]> lines = Replies.lines(reply);
        long revision = ReplyLines.read(RegistryHead.class, lines.getFirst()).revision();
        if (revision == before.revision) return;
        Map<String, Subscription> byId = new LinkedHashMap<>();
        for (byte[] line : lines.subList(1, lines.size())) {
            Subscription subscription = ReplyLines.read(Row.class, line).subscription();
            byId.put(subscription.id(), subscription);
        }
        known = new Known(revision, byId);
    }

    long revision() {
        return known.revision;
    }

    @Nullable
    Subscription find(String id) {
        return known.byId.get(id);
    }

    List<Subscription> active() {
        return known.byId.values().stream().filter(Subscription::isActive).toList();
    }
}
