package io.floodgate.client;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.ClusterAccess;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.KafkaCommandClient;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Through Kafka: appends to the partitions, and gets their answers. Connects when there is something to send. */
final class KafkaTransport implements Transport {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Supplier<CommandClient> connecting;
    private final Duration waitForRoom;
    private @Nullable CompletableFuture<CommandClient> connection;
    private boolean closed;

    KafkaTransport(Supplier<CommandClient> connecting, Duration waitForRoom) {
        this.connecting = connecting;
        this.waitForRoom = waitForRoom;
    }

    /** @return for a time that the server may wait for room */
    static Function<Duration, Transport> to(Map<String, Object> kafka, String namespace) {
        Cluster cluster = ClusterAccess.cluster(kafka, namespace);
        return waitForRoom -> new KafkaTransport(
                () -> KafkaCommandClient.connect(ClusterAccess.find(cluster, PATIENCE)), waitForRoom);
    }

    /** The first caller connects; the others wait for it, and fail with it. */
    private synchronized CompletableFuture<CommandClient> connection() {
        if (closed) return CompletableFuture.failedFuture(new KafkaException("the producer is closed"));
        CompletableFuture<CommandClient> there = connection;
        if (there == null || there.isCompletedExceptionally())
            connection = there = CompletableFuture.supplyAsync(connecting, KafkaTransport::onAThread);
        return there;
    }

    /** Kafka's clients may make their callers wait. */
    private static void onAThread(Runnable task) {
        Thread.ofVirtual().name("floodgate-producer-kafka").start(task);
    }

    @Override
    public CompletableFuture<SendResult> send(PendingCommand pendingCommand) {
        return connection()
                .thenComposeAsync(client -> send(client, pendingCommand), KafkaTransport::onAThread)
                .exceptionally(KafkaTransport::failed);
    }

    private CompletableFuture<SendResult> send(CommandClient client, PendingCommand pendingCommand) {
        OutgoingJob first = pendingCommand.first();
        PartitionId log = pendingCommand.isSingle() && !first.madeId()
                ? client.routing().ofJob(first.id())
                : client.routing().ofQueue(first.queue());
        return client.send(log, first.queue(), command(pendingCommand, waitForRoom), PATIENCE.plus(waitForRoom))
                .handle((reply, failure) -> reply == null
                        ? unavailable(failure)
                        : answer(reply, pendingCommand.jobs().size()));
    }

    private static SendResult failed(Throwable failure) {
        Throwable why =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return why instanceof KafkaException
                ? unavailable("The cluster cannot be reached: " + why.getMessage(), false)
                : SendResult.Unavailable.failed(why);
    }

    static Patient command(PendingCommand pendingCommand, Duration waitForRoom) {
        if (pendingCommand.isSingle())
            return new Enqueue(
                    pendingCommand.first().json(), pendingCommand.first().madeId(), waitForRoom);
        List<byte[]> jobs =
                pendingCommand.jobs().stream().map(OutgoingJob::json).toList();
        return new EnqueueBatch(jobs, pendingCommand.jobs().stream().allMatch(OutgoingJob::madeId), waitForRoom);
    }

    private static SendResult unavailable(Throwable failure) {
        return unavailable(
                String.valueOf(failure.getMessage()),
                !(failure instanceof CommandFailed) || failure instanceof NoReply);
    }

    private static SendResult unavailable(String message, boolean unknown) {
        return new SendResult.Unavailable(ErrorCode.BACKEND_UNAVAILABLE.wire(), message, unknown, Optional.empty());
    }

    static SendResult answer(Reply reply, int jobs) {
        return switch (reply) {
            case Reply.Done done -> new SendResult.Stored(pressure(done.lines(), jobs));
            case Reply.Rejected(Rejection rejection) -> rejected(rejection);
        };
    }

    private static SendResult rejected(Rejection rejection) {
        ErrorCode code = rejection.code();
        Map<String, String> details = Details.of(rejection);
        return switch (code) {
            case BACKEND_UNAVAILABLE, MEMORY_FULL -> unavailable(rejection.message(), false);
            case QUEUE_FULL, BATCH_EXCEEDS_BOUND, TENANT_LIMIT_EXCEEDED, TOO_MANY_QUEUES -> {
                Optional<Duration> retryAfter = Optional.of(Details.number(details, "retry_after_seconds"))
                        .filter(seconds -> seconds > 0)
                        .map(Duration::ofSeconds);
                yield new SendResult.Rejected(
                        code.wire(), rejection.message(), true, code.retryable(), retryAfter, details);
            }
            default ->
                new SendResult.Rejected(
                        code.wire(), rejection.message(), false, code.mayPass(), Optional.empty(), details);
        };
    }

    /** Returns the warning of the partition after the lines of the jobs, if there is one. */
    private static Optional<QueuePressure> pressure(List<byte[]> lines, int jobs) {
        return lines.stream()
                .skip(jobs)
                .map(KafkaTransport::load)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<QueuePressure> load(byte[] line) {
        try {
            JsonNode load = Members.of(line).value("load");
            if (load == null || !load.path("warning").asBoolean(false)) return Optional.empty();
            JsonNode bound = load.has("max_depth") ? load.path("max_depth") : load.path("max_size_bytes");
            return Optional.of(new QueuePressure(
                    load.path("queue").asString(""),
                    load.path("depth").asLong(0),
                    bound.asLong(0),
                    Math.clamp(load.path("pressure").asDouble(0), 0, 1)));
        } catch (MalformedJson unexpected) {
            return Optional.empty();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (connection == null) return;
        // Should it still be connecting, it is closed afterwards.
        var unused = connection.thenAccept(CommandClient::close);
    }
}
