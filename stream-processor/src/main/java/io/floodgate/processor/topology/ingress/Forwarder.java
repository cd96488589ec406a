package io.floodgate.processor.topology.ingress;

import io.floodgate.topics.Namespace;
import io.floodgate.topics.client.AdminAnswers;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.ClusterAdmin;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.Failing;
import io.floodgate.topics.client.LocalPartitions;
import io.floodgate.topics.client.Rights;
import io.floodgate.topics.command.SourceCommand.Beginning;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the topics of queues and of sources, a share of them in each processor, and forwards what is in them to the logs of the queues.
 * The group's offsets say where to begin after a failure; that each record comes in once, the logs see to.
 */
public final class Forwarder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Forwarder.class);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration IDLE_POLL = Duration.ofMillis(500);
    private static final Duration COMMITS = Duration.ofMillis(500);
    /** So soon is a topic noticed that was made again. */
    private static final Duration LOOKS = Duration.ofSeconds(5);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration CLOSING = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Namespace namespace;
    private final LocalPartitions local;
    private final Consumer<byte[], byte[]> consumer;
    private final Admin admin;
    private final Supplier<Map<String, String>> topicIds;
    private final Duration looks;
    private final BooleanSupplier isAbsent;
    private final IngressPurge purge;
    private final FlowFactory factory;
    private final Map<TopicPartition, Flow> flows = new ConcurrentHashMap<>();
    private final Map<TopicPartition, Long> committed = new HashMap<>();
    private final Set<TopicPartition> retried = new HashSet<>();
    private final Set<String> unnamable = new TreeSet<>();
    private final Failing failures = new Failing();
    private final Thread thread;
    private final Assignments assignments = new Assignments();
    private volatile boolean closing;
    private volatile boolean isSubscribed;
    private long committedAt = System.nanoTime();
    private long lookedAt = System.nanoTime();

    /**
     * @param topicIds of the topics of queues that are there
     * @param looks how often they are compared with what is read
     */
    Forwarder(
            Namespace namespace,
            LocalPartitions local,
            Consumer<byte[], byte[]> consumer,
            Admin admin,
            Supplier<Map<String, String>> topicIds,
            Duration looks,
            FlowFactory factory,
            BooleanSupplier isAbsent,
            long purgeMargin) {
        this.namespace = namespace;
        this.local = local;
        this.consumer = consumer;
        this.admin = admin;
        this.topicIds = topicIds;
        this.looks = looks;
        this.factory = factory;
        this.isAbsent = isAbsent;
        purge = new IngressPurge(admin, purgeMargin);
        thread = Thread.ofPlatform().name("floodgate-ingress").daemon().unstarted(this::run);
    }

    /**
     * @param local where topics are read past the network
     * @param node the name of this process in the group
     * @param clients makes the client that the records are sent with, once there is a topic to read
     * @param isAbsent whether other processes read for this one
     * @param purgeMargin how many records that have come in are left in each partition
     * @param forwarded told of each record that has come in
     */
    public static Forwarder start(
            Cluster cluster,
            LocalPartitions local,
            String node,
            Supplier<CommandClient> clients,
            ScheduledExecutorService timer,
            BooleanSupplier isAbsent,
            long purgeMargin,
            Runnable forwarded) {
        Namespace namespace = cluster.namespace();
        Admin admin = new ClusterAdmin(cluster.client("ingress"));
        Forwarder started = new Forwarder(
                namespace,
                local,
                local.consumer(ForwarderConsumer.config(cluster, node)),
                admin,
                () -> AdminAnswers.topicIds(admin, PATIENCE),
                LOOKS,
                FlowFactory.of(cluster, admin, clients, timer, forwarded),
                isAbsent,
                purgeMargin);
        started.start();
        return started;
    }

    void start() {
        thread.start();
    }

    /** Partitions that this process reads. */
    public int partitions() {
        return flows.size();
    }

    /** Returns the bytes that have been read, and have not come in. */
    public long heldBytes() {
        return factory.heldBytes();
    }

    private void run() {
        while (!closing) {
            try {
                if (isAbsent.getAsBoolean()) stayAway();
                else step();
                failures.ended();
            } catch (WakeupException news) {
                // The loop ends, or looks for new topics.
            } catch (TopicAuthorizationException unreadable) {
                complain(unreadable);
                setAside(unreadable.unauthorizedTopics());
            } catch (KafkaException failure) {
                complain(failure);
                pause();
            } catch (RuntimeException defect) {
                LOG.error(
                        "Reading the topics of queues failed because of a defect in Floodgate; trying again.", defect);
                pause();
            }
        }
        leave();
    }

    /** A topic that may not be read holds up no other one. */
    private void setAside(Set<String> topics) {
        for (TopicPartition partition : consumer.assignment()) {
            if (!topics.contains(partition.topic())) continue;
            consumer.pause(List.of(partition));
            retried.add(partition);
        }
    }

    private void complain(KafkaException failure) {
        String cause = Rights.missing(failure, AclOperation.READ, ResourceType.GROUP, namespace.ingressesGroup())
                .map(missing -> "the user of the processor lacks the right: " + missing)
                .orElse(failure.toString());
        if (failures.isNews(cause)) LOG.warn("The topics of queues could not be read ({}); trying again.", cause);
        else LOG.debug("The topics of queues could not be read.", failure);
    }

    /** Looks for a new topic now, before Kafka's client does so by itself. */
    public void topicMade() {
        isSubscribed = false;
        consumer.wakeup();
    }

    private void stayAway() {
        consumer.unsubscribe();
        isSubscribed = false;
        pause();
    }

    private void step() {
        if (!isSubscribed) {
            isSubscribed = true;
            // This has the client ask for all topics.
            consumer.subscribe(factory.topics(), assignments);
        }
        // A flow that is full may soon have capacity.
        Set<TopicPartition> paused = consumer.paused();
        begin();
        ConsumerRecords<byte[], byte[]> records = consumer.poll(paused.isEmpty() ? IDLE_POLL : POLL);
        for (TopicPartition partition : records.partitions()) forward(partition, records.records(partition));
        readOnOrNot();
        if (isTime(committedAt, COMMITS)) commit();
        if (factory.refresh()) {
            isSubscribed = false;
            look();
        } else if (isTime(lookedAt, looks)) look();
        purge.run(committed, namespace::isIngress);
    }

    /**
     * Forwards records. Those that a flow has not taken are read again: the consumer's position is behind all that was
     * polled.
     */
    private void forward(TopicPartition partition, List<ConsumerRecord<byte[], byte[]>> records) {
        Flow flow = flows.get(partition);
        if (flow != null && !flow.isStarted()) return; // It says soon where it begins.
        if (flow == null || !factory.isReady()) {
            retryLater(partition, records.getFirst().offset());
            return;
        }
        // A job must not outlive its record, whose offset another record would have then.
        local.awaitOnDisk(partition, records.getLast().offset());
        try {
            flow.add(records);
        } catch (RuntimeException defect) {
            LOG.error("{} cannot be forwarded because of a defect in Floodgate; trying again.", partition, defect);
            retryLater(partition, Math.max(records.getFirst().offset(), flow.expected()));
        }
    }

    /** Tries again with the next look, which opens flows that are missing. */
    private void retryLater(TopicPartition partition, long offset) {
        consumer.seek(partition, offset);
        consumer.pause(List.of(partition));
        retried.add(partition);
    }

    private static boolean isTime(long last, Duration period) {
        return System.nanoTime() - last >= period.toNanos();
    }

    private void readOnOrNot() {
        Set<TopicPartition> paused = consumer.paused();
        flows.forEach((partition, flow) -> {
            boolean full = flow.isFull();
            if (full && !paused.contains(partition)) consumer.pause(List.of(partition));
            else if (!full && paused.contains(partition) && !retried.contains(partition))
                consumer.resume(List.of(partition));
        });
    }

    private void commit() {
        committedAt = System.nanoTime();
        Map<TopicPartition, OffsetAndMetadata> news = news(flows.keySet());
        if (!news.isEmpty()) consumer.commitAsync(news, null);
    }

    private Map<TopicPartition, OffsetAndMetadata> news(Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> news = new HashMap<>();
        for (TopicPartition partition : partitions) {
            Flow flow = flows.get(partition);
            long position = flow == null ? -1 : flow.position();
            if (position < 0 || position == committed.getOrDefault(partition, -1L)) continue;
            news.put(partition, new OffsetAndMetadata(position));
            committed.put(partition, position);
        }
        return news;
    }

    /** A topic that was deleted and made again has offsets of another's. */
    private void look() {
        lookedAt = System.nanoTime();
        retried.clear();
        Set<TopicPartition> assigned = consumer.assignment();
        if (assigned.isEmpty()) return;
        Map<String, String> ids = topicIds.get();
        for (TopicPartition partition : Set.copyOf(assigned)) {
            Flow flow = flows.get(partition);
            String id = ids.get(partition.topic());
            if (id == null || unnamable.contains(partition.topic())) continue;
            if (flow == null) {
                open(partition, id, null);
                continue;
            }
            if (!flow.isOf(id)) {
                LOG.error("Topic {} was deleted and made again: what had not come in is lost.", partition.topic());
                open(partition, id, Beginning.EARLIEST);
                if (namespace.isIngress(partition.topic())) consumer.seekToBeginning(List.of(partition));
            } else if (factory.isChanged(flow, partition.topic())) open(partition, id, null);
        }
    }

    /** @param start of a source; null for what its definition says */
    private void open(TopicPartition partition, String topicId, @Nullable String start) {
        Flow flow = factory.open(partition, topicId, start);
        Flow before = flow == null ? flows.remove(partition) : flows.put(partition, flow);
        committed.remove(partition);
        purge.forget(partition);
        if (before != null) before.close();
    }

    /** Reads sources from where their queues are. */
    private void begin() {
        flows.forEach((partition, flow) -> {
            long start = flow.begin();
            if (start < 0 || !consumer.assignment().contains(partition)) return;
            consumer.seek(partition, start);
            committed.remove(partition);
        });
    }

    private final class Assignments implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            if (partitions.isEmpty()) return;
            Map<String, String> ids = topicIds.get();
            for (TopicPartition partition : partitions) {
                String id = ids.get(partition.topic());
                if (factory.isReadable(partition.topic())) {
                    if (id != null) open(partition, id, null);
                } else {
                    consumer.pause(List.of(partition));
                    if (unnamable.add(partition.topic()))
                        LOG.error("Topic {} is not read: no queue can have that name.", partition.topic());
                }
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            Map<TopicPartition, OffsetAndMetadata> news = news(partitions);
            try {
                if (!news.isEmpty()) consumer.commitSync(news, Duration.ofSeconds(2));
            } catch (KafkaException failure) {
                LOG.warn(
                        "Offsets of the topics of queues could not be committed ({}); their partitions know them.",
                        failure.toString());
            }
            onPartitionsLost(partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            for (TopicPartition partition : partitions) {
                Flow flow = flows.remove(partition);
                if (flow != null) flow.close();
                committed.remove(partition);
                purge.forget(partition);
            }
        }
    }

    private static void pause() {
        LockSupport.parkNanos(PAUSE_AFTER_FAILURE.toNanos());
    }

    private void leave() {
        try {
            // Others take over at once, although the member has a name that would keep its assignment for a while.
            consumer.close(CloseOptions.timeout(Duration.ofSeconds(3))
                    .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        } catch (KafkaException failure) {
            LOG.warn("The topics of queues were not left in order: {}", failure.toString());
        }
        flows.values().forEach(Flow::close);
        factory.close();
        admin.close(Duration.ofSeconds(3));
    }

    @Override
    public void close() {
        close(CLOSING);
    }

    /** Waits for this time at most until the thread has ended; otherwise it ends by itself. */
    public void close(Duration time) {
        closing = true;
        consumer.wakeup();
        try {
            thread.join(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
