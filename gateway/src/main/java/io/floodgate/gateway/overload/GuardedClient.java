package io.floodgate.gateway.overload;

import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandRequest;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.Reply;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Sends the commands of requests that may be refused, unless the log that they are for is too far behind. */
record GuardedClient(CommandClient client, Overload overload, Importance importance) implements CommandClient {
    @Override
    public Routing routing() {
        return client.routing();
    }

    @Override
    public CompletableFuture<Reply> send(CommandRequest request) {
        return refused(request.log()).orElseGet(() -> client.send(request));
    }

    private Optional<CompletableFuture<Reply>> refused(LogId log) {
        Optional<Refusal> full = overload.refuse(log, importance);
        return full.map(refusal -> CompletableFuture.completedFuture(new Reply.Refused(refusal)));
    }

    @Override
    public boolean isSilent(LogId log) {
        return client.isSilent(log);
    }

    /** Others use the client, too. */
    @Override
    public void close() {}
}
