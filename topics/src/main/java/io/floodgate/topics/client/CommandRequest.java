package io.floodgate.topics.client;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.Identity;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A command and all that a {@link CommandClient} needs to send it.
 *
 * @param key for readers of the topic: the queue, job or {@code kind:key} the command is about
 * @param patience how long the reply is waited for
 * @param by the sender's identity; null for this process itself
 * @param source of the command, for fair shares: no source may take the room of all others; null for this process
 *     itself
 * @param topic of its queue, through which an enqueue goes to the partition; null for a command that is appended to the partition
 */
public record CommandRequest(
        PartitionId log,
        String key,
        Command command,
        Duration patience,
        @Nullable Identity by,
        @Nullable String source,
        @Nullable QueueTopic topic) {
    /** The same request; the identity and the source are these where it has none of its own. */
    CommandRequest onBehalfOf(@Nullable Identity identity, @Nullable String other) {
        return new CommandRequest(
                log, key, command, patience, by == null ? identity : by, source == null ? other : source, topic);
    }
}
