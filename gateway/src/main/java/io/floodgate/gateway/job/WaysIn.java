package io.floodgate.gateway.job;

import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.QueueTopic;
import io.floodgate.topics.command.QueueCommand.UseKey;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.SignedRequest;
import io.floodgate.topics.json.MemberWalk;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a job goes into its queue through the topic of the queue, or through that of all commands. The
 * partition of the queue says whether the topic is read, and with which key gateways sign. A job that finds the topic
 * held up sends others the other way.
 */
public final class WaysIn {
    /** A job without an answer by then finds the topic held up. */
    static final Duration HELD_UP_AFTER = Duration.ofSeconds(3);

    /** Pause after a job could not be written to the topic. */
    private static final Duration REST = Duration.ofSeconds(5);

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(50);

    private static final Executor LATER = CompletableFuture.delayedExecutor(
            BETWEEN_QUESTIONS.toMillis(), TimeUnit.MILLISECONDS, Thread::startVirtualThread);

    private final CommandClient client;
    private final QueueTopics topics;
    private final String offered;
    private final Map<String, Way> ways = new ConcurrentHashMap<>();

    /** Into one queue. */
    private static final class Way {
        /** Key that signs jobs; null until the partition has answered that the topic is read. */
        private volatile byte @Nullable [] key;

        private volatile boolean heldUp;
        private volatile long nextQuestion = System.nanoTime();

        boolean mayAsk() {
            if (nextQuestion - System.nanoTime() > 0) return false;
            nextQuestion = System.nanoTime() + BETWEEN_QUESTIONS.toNanos();
            return true;
        }

        /** Another key may be in force by then. */
        void close(Duration rest) {
            nextQuestion = System.nanoTime() + rest.toNanos();
            key = null;
            heldUp = false;
        }
    }

    public WaysIn(CommandClient client, QueueTopics topics) {
        this.client = client;
        this.topics = topics;
        byte[] bytes = new byte[SignedRequest.KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        offered = HexFormat.of().formatHex(bytes);
    }

    /** The topic through which jobs go into this queue now; none if it is that of all commands. */
    Optional<QueueTopic> topicOf(String queue, PartitionId partition) {
        if (!topics.isWayInto(queue)) {
            if (!ways.isEmpty()) ways.remove(queue);
            return Optional.empty();
        }
        Way way = ways.computeIfAbsent(queue, name -> new Way());
        byte[] key = way.key;
        if (key == null && way.mayAsk()) key = ask(way, queue, partition);
        if (key == null || way.heldUp) return Optional.empty();
        int partitions = topics.partitions();
        return Optional.of(new QueueTopic(
                queue, partitions == 1 ? 0 : ThreadLocalRandom.current().nextInt(partitions), key));
    }

    private byte @Nullable [] ask(Way way, String queue, PartitionId partition) {
        try {
            Reply reply = client.call(partition, queue, new UseKey(queue, offered), PATIENCE);
            if (!(reply instanceof Reply.Done done) || done.lines().isEmpty()) return null;
            byte[] answer = done.lines().getFirst();
            if (!MemberWalk.text(answer, "read").orElse("").equals("true")) return null;
            byte[] key = HexFormat.of().parseHex(MemberWalk.text(answer, "key").orElseThrow());
            way.key = key;
            return key;
        } catch (CommandFailed failure) {
            return null;
        }
    }

    /**
     * Returns once the topic of a queue that was just made is read: then also the first job goes through it.
     *
     * @return false if it was not read within this time
     */
    public boolean awaitRead(String queue, PartitionId partition, Duration time) {
        Way way = new Way();
        CompletableFuture<Boolean> read = new CompletableFuture<>();
        askUntilRead(way, queue, partition, read);
        try {
            read.get(time.toNanos(), TimeUnit.NANOSECONDS);
            ways.put(queue, way);
            return true;
        } catch (TimeoutException | ExecutionException notRead) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            read.complete(false);
        }
    }

    private void askUntilRead(Way way, String queue, PartitionId partition, CompletableFuture<Boolean> read) {
        if (read.isDone()) return;
        if (ask(way, queue, partition) != null) read.complete(true);
        else LATER.execute(() -> askUntilRead(way, queue, partition, read));
    }

    /** A job that went through the topic has had no answer for long: others take the other way until it has one. */
    void isHeldUp(String queue, CompletableFuture<Reply> reply) {
        Way way = ways.get(queue);
        if (way == null) return;
        way.heldUp = true;
        var unused = reply.whenComplete((done, failure) -> {
            if (failure == null) way.heldUp = false;
            else way.close(Duration.ZERO);
        });
    }

    /** A job could not be written to the topic. */
    void isUnreachable(String queue) {
        Way way = ways.get(queue);
        if (way != null) way.close(REST);
    }
}
