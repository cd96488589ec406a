package io.floodgate.gateway.webhook;

import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.WebhookCommand.ListSubscriptions;
import io.floodgate.topics.command.WebhookCommand.Row;
import io.floodgate.topics.json.JsonOut;
import java.util.ArrayList;
import java.util.List;

/** Subscriptions whose last delivery has failed, of all callers. */
public record TroubledSubscriptions(Partitions partitions) {
    /** Returns each as the API shows it. */
    public List<byte[]> find() throws CommandFailed, RejectedException {
        List<byte[]> found = new ArrayList<>();
        List<byte[]> lines = partitions.ofWebhooks().ask(new ListSubscriptions(0));
        for (byte[] line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            Row row = ReplyLines.read(Row.class, line);
            if (row.standing().failingSince() != null)
                found.add(SubscriptionView.members(row, false, JsonOut.object(1_024))
                        .endObject()
                        .toBytes());
        }
        return found;
    }
}
