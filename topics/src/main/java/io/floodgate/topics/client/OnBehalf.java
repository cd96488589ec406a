package io.floodgate.topics.client;

import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A client's commands, each sent for the same somebody. */
record OnBehalf(
        CommandClient client,
        @Nullable Identity identity,
        @Nullable String source) implements CommandClient {
    @Override
    public Routing routing() {
        return client.routing();
    }

    @Override
    public CompletableFuture<Reply> send(
            LogId log, String key, Command command, Duration patience, @Nullable Identity by) {
        return client.send(log, key, command, patience, by == null ? identity : by, source);
    }

    @Override
    public CompletableFuture<Reply> send(
            LogId log, String key, Command command, Duration patience, @Nullable Identity by, @Nullable String other) {
        return client.send(log, key, command, patience, by == null ? identity : by, other == null ? source : other);
    }

    @Override
    public CompletableFuture<Reply> enqueue(
            QueueTopic topic,
            LogId log,
            Enqueue command,
            Duration patience,
            @Nullable Identity by,
            @Nullable String other) {
        return client.enqueue(
                topic, log, command, patience, by == null ? identity : by, other == null ? source : other);
    }

    @Override
    public boolean isSilent(LogId log) {
        return client.isSilent(log);
    }

    /** Others use the client, too. */
    @Override
    public void close() {}
}
