package io.floodgate.processor.topology;

import io.floodgate.processor.kernel.Effects.Answer;
import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.topics.Headers;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Topics;
import io.floodgate.topics.client.KafkaCommandClient;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.LogCommand.Tick;
import io.floodgate.topics.command.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plain producer: replies, messages and ticks leave at once and outside of the transaction. A caller need not wait
 * for the commit, since whoever replays the log comes to the same answer.
 */
final class LogWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);
    private static final byte[] TICK = CommandCodec.encode(new Tick()).value();
    private static final byte[] TICK_OP = ascii(CommandCodec.encode(new Tick()).op());

    private final Producer<String, byte[]> producer;
    private final int replyPartitions;

    LogWriter(Map<String, Object> kafka) {
        this(new KafkaProducer<>(
                KafkaCommandClient.producerConfig(kafka), new StringSerializer(), new ByteArraySerializer()));
    }

    LogWriter(Producer<String, byte[]> producer) {
        this.producer = producer;
        replyPartitions = producer.partitionsFor(Topics.REPLIES).size();
    }

    void reply(Answer answer) {
        if (answer.to().partition() < 0 || answer.to().partition() >= replyPartitions) {
            // The producer would wait for such a partition to appear, and the log with it.
            LOG.warn("The reply to {} was dropped: there is no such partition.", answer.to());
            return;
        }
        ProducerRecord<String, byte[]> record = new ProducerRecord<>(
                Topics.REPLIES,
                answer.to().partition(),
                answer.to().requester(),
                answer.reply().toBytes());
        record.headers()
                .add(Headers.CORRELATION, ascii(Long.toString(answer.to().correlation())));
        if (answer.reply() instanceof Reply.Refused refused)
            record.headers().add(Headers.REFUSED, ascii(refused.refusal().code().name()));
        var unused = producer.send(record, (metadata, failure) -> {
            if (failure != null)
                LOG.warn("The reply to {} was lost ({}); its caller will time out.", answer.to(), failure.toString());
        });
    }

    void message(LogId from, Outgoing message, Callback appended) {
        ProducerRecord<String, byte[]> record =
                new ProducerRecord<>(message.to().topic(), message.to().partition(), message.key(), message.value());
        record.headers()
                .add(Headers.OP, ascii(message.op()))
                .add(Headers.FROM, ascii(from.toString()))
                .add(Headers.SEQUENCE, ascii(Long.toString(message.sequence())));
        if (message.replyTo() != null)
            record.headers().add(Headers.REPLY_TO, ascii(message.replyTo().toString()));
        var unused = producer.send(record, appended);
    }

    void tick(LogId log, Consumer<@Nullable Exception> done) {
        ProducerRecord<String, byte[]> record = new ProducerRecord<>(log.topic(), log.partition(), "tick", TICK);
        record.headers().add(Headers.OP, TICK_OP);
        var unused = producer.send(record, (metadata, failure) -> done.accept(failure));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
