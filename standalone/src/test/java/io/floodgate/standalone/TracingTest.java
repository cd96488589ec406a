package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.client.Job;
import io.floodgate.client.Producer;
import io.floodgate.worker.Worker;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One job over producer, gateway, worker and a retry, in the spans that an exporter gets. */
@Tag("server")
final class TracingTest {
    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final String JOB = "{\"type\":\"mail.send\",\"args\":[],\"queue\":\"mail\"}";

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final Running running = new Running();
    private final List<String> baggage = Collections.synchronizedList(new ArrayList<>());

    @TempDir
    Path data;

    private Tracer tracer;
    private Standalone started;
    private HttpApi http;

    @BeforeEach
    void start() throws InterruptedException {
        GlobalOpenTelemetry.resetForTest();
        // Of the whole process, as an agent sets it up.
        tracer = OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                        .build())
                .buildAndRegisterGlobal()
                .getTracer("test");
        started = Standalone.start(StandaloneConfig.in(data), running);
        http = new HttpApi(started.port());
    }

    @AfterEach
    void stop() {
        running.close();
        GlobalOpenTelemetry.resetForTest();
    }

    @Test
    void one_job_is_followed_from_its_producer_to_a_worker_that_tries_twice() throws Exception {
        Span caller = tracer.spanBuilder("POST /users").startSpan();
        try (Producer producer =
                        Producer.http("http://127.0.0.1:" + started.port()).build();
                Scope ignored = Context.current()
                        .with(caller)
                        .with(Baggage.builder().put("userId", "12345").build())
                        .makeCurrent()) {
            producer.enqueue(Job.of("mail.send", "ada@example.com")
                    .queue("mail")
                    .with("retry", Map.of("max_attempts", 3, "initial_interval", "PT0.1S")));
        }
        caller.end();

        try (Worker worker = worker()) {
            Eventually.until(
                    "it is done",
                    () -> spans("ojs.ack").size() == 1 && spans("mail process").size() == 2);
        }

        SpanData enqueue = one("mail enqueue");
        assertThat(enqueue.getKind()).isEqualTo(SpanKind.PRODUCER);
        assertThat(enqueue.getParentSpanId()).isEqualTo(caller.getSpanContext().getSpanId());
        assertThat(text(enqueue, "ojs.job.queue")).isEqualTo("mail");
        assertThat(text(enqueue, "messaging.system")).isEqualTo("ojs");

        SpanData request = one("ojs.enqueue");
        assertThat(request.getKind()).isEqualTo(SpanKind.SERVER);
        assertThat(request.getParentSpanId()).isEqualTo(enqueue.getSpanId());
        assertThat(text(request, "ojs.job.id")).isEqualTo(text(enqueue, "ojs.job.id"));

        SpanData first = spans("mail process").get(0);
        SpanData second = spans("mail process").get(1);
        for (SpanData run : List.of(first, second)) {
            assertThat(run.getKind()).isEqualTo(SpanKind.CONSUMER);
            assertThat(run.getTraceId()).as("no child of a trace that is over").isNotEqualTo(enqueue.getTraceId());
            assertThat(run.getLinks())
                    .singleElement()
                    .satisfies(link ->
                            assertThat(link.getSpanContext().getSpanId()).isEqualTo(enqueue.getSpanId()));
            assertThat(text(run, "ojs.job.id")).isEqualTo(text(enqueue, "ojs.job.id"));
            assertThat(text(enqueue, "messaging.operation.type")).isEqualTo("publish");
            assertThat(text(run, "messaging.operation.type")).isEqualTo("process");
            assertThat(List.of(text(enqueue, "messaging.destination.name"), text(run, "messaging.destination.name")))
                    .containsOnly("mail");
            assertThat(children("ojs.wait", run)).hasSize(1);
        }
        assertThat(first.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(text(first, "error.message")).contains("no route to host");
        assertThat(first.getEvents())
                .singleElement()
                .satisfies(event -> assertThat(event.getName()).isEqualTo("exception"));
        assertThat(first.getAttributes().get(AttributeKey.longKey("ojs.job.error.attempt")))
                .isEqualTo(1);
        assertThat(children("ojs.nack", first)).hasSize(1);
        assertThat(second.getStatus().getStatusCode()).isEqualTo(StatusCode.OK);
        assertThat(second.getAttributes().get(AttributeKey.longKey("ojs.job.attempt")))
                .isEqualTo(2);
        assertThat(children("ojs.ack", second)).hasSize(1);
        assertThat(baggage).as("what the handler sees").containsExactly("12345", "12345");
        assertThat(children("SMTP", second)).as("what the handler does").hasSize(1);
        assertThat(children("ojs.retry", second))
                .singleElement()
                .satisfies(retry -> assertThat(
                                TimeUnit.NANOSECONDS.toMillis(retry.getEndEpochNanos() - retry.getStartEpochNanos()))
                        .as("the delay")
                        .isBetween(50L, 10_000L));
    }

    @Test
    void the_trace_of_a_caller_without_our_library_goes_on_from_a_header() throws Exception {
        http.post("/ojs/v1/jobs", JOB, "traceparent", PARENT, "tracestate", "a=1", "baggage", "userId=7");

        String fetched = http.post("/ojs/v1/workers/fetch", "{\"queues\":[\"mail\"],\"worker_id\":\"w\"}")
                .toString();
        assertThat(fetched)
                .contains("\"traceparent\":\"" + PARENT + "\"")
                .contains("\"tracestate\":\"a=1\"")
                .contains("\"baggage\":\"userId=7\"");
        assertThat(one("ojs.enqueue").getParentSpanId()).isEqualTo("00f067aa0ba902b7");
    }

    @Test
    void the_trace_of_a_plain_kafka_producer_goes_on_from_a_header() throws Exception {
        http.post("/ojs/v1/queues", "{\"name\":\"mail\"}");
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", started.bootstrap()),
                new StringSerializer(),
                new ByteArraySerializer())) {
            for (String topic : List.of("ojs.queue.mail", "ojs.commands")) {
                ProducerRecord<String, byte[]> record = new ProducerRecord<>(topic, "mail", JOB.getBytes(UTF_8));
                record.headers().add("traceparent", PARENT.getBytes(UTF_8));
                record.headers().add("baggage", "userId=7".getBytes(UTF_8));
                producer.send(record).get(30, TimeUnit.SECONDS);
            }
        }
        List<String> links = new ArrayList<>();
        try (Worker worker = worker()) {
            Eventually.until("both are run", () -> spans("mail process").size() == 2);
            for (SpanData run : spans("mail process"))
                run.getLinks().forEach(link -> links.add(link.getSpanContext().getSpanId()));
        }
        assertThat(links).containsExactly("00f067aa0ba902b7", "00f067aa0ba902b7");
        assertThat(baggage).containsExactly("7", "7");
    }

    @Test
    void a_workflow_gives_its_trace_to_all_of_its_steps() throws Exception {
        http.post(
                "/ojs/v1/workflows",
                "{\"type\":\"chain\",\"steps\":[%1$s,%1$s]}".formatted(JOB),
                "traceparent",
                PARENT);

        try (Worker worker = worker()) {
            Eventually.until("both are run", () -> spans("mail process").size() == 2);
        }
        for (SpanData run : spans("mail process")) {
            assertThat(run.getLinks())
                    .singleElement()
                    .satisfies(link ->
                            assertThat(link.getSpanContext().getSpanId()).isEqualTo("00f067aa0ba902b7"));
            assertThat(text(run, "ojs.workflow.type")).isEqualTo("chain");
            assertThat(text(run, "ojs.workflow.id")).isNotEqualTo("null");
        }
        assertThat(spans("mail process"))
                .extracting(run -> run.getAttributes().get(AttributeKey.longKey("ojs.workflow.step")))
                .containsExactly(0L, 1L);
    }

    @Test
    void events_have_the_headers_of_cloudevents() throws Exception {
        String id = http.post("/ojs/v1/jobs", JOB).text("/job/id");
        try (var consumer = new KafkaConsumer<>(
                Map.<String, Object>of("bootstrap.servers", started.bootstrap(), "isolation.level", "read_committed"),
                new StringDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> all = consumer.partitionsFor("ojs.events").stream()
                    .map(partition -> new TopicPartition("ojs.events", partition.partition()))
                    .toList();
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<String, String> headers = new LinkedHashMap<>();
            Eventually.until("the event has come", () -> {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> {
                    if (!new String(record.value(), UTF_8).contains(id) || !headers.isEmpty()) return;
                    for (Header header : record.headers()) headers.put(header.key(), new String(header.value(), UTF_8));
                });
                return !headers.isEmpty();
            });
            assertThat(headers)
                    .containsEntry("ce_specversion", "1.0")
                    .containsEntry("ce_type", "org.openjobspec.job.enqueued")
                    .containsEntry("ce_subject", id)
                    .containsEntry("content-type", "application/json")
                    .hasEntrySatisfying("ce_id", value -> assertThat(value).startsWith("evt_"))
                    .hasEntrySatisfying("ce_source", value -> assertThat(value).startsWith("ojs://"))
                    .hasEntrySatisfying("ce_time", value -> assertThat(value).endsWith("Z"));
        }
    }

    private Worker worker() {
        return Worker.kafka(Map.of("bootstrap.servers", started.bootstrap()))
                .queues("mail")
                .handle("mail.send", context -> {
                    baggage.add(String.valueOf(Baggage.current().getEntryValue("userId")));
                    if (context.job().attempt() == 1 && !context.args().isEmpty())
                        throw new IllegalStateException("no route to host");
                    tracer.spanBuilder("SMTP").startSpan().end();
                    return null;
                })
                .start();
    }

    private List<SpanData> spans(String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    private SpanData one(String name) {
        List<SpanData> spans = spans(name);
        assertThat(spans).as(name).hasSize(1);
        return spans.getFirst();
    }

    private List<SpanData> children(String name, SpanData parent) {
        return spans(name).stream()
                .filter(span -> span.getParentSpanId().equals(parent.getSpanId()))
                .toList();
    }

    private static String text(SpanData span, String attribute) {
        return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(attribute)));
    }
}
