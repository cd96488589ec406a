package io.floodgate.standalone.logs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.processor.Processor;
import io.floodgate.processor.ProcessorConfig;
import io.floodgate.standalone.Eventually;
import io.floodgate.standalone.broker.BrokerConfig;
import io.floodgate.standalone.broker.EmbeddedBroker;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Topics;
import io.floodgate.topics.client.ClientConfig;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.KafkaCommandClient;
import io.floodgate.topics.client.Provisioner;
import io.floodgate.topics.client.Replication;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.PartitionCommand.Inspect;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A broker and a processor that is started and stopped, with one partition unless more are wanted. */
final class Processing implements AutoCloseable {
    static final PartitionId LOG = new PartitionId(0);
    static final TopicPartition COMMANDS = new TopicPartition(Topics.COMMANDS, 0);
    static final String GROUP = "floodgate";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    final Admin admin;
    final EmbeddedBroker broker;
    private final Path data;
    private final Map<String, Object> kafka;
    private final int partitions;
    private final int threads;
    final KafkaProducer<String, byte[]> producer;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private Processor processor;

    Processing(Path data) {
        this(data, 1, 1);
    }

    Processing(Path data, int partitions, int threads) {
        this.data = data;
        this.partitions = partitions;
        this.threads = threads;
        broker = EmbeddedBroker.start(BrokerConfig.in(data.resolve("kafka")));
        kafka = Map.of("bootstrap.servers", broker.bootstrap());
        admin = Admin.create(kafka);
        producer = new KafkaProducer<>(kafka, new StringSerializer(), new ByteArraySerializer());
    }

    void start(ProcessorConfig.Logs logs) throws InterruptedException {
        Routing routing;
        try (Provisioner provisioner = new Provisioner(kafka)) {
            routing = provisioner.provision(partitions, Replication.NONE);
        }
        processor = Processor.start(
                new ProcessorConfig(Cluster.at(kafka), state(), threads, 0, Replication.NONE, logs), routing, registry);
        if (!processor.awaitRunning(PATIENCE)) throw new AssertionError("the processor did not start");
    }

    void start() throws InterruptedException {
        start(ProcessorConfig.Logs.DEFAULT);
    }

    /** The state directory of the processor. */
    Path state() {
        return data.resolve("streams");
    }

    void stop() {
        processor.close();
        processor = null;
    }

    Processor processor() {
        return processor;
    }

    /** What the processor measures, as Prometheus reads it. */
    String metrics() {
        return registry.scrape();
    }

    /** Appends plain jobs. */
    void enqueue(int jobs) {
        for (int i = 0; i < jobs; i++) {
            var unused = producer.send(new ProducerRecord<>(
                    Topics.COMMANDS, 0, "default", "{\"type\":\"t\",\"args\":[]}".getBytes(UTF_8)));
        }
        producer.flush();
    }

    String ask(Command command) throws Exception {
        return ask(LOG, command);
    }

    String ask(PartitionId log, Command command) throws Exception {
        try (KafkaCommandClient client =
                KafkaCommandClient.connect(new ClientConfig(kafka, new Routing(partitions), 100))) {
            return client.call(log, "test", command, PATIENCE).toString();
        }
    }

    String inspect() throws Exception {
        return ask(new Inspect());
    }

    long begin() throws Exception {
        return offset(OffsetSpec.earliest());
    }

    long end() throws Exception {
        return offset(OffsetSpec.latest());
    }

    private long offset(OffsetSpec which) throws Exception {
        return admin.listOffsets(Map.of(COMMANDS, which))
                .partitionResult(COMMANDS)
                .get()
                .offset();
    }

    void awaitProcessed() throws Exception {
        long end = end();
        Eventually.until("everything is processed", () -> {
            var offset = admin.listConsumerGroupOffsets(GROUP)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(COMMANDS);
            return offset != null && offset.offset() >= end;
        });
    }

    /** The types of all events there are, in order. */
    List<String> events() {
        List<String> types = new ArrayList<>();
        Map<String, Object> config =
                Map.of("bootstrap.servers", broker.bootstrap(), "isolation.level", "read_committed");
        TopicPartition events = new TopicPartition(Topics.EVENTS, 0);
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(events));
            consumer.seekToBeginning(List.of(events));
            long end = consumer.endOffsets(List.of(events)).get(events);
            while (consumer.position(events) < end)
                for (var record : consumer.poll(Duration.ofMillis(100)))
                    types.add(record.value().replaceAll(".*?\"type\":\"([^\"]*)\".*", "$1"));
        }
        return types;
    }

    long enqueued() {
        return events().stream().filter("job.enqueued"::equals).count();
    }

    @Override
    public void close() {
        if (processor != null) processor.close();
        producer.close();
        admin.close();
        broker.close();
    }
}
