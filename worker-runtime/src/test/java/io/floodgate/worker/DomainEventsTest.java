package io.floodgate.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.json.Json;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class DomainEventsTest extends WorkerFixture {
    private static final int BUFFER = 4;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final BlockingQueue<JsonNode> sent = new LinkedBlockingQueue<>();
    /** How many may pass; a topic that does not answer lets none. */
    private final CountDownLatch open = new CountDownLatch(1);

    private final EventSink topic = new EventSink() {
        @Override
        public void send(byte[] key, byte[] event, Consumer<Exception> failed) {
            try {
                open.await();
                sent.add(Json.tree(event));
            } catch (InterruptedException closing) {
                failed.accept(closing);
            }
        }

        @Override
        public void close() {}
    };

    @Test
    void go_to_the_topic_with_the_job_they_are_about() throws Exception {
        // given
        open.countDown();
        says(context -> context.emit("invoice.paid", Map.of("amount", 7)));
        // when
        var id = startWith("a");
        // then
        JsonNode event = FakeLog.next(sent);
        assertThat(event.get("type").stringValue()).isEqualTo("invoice.paid");
        assertThat(event.get("subject").stringValue()).isEqualTo(id.toString());
        assertThat(event.get("source").stringValue()).isEqualTo("ojs://worker/w1");
        assertThat(event.get("jobtype").stringValue()).isEqualTo("a");
        assertThat(event.get("attempt").intValue()).isEqualTo(1);
        assertThat(event.get("data").toString()).isEqualTo("{\"amount\":7}");
        assertThat(event.get("id").stringValue()).startsWith("evt_");
        assertThat(event.get("time").stringValue()).endsWith("Z");
        assertThat(result()).isEqualTo("true");
    }

    @Test
    void are_dropped_and_counted_when_the_buffer_is_full_and_the_handler_never_waits() throws Exception {
        // given
        says(context -> {
            int taken = 0;
            for (int i = 0; i < 100; i++) if (context.emit("tick", i)) taken++;
            return taken;
        });
        // when
        startWith("a");
        // then: the buffer, and perhaps one that is on its way
        int taken = Integer.parseInt(result());
        assertThat(taken).isBetween(BUFFER, BUFFER + 1);
        assertThat(dropped("buffer_full")).isEqualTo(100 - taken);
        open.countDown();
        List<Integer> told = new ArrayList<>();
        for (int i = 0; i < taken; i++) told.add(FakeLog.next(sent).get("data").intValue());
        assertThat(told).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void what_is_in_the_buffer_when_the_worker_closes_is_sent_before_it_ends() throws Exception {
        says(context -> {
            for (int i = 0; i < BUFFER; i++) context.emit("tick", i);
            return null;
        });
        log.has("a");
        Worker worker = start();
        log.nextReport();
        open.countDown();
        worker.close();
        assertThat(sent).hasSize(BUFFER);
    }

    @Test
    void a_topic_that_does_not_answer_holds_no_client_up_who_closes() throws Exception {
        builder.patience(Duration.ofMillis(10));
        says(context -> {
            for (int i = 0; i < BUFFER; i++) context.emit("tick", i);
            return null;
        });
        log.has("a");
        Worker worker = start();
        log.nextReport();
        worker.close();
        until(() -> dropped("closed") + dropped("not_sent") == BUFFER);
    }

    @Test
    void what_is_too_large_or_unwritable_is_dropped_and_the_job_goes_on() throws Exception {
        List<Object> endless = new ArrayList<>();
        endless.add(Map.of("again", endless));
        says(context ->
                List.of(context.emit("large", "x".repeat(DomainEvents.MAX_DATA_BYTES)), context.emit("odd", endless)));
        startWith("a");
        assertThat(result()).isEqualTo("[false,false]");
        assertThat(dropped("too_large")).isEqualTo(1);
        assertThat(dropped("unwritable")).isEqualTo(1);
    }

    @Test
    void an_event_without_a_type_and_a_worker_without_a_topic_are_mistakes_of_the_handler() throws Exception {
        says(context -> context.emit("", null));
        builder.handle("untyped", context -> context.emit("x".repeat(256), null));
        startWith("a");
        assertThat(((Nack) log.nextReport()).error().message()).contains("1 to 255 characters, not 0");
        log.has("untyped");
        assertThat(((Nack) log.nextReport()).error().message()).contains("1 to 255 characters, not 256");
    }

    @Test
    void a_worker_without_a_topic_says_how_to_name_one() throws Exception {
        builder.handle("a", context -> context.emit("tick", 1));
        startWith("a");
        assertThat(((Nack) log.nextReport()).error().message()).contains("WorkerBuilder.events");
    }

    @Test
    void kafka_gets_topic_and_key_and_its_failures_are_noticed() {
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        List<String> failures = new ArrayList<>();
        try (KafkaEvents events = new KafkaEvents(producer, "paid")) {
            events.send("k".getBytes(UTF_8), "{}".getBytes(UTF_8), failure -> failures.add(failure.getMessage()));
            assertThat(producer.history().getFirst().topic()).isEqualTo("paid");
            assertThat(producer.history().getFirst().key()).isEqualTo("k".getBytes(UTF_8));
            producer.errorNext(new IllegalStateException("broker gone"));
            assertThat(failures).containsExactly("broker gone");
            producer.sendException = new KafkaException("buffer full");
            events.send("k".getBytes(UTF_8), "{}".getBytes(UTF_8), failure -> failures.add(failure.getMessage()));
            assertThat(failures).containsExactly("broker gone", "buffer full");
        }
    }

    private void says(JobHandler handler) {
        builder.meters(meters)
                .events(() -> topic)
                .protection(protection -> protection.eventBuffer(BUFFER))
                .handle("a", handler);
    }

    private String result() throws InterruptedException {
        return new String(((Ack) log.nextReport()).result(), UTF_8);
    }

    private double dropped(String reason) {
        var counter =
                meters.find("ojs.worker.events.dropped").tag("reason", reason).counter();
        return counter == null ? 0 : counter.count();
    }
}
