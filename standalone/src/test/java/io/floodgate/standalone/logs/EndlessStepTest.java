package io.floodgate.standalone.logs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import io.floodgate.processor.CutOff;
import io.floodgate.processor.ProcessorConfig.Logs;
import io.floodgate.standalone.Eventually;
import io.floodgate.topics.Headers;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Message.Undeliverable;
import io.floodgate.topics.command.PartitionCommand.Inspect;
import io.floodgate.topics.command.Rejection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A step that never ends, on a broker and in threads that are real. It is planted where a rule writes a line of the log. */
@Tag("server")
final class EndlessStepTest {
    private static final int PARTITIONS = 4;
    private static final int THREADS = 2;
    private static final Duration LIMIT = Duration.ofMillis(500);

    @TempDir
    Path data;

    private final AtomicInteger endless = new AtomicInteger();
    private final Logs logs = Logs.DEFAULT.with(new CutOff(LIMIT, endless::incrementAndGet));
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch cutOff = new CountDownLatch(1);
    private volatile boolean released;
    private final Logger rule = (Logger) LoggerFactory.getLogger("io.floodgate.processor.partition.Operations");
    private final Logger watch = (Logger) LoggerFactory.getLogger("io.floodgate.processor.topology.StepWatch");
    /** Their complaints are provoked. */
    private final List<Logger> complaining = Stream.of("io.floodgate.processor", "org.apache.kafka")
            .map(name -> (Logger) LoggerFactory.getLogger(name))
            .toList();

    private final UnsynchronizedAppenderBase<ILoggingEvent> planted = new UnsynchronizedAppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            begun.countDown();
            while (!released) Thread.onSpinWait();
        }
    };

    /** The line that says so is written once nothing of the step can count; the file is there a little earlier. */
    private final UnsynchronizedAppenderBase<ILoggingEvent> complaints = new UnsynchronizedAppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getMessage().contains("It is cut off")) cutOff.countDown();
        }
    };

    @BeforeEach
    void plant() {
        complaining.forEach(logger -> logger.setLevel(Level.OFF));
        rule.setLevel(Level.WARN);
        rule.setAdditive(false);
        planted.start();
        rule.addAppender(planted);
        watch.setLevel(Level.ERROR);
        watch.setAdditive(false);
        complaints.start();
        watch.addAppender(complaints);
    }

    @AfterEach
    void remove() {
        released = true;
        rule.detachAppender(planted);
        rule.setAdditive(true);
        rule.setLevel(null);
        watch.detachAppender(complaints);
        watch.setAdditive(true);
        watch.setLevel(null);
        complaining.forEach(logger -> logger.setLevel(null));
    }

    private void begin(Processing processing) throws Exception {
        processing.start(logs);
        var command = CommandCodec.encode(
                new Undeliverable(Processing.LOG, 1, "op", Rejection.of(ErrorCode.INTERNAL_ERROR, "text")));
        RecordHeaders headers = new RecordHeaders();
        Map.of(
                        Headers.OP,
                        command.op(),
                        Headers.FROM,
                        Processing.LOG.toString(),
                        Headers.SEQUENCE,
                        "1",
                        Headers.REPLY_TO,
                        "0:test:7")
                .forEach((name, value) -> headers.add(name, value.getBytes(US_ASCII)));
        processing
                .producer
                .send(new ProducerRecord<>(Topics.COMMANDS, 0, "key", command.value(), headers))
                .get();
        begun.await();
    }

    private static String inspect(Processing processing, int partition) {
        try {
            String[] answer = {""};
            Eventually.until("partition " + partition + " answers", () -> {
                answer[0] = processing.ask(new PartitionId(partition), new Inspect());
                return answer[0].startsWith("{");
            });
            return answer[0];
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String reply(Processing processing) throws Exception {
        Map<String, Object> config = Map.of("bootstrap.servers", processing.broker.bootstrap());
        TopicPartition replies = new TopicPartition(Topics.REPLIES, 0);
        List<String> found = new ArrayList<>();
        try (var consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(replies));
            consumer.seekToBeginning(List.of(replies));
            Eventually.until("the endless command is answered", () -> {
                for (var record : consumer.poll(Duration.ofMillis(100)))
                    if ("test".equals(new String(record.key(), UTF_8))) found.add(new String(record.value(), UTF_8));
                return !found.isEmpty();
            });
        }
        return found.getFirst();
    }

    @Test
    void other_threads_answer_meanwhile_and_once_it_is_cut_off_all_do() throws Exception {
        try (var processing = new Processing(data, PARTITIONS, THREADS)) {
            begin(processing);
            List<CompletableFuture<String>> others = new ArrayList<>();
            for (int i = 1; i < PARTITIONS; i++) {
                int partition = i;
                others.add(CompletableFuture.supplyAsync(() -> inspect(processing, partition)));
            }
            Eventually.until(
                    "the partitions of the other thread have answered and the step is cut off",
                    () -> others.stream().filter(CompletableFuture::isDone).count() == PARTITIONS / THREADS
                            && cutOff.getCount() == 0);
            assertThat(processing.state().resolve("cut-off-steps")).exists();
            released = true;
            assertThat(reply(processing)).contains("step_too_long");
            others.forEach(CompletableFuture::join);
            processing.awaitProcessed();
            processing.stop();
            processing.start(logs);
            assertThat(inspect(processing, 0)).doesNotContain("messages_lost");
        }
    }

    @Test
    void without_an_access_to_a_store_it_is_reported_and_a_restart_goes_on_without_it() throws Exception {
        try (var processing = new Processing(data, PARTITIONS, THREADS)) {
            begin(processing);
            Eventually.until("it is known to be endless", () -> endless.get() > 0);
            released = true;
            processing.stop();
            released = false;
            processing.start(logs);
            assertThat(reply(processing)).contains("step_too_long");
            for (int i = 0; i < PARTITIONS; i++) inspect(processing, i);
        }
    }
}
