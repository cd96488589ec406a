package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.client.Job;
import io.floodgate.client.Producer;
import io.floodgate.client.ServerUnavailable;
import io.floodgate.processor.ProcessorConfig.Logs;
import io.floodgate.standalone.broker.BrokerConfig;
import io.floodgate.standalone.broker.EmbeddedBroker;
import io.floodgate.topics.Namespace;
import io.floodgate.worker.Worker;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Installations on one cluster, of which none notices the others; one becomes another with a copy of its changelogs. */
@Tag("server")
@Timeout(120)
final class NamespacesTest {
    private static final String QUEUE = "mail";
    private static final int PARTITIONS = 2;
    private static final Pattern NAMES = Pattern.compile("(one|two)\\.(ojs|floodgate).*");

    @TempDir
    Path data;

    @Test
    void keep_installations_apart() throws Exception {
        try (var broker = EmbeddedBroker.start(BrokerConfig.in(data.resolve("kafka")));
                var admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
                var first = new Running();
                var second = new Running();
                var third = new Running()) {
            HttpApi one = start(broker, "one", first);
            HttpApi two = start(broker, "two", second);
            for (HttpApi http : List.of(one, two)) http.post("/ojs/v1/queues", "{\"name\":\"%s\"}".formatted(QUEUE));
            String topic = two.post("/ojs/v1/queues", "{\"name\":\"other\"}").text("/topic");
            assertThat(topic).isEqualTo("two.ojs.queue.other");
            produce(broker, topic);
            for (int i = 0; i < 20; i++) {
                enqueue(one);
                if (i % 2 == 0) enqueue(two);
            }
            work(one, 5);
            work(two, 3);
            assertThat(available(one, QUEUE)).isEqualTo("15");
            assertThat(available(two, QUEUE)).isEqualTo("7");
            Eventually.until(
                    "the record of the topic has come in",
                    () -> available(two, "other").equals("1"));
            assertThat(events(two)).isPositive();
            hasOnlyNamesOfItsOwn(admin);

            one.post("/ojs/v1/admin/reset", "{}");
            enqueue(one);
            assertThat(available(one, QUEUE)).isEqualTo("1");
            assertThat(available(two, QUEUE)).isEqualTo("7");

            nameTheOthers(broker.bootstrap());

            first.close();
            delete(admin, "one");
            work(two, 7);
            enqueue(two);
            assertThat(available(two, QUEUE)).isEqualTo("1");
            assertThat(topics(admin)).noneMatch(name -> name.startsWith("one."));

            second.close();
            copy(broker, admin, "two", "three");
            HttpApi three = start(broker, "three", third);
            assertThat(available(three, QUEUE)).isEqualTo("1");
            work(three, 1);
            enqueue(three);
            var seen = three.post("/ojs/v1/admin/logs/all/alarms/topic_recreated/acknowledge", "{}");
            assertThat(seen.body().at("/logs").size()).isPositive();
            assertThat(three.get("/ojs/v1/admin/logs").body().findValues("alarms"))
                    .allMatch(alarms -> alarms.isEmpty());
        }
    }

    /** To a library that looks for one that is not there. */
    private static void nameTheOthers(String bootstrap) {
        Map<String, Object> kafka = Map.of("bootstrap.servers", bootstrap);
        var worker = Worker.kafka(kafka, "elsewhere").handle("email.send", context -> null);
        assertThatThrownBy(worker::start)
                .isInstanceOf(KafkaException.class)
                .hasMessageContaining("in namespace 'elsewhere'")
                .hasMessageContaining("It has namespaces: one, two.");
        try (var producer = Producer.kafka(kafka, "elsewhere").retries(0).build()) {
            assertThatThrownBy(() -> producer.enqueue(Job.of("email.send")))
                    .isInstanceOf(ServerUnavailable.class)
                    .hasMessageContaining("in namespace 'elsewhere'");
        }
    }

    /** As a backup is restored: the changelogs alone, into an installation whose commands begin again. */
    private static void copy(EmbeddedBroker broker, Admin admin, String from, String to) throws Exception {
        Map<String, Object> kafka = Map.of(
                "bootstrap.servers", broker.bootstrap(), "isolation.level", "read_committed", "client.id", "copy");
        try (var consumer = new KafkaConsumer<>(kafka, new ByteArrayDeserializer(), new ByteArrayDeserializer());
                var producer = new KafkaProducer<>(
                        Map.<String, Object>of("bootstrap.servers", broker.bootstrap(), "max.request.size", 33_554_432),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            for (String store : List.of("payloads", "jobs", "entities")) {
                String changelog = ".floodgate-%s-changelog".formatted(store);
                var target = new NewTopic(to + changelog, PARTITIONS, (short) 1)
                        .configs(Map.of("cleanup.policy", "compact"));
                admin.createTopics(List.of(target)).all().get(30, TimeUnit.SECONDS);
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    var source = new TopicPartition(from + changelog, partition);
                    consumer.assign(List.of(source));
                    consumer.seekToBeginning(List.of(source));
                    long end = consumer.endOffsets(List.of(source)).get(source);
                    while (consumer.position(source) < end)
                        for (var record : consumer.poll(Duration.ofSeconds(1))) {
                            var unused = producer.send(new ProducerRecord<>(
                                    to + changelog,
                                    partition,
                                    record.timestamp(),
                                    record.key(),
                                    record.value(),
                                    record.headers()));
                        }
                }
            }
        }
    }

    private HttpApi start(EmbeddedBroker broker, String name, Running running) throws Exception {
        var config = new StandaloneConfig(
                BrokerConfig.in(data.resolve("unused")),
                data.resolve(name),
                PARTITIONS,
                1,
                Logs.DEFAULT,
                HttpConfig.local(0, true),
                Map.of(),
                new Namespace(name));
        return new HttpApi(Standalone.join(broker.bootstrap(), config, running).port());
    }

    private static void enqueue(HttpApi http) throws Exception {
        http.post("/ojs/v1/jobs", "{\"type\":\"email.send\",\"args\":[],\"queue\":\"%s\"}".formatted(QUEUE));
    }

    private static void produce(EmbeddedBroker broker, String topic) throws Exception {
        Map<String, Object> config = Map.of("bootstrap.servers", broker.bootstrap(), "client.id", "one.ojs-producer");
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, "{\"type\":\"email.send\",\"args\":[],\"queue\":\"other\"}"))
                    .get(30, TimeUnit.SECONDS);
        }
    }

    private static void work(HttpApi http, int jobs) throws Exception {
        for (int i = 0; i < jobs; i++) {
            String id = http.post(
                            "/ojs/v1/workers/fetch",
                            "{\"queues\":[\"%s\"],\"worker_id\":\"w\",\"wait_ms\":10000}".formatted(QUEUE))
                    .text("/jobs/0/id");
            assertThat(id).isNotEmpty();
            http.post("/ojs/v1/workers/ack", "{\"job_id\":\"%s\"}".formatted(id));
        }
    }

    private static String available(HttpApi http, String queue) throws Exception {
        return http.get("/ojs/v1/queues/%s/stats".formatted(queue)).text("/stats/available");
    }

    private static int events(HttpApi http) throws Exception {
        return http.get("/ojs/v1/events").body().at("/events").size();
    }

    private static Set<String> topics(Admin admin) throws Exception {
        return new TreeSet<>(admin.listTopics().names().get(30, TimeUnit.SECONDS));
    }

    /** In the cluster, and in what clients tell it of themselves; and each topic is kept as its replication asks for. */
    private static void hasOnlyNamesOfItsOwn(Admin admin) throws Exception {
        Set<String> topics = topics(admin);
        assertThat(topics).hasSize(2 * 8 + 1).allMatch(NAMES.asMatchPredicate());
        List<ConfigResource> resources = topics.stream()
                .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                .toList();
        admin.describeConfigs(resources)
                .all()
                .get(30, TimeUnit.SECONDS)
                .forEach((topic, config) -> assertThat(config.get("min.insync.replicas"))
                        .as(topic.name())
                        .returns("1", ConfigEntry::value)
                        .returns(ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG, ConfigEntry::source));
        assertThat(admin.listGroups().all().get(30, TimeUnit.SECONDS))
                .hasSize(4)
                .allMatch(group -> NAMES.matcher(group.groupId()).matches());
        assertThat(admin.listTransactions().all().get(30, TimeUnit.SECONDS))
                .isNotEmpty()
                .allMatch(transaction -> transaction.transactionalId().matches("(one|two)\\.floodgate-.+"));
        Set<String> clients = clients();
        clients.removeIf(id -> id.startsWith("adminclient-"));
        assertThat(clients)
                .allMatch(NAMES.asMatchPredicate())
                .anyMatch(id -> id.matches("one\\.floodgate-processor-node-.+-StreamThread-1-producer"))
                .contains("one.floodgate-gateway-replies", "two.floodgate-gateway-commands");
    }

    private static Set<String> clients() throws Exception {
        var found = new TreeSet<String>();
        for (String kind : List.of("producer", "consumer", "admin.client"))
            for (ObjectName name : ManagementFactory.getPlatformMBeanServer()
                    .queryNames(new ObjectName("kafka.%s:client-id=*,*".formatted(kind)), null))
                found.add(ObjectName.unquote(
                        name.getKeyProperty("client-id").startsWith("\"")
                                ? name.getKeyProperty("client-id")
                                : "\"" + name.getKeyProperty("client-id") + "\""));
        return found;
    }

    /** As docs/how-to/run-on-your-kafka-cluster.md says. */
    private static void delete(Admin admin, String namespace) throws Exception {
        String mine = namespace + ".";
        List<String> topics =
                topics(admin).stream().filter(topic -> topic.startsWith(mine)).toList();
        admin.deleteTopics(topics).all().get(30, TimeUnit.SECONDS);
        List<String> groups = admin.listGroups().all().get(30, TimeUnit.SECONDS).stream()
                .map(group -> group.groupId())
                .filter(group -> group.startsWith(mine))
                .toList();
        for (String group : groups) {
            // A static member is one for some seconds after it has gone.
            var found = admin.describeConsumerGroups(List.of(group)).all().get(30, TimeUnit.SECONDS);
            if (found.get(group).members().isEmpty()) continue;
            admin.removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions())
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
        admin.deleteConsumerGroups(groups).all().get(30, TimeUnit.SECONDS);
    }
}
