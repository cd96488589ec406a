package io.floodgate.topics.client;

import io.floodgate.topics.Headers;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.LogCommand.Extend;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.WorkerCommand.Beat;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** The command client over Kafka: an idempotent producer, and one partition of the reply topic. */
public final class KafkaCommandClient implements CommandClient {
    /** A command that could not be appended for so long is given up. */
    private static final int DELIVERY_TIMEOUT_MS = 10_000;

    private final Routing routing;
    private final Producer<String, byte[]> producer;
    private final ReplyListener replies;
    private final Semaphore permits;

    KafkaCommandClient(Routing routing, int maxInFlight, Producer<String, byte[]> producer, ReplyListener replies) {
        this.routing = routing;
        this.permits = new Semaphore(maxInFlight);
        this.producer = producer;
        this.replies = replies;
    }

    /** Connects, and returns once replies would be seen. */
    public static KafkaCommandClient connect(ClientConfig config) {
        ReplyListener replies = ReplyListener.start(config.kafka());
        var producer =
                new KafkaProducer<>(producerConfig(config.kafka()), new StringSerializer(), new ByteArraySerializer());
        return new KafkaCommandClient(config.routing(), config.maxInFlight(), producer, replies);
    }

    /** Appends as everything that writes to a log must: idempotent, acknowledged by all, outside of transactions. */
    public static Map<String, Object> producerConfig(Map<String, Object> kafka) {
        Map<String, Object> config = new HashMap<>(kafka);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        // While one request is under way the next one fills: nobody waits for company, and what comes in a burst
        // travels
        // together.
        config.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, 256 * 1024);
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.MAX_RECORD_BYTES);
        config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 4L * Topics.MAX_RECORD_BYTES);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 2_000);
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_TIMEOUT_MS);
        config.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
        config.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        return config;
    }

    @Override
    public Routing routing() {
        return routing;
    }

    @Override
    public CompletableFuture<Reply> send(
            LogId log, String key, Command command, Duration patience, Consumer<Reply> late) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        boolean counted = isShedable(command);
        if (counted && !permits.tryAcquire()) {
            reply.completeExceptionally(new TooManyInFlight());
            return reply;
        }
        // The caller gets this very future: once it has given up, the reply counts as late.
        ReplyTo replyTo = replies.expect(reply, late, keepsLate(command), patience);
        if (counted) {
            var unused = reply.whenComplete((done, failed) -> permits.release());
        }
        Thread caller = Thread.currentThread();
        AtomicBoolean handedOver = new AtomicBoolean();
        try {
            var unused = producer.send(record(log, key, command, replyTo), (metadata, failure) -> {
                boolean unsent = !handedOver.get() && Thread.currentThread().equals(caller);
                if (failure != null) replies.fail(replyTo, failed(failure, unsent));
            });
        } catch (RuntimeException failure) {
            replies.fail(replyTo, failed(failure, true));
        }
        handedOver.set(true);
        return reply;
    }

    private static ProducerRecord<String, byte[]> record(LogId log, String key, Command command, ReplyTo replyTo) {
        CommandCodec.Encoded encoded = CommandCodec.encode(command);
        var record = new ProducerRecord<>(log.topic(), log.partition(), key, encoded.value());
        record.headers()
                .add(Headers.OP, encoded.op().getBytes(StandardCharsets.US_ASCII))
                .add(Headers.REPLY_TO, replyTo.toString().getBytes(StandardCharsets.US_ASCII));
        return record;
    }

    /**
     * What the producer refuses, before its own thread takes over, has not been sent; a delivery that failed later may
     * still have reached the broker.
     */
    private static CommandFailed failed(Exception failure, boolean unsent) {
        if (failure instanceof RecordTooLargeException)
            return new CommandNotSent("the command is too large for the log", failure);
        return unsent
                ? new CommandNotSent("the command could not be appended: " + failure.getMessage(), failure)
                : new NoReply("the command was not acknowledged by the log: " + failure.getMessage(), failure);
    }

    /** Whatever reports finished work or keeps it alive goes through, always; waiting ones are bounded where they wait. */
    private static boolean isShedable(Command command) {
        return switch (command) {
            case Ack c -> false;
            case Nack c -> false;
            case Extend c -> false;
            case Beat c -> false;
            case Watch c -> false;
            case Fetch fetch -> fetch.maxWait().isZero();
            default -> true;
        };
    }

    /** Jobs in a late reply are leased to nobody: their caller wants them to be given back. */
    private static boolean keepsLate(Command command) {
        return command instanceof Fetch;
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
        replies.close();
    }
}
