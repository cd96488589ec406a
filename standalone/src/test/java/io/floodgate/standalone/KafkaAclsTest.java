package io.floodgate.standalone;

import static org.apache.kafka.common.acl.AclOperation.ALL;
import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.resource.PatternType.LITERAL;
import static org.apache.kafka.common.resource.PatternType.PREFIXED;
import static org.apache.kafka.common.resource.ResourceType.CLUSTER;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.apache.kafka.common.resource.ResourceType.TRANSACTIONAL_ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.ProcessorConfig.Logs;
import io.floodgate.processor.topology.inlet.Forwarder;
import io.floodgate.standalone.broker.BrokerConfig;
import io.floodgate.standalone.broker.EmbeddedBroker;
import io.floodgate.topics.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster that asks for passwords and has ACLs: Floodgate works with the rights that docs/operations.md names and no others,
 * and a producer with rights on the topic of one queue can enqueue there and do nothing else.
 */
final class KafkaAclsTest {
    private static final String PASSWORD = "secret";

    @TempDir
    Path data;

    @Test
    void let_a_producer_enqueue_and_do_nothing_else() throws Exception {
        try (var running = new Running()) {
            var broker = running.add("broker", EmbeddedBroker.start(guarded(data.resolve("kafka"))));
            try (Admin admin = Admin.create(client(broker.bootstrap(), "admin"))) {
                admin.createAcls(ofFloodgate()).all().get(30, TimeUnit.SECONDS);
                admin.createAcls(List.of(allow("shop", WRITE, TOPIC, Topics.inlet("email"), LITERAL)))
                        .all()
                        .get(30, TimeUnit.SECONDS);
                var started = Standalone.join(broker.bootstrap(), config(), running);
                var http = new HttpApi(started.port());

                for (String queue : List.of("email", "other"))
                    http.post("/ojs/v1/queues", "{\"name\":\"%s\"}".formatted(queue));
                enqueue(broker.bootstrap(), "shop", Topics.inlet("email"));
                Eventually.until(
                        "the job is there",
                        () -> http.get("/ojs/v1/queues/email/stats")
                                .text("/stats/available")
                                .equals("1"));
                for (String topic : List.of(
                        Topics.inlet("other"), Topics.COMMANDS, Topics.EVENTS, Topics.REPLIES, Topics.QUEUE_STATUS))
                    assertThatThrownBy(() -> enqueue(broker.bootstrap(), "shop", topic))
                            .as(topic)
                            .hasCauseInstanceOf(AuthorizationException.class);
                for (String topic : List.of(Topics.COMMANDS, Topics.inlet("email")))
                    assertThatThrownBy(() -> enqueue(broker.bootstrap(), "stranger", topic))
                            .hasCauseInstanceOf(AuthorizationException.class);
                mayNotRead(broker.bootstrap(), Topics.COMMANDS);
                mayNotRead(broker.bootstrap(), Topics.inlet("email"));
                mayNotRead(broker.bootstrap(), Topics.EVENTS);
                mayNotManage(broker.bootstrap());
                assertThat(http.get("/ojs/v1/queues/email/stats").text("/stats/available"))
                        .isEqualTo("1");
            }
        }
    }

    private static BrokerConfig guarded(Path directory) {
        StringBuilder users = new StringBuilder(
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"admin\" password=\"secret\"");
        for (String user : List.of("admin", "floodgate", "shop", "stranger"))
            users.append(" user_%s=\"%s\"".formatted(user, PASSWORD));
        return new BrokerConfig(
                directory,
                0,
                Optional.empty(),
                Map.of(
                        "listener.security.protocol.map",
                        "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
                        "inter.broker.listener.name",
                        "PLAINTEXT",
                        "sasl.enabled.mechanisms",
                        "PLAIN",
                        "sasl.mechanism.inter.broker.protocol",
                        "PLAIN",
                        "listener.name.plaintext.plain.sasl.jaas.config",
                        users + ";",
                        "authorizer.class.name",
                        "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                        // The broker talks to its own controller without a password.
                        "super.users",
                        "User:admin;User:ANONYMOUS"));
    }

    private static Map<String, String> login(String user) {
        return Map.of(
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\";"
                        .formatted(user, PASSWORD));
    }

    private static Map<String, Object> client(String bootstrap, String user) {
        Map<String, Object> config = new HashMap<>(login(user));
        config.put("bootstrap.servers", bootstrap);
        return config;
    }

    private StandaloneConfig config() {
        return new StandaloneConfig(
                BrokerConfig.in(data.resolve("unused")),
                data.resolve("streams"),
                4,
                1,
                Logs.DEFAULT,
                HttpConfig.local(0, false),
                login("floodgate"));
    }

    private static AclBinding allow(
            String user, AclOperation operation, ResourceType type, String name, PatternType pattern) {
        return new AclBinding(
                new ResourcePattern(type, name, pattern),
                new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW));
    }

    /** What provision, processor, gateway and worker need together. */
    private static List<AclBinding> ofFloodgate() {
        List<AclBinding> acls = new ArrayList<>();
        for (AclOperation operation : List.of(CREATE, DESCRIBE, DESCRIBE_CONFIGS))
            acls.add(allow("floodgate", operation, TOPIC, "ojs.", PREFIXED));
        for (String topic : List.of(Topics.COMMANDS, Topics.REPLIES, Topics.EVENTS, Topics.QUEUE_STATUS))
            for (AclOperation operation : List.of(READ, WRITE))
                acls.add(allow("floodgate", operation, TOPIC, topic, LITERAL));
        acls.add(allow("floodgate", DELETE, TOPIC, Topics.COMMANDS, LITERAL));
        for (AclOperation operation : List.of(READ, DELETE))
            acls.add(allow("floodgate", operation, TOPIC, Topics.inlet(""), PREFIXED));
        acls.add(allow("floodgate", ALL, TOPIC, "floodgate-", PREFIXED));
        for (String group : List.of("floodgate", Forwarder.GROUP))
            acls.add(allow("floodgate", READ, GROUP, group, LITERAL));
        for (AclOperation operation : List.of(WRITE, DESCRIBE))
            acls.add(allow("floodgate", operation, TRANSACTIONAL_ID, "floodgate", PREFIXED));
        acls.add(allow("floodgate", DESCRIBE, CLUSTER, "kafka-cluster", LITERAL));
        return acls;
    }

    private static void enqueue(String bootstrap, String user, String topic) throws Exception {
        Map<String, Object> config = client(bootstrap, user);
        config.put("max.block.ms", 10_000);
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            String job = "{\"type\":\"email.send\",\"args\":[],\"queue\":\"email\"}";
            producer.send(new ProducerRecord<>(topic, "email", job)).get(30, TimeUnit.SECONDS);
        }
    }

    private static void mayNotRead(String bootstrap, String topic) {
        try (var consumer =
                new KafkaConsumer<>(client(bootstrap, "shop"), new StringDeserializer(), new StringDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            assertThatThrownBy(() -> {
                        consumer.seekToBeginning(List.of(partition));
                        consumer.poll(Duration.ofSeconds(10));
                    })
                    .as(topic)
                    .isInstanceOf(AuthorizationException.class);
        }
    }

    private static void mayNotManage(String bootstrap) {
        try (Admin shop = Admin.create(client(bootstrap, "shop"))) {
            assertThatThrownBy(() -> shop.createTopics(List.of(new NewTopic("ojs.mine", 1, (short) 1)))
                            .all()
                            .get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(AuthorizationException.class);
            assertThatThrownBy(() ->
                            shop.deleteTopics(List.of(Topics.COMMANDS)).all().get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(AuthorizationException.class);
        }
    }
}
