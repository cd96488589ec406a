package io.floodgate.gateway.queue;

import io.floodgate.topics.Namespace;
import io.floodgate.topics.Topics;
import io.floodgate.topics.client.AdminAnswers;
import io.floodgate.topics.client.ClientConfig;
import io.floodgate.topics.client.ClusterAdmin;
import io.floodgate.topics.client.Failing;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replication;
import io.floodgate.topics.client.Rights;
import io.floodgate.topics.client.Shortcuts;
import io.floodgate.topics.client.Shortcuts.Signal;
import io.floodgate.topics.queue.EnqueueThrough;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives queues topics of their own, for producers that only have a Kafka client: at once to a queue that an operator
 * makes, and after a while to any other that should have one, because it could not be made then, or because it was
 * deleted. A topic stays when its queue goes: Kafka clients may still be writing to it.
 */
public final class QueueTopics implements AutoCloseable {
    /** Choices which queues have a topic. */
    public enum Which {
        /** Queues that operators make have one. */
        EXPLICIT,
        ALL,
        NONE
    }

    /**
     * @param partitions of each of them
     * @param through what jobs that come by HTTP are written to, for queues about which nothing else is decided
     * @param max how many partitions they may have in all
     */
    public record Settings(Which which, int partitions, EnqueueThrough through, int max) {
        /** Bytes of the heap for each partition, in a process that has the broker, too, and has to start with it. */
        private static final long BYTES_PER_PARTITION = 400 * 1024;

        public static final Settings DEFAULT = new Settings(Which.EXPLICIT, 1, EnqueueThrough.QUEUE_TOPIC);

        public Settings(Which which, int partitions, EnqueueThrough through) {
            this(which, partitions, through, defaultMax());
        }

        /** Two and a half thousand for each GiB of heap. */
        public static int defaultMax() {
            return (int) Math.clamp(Runtime.getRuntime().maxMemory() / BYTES_PER_PARTITION, 500L, 20_000L);
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(QueueTopics.class);
    /** A job that comes before the first look waits for it for this long. */
    private static final Duration FIRST_LOOK = Duration.ofSeconds(2);

    private static final Duration LOOKS = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int MOST_AT_ONCE = 100;

    private final Settings settings;
    private final StatusTable table;
    private final Namespace namespace;
    private final @Nullable Admin admin;
    private final @Nullable ScheduledExecutorService timer;
    private final String compression;
    private final AtomicLong lost = new AtomicLong();
    private final Failing failing = new Failing();
    private final TopicRoom room;
    private final Signal newTopics;
    private final CountDownLatch looked;
    /** Queues whose topics were there. */
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    private short replication;

    private QueueTopics(
            Settings settings, StatusTable table, Namespace namespace, @Nullable Admin admin, Shortcuts shortcuts) {
        this.settings = settings;
        this.namespace = namespace;
        compression = shortcuts.logs().compression();
        newTopics = shortcuts.newTopics();
        looked = new CountDownLatch(admin == null ? 0 : 1);
        this.table = table;
        this.admin = admin;
        room = new TopicRoom(settings.max, settings.partitions);
        timer = admin == null
                ? null
                : Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform()
                        .name("floodgate-queue-topics")
                        .daemon()
                        .factory());
    }

    /** @param table says which queues there are */
    public static QueueTopics start(ClientConfig client, Settings settings, StatusTable table) {
        if (settings.which == Which.NONE) return none(table);
        QueueTopics started = new QueueTopics(
                settings,
                table,
                client.cluster().namespace(),
                new ClusterAdmin(client.cluster().client("queue-topics")),
                client.shortcuts());
        if (started.timer != null) {
            var unused =
                    started.timer.scheduleWithFixedDelay(started::look, 0, LOOKS.toMillis(), TimeUnit.MILLISECONDS);
        }
        return started;
    }

    /** Returns an instance for which no queue has a topic. */
    public static QueueTopics none(StatusTable table) {
        Settings settings = new Settings(Which.NONE, 1, EnqueueThrough.COMMANDS);
        return new QueueTopics(settings, table, Namespace.NONE, null, Shortcuts.withoutBroker());
    }

    /** Returns how many topics were deleted while their queues existed. */
    public long lost() {
        return lost.get();
    }

    /** Returns whether a job of this queue that comes by HTTP is written to the topic of the queue. */
    public boolean isWayInto(String queue) {
        if (!known.contains(queue) && !(awaitFirstLook() && known.contains(queue))) return false;
        PublishedStatus status = table.find(queue);
        if (status == null) return false;
        EnqueueThrough decided = status.config().through();
        return decided == null
                ? settings.through == EnqueueThrough.QUEUE_TOPIC && status.isExplicit()
                : decided == EnqueueThrough.QUEUE_TOPIC;
    }

    /** @return whether it was waited for */
    private boolean awaitFirstLook() {
        if (looked.getCount() == 0) return false;
        try {
            return looked.await(FIRST_LOOK.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns the number of partitions of each topic. */
    public int partitions() {
        return settings.partitions;
    }

    /** Checks, before a queue is made that would get a topic, that there may be one more. */
    void mustHaveRoom() throws RejectedException {
        if (admin != null) room.mustHaveSome();
    }

    /** An operator has just made this queue; the name of its topic, null if it has none yet. */
    @Nullable
    String made(String queue) {
        if (admin == null) return null;
        try {
            create(admin, List.of(queue));
            known.add(queue);
            room.made();
            newTopics.raise();
            return namespace.ingress(queue);
        } catch (KafkaException failure) {
            LOG.warn("Queue {} has no topic yet, which is tried again: {}", queue, cause(failure));
            return null;
        }
    }

    /**
     * Returns why jobs of a queue that was just made do not go through its topic yet; null if they do, or if there will
     * be none.
     *
     * @param topic null if it could not be made
     */
    @Nullable
    String pending(@Nullable String topic, boolean isRead) {
        if (admin == null || isRead) return null;
        return topic == null
                ? "The topic could not be made; the gateway tries again every %d s, and its log says why."
                        .formatted(LOOKS.toSeconds())
                : "No processor reads the topic yet; jobs by HTTP go to ojs.commands until one does.";
    }

    private void look() {
        try {
            List<String> wanted = wanted();
            if (admin != null) look(admin, wanted);
            failing.ended();
        } catch (RuntimeException failure) {
            String cause = cause(failure);
            if (failing.isNews(cause))
                LOG.warn("Topics of queues could not be looked at or made; trying again: {}", cause);
        }
        looked.countDown();
    }

    private String cause(RuntimeException failure) {
        return Rights.missing(failure, AclOperation.CREATE, ResourceType.TOPIC, namespace.ingress(""))
                .map(missing -> "the user of the gateway lacks the right: " + missing)
                .orElse(failure.toString());
    }

    private List<String> wanted() {
        List<String> wanted = new ArrayList<>();
        for (PublishedStatus status : table.page(0, Integer.MAX_VALUE))
            if (settings.which == Which.ALL || status.isExplicit()) wanted.add(status.name());
        return wanted;
    }

    /** Returns those of the missing topics that may be made. */
    private List<String> next(List<String> missing) {
        int left = room.left();
        int leftForImplicit = room.leftForImplicit();
        List<String> next = new ArrayList<>();
        for (String queue : missing) {
            PublishedStatus status = table.find(queue);
            boolean explicit = status != null && status.isExplicit();
            if (next.size() < Math.min(MOST_AT_ONCE, explicit ? left : leftForImplicit)) next.add(queue);
        }
        return next;
    }

    private void look(Admin cluster, List<String> wanted) {
        Set<String> names = await(cluster.listTopics().names());
        Set<String> there = new HashSet<>();
        for (String name : names) if (namespace.isIngress(name)) there.add(namespace.queueOf(name));
        room.seen(there.size());
        List<String> missing =
                wanted.stream().filter(queue -> !there.contains(queue)).toList();
        for (String queue : missing) {
            if (!known.contains(queue)) continue;
            lost.incrementAndGet();
            LOG.error(
                    "Topic {} was deleted, and its queue is there: it is made again. What had not come in is lost.",
                    namespace.ingress(queue));
        }
        known.retainAll(there);
        known.addAll(there);
        List<String> next = next(missing);
        if (!next.isEmpty()) create(cluster, next);
        else if (!missing.isEmpty())
            LOG.warn(
                    "{} queues have no topic: there may be {} partitions of such topics (--max-queue-topics).",
                    missing.size(),
                    settings.max);
    }

    private void create(Admin cluster, List<String> queues) {
        short copies = replication(cluster);
        List<NewTopic> topics = new ArrayList<>();
        for (String queue : queues) {
            Topics.Spec spec = Topics.ingressSpec(queue, settings.partitions).compressed(compression);
            topics.add(new NewTopic(namespace.of(spec.name()), spec.partitions(), copies)
                    .configs(Replication.with(spec.config(), copies)));
        }
        AdminAnswers.create(cluster, topics, PATIENCE);
    }

    /** Returns the replication, which is that of the commands. */
    private synchronized short replication(Admin cluster) {
        if (replication == 0) {
            String commandsTopic = namespace.of(Topics.COMMANDS);
            TopicDescription commands = await(Objects.requireNonNull(cluster.describeTopics(List.of(commandsTopic))
                    .topicNameValues()
                    .get(commandsTopic)));
            replication = (short) commands.partitions().getFirst().replicas().size();
        }
        return replication;
    }

    private static <T> T await(KafkaFuture<T> answer) {
        return AdminAnswers.await(answer, PATIENCE);
    }

    @Override
    public void close() {
        if (timer != null) timer.shutdownNow();
        if (admin != null) admin.close(Duration.ofSeconds(2));
    }
}
