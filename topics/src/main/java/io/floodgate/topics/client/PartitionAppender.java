package io.floodgate.topics.client;

import io.floodgate.topics.Headers;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Topics;
import io.floodgate.topics.circuit.Circuit;
import io.floodgate.topics.command.BlockSeconds;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.SignedRequest;
import io.floodgate.topics.command.TrafficClass;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Appends commands to partitions. Probes have a producer of their own, and completions too when there is more work than
 * leaves with the next record, so that work which Kafka does not take never delays them.
 */
final class PartitionAppender {
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private static final int SMALL = 1024;

    private final CommandBatcher work;
    private final CommandBatcher completions;
    private final PartitionCircuits circuits;

    /**
     * @param local the partitions to which no producer is needed
     * @param circuits get what Kafka acknowledges, and what it does not
     */
    PartitionAppender(
            Producer<String, byte[]> work,
            Producer<String, byte[]> completions,
            LocalPartitions local,
            PartitionCircuits circuits) {
        this.work = new CommandBatcher(work, local);
        this.completions = new CommandBatcher(completions, local);
        this.circuits = circuits;
    }

    void append(
            TrafficClass traffic,
            PartitionId log,
            String key,
            CommandCodec.Encoded command,
            @Nullable ReplyTo replyTo,
            @Nullable Identity by,
            CommandBatcher.Appended appended) {
        CommandBatcher commandBatcher = switch (traffic) {
            case COMPLETIONS -> replyTo != null && travelsWithWork(log, command) ? work : completions;
            case PROBES -> completions;
            case WORK, FETCHES, SEARCHES, READS, WAITS -> work;
        };
        long asked = circuits.kafka().asked();
        long probe = PartitionCircuits.findsOut(traffic) ? circuits.kafka().probe() : 0;
        long since = System.nanoTime();
        commandBatcher.send(
                log, new CommandBatcher.PendingCommand(key, command, replyTo, by, since, (offset, failure, unsent) -> {
                    tell(asked, probe, failure);
                    appended.by(offset, failure, unsent);
                }));
    }

    /** A job in the topic of its queue is a record of its own, as any producer would write it. */
    void append(
            QueueTopic topic, Enqueue job, ReplyTo replyTo, @Nullable Identity by, CommandBatcher.Appended appended) {
        work.send(record(topic, job, replyTo, by), (offset, failure, unsent) -> {
            // A topic that takes nothing, or is gone, says nothing of Kafka.
            if (failure == null) circuits.kafka().answered();
            appended.by(offset, failure, unsent);
        });
    }

    static ProducerRecord<String, byte[]> record(
            QueueTopic topic, Enqueue job, ReplyTo replyTo, @Nullable Identity by) {
        SignedRequest request =
                SignedRequest.sign(topic.key(), topic.queue(), replyTo, by, job.madeId(), job.maxWait(), job.job());
        var record = new ProducerRecord<>(Topics.ingress(topic.queue()), topic.partition(), topic.queue(), job.job());
        record.headers()
                .add(Headers.REPLY_TO, ascii(replyTo.toString()))
                .add(Headers.BLOCK_TIMEOUT, ascii(BlockSeconds.write(job.maxWait())))
                .add(Headers.SIGNATURE, ascii(request.signature()))
                .add(Headers.SENT, ascii(Long.toString(System.currentTimeMillis())));
        if (job.madeId()) record.headers().add(Headers.MADE_ID, ascii("1"));
        if (request.by() != null) record.headers().add(Headers.BY, ascii(request.by()));
        return record;
    }

    /** Small completions need no record of their own, if a record leaves soon and the partition is not silent. */
    private boolean travelsWithWork(PartitionId log, CommandCodec.Encoded completion) {
        return completion.value().length <= SMALL
                && !circuits.kafka().isSilent()
                && !circuits.isSilent(log)
                && work.leavesSoon(log);
    }

    private void tell(long asked, long probe, @Nullable Exception failure) {
        Circuit kafka = circuits.kafka();
        if (failure == null) {
            kafka.answered();
        } else if (failure instanceof TimeoutException && !kafka.hasAnsweredSince(asked)) {
            // Otherwise it is one partition that takes nothing, and not Kafka.
            kafka.timedOut();
        } else kafka.withdrawn(probe);
    }

    static ProducerRecord<String, byte[]> record(
            PartitionId log,
            String key,
            CommandCodec.Encoded encoded,
            @Nullable ReplyTo replyTo,
            @Nullable Identity by) {
        var record = new ProducerRecord<>(Topics.COMMANDS, log.partition(), key, encoded.value());
        record.headers().add(Headers.OP, ascii(encoded.op()));
        if (replyTo != null) record.headers().add(Headers.REPLY_TO, ascii(replyTo.toString()));
        record.headers().add(Headers.SENT, ascii(Long.toString(System.currentTimeMillis())));
        if (by != null) record.headers().add(Headers.BY, ascii(by.write()));
        return record;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Returns the failure of a command. A command that the producer rejects, before its own thread takes over, was not
     * sent; one that failed later may still have reached the broker.
     */
    static CommandFailed failed(Exception failure, boolean unsent) {
        if (failure instanceof RecordTooLargeException)
            return new CommandNotSent("the command is too large for the partition", failure);
        return unsent
                ? new CommandNotSent("the command could not be appended: " + failure.getMessage(), failure)
                : new NoReply("the command was not acknowledged by Kafka: " + failure.getMessage(), failure);
    }

    void closeWork() {
        work.close(CLOSING);
    }

    void closeCompletions() {
        completions.close(CLOSING);
    }
}
