package io.floodgate.gateway.overload;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandRequest;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Sends the commands of requests that may be rejected, unless the partition that they are for is too far behind. */
record GuardedClient(CommandClient client, Overload overload, Importance importance) implements CommandClient {
    @Override
    public Routing routing() {
        return client.routing();
    }

    @Override
    public CompletableFuture<Reply> send(CommandRequest request) {
        return rejected(request.log()).orElseGet(() -> client.send(request));
    }

    private Optional<CompletableFuture<Reply>> rejected(PartitionId log) {
        Optional<Rejection> full = overload.reject(log, importance);
        return full.map(rejection -> CompletableFuture.completedFuture(new Reply.Rejected(rejection)));
    }

    @Override
    public boolean isSilent(PartitionId log) {
        return client.isSilent(log);
    }

    /** Others use the client, too. */
    @Override
    public void close() {}
}
