package io.floodgate.topics.client;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Appends commands to logs and hands back what they answer. Safe for any number of threads. */
public interface CommandClient extends AutoCloseable {
    Routing routing();

    /**
     * Sends a command; all other methods that send one call this. The future ends with the reply, with {@link CommandNotSent}
     * when nothing was appended, or with {@link NoReply} when no reply came in time and the command may or may not have been
     * executed. A fetch or a watch whose future ends otherwise, by {@code cancel} for instance, is withdrawn: it waits no
     * longer, and jobs that it was handed go back.
     */
    CompletableFuture<Reply> send(CommandRequest request);

    /**
     * Sends a command to its partition.
     *
     * @param key for readers of the topic: the queue, job or {@code kind:key} the command is about
     * @param by who wants it; null for this process itself
     */
    default CompletableFuture<Reply> send(
            PartitionId log, String key, Command command, Duration patience, @Nullable Identity by) {
        return send(log, key, command, patience, by, null);
    }

    /**
     * The same for one of several sources of commands.
     *
     * @param source of the command, for fair shares; null for this process itself
     */
    default CompletableFuture<Reply> send(
            PartitionId log,
            String key,
            Command command,
            Duration patience,
            @Nullable Identity by,
            @Nullable String source) {
        return send(new CommandRequest(log, key, command, patience, by, source, null));
    }

    /**
     * Sends a job through the topic of its queue, from where it is forwarded to the partition.
     *
     * @param log of the queue
     * @param source of the command, for fair shares; null for this process itself
     */
    default CompletableFuture<Reply> enqueue(
            QueueTopic topic,
            PartitionId log,
            Enqueue command,
            Duration patience,
            @Nullable Identity by,
            @Nullable String source) {
        return send(new CommandRequest(log, topic.queue(), command, patience, by, source, topic));
    }

    /** Sends a command of this process itself. */
    default CompletableFuture<Reply> send(PartitionId log, String key, Command command, Duration patience) {
        return send(log, key, command, patience, null);
    }

    /**
     * Returns this client with the identity of a caller in each command; without one, as it is. Its owner closes it.
     */
    default CommandClient by(@Nullable Identity identity) {
        return identity == null ? this : new OnBehalf(this, identity, null);
    }

    /** The same, for one of several sources. */
    default CommandClient by(@Nullable Identity identity, String source) {
        return new OnBehalf(this, identity, source);
    }

    /** Sends a command and waits for the reply on this, preferably virtual, thread. */
    default Reply call(PartitionId log, String key, Command command, Duration patience) throws CommandFailed {
        return Replies.await(send(log, key, command, patience));
    }

    /** The same for a caller that may leave: then the command ends, wherever it waits. */
    default Reply call(PartitionId log, String key, Command command, Duration patience, Cancellation cancellation)
            throws CommandFailed {
        CompletableFuture<Reply> reply = send(log, key, command, patience);
        cancellation.onCancel(() -> reply.cancel(false));
        return Replies.await(reply);
    }

    /** Returns whether the partition has let a command wait in vain, and has not answered any since. */
    default boolean isSilent(PartitionId log) {
        return false;
    }

    @Override
    void close();
}
