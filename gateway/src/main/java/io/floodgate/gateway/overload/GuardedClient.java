package io.floodgate.gateway.overload;

import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.QueueTopic;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Sends the commands of requests that may be refused, unless the log that they are for is too far behind. */
record GuardedClient(CommandClient client, Overload overload, Importance importance) implements CommandClient {
    @Override
    public Routing routing() {
        return client.routing();
    }

    @Override
    public CompletableFuture<Reply> send(
            LogId log, String key, Command command, Duration patience, @Nullable Identity by) {
        return refused(log).orElseGet(() -> client.send(log, key, command, patience, by));
    }

    @Override
    public CompletableFuture<Reply> send(
            LogId log, String key, Command command, Duration patience, @Nullable Identity by, @Nullable String source) {
        return refused(log).orElseGet(() -> client.send(log, key, command, patience, by, source));
    }

    @Override
    public CompletableFuture<Reply> enqueue(
            QueueTopic topic,
            LogId log,
            Enqueue command,
            Duration patience,
            @Nullable Identity by,
            @Nullable String source) {
        return refused(log).orElseGet(() -> client.enqueue(topic, log, command, patience, by, source));
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
