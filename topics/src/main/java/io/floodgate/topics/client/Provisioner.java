package io.floodgate.topics.client;

import io.floodgate.topics.Routing;
import io.floodgate.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the topics that are missing, mends the others, and refuses a cluster that Floodgate would not be safe on. */
public final class Provisioner implements AutoCloseable {
    /** Below it, a commit that races an abort can tear a transaction (KIP-890). */
    private static final short LEAST_TRANSACTION_VERSION = 2;

    private static final Logger LOG = LoggerFactory.getLogger(Provisioner.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int INLETS_AT_ONCE = 500;

    private final Admin admin;
    private final String compression;

    public Provisioner(Map<String, Object> kafka) {
        this(kafka, LocalLogs.NONE);
    }

    /** @param local what can be read without the network */
    public Provisioner(Map<String, Object> kafka, LocalLogs local) {
        admin = Admin.create(kafka);
        compression = local.compression();
    }

    /** Makes sure that all topics exist; returns the routing their number of partitions gives. */
    public Routing provision(int partitions, short replication) {
        checkTransactionVersion();
        createMissing(partitions, replication);
        Routing routing = new Routing(partitionsOfCommands());
        for (Topics.Spec spec : topics(partitions)) mend(spec.name(), spec.required());
        mendInlets();
        return routing;
    }

    private List<Topics.Spec> topics(int partitions) {
        return Topics.all(partitions).stream()
                .map(spec -> spec.compressed(compression))
                .toList();
    }

    /** Topics of queues may be older than this release, or made by hand. */
    private void mendInlets() {
        List<ConfigResource> inlets = await(admin.listTopics().names()).stream()
                .filter(name -> Topics.INLETS.matcher(name).matches())
                .sorted()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        for (int from = 0; from < inlets.size(); from += INLETS_AT_ONCE)
            mendInlets(inlets.subList(from, Math.min(inlets.size(), from + INLETS_AT_ONCE)));
    }

    private void mendInlets(List<ConfigResource> inlets) {
        try {
            await(admin.describeConfigs(inlets).all()).forEach((topic, found) -> {
                ConfigEntry entry = found.get(Topics.COMPRESSION);
                if (entry == null || !compression.equals(entry.value()))
                    mend(topic.name(), Map.of(Topics.COMPRESSION, compression));
            });
        } catch (KafkaException | IllegalStateException failure) {
            LOG.warn(
                    "Topics of queues are not all configured with {}={} ({}): alter them. Otherwise a client of one can fill the memory of a processor.",
                    Topics.COMPRESSION,
                    compression,
                    failure.toString());
        }
    }

    /** The routing of a cluster that somebody else provisions; empty while the topics are not there. */
    public Optional<Routing> routing() {
        Set<String> names = await(admin.listTopics().names());
        List<String> needed = Topics.all(1).stream().map(Topics.Spec::name).toList();
        if (!names.containsAll(needed)) return Optional.empty();
        return Optional.of(new Routing(partitionsOfCommands()));
    }

    /** Makes this topic, unless it is there. */
    public void create(Topics.Spec spec, short replication) {
        if (await(admin.listTopics().names()).contains(spec.name())) return;
        NewTopic missing = new NewTopic(spec.name(), spec.partitions(), replication).configs(spec.config());
        AdminAnswers.create(admin, List.of(missing), PATIENCE);
    }

    /** On how many brokers the commands are kept; empty while their topic is not there. */
    public Optional<Short> replication() {
        if (!await(admin.listTopics().names()).contains(Topics.COMMANDS)) return Optional.empty();
        TopicDescription commands = Objects.requireNonNull(
                await(admin.describeTopics(List.of(Topics.COMMANDS)).allTopicNames())
                        .get(Topics.COMMANDS));
        return Optional.of((short) commands.partitions().getFirst().replicas().size());
    }

    /** What tells this cluster from every other one. */
    public String clusterId() {
        return await(admin.describeCluster().clusterId());
    }

    /** A topic that was created a moment ago is not known to every broker yet. */
    private int partitionsOfCommands() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                TopicDescription commands = Objects.requireNonNull(
                        await(admin.describeTopics(List.of(Topics.COMMANDS)).allTopicNames())
                                .get(Topics.COMMANDS));
                return commands.partitions().size();
            } catch (KafkaException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException) || System.nanoTime() > deadline)
                    throw e;
                pause();
            }
        }
    }

    /** Sees to it that a topic that is there is configured like this; nothing happens if there is none. */
    public void mend(String topic, Map<String, String> required) {
        Map<String, String> wrong = new TreeMap<>();
        Config found;
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            found = Objects.requireNonNull(
                    await(admin.describeConfigs(List.of(resource)).all()).get(resource));
        } catch (KafkaException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) return;
            throw e;
        }
        required.forEach((key, value) -> {
            ConfigEntry entry = found.get(key);
            if (entry == null || !isEnough(key, entry.value(), value)) wrong.put(key, value);
        });
        if (wrong.isEmpty()) return;
        try {
            await(admin.incrementalAlterConfigs(Map.of(
                            resource,
                            wrong.entrySet().stream()
                                    .map(e -> new AlterConfigOp(
                                            new ConfigEntry(e.getKey(), e.getValue()), AlterConfigOp.OpType.SET))
                                    .toList()))
                    .all());
        } catch (KafkaException e) {
            throw new IllegalStateException(
                    "Topic %s must be configured with %s, and could not be: %s. Alter it, or let Floodgate do so."
                            .formatted(topic, wrong, String.valueOf(e.getCause())),
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

    private void createMissing(int partitions, short replication) {
        Set<String> existing = await(admin.listTopics().names());
        List<NewTopic> missing = new ArrayList<>();
        for (Topics.Spec spec : topics(partitions)) {
            if (!existing.contains(spec.name()))
                missing.add(new NewTopic(spec.name(), spec.partitions(), replication).configs(spec.config()));
        }
        AdminAnswers.create(admin, missing, PATIENCE);
    }

    private static <T> T await(KafkaFuture<T> answer) {
        return AdminAnswers.await(answer, PATIENCE);
    }

    @Override
    public void close() {
        admin.close();
    }
}
