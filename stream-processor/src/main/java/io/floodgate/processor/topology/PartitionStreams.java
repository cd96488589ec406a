package io.floodgate.processor.topology;

import io.floodgate.processor.CutOff;
import io.floodgate.processor.ProcessorConfig;
import io.floodgate.processor.ProcessorConfig.Logs;
import io.floodgate.processor.topology.disk.AdminChangelogs;
import io.floodgate.processor.topology.disk.ChangelogRecreated;
import io.floodgate.processor.topology.disk.CommittedStores;
import io.floodgate.processor.topology.disk.Database;
import io.floodgate.processor.topology.disk.KafkaRefills;
import io.floodgate.processor.topology.disk.Refills;
import io.floodgate.processor.topology.disk.StreamsClients;
import io.floodgate.processor.topology.disk.Transactions;
import io.floodgate.processor.topology.ingress.Forwarder;
import io.floodgate.topics.Namespace;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Topics;
import io.floodgate.topics.client.BrokerTimeouts;
import io.floodgate.topics.client.ClientConfig;
import io.floodgate.topics.client.ClientLimits;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.ClusterAdmin;
import io.floodgate.topics.client.KafkaCommandClient;
import io.floodgate.topics.client.LocalPartitions;
import io.floodgate.topics.client.Provisioner;
import io.floodgate.topics.client.Rights;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the topology: its configuration, its threads, and what happens when one of them dies. */
public final class PartitionStreams implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionStreams.class);

    /** A thread that dies at once whenever it is replaced must not take all the processor's time. */
    private static final Duration PAUSE_BEFORE_REPLACING = Duration.ofSeconds(1);

    /** An operator has to decide. */
    private static final Duration PAUSE_BEFORE_LOOKING_AGAIN = Duration.ofSeconds(10);

    /** Longest step of a stop, but for the last commit. */
    private static final Duration LONGEST_STEP = Duration.ofSeconds(3);

    private final StateDir stateDir;
    private final ClusterAdmin admin;
    private final Database database;
    private final ScheduledExecutorService scheduler;
    private final ScheduledExecutorService background;
    /** For what must not wait for other work, which waits for brokers. */
    private final ScheduledExecutorService membership;

    private final PartitionWriter writer;
    private final KafkaStreams streams;
    private final Ownership ownership;
    private final Presence presence;
    private final GroupMembers members;
    private final Purge purge;
    private final Forwarder forwarder;
    private final Meters meters;
    private final CountDownLatch running = new CountDownLatch(1);
    private final Duration stopTime;

    private PartitionStreams(ProcessorConfig config, Routing routing, MeterRegistry registry) {
        meters = new Meters(registry);
        Namespace namespace = config.cluster().namespace();
        stopTime = Duration.ofMillis(BrokerTimeouts.of(config.cluster().kafka()).severalMs());
        stateDir = new StateDir(config.stateDir(), namespace.application());
        Cluster cluster = config.cluster().as("processor").onNode(stateDir.nodeId());
        // Not "admin": Kafka Streams gives that name to its own.
        admin = new ClusterAdmin(cluster.client("upkeep"));
        members = new GroupMembers(admin, namespace.application());
        presence = presence(namespace, stateDir.nodeId());
        database = Database.open(
                stateDir.stores(prepare(config, cluster, routing)), PartitionTopology.stores(routing.partitions()));
        scheduler = timer("floodgate-ticks");
        background = timer("floodgate-background");
        membership = timer("floodgate-membership");
        writer = new PartitionWriter(cluster, config.shortcuts());
        Transactions transactions = new Transactions(database, () -> meters.count(Meter.COMMITS));
        CommittedStores stores = new CommittedStores(
                database,
                transactions,
                new AdminChangelogs(admin),
                config.logs().refillsChangelogs() ? new KafkaRefills(cluster.client("refill")) : Refills.NONE,
                Clock.systemUTC());
        OpenPartitions open = new OpenPartitions();
        Logs logs = config.logs().sharing(Runtime.getRuntime().maxMemory(), routing.partitions());
        File directory = config.stateDir().toFile();
        DiskGuard disk = new DiskGuard(directory::getUsableSpace, directory.getTotalSpace(), logs, open, writer);
        disk.look();
        Edge edge = new Edge(
                routing,
                writer,
                scheduler,
                Clock.systemUTC(),
                new AdminCommandTopics(admin, namespace),
                logs,
                disk,
                open,
                watchSteps(config.stateDir(), logs.cutOff()),
                config.commitInterval(),
                meters);
        Properties properties = new Properties();
        properties.putAll(streamsConfig(config, cluster, stateDir.nodeId()));
        streams = new KafkaStreams(
                PartitionTopology.build(edge, stores, namespace),
                properties,
                new StreamsClients(transactions, config.shortcuts().logs(), presence::isAbsent));
        AbandonedTransactions abandoned = new AbandonedTransactions(admin, namespace.application(), Clock.systemUTC());
        every(AbandonedTransactions.PERIOD, abandoned::look);
        listen(abandoned);
        measure(config.stateDir(), disk);
        ownership = new Ownership(streams, admin, presence, namespace, meters);
        every(Ownership.PERIOD, ownership::look);
        every(membership, Presence.PERIOD, presence::look);
        purge = new Purge(admin, namespace, logs.purgeMargin(), open, meters);
        every(Purge.PERIOD, purge::run);
        every(DiskGuard.PERIOD, disk::look);
        forwarder = Forwarder.start(
                cluster,
                config.shortcuts().logs(),
                stateDir.nodeId(),
                () -> KafkaCommandClient.connect(
                        new ClientConfig(cluster, routing, ClientLimits.DEFAULT).with(config.shortcuts())),
                background,
                presence::isAbsent,
                logs.purgeMargin(),
                () -> meters.count(Meter.FORWARDED));
        config.shortcuts().newTopics().listen(forwarder::topicMade);
        meters.gauge(Meter.INGRESS_PARTITIONS, forwarder::partitions);
        meters.gauge(Meter.INGRESS_BYTES, forwarder::heldBytes);
    }

    private Presence presence(Namespace namespace, String node) {
        GroupMembers ingress = new GroupMembers(admin, namespace.ingressesGroup());
        return new Presence(
                node,
                admin::brokersOutOfReach,
                members::names,
                own -> {
                    members.remove(own);
                    ingress.remove(own);
                },
                System::nanoTime);
    }

    private StepWatch watchSteps(Path directory, CutOff cut) {
        StepWatch watch =
                new StepWatch(new CutOffSteps(directory), cut, ManagementFactory.getThreadMXBean()::getThreadCpuTime);
        long period = StepWatch.PERIOD.toMillis();
        var unused = scheduler.scheduleWithFixedDelay(watch::look, period, period, TimeUnit.MILLISECONDS);
        return watch;
    }

    private static ScheduledExecutorService timer(String name) {
        return Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name(name).daemon().factory());
    }

    private void every(Duration period, Runnable work) {
        every(background, period, work);
    }

    private static void every(ScheduledExecutorService timer, Duration period, Runnable work) {
        var unused = timer.scheduleWithFixedDelay(
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException e) {
                        LOG.warn("Background work failed; it is tried again in {}.", period, e);
                    }
                },
                period.toMillis(),
                period.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void listen(AbandonedTransactions abandoned) {
        streams.setStateListener((now, before) -> {
            if (now == State.RUNNING) running.countDown();
            if (now == State.REBALANCING) meters.count(Meter.REBALANCES);
        });
        streams.setUncaughtExceptionHandler(failure -> {
            ChangelogRecreated recreated = recreated(failure);
            Optional<String> forbidden = Rights.forbidden(failure);
            if (forbidden.isPresent())
                LOG.error(
                        "The user of the processor lacks rights: {}. Trying again in {}.",
                        forbidden.get(),
                        PAUSE_BEFORE_LOOKING_AGAIN);
            else if (recreated == null)
                LOG.error("A stream thread died; a new one takes over its partitions from the last commit.", failure);
            else LOG.error("{} Trying again in {}.", recreated.getMessage(), PAUSE_BEFORE_LOOKING_AGAIN);
            meters.count(Meter.THREADS_REPLACED);
            leave(Thread.currentThread());
            boolean needsAnOperator = recreated != null || forbidden.isPresent();
            LockSupport.parkNanos((needsAnOperator ? PAUSE_BEFORE_LOOKING_AGAIN : PAUSE_BEFORE_REPLACING).toNanos());
            return StreamThreadExceptionResponse.REPLACE_THREAD;
        });
        streams.setGlobalStateRestoreListener(new Restoring(meters, abandoned));
    }

    /** Kafka Streams gives the new thread another number, and the group would wait for the old one. */
    private void leave(Thread streamThread) {
        String number = streamThread.getName().replaceFirst(".*-", "");
        membership.execute(() -> {
            try {
                members.remove((stateDir.nodeId() + "-" + number)::equals);
            } catch (KafkaException e) {
                LOG.debug("Stream thread {} stays in its group until its session ends.", number, e);
            }
        });
    }

    private static @Nullable ChangelogRecreated recreated(@Nullable Throwable failure) {
        if (failure == null || failure instanceof ChangelogRecreated) return (ChangelogRecreated) failure;
        return recreated(failure.getCause());
    }

    private void measure(Path directory, DiskGuard disk) {
        meters.gauge(Meter.DISK_LOW, () -> disk.isLow() ? 1 : 0);
        meters.gauge(Meter.RUNNING, () -> isRunning() ? 1 : 0);
        meters.gauge(Meter.FREE_DISK_BYTES, () -> directory.toFile().getUsableSpace());
    }

    public static PartitionStreams start(ProcessorConfig config, Routing routing, MeterRegistry registry) {
        PartitionStreams started = new PartitionStreams(config, routing, registry);
        try {
            started.streams.start();
        } catch (ChangelogRecreated rejected) {
            LOG.error("{}", rejected.getMessage());
            started.close();
            throw rejected;
        }
        return started;
    }

    /**
     * Looks at the cluster and mends what an earlier release left there. Returns what distinguishes its stores from
     * others.
     */
    private static String prepare(ProcessorConfig config, Cluster cluster, Routing routing) {
        Map<String, Map<String, String>> changelogs =
                PartitionTopology.changelogs(cluster.namespace().application());
        try (Provisioner provisioner = new Provisioner(cluster)) {
            // Stores are opened before Kafka Streams makes what is missing.
            if (config.logs().refillsChangelogs())
                changelogs.forEach((name, topic) -> provisioner.create(
                        name, new Topics.Spec(name, routing.partitions(), topic), config.replication()));
            changelogs.forEach(provisioner::mendTopic);
            provisioner.checkReplication(changelogs.keySet(), config.replication());
            // Another installation in the same cluster has other changelogs.
            return cluster.namespace().of(provisioner.clusterId());
        }
    }

    static Map<String, Object> streamsConfig(ProcessorConfig config, Cluster cluster, String nodeId) {
        BrokerTimeouts timeouts = BrokerTimeouts.of(cluster.kafka());
        Map<String, Object> c = new HashMap<>(cluster.kafka());
        c.put(StreamsConfig.APPLICATION_ID_CONFIG, cluster.namespace().application());
        // Kafka Streams adds thread and purpose.
        c.put(StreamsConfig.CLIENT_ID_CONFIG, cluster.clientId());
        c.put(StreamsConfig.STATE_DIR_CONFIG, config.stateDir().toString());
        c.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        c.put(StreamsConfig.DEFAULT_TIMESTAMP_EXTRACTOR_CLASS_CONFIG, AppendTime.class);
        c.put(
                StreamsConfig.mainConsumerPrefix(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG),
                AppendTime.Marking.class.getName());
        c.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, config.commitInterval().toMillis());
        // How long an idle thread sleeps: records wake it at once, what is left to commit waits at most this long.
        c.put(StreamsConfig.POLL_MS_CONFIG, 200L);
        c.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.threads());
        c.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, config.standbys());
        c.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, (int)
                config.replication().factor());
        config.replication().with(Map.of()).forEach((name, value) -> c.put(StreamsConfig.topicPrefix(name), value));
        c.put(StreamsConfig.ACCEPTABLE_RECOVERY_LAG_CONFIG, 10_000L);
        // A processor that comes without state, or was frozen, first gets copies of its partitions: how many at a time,
        // and how often Kafka Streams looks whether they are warm.
        c.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, 60_000L);
        c.put(StreamsConfig.MAX_WARMUP_REPLICAS_CONFIG, 16);
        c.put(StreamsConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        // Set only because the default logs a warning at every start.
        c.put("processing.exception.handler.global.enabled", true);
        c.put(StreamsConfig.METRICS_RECORDING_LEVEL_CONFIG, "INFO");
        consumer(c, ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, nodeId);
        consumer(c, ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6_000);
        // Members learn by it that partitions are to move: of a processor that leaves, one move; of one that comes,
        // two. Beside its broker a processor is alone.
        boolean isAlone = !config.shortcuts().logs().equals(LocalPartitions.NONE);
        consumer(c, ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, isAlone ? 2_000 : 200);
        // It is also how long a group waits for a member that does not join again, though its session goes on.
        consumer(c, ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, 60_000);
        consumer(c, ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1_000);
        consumer(c, ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        // Stores are restored a few logs at a time, and a fetch that finds nothing new holds up the question where the
        // next ones begin: half a second each time, with the default. Standbys fetch by it all the time.
        c.put(StreamsConfig.restoreConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), 200);
        // A killed instance's transaction must not hold up its successor for long; but one that waits for a broker that
        // hangs must not be lost, since all logs would have to be opened again.
        producer(c, ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, timeouts.transactionMs());
        producer(c, ProducerConfig.MAX_BLOCK_MS_CONFIG, timeouts.transactionMs());
        // The first write of a transaction may come before the markers of the last one are out. The broker then asks to
        // try again, which should not take the default of 100 ms, and rejects, loudly, whatever was sent behind it.
        producer(c, ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 5);
        producer(c, ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        // Uncommitted records are not read, and each commit sends what there is: one request to each broker, and one of
        // that broker to the coordinator, instead of some for each command. A commit may come a little late.
        producer(c, ProducerConfig.LINGER_MS_CONFIG, (int)
                config.commitInterval().multipliedBy(2).toMillis());
        producer(c, ProducerConfig.BATCH_SIZE_CONFIG, 256 * 1024);
        producer(c, ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        producer(c, ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.MAX_RECORD_BYTES);
        return c;
    }

    private static void consumer(Map<String, Object> config, String name, Object value) {
        config.put(StreamsConfig.mainConsumerPrefix(name), value);
    }

    private static void producer(Map<String, Object> config, String name, Object value) {
        config.put(StreamsConfig.producerPrefix(name), value);
    }

    public boolean isRunning() {
        return streams.state() == State.RUNNING;
    }

    /** Waits until every log of this instance is being read; false when that takes too long. */
    public boolean awaitRunning(Duration patience) throws InterruptedException {
        return running.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns as JSON whether the processor is ready, and what it owns. */
    public String standing() {
        return ownership.json();
    }

    public void purge() {
        purge.run();
    }

    /**
     * Commits what is done and leaves the group: others take the logs over at once. If the cluster does not answer, what is
     * not committed by then is executed by others, as after a kill.
     */
    @Override
    public void close() {
        StopBudget budget = StopBudget.of(stopTime);
        budget.spend("the topics of queues", LONGEST_STEP, forwarder::close);
        AtomicBoolean ended = new AtomicBoolean();
        budget.spend(
                "the last commit",
                stopTime,
                time -> ended.set(
                        streams.close(CloseOptions.groupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP)
                                .withTimeout(time))));
        scheduler.shutdownNow();
        background.shutdownNow();
        membership.shutdownNow();
        budget.spend("replies and messages", LONGEST_STEP, writer::close);
        budget.spend("the admin client", LONGEST_STEP, admin::close);
        meters.close();
        if (!ended.get()) {
            // A thread may still be reading its stores.
            LOG.warn("The processor stops without its last commit: Kafka has not taken it within {}.", stopTime);
            return;
        }
        database.close();
        stateDir.close();
    }
}
