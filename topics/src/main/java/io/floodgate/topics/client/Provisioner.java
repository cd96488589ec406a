package io.floodgate.topics.client;

import static org.apache.kafka.common.acl.AclOperation.ALTER_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import io.floodgate.topics.Routing;
import io.floodgate.topics.Topics;
import io.floodgate.topics.client.Rights.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the topics that are missing, mends the others, and rejects a cluster that Floodgate would not be safe on. */
public final class Provisioner implements AutoCloseable {
    /** Below it, a commit that races an abort can tear a transaction (KIP-890). */
    private static final int MOST_COPIES_OF_REPLIES = 2;

    private static final short LEAST_TRANSACTION_VERSION = 2;

    private static final Logger LOG = LoggerFactory.getLogger(Provisioner.class);
    private static final int INGRESSES_AT_ONCE = 500;

    private final Admin admin;
    private final Cluster cluster;
    private final String compression;

    /** Makes a provisioner without a namespace. */
    public Provisioner(Map<String, Object> kafka) {
        this(Cluster.at(kafka));
    }

    public Provisioner(Cluster cluster) {
        this(cluster, LocalPartitions.NONE);
    }

    /** @param local what can be read without the network */
    public Provisioner(Cluster cluster, LocalPartitions local) {
        this(cluster, Admin.create(patient(cluster.client("provision"))), local);
    }

    Provisioner(Cluster cluster, Admin admin, LocalPartitions local) {
        this.cluster = cluster;
        this.admin = admin;
        compression = local.compression();
    }

    private static Map<String, Object> patient(Map<String, Object> client) {
        Map<String, Object> patient = new HashMap<>(client);
        patient.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) BrokerTimeouts.STARTING.toMillis());
        return patient;
    }

    /** Returns once a broker answers; throws a {@link KafkaException} that says why none does. */
    public void reach(Duration notice, Duration patience) {
        Reachability.await(admin, cluster, notice, patience);
    }

    /**
     * Throws {@link MissingRights} if the cluster does not let this role do what it has to.
     *
     * @param queueTopics whether topics of queues are used
     */
    public void checkRights(Role role, boolean queueTopics) {
        RightsCheck.run(admin, cluster, role, queueTopics);
    }

    /** Makes sure that all topics exist; returns the routing their number of partitions gives. */
    public Routing provision(int partitions, Replication replication) {
        checkTransactionVersion();
        createMissing(partitions, replication);
        Routing routing = new Routing(partitionsOfCommands());
        List<Topics.Spec> topics = topics(partitions);
        for (Topics.Spec spec : topics) mend(spec.name(), spec.required());
        List<String> ingresses = ingresses();
        mendIngresses(ingresses);
        List<String> all = new ArrayList<>(ingresses);
        for (Topics.Spec spec : topics) all.add(cluster.topic(spec.name()));
        checkReplication(all, replication);
        return routing;
    }

    /**
     * Checks whether what these topics acknowledge survives the loss of a broker; topics that do not exist are left
     * out.
     *
     * @param topics as the cluster calls them
     */
    public void checkReplication(Collection<String> topics, Replication replication) {
        Map<String, Integer> insync = minInsync(topics);
        Map<String, TopicDescription> descriptions = may(
                DESCRIBE, "", () -> await(admin.describeTopics(insync.keySet()).allTopicNames()));
        Map<String, Integer> copies = new TreeMap<>();
        descriptions.forEach((topic, description) -> copies.put(topic, copies(description)));
        if (copies.containsValue(1) && await(admin.describeCluster().nodes()).size() > 1)
            LOG.warn(
                    "These topics are on one broker each, and lost with it: {}",
                    copies.keySet().stream()
                            .filter(topic -> Objects.equals(copies.get(topic), 1))
                            .toList());
        replication.complaint(copies, insync).ifPresent(LOG::warn);
    }

    private Map<String, Integer> minInsync(Collection<String> topics) {
        Map<String, Integer> found = new TreeMap<>();
        List<ConfigResource> resources = topics.stream()
                .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                .toList();
        admin.describeConfigs(resources).values().forEach((topic, config) -> {
            Optional<Config> known = configOf(topic.name(), config);
            known.map(all -> all.get(Replication.MIN_INSYNC))
                    .ifPresent(min -> found.put(topic.name(), Integer.parseInt(min.value())));
        });
        return found;
    }

    private static int copies(TopicDescription topic) {
        return topic.partitions().stream()
                .mapToInt(partition -> partition.replicas().size())
                .min()
                .orElse(1);
    }

    private List<Topics.Spec> topics(int partitions) {
        return Topics.all(partitions).stream()
                .map(spec -> spec.compressed(compression))
                .toList();
    }

    /** Topics of queues may be older than this release, or made by hand. */
    private void mendIngresses(List<String> ingresses) {
        for (int from = 0; from < ingresses.size(); from += INGRESSES_AT_ONCE)
            mendSome(ingresses.subList(from, Math.min(ingresses.size(), from + INGRESSES_AT_ONCE)));
    }

    private List<String> ingresses() {
        return await(admin.listTopics().names()).stream()
                .filter(cluster.namespace()::isIngress)
                .sorted()
                .toList();
    }

    private void mendSome(List<String> ingresses) {
        List<ConfigResource> resources = ingresses.stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        try {
            await(admin.describeConfigs(resources).all()).forEach((topic, found) -> {
                ConfigEntry entry = found.get(Topics.COMPRESSION);
                if (entry == null || !compression.equals(entry.value()))
                    set(topic.name(), Map.of(Topics.COMPRESSION, compression));
            });
        } catch (KafkaException | IllegalStateException failure) {
            LOG.warn(
                    "Topics of queues are not all configured with {}={} ({}): alter them. Otherwise a client of one can fill the memory of a processor.",
                    Topics.COMPRESSION,
                    compression,
                    failure.toString());
        }
    }

    /**
     * The routing of a cluster that another process provisions; empty while the topics are not there. Every role that sends
     * commands and waits for replies may ask this.
     */
    public Optional<Routing> routing() {
        Optional<TopicDescription> commands = find(Topics.COMMANDS, WRITE);
        if (commands.isEmpty() || find(Topics.REPLIES, READ).isEmpty()) return Optional.empty();
        return Optional.of(new Routing(commands.get().partitions().size()));
    }

    /**
     * The same.
     *
     * @throws NoTopics while the topics are not there
     */
    public Routing existingRouting() {
        return routing()
                .orElseThrow(
                        () -> new NoTopics(cluster, await(admin.listTopics().names())));
    }

    private Optional<TopicDescription> find(String plain, AclOperation needed) {
        String topic = cluster.topic(plain);
        try {
            return Optional.ofNullable(may(
                            needed,
                            topic,
                            () -> await(admin.describeTopics(List.of(topic)).allTopicNames()))
                    .get(topic));
        } catch (KafkaException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) return Optional.empty();
            throw e;
        }
    }

    /** Returns the result of an operation on a topic, or throws an error that says what is not allowed. */
    private <T> T may(AclOperation operation, String topic, Supplier<T> work) {
        try {
            return work.get();
        } catch (KafkaException e) {
            Optional<String> missing = Rights.missing(e, operation, ResourceType.TOPIC, topic);
            if (missing.isEmpty()) throw e;
            throw new MissingRights(cluster, List.of(missing.get()));
        }
    }

    /**
     * Makes this topic, unless it is there.
     *
     * @param topic as the cluster calls it
     */
    public void create(String topic, Topics.Spec spec, Replication replication) {
        if (await(admin.listTopics().names()).contains(topic)) return;
        create(List.of(topic(topic, spec, replication)));
    }

    private static NewTopic topic(String name, Topics.Spec spec, Replication replication) {
        short copies = replication.factor();
        // Every reply is copied as often, and one that is lost with two brokers at once is asked for again.
        if (spec.name().equals(Topics.REPLIES)) copies = (short) Math.min(copies, MOST_COPIES_OF_REPLIES);
        return new NewTopic(name, spec.partitions(), copies).configs(Replication.with(spec.config(), copies));
    }

    private void create(List<NewTopic> missing) {
        if (missing.isEmpty()) return;
        may(CREATE, missing.getFirst().name(), () -> {
            AdminAnswers.create(admin, missing, BrokerTimeouts.STARTING);
            return missing;
        });
    }

    /** Returns the number of brokers on which commands are kept; empty while their topic does not exist. */
    public Optional<Short> replication() {
        if (!await(admin.listTopics().names()).contains(cluster.topic(Topics.COMMANDS))) return Optional.empty();
        return find(Topics.COMMANDS, DESCRIBE).map(commands ->
                (short) commands.partitions().getFirst().replicas().size());
    }

    /** The identity of this cluster. */
    public String clusterId() {
        return await(admin.describeCluster().clusterId());
    }

    /** A topic that was created a moment ago is not known to every broker yet. */
    private int partitionsOfCommands() {
        long deadline = System.nanoTime() + BrokerTimeouts.STARTING.toNanos();
        while (true) {
            Optional<TopicDescription> commands = find(Topics.COMMANDS, DESCRIBE);
            if (commands.isPresent()) return commands.get().partitions().size();
            if (System.nanoTime() > deadline)
                throw new KafkaException(
                        "Topic %s was made, and is not there.".formatted(cluster.topic(Topics.COMMANDS)));
            pause();
        }
    }

    /** Sees to it that a topic that is there is configured like this; nothing happens if there is none. */
    void mend(String plain, Map<String, String> required) {
        mendTopic(cluster.topic(plain), required);
    }

    /**
     * The same.
     *
     * @param topic as the cluster calls it
     */
    public void mendTopic(String topic, Map<String, String> required) {
        Optional<Config> found = configOf(topic);
        if (found.isEmpty()) return;
        Map<String, String> wrong = new TreeMap<>();
        required.forEach((key, value) -> {
            ConfigEntry entry = found.get().get(key);
            if (!isEnough(key, entry == null ? null : entry.value(), value)) wrong.put(key, value);
        });
        if (!wrong.isEmpty()) set(topic, wrong);
    }

    private Optional<Config> configOf(String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return configOf(
                topic,
                Objects.requireNonNull(
                        admin.describeConfigs(List.of(resource)).values().get(resource)));
    }

    private Optional<Config> configOf(String topic, KafkaFuture<Config> answer) {
        try {
            return Optional.of(may(DESCRIBE_CONFIGS, topic, () -> await(answer)));
        } catch (KafkaException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) return Optional.empty();
            throw e;
        }
    }

    private void set(String topic, Map<String, String> wrong) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            may(
                    ALTER_CONFIGS,
                    topic,
                    () -> await(admin.incrementalAlterConfigs(Map.of(
                                    resource,
                                    wrong.entrySet().stream()
                                            .map(e -> new AlterConfigOp(
                                                    new ConfigEntry(e.getKey(), e.getValue()),
                                                    AlterConfigOp.OpType.SET))
                                            .toList()))
                            .all()));
        } catch (KafkaException e) {
            throw new IllegalStateException(
                    "Topic %s must be configured with %s, and could not be: %s. Alter it, or let Floodgate do so."
                            .formatted(
                                    topic,
                                    wrong,
                                    e.getCause() == null
                                            ? e.getMessage()
                                            : e.getCause().toString()),
                    e);
        }
        LOG.warn("Topic {} was configured otherwise; it has been set to {}.", topic, wrong);
    }

    private static boolean isEnough(String key, @Nullable String found, String required) {
        if (found == null) return false;
        if (key.equals("max.message.bytes")) return Long.parseLong(found) >= Long.parseLong(required);
        return found.equals(required);
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("Interrupted while topics were made.", e);
        }
    }

    private void checkTransactionVersion() {
        FinalizedVersionRange version = await(admin.describeFeatures().featureMetadata())
                .finalizedFeatures()
                .get("transaction.version");
        short found = version == null ? 0 : version.maxVersionLevel();
        if (found < LEAST_TRANSACTION_VERSION)
            throw new IllegalStateException(
                    "The cluster's transaction.version is %d; Floodgate needs %d or newer. Upgrade it with: kafka-features.sh --bootstrap-server … upgrade --feature transaction.version=%d"
                            .formatted(found, LEAST_TRANSACTION_VERSION, LEAST_TRANSACTION_VERSION));
    }

    private void createMissing(int partitions, Replication replication) {
        Set<String> existing = await(admin.listTopics().names());
        List<NewTopic> missing = new ArrayList<>();
        for (Topics.Spec spec : topics(partitions)) {
            String name = cluster.topic(spec.name());
            if (!existing.contains(name)) missing.add(topic(name, spec, replication));
        }
        create(missing);
    }

    private static <T> T await(KafkaFuture<T> answer) {
        return AdminAnswers.await(answer, BrokerTimeouts.STARTING);
    }

    @Override
    public void close() {
        // What is under way may be waiting for a cluster that is not there.
        admin.close(Duration.ZERO);
    }
}
