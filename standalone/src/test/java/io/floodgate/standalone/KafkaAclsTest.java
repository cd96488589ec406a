package io.floodgate.standalone;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.gateway.Gateway;
import io.floodgate.processor.Processor;
import io.floodgate.processor.ProcessorConfig;
import io.floodgate.processor.ProcessorConfig.Logs;
import io.floodgate.standalone.broker.BrokerConfig;
import io.floodgate.standalone.broker.EmbeddedBroker;
import io.floodgate.standalone.metrics.Endpoint;
import io.floodgate.standalone.metrics.ProcessMetrics;
import io.floodgate.standalone.settings.SettingSource;
import io.floodgate.topics.Namespace;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Topics;
import io.floodgate.topics.client.ClientConfig;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.Provisioner;
import io.floodgate.topics.client.Replication;
import io.floodgate.topics.client.Rights;
import io.floodgate.topics.client.Rights.Grant;
import io.floodgate.topics.client.Rights.Role;
import io.floodgate.worker.Worker;
import io.floodgate.worker.example.ExampleWorker;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
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
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster that asks for passwords and has ACLs, and a user for each role with the rights that {@link Rights} has, whose table
 * docs/reference/kafka-acls.md shows, and no others.
 */
@Tag("server")
@Timeout(120)
final class KafkaAclsTest {
    private static final String PASSWORD = "secret";
    private static final String QUEUE = Rights.EXAMPLE_QUEUE;
    private static final int PARTITIONS = 2;

    @TempDir
    Path data;

    private Admin admin;
    private String bootstrap;

    @Test
    void let_each_role_do_its_work_and_name_each_right_that_it_lacks() throws Exception {
        try (var broker = EmbeddedBroker.start(guarded(data.resolve("kafka")));
                Admin cluster = Admin.create(client(broker.bootstrap(), "admin"))) {
            admin = cluster;
            bootstrap = broker.bootstrap();
            List<AclBinding> all = new ArrayList<>();
            for (Grant grant : Rights.all())
                for (AclOperation operation : grant.operations()) all.add(acl(grant, operation));
            admin.createAcls(all).all().get(30, TimeUnit.SECONDS);

            namesWhatIsMissing(Role.PROVISION, CREATE);
            provision();
            namesWhatIsMissing(Role.PROVISION);
            namesWhatIsMissing(Role.PROCESSOR, CREATE);
            work();
            for (Role role : List.of(Role.PROCESSOR, Role.GATEWAY, Role.WORKER)) namesWhatIsMissing(role);
            without(
                    Rights.of(Role.PRODUCER).getFirst(),
                    AclOperation.WRITE,
                    () -> assertThatThrownBy(() -> enqueue(bootstrap, "producer", Topics.ingress(QUEUE)))
                            .hasMessageContaining(Topics.ingress(QUEUE)));
        }
    }

    /** All roles, each with its own user. */
    private void work() throws Exception {
        Routing routing = new Routing(PARTITIONS);
        try (var running = new Running()) {
            var metrics = running.add("metrics", new ProcessMetrics());
            var processor = running.add(
                    "processor",
                    Processor.start(
                            new ProcessorConfig(
                                    metrics.of(cluster(Role.PROCESSOR)),
                                    data.resolve("streams"),
                                    1,
                                    0,
                                    Replication.NONE,
                                    Logs.DEFAULT),
                            routing,
                            metrics.registry()));
            var gateway = running.add(
                    "gateway",
                    Gateway.start(
                            HttpConfig.local(0, false).gateway(new ClientConfig(cluster(Role.GATEWAY), routing, 100)),
                            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)));
            var http = new HttpApi(gateway.port());
            assertThat(processor.awaitRunning(Duration.ofSeconds(60))).isTrue();
            for (String queue : List.of(QUEUE, "other"))
                http.post("/ojs/v1/queues", "{\"name\":\"%s\"}".formatted(queue));
            enqueue(bootstrap, "producer", Topics.ingress(QUEUE));
            http.post("/ojs/v1/jobs", "{\"type\":\"email.send\",\"args\":[],\"queue\":\"%s\"}".formatted(QUEUE));
            Eventually.until(
                    "both jobs are there", () -> stats(http, "available").equals("2"));
            mayNothingElse();
            assertThat(stats(http, "available")).isEqualTo("2");

            var worker = Worker.kafka(client(bootstrap, Role.WORKER.title()));
            running.add("worker", ExampleWorker.start(worker, List.of(QUEUE), 2));
            Eventually.until(
                    "both jobs are done", () -> stats(http, "completed").equals("2"));
            var endpoint = Endpoint.start("127.0.0.1", 0, processor::isRunning, processor::standing, metrics::text);
            isSeen(new HttpApi(running.add("port", endpoint).port()));
        }
    }

    /** What a processor has is shown with the same rights. */
    private static void isSeen(HttpApi processor) throws Exception {
        var ready = processor.get("/ready").body();
        assertThat(ready.at("/ready").asBoolean()).isTrue();
        assertThat(ready.at("/partitions").toString()).isEqualTo("[0,1]");
        assertThat(ready.at("/standbys").toString()).isEqualTo("[]");
        assertThat(ready.at("/rebalances").asInt()).isPositive();
        String metrics = processor.text("/metrics");
        assertThat(metrics)
                .contains("floodgate_processor_partitions 2.0")
                .contains("floodgate_processor_standbys 0.0")
                .contains("floodgate_processor_standby_lag 0.0")
                .containsPattern("floodgate_processor_commit_seconds_max [0-9.]*[1-9]")
                .containsPattern("floodgate_processor_partition_lag\\{log=\"ojs.commands/1\"} 0.0\n");
    }

    private static String stats(HttpApi http, String state) throws Exception {
        return http.get("/ojs/v1/queues/%s/stats".formatted(QUEUE)).text("/stats/" + state);
    }

    private void mayNothingElse() {
        for (String topic :
                List.of(Topics.ingress("other"), Topics.COMMANDS, Topics.EVENTS, Topics.REPLIES, Topics.QUEUE_STATUS))
            assertThatThrownBy(() -> enqueue(bootstrap, "producer", topic))
                    .as(topic)
                    .hasCauseInstanceOf(AuthorizationException.class);
        for (String topic : List.of(Topics.COMMANDS, Topics.ingress(QUEUE)))
            assertThatThrownBy(() -> enqueue(bootstrap, "stranger", topic))
                    .hasCauseInstanceOf(AuthorizationException.class);
        mayNotRead(bootstrap, Topics.COMMANDS);
        mayNotRead(bootstrap, Topics.ingress(QUEUE));
        mayNotRead(bootstrap, Topics.EVENTS);
        mayNotManage(bootstrap);
    }

    private void provision() {
        try (var provisioner = new Provisioner(cluster(Role.PROVISION))) {
            provisioner.checkRights(Role.PROVISION, true);
            provisioner.provision(PARTITIONS, Replication.NONE);
        }
    }

    /** With each of these operations taken away, on each resource; all but Create without any, which is needed to make something. */
    private void namesWhatIsMissing(Role role, AclOperation... operations) throws Exception {
        for (Grant grant : Rights.of(role))
            for (AclOperation operation : grant.operations()) {
                boolean toMake = operation == CREATE && !grant.name().equals(Topics.ingress(""));
                if (operations.length == 0 ? toMake : !List.of(operations).contains(operation)) continue;
                without(
                        grant,
                        operation,
                        () -> assertThatThrownBy(() -> start(role))
                                .as("%s without %s on %s", role, operation, grant.name())
                                .hasMessageContaining("user " + role.title())
                                .hasMessageContaining("role " + role.title())
                                .message()
                                .matches("(?s).*\\b%s on [a-z ]*%s.*".formatted(Rights.name(operation), grant.name())));
            }
    }

    /** As the command line does; returns only if it fails, or has no more to do. */
    private void start(Role role) throws Exception {
        var flags = new ArrayList<>(List.of(role.title(), "--bootstrap", bootstrap));
        login(role.title()).forEach((name, value) -> flags.addAll(List.of("--kafka", name + "=" + value)));
        if (role == Role.PROCESSOR || role == Role.PROVISION)
            flags.addAll(List.of("--partitions", Integer.toString(PARTITIONS), "--replication", "1"));
        if (role == Role.PROCESSOR)
            flags.addAll(List.of("--data", data.resolve("unused").toString()));
        if (role == Role.GATEWAY) flags.addAll(List.of("--port", "0"));
        var parsed =
                Floodgate.commandLine(new SettingSource(Map.of(), Map.of())).parseArgs(flags.toArray(String[]::new));
        ((Callable<?>) parsed.subcommand().commandSpec().userObject()).call();
    }

    private void without(Grant grant, AclOperation operation, Runnable check) throws Exception {
        var acl = acl(grant, operation);
        admin.deleteAcls(List.of(acl.toFilter())).all().get(30, TimeUnit.SECONDS);
        isKnown(acl, false);
        check.run();
        admin.createAcls(List.of(acl)).all().get(30, TimeUnit.SECONDS);
        isKnown(acl, true);
    }

    private void isKnown(AclBinding acl, boolean is) throws Exception {
        Eventually.until(
                acl + (is ? " holds" : " is gone"),
                () -> admin.describeAcls(acl.toFilter())
                                .values()
                                .get(30, TimeUnit.SECONDS)
                                .isEmpty()
                        != is);
    }

    private Cluster cluster(Role role) {
        return new Cluster(client(bootstrap, role.title()), Namespace.NONE, role.title(), "");
    }

    private static BrokerConfig guarded(Path directory) {
        StringBuilder users = new StringBuilder(
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"admin\" password=\"secret\"");
        for (String user : List.of("admin", "provision", "processor", "gateway", "worker", "producer", "stranger"))
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

    private static AclBinding acl(Grant grant, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(grant.type(), grant.name(), grant.pattern()),
                new AccessControlEntry("User:" + grant.role().title(), "*", operation, AclPermissionType.ALLOW));
    }

    private static void enqueue(String bootstrap, String user, String topic) throws Exception {
        Map<String, Object> config = client(bootstrap, user);
        config.put("max.block.ms", 10_000);
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            String job = "{\"type\":\"email.send\",\"args\":[],\"queue\":\"mail\"}";
            producer.send(new ProducerRecord<>(topic, QUEUE, job)).get(30, TimeUnit.SECONDS);
        }
    }

    private static void mayNotRead(String bootstrap, String topic) {
        try (var consumer = new KafkaConsumer<>(
                client(bootstrap, "producer"), new StringDeserializer(), new StringDeserializer())) {
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
        try (Admin producer = Admin.create(client(bootstrap, "producer"))) {
            assertThatThrownBy(() -> producer.createTopics(List.of(new NewTopic("ojs.mine", 1, (short) 1)))
                            .all()
                            .get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(AuthorizationException.class);
            assertThatThrownBy(() -> producer.deleteTopics(List.of(Topics.COMMANDS))
                            .all()
                            .get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(AuthorizationException.class);
        }
    }
}
