package io.floodgate.topics.client;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Reply;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A client's commands, each sent for the same identity and source. */
record OnBehalf(
        CommandClient client,
        @Nullable Identity identity,
        @Nullable String source) implements CommandClient {
    @Override
    public Routing routing() {
        return client.routing();
    }

    @Override
    public CompletableFuture<Reply> send(CommandRequest request) {
        return client.send(request.onBehalfOf(identity, source));
    }

    @Override
    public boolean isSilent(PartitionId log) {
        return client.isSilent(log);
    }

    /** Others use the client, too. */
    @Override
    public void close() {}
}
