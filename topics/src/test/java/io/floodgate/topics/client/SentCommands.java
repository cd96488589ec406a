package io.floodgate.topics.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.Headers;
import io.floodgate.topics.command.CommandBatch;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.UnreadableCommand;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** What was appended by a producer, command by command. */
final class SentCommands {
    private SentCommands() {}

    static List<CommandBatch.Part> of(MockProducer<String, byte[]> producer) {
        List<CommandBatch.Part> parts = new ArrayList<>();
        for (ProducerRecord<String, byte[]> record : producer.history()) parts.addAll(of(record));
        return parts;
    }

    static List<CommandBatch.Part> of(ProducerRecord<String, byte[]> record) {
        String op = String.valueOf(header(record, Headers.OP));
        String replyTo = header(record, Headers.REPLY_TO);
        if (!op.equals(CommandBatch.OP))
            return List.of(new CommandBatch.Part(
                    op, record.value(), replyTo == null ? null : ReplyTo.parse(replyTo), header(record, Headers.BY)));
        try {
            return CommandBatch.decode(record.value());
        } catch (UnreadableCommand unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    /** Kafka has the next record, as soon as it is sent. */
    static void acknowledgeNext(MockProducer<String, byte[]> producer) throws InterruptedException {
        Thread producersOwn = Thread.ofVirtual().start(() -> {
            while (!producer.completeNext()) Thread.onSpinWait();
        });
        producersOwn.join();
    }

    private static @Nullable String header(ProducerRecord<String, byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), UTF_8);
    }
}
