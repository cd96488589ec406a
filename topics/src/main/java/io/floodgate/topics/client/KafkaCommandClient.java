package io.floodgate.topics.client;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.CommandType;
import io.floodgate.topics.command.CommandTypes;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import io.floodgate.topics.command.QueueCommand.Decline;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.TrafficClass;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** The command client over Kafka: idempotent producers, and one partition of the reply topic. */
public final class KafkaCommandClient implements CommandClient {
    /** Most bytes of answers under way from one partition, which it writes in some milliseconds. */
    private static final long READ_BYTES_OF_A_LOG = 1024 * 1024;

    /** Bytes from which a command waits until there is capacity. */
    private static final int LARGE_BYTES = 64 * 1024;

    private static final long LARGE_BYTES_OF_A_LOG = 1024 * 1024;

    /** Time after which a reservation that was not released ends by itself. */
    private static final Duration RELEASED_WITHIN = Duration.ofSeconds(10);

    private static final int WAITING_AT_A_LOG = 1_000;

    /**
     * Most searches under way in one partition: each looks through hundreds of jobs, and all other commands wait
     * meanwhile.
     */
    private static final long SEARCHES_OF_A_LOG = 1;

    private static final Later LATER = Later.onVirtualThreads("floodgate-withdraw");

    /** Batches of the producer are rarely full: so much more memory than what is in them do they take. */
    private static final int BUFFER_PER_BYTE = 2;

    private final Routing routing;
    private final PartitionAppender appender;
    private final ReplyListener replies;
    private final Traffic traffic;
    private final ByteRoom reads = new ByteRoom(READ_BYTES_OF_A_LOG, WAITING_AT_A_LOG, Thread::startVirtualThread);
    private final ByteRoom writes = new ByteRoom(LARGE_BYTES_OF_A_LOG, WAITING_AT_A_LOG, Thread::startVirtualThread);
    private final ByteRoom searches = new ByteRoom(SEARCHES_OF_A_LOG, WAITING_AT_A_LOG, Thread::startVirtualThread);
    private final AnswerSizes answers = new AnswerSizes();
    private final Withdrawals withdrawals;

    KafkaCommandClient(
            Routing routing,
            Traffic traffic,
            Producer<String, byte[]> work,
            Producer<String, byte[]> completions,
            LocalPartitions local,
            ReplyListener replies) {
        this.routing = routing;
        this.traffic = traffic;
        this.replies = replies;
        appender = new PartitionAppender(work, completions, local, traffic.circuits());
        withdrawals = new Withdrawals(replies.requester(), new WithdrawalAppender());
        Buffers buffers = traffic.buffers();
        buffers.add("reads", reads::saturation);
        buffers.add("searches", searches::saturation);
        buffers.add("large_commands", writes::saturation);
        buffers.add("replies", replies::saturation);
        buffers.add("late_replies", replies::lateSaturation);
        buffers.add("withdrawals", withdrawals::saturation);
    }

    /** Connects a client for callers that have circuit breakers of their own. */
    public static KafkaCommandClient connect(ClientConfig config) {
        return connect(config, new Traffic(config.limits(), PartitionCircuits.neverOpen()));
    }

    /**
     * Connects, and returns once replies would be seen.
     *
     * @param traffic decides what is sent, and gets each command and its outcome
     */
    public static KafkaCommandClient connect(ClientConfig config, Traffic traffic) {
        ClientLimits limits = config.limits();
        Cluster cluster = config.cluster();
        ReplyListener replies = ReplyListener.start(cluster, config.shortcuts().replies());
        return new KafkaCommandClient(
                config.routing(),
                traffic,
                producer(cluster, "commands", limits.workBytes()),
                producer(cluster, "completions", limits.completionBytes()),
                NamespacedPartitions.of(config.shortcuts().logs(), cluster.namespace()),
                replies);
    }

    private static Producer<String, byte[]> producer(Cluster cluster, String purpose, long bytes) {
        Map<String, Object> config = producerConfig(cluster.client(purpose));
        config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_PER_BYTE * bytes);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 1_000);
        // One that has little to send has to know all the same where everything is when a broker is gone.
        config.put(ProducerConfig.METADATA_MAX_AGE_CONFIG, Duration.ofMinutes(1).toMillis());
        // Its own thread sends, too, and must not wait for metadata of the topic again.
        config.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, Duration.ofDays(30).toMillis());
        var producer = new ClusterProducer<>(config, new StringSerializer(), new ByteArraySerializer());
        warmUp(producer, cluster.topic(Topics.COMMANDS));
        return producer;
    }

    /** The sender of the first command shall not wait for metadata. */
    private static void warmUp(Producer<String, byte[]> producer, String commands) {
        try {
            var unused = producer.partitionsFor(commands);
        } catch (KafkaException notYet) {
            // So it will be the first command that waits.
        }
    }

    /** Appends as everything that writes to a partition must: idempotent, acknowledged by all, outside of transactions. */
    public static Map<String, Object> producerConfig(Map<String, Object> kafka) {
        Map<String, Object> config = BrokerTimeouts.in(kafka);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        // While one request is under way the next one fills: no command waits to fill a batch, and a burst travels
        // together.
        config.putIfAbsent(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, 256 * 1024);
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.MAX_RECORD_BYTES);
        config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 4L * Topics.MAX_RECORD_BYTES);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 2_000);
        // A command that could not be appended within this time is given up.
        config.put(
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                BrokerTimeouts.of(kafka).severalMs());
        config.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        return config;
    }

    @Override
    public Routing routing() {
        return routing;
    }

    /** Returns the commands under way, and those that were rejected. */
    public Traffic traffic() {
        return traffic;
    }

    @Override
    public boolean isSilent(PartitionId log) {
        return traffic.circuits().isSilent(log);
    }

    @Override
    public CompletableFuture<Reply> send(CommandRequest request) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        if (request.topic() != null && request.command() instanceof Enqueue job)
            enqueue(reply, request.topic(), job, request);
        else append(reply, request);
        return reply;
    }

    private void append(CompletableFuture<Reply> reply, CommandRequest request) {
        PartitionId log = request.log();
        Command command = request.command();
        String source = request.source();
        Duration patience = request.patience();
        CommandType<?> type = CommandTypes.of(command);
        CommandCodec.Encoded encoded = type.encode(command);
        long size = encoded.value().length;
        Sending sending =
                new Sending(log, request.key(), command, type, type.traffic(command), encoded, request.by(), source);
        TrafficClass kind = sending.kind;
        if (isRejected(log, kind, reply)) return;
        if (kind == TrafficClass.READS) {
            var unused = reply.thenAccept(done -> answers.heard(log, done.bytes()));
            inTurn(reads, log, source, answers.of(log), reply, patience, left -> send(reply, sending, left));
        } else if (kind == TrafficClass.SEARCHES) {
            inTurn(searches, log, source, 1, reply, patience, left -> send(reply, sending, left));
        } else if (size >= LARGE_BYTES) {
            inTurn(writes, log, source, size, reply, patience, left -> send(reply, sending, left));
        } else {
            send(reply, sending, patience);
        }
    }

    /** A caller that would only wait to be rejected gets its answer at once. */
    private boolean isRejected(PartitionId log, TrafficClass kind, CompletableFuture<Reply> reply) {
        if (kind.isEssential()) return false;
        Optional<CommandCircuitOpen> open = traffic.circuits().isOpen(log);
        open.ifPresent(reply::completeExceptionally);
        return open.isPresent();
    }

    /** A caller that waits for its turn in vain has not sent anything. */
    private static void inTurn(
            ByteRoom room,
            PartitionId log,
            @Nullable String source,
            long bytes,
            CompletableFuture<Reply> reply,
            Duration patience,
            Consumer<Duration> asking) {
        long deadline = DeadlineTimer.now() + patience.toNanos();
        // What waits for its turn must not outlive it: the reply may be large.
        CompletableFuture<Boolean> turn = new CompletableFuture<>();
        boolean taken = room.take(log, source, bytes, () -> {
            turn.complete(true);
            var unused = reply.whenComplete((done, failure) -> room.end(log, bytes));
            if (!reply.isDone()) asking.accept(Duration.ofNanos(deadline - DeadlineTimer.now()));
        });
        if (!taken) turn.complete(false);
        var unused = turn.orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS).whenComplete((come, late) -> {
            if (late != null || !come) reply.completeExceptionally(new TooManyInFlight(log));
        });
    }

    /** A command on its way to its partition. */
    private record Sending(
            PartitionId log,
            String key,
            Command command,
            CommandType<?> type,
            TrafficClass kind,
            CommandCodec.Encoded encoded,
            @Nullable Identity by,
            @Nullable String source) {}

    private void send(CompletableFuture<Reply> reply, Sending sending, Duration patience) {
        PartitionId log = sending.log;
        Command command = sending.command;
        TrafficClass kind = sending.kind;
        int size = sending.encoded.value().length;
        int weight = sending.type.weight(command);
        Optional<CommandNotSent> rejection = traffic.admit(log, sending.source, kind, weight, size);
        if (rejection.isPresent()) {
            reply.completeExceptionally(rejection.get());
            return;
        }
        long probe = traffic.probe(log, kind);
        InFlightCommand underWay = new InFlightCommand(
                log, command instanceof Fetch || kind == TrafficClass.WAITS, withdrawals, traffic.latencyTracker(log));
        ReplyTo replyTo = command instanceof Watch watch
                ? replies.expectWakeUp(reply, patience, answer -> decline(sending, watch, answer))
                : replies.expect(reply, patience, late(sending, underWay));
        underWay.expects(replyTo.correlation());
        var unused = reply.whenComplete((done, failure) -> {
            traffic.ended(log, sending.source, kind, weight);
            if (done == null) {
                traffic.unanswered(log, probe, failure);
                underWay.abandoned(failure);
            } else {
                traffic.heard(log);
                underWay.answered();
            }
        });
        appender.append(kind, log, sending.key, sending.encoded, replyTo, sending.by, (offset, failure, unsent) -> {
            traffic.appended(log, sending.source, kind, size);
            underWay.settled(offset);
            if (failure != null) replies.fail(replyTo, PartitionAppender.failed(failure, unsent));
        });
    }

    private void enqueue(CompletableFuture<Reply> reply, QueueTopic topic, Enqueue command, CommandRequest request) {
        PartitionId log = request.log();
        int size = command.job().length;
        if (isRejected(log, TrafficClass.WORK, reply)) return;
        Consumer<Duration> asking = left -> enqueue(reply, topic, log, command, left, request.by(), request.source());
        if (size >= LARGE_BYTES) inTurn(writes, log, request.source(), size, reply, request.patience(), asking);
        else asking.accept(request.patience());
    }

    private void enqueue(
            CompletableFuture<Reply> reply,
            QueueTopic topic,
            PartitionId log,
            Enqueue command,
            Duration patience,
            @Nullable Identity by,
            @Nullable String source) {
        int size = command.job().length;
        Optional<CommandNotSent> rejection = traffic.admitElsewhere(log, source, size);
        if (rejection.isPresent()) {
            reply.completeExceptionally(rejection.get());
            return;
        }
        boolean waits = !command.maxWait().isZero();
        InFlightCommand underWay = new InFlightCommand(log, waits, withdrawals, traffic.latencyTracker(log));
        ReplyTo replyTo = replies.expect(reply, patience, null);
        underWay.expects(replyTo.correlation());
        var unused = reply.whenComplete((done, failure) -> {
            traffic.ended(log, source, TrafficClass.WORK, 1);
            if (done == null) {
                // Nothing is known of the partition: the topic may be what is slow.
                underWay.abandoned(failure);
            } else {
                traffic.heard(log);
                underWay.answered();
            }
        });
        appender.append(topic, command, replyTo, by, (offset, failure, unsent) -> {
            traffic.appended(log, source, TrafficClass.WORK, size);
            // Its offset is none of the partition.
            underWay.settled(OptionalLong.empty());
            if (failure != null) replies.fail(replyTo, PartitionAppender.failed(failure, unsent));
        });
    }

    /** Returns what to do with an answer whose caller waits no more; null for nothing. */
    private @Nullable Consumer<Reply> late(Sending sending, InFlightCommand underWay) {
        return switch (sending.type.lateReply()) {
            case DROPPED -> null;
            case WITHDRAWN -> answer -> underWay.withdraw();
            case RELEASED -> answer -> release(sending, answer);
        };
    }

    /** The caller does not fetch the jobs that the partition has woken it for. */
    private void decline(Sending sending, Watch watch, Reply late) {
        // Others wait there only where this one would have.
        if (watch.maxWait().isZero() || !(late instanceof Reply.Done answer)) return;
        List<String> queues = QueuesOfPartition.ready(answer, watch.queues());
        if (queues.isEmpty()) return;
        var unused = send(sending.log, sending.key, new Decline(queues), RELEASED_WITHIN, sending.by);
    }

    /** Releases a reservation whose name no other client knows: it would keep others out until its time is over. */
    private void release(Sending sending, Reply late) {
        if (!(late instanceof Reply.Done held)) return;
        Optional<Long> part = held.lines().stream().findFirst().flatMap(HoldBatch::name);
        if (part.isEmpty()) return;
        var unused =
                send(sending.log, sending.key, new EndHold(List.of(part.get()), false), RELEASED_WITHIN, sending.by);
    }

    private final class WithdrawalAppender implements Withdrawals.Appender {
        @Override
        public void append(PartitionId log, Withdraw command, Consumer<@Nullable Exception> appended) {
            CommandCodec.Encoded encoded = CommandCodec.encode(command);
            appender.append(
                    TrafficClass.COMPLETIONS,
                    log,
                    "requester:" + command.requester(),
                    encoded,
                    null,
                    null,
                    (offset, failure, unsent) -> appended.accept(failure));
        }

        @Override
        public void later(Duration delay, Runnable action) {
            LATER.after(delay, action);
        }
    }

    /** Closes the client. Fetches and watches that still wait are withdrawn. */
    @Override
    public void close() {
        withdrawals.hold();
        replies.close();
        appender.closeWork();
        withdrawals.flush();
        appender.closeCompletions();
    }
}
