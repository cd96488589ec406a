package io.floodgate.gateway.feed;

import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.ClusterConsumer;
import io.floodgate.topics.client.Failing;
import io.floodgate.topics.client.ReaderSettings;
import io.floodgate.topics.client.Rights;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all partitions of some topics, from a little before their ends or from their beginnings, until it is closed. One
 * consumer reads them all: what a commit writes to several topics on a broker comes in one fetch.
 */
public final class TopicReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicReader.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofSeconds(1);
    /** Number of records that stands for the whole topic, from its beginning. */
    public static final long EVERYTHING = Long.MAX_VALUE;

    /**
     * Receives the records of a topic. Of each partition, records before {@code news} were there already when reading
     * began.
     */
    public interface Listener {
        /** Called before anything is read: where reading begins. */
        default void begin(Map<TopicPartition, Long> positions) {}

        void read(List<ConsumerRecord<String, byte[]>> records, Map<TopicPartition, Long> news);
    }

    /** @param backlog how many records to read of what is there already, of all partitions together */
    public record Feed(String topic, long backlog, Listener listener) {}

    private final ClusterConsumer<String, byte[]> consumer;
    /** Listeners by the topic's name in the cluster. */
    private final Map<String, Listener> listeners = new LinkedHashMap<>();

    private final Map<TopicPartition, Long> news = new HashMap<>();
    private final Failing failures = new Failing();
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean loaded;
    private volatile boolean failing;

    private TopicReader(ClusterConsumer<String, byte[]> consumer, Cluster cluster, List<Feed> feeds, Instant now) {
        this.consumer = consumer;
        Map<Feed, List<TopicPartition>> partitions = new LinkedHashMap<>();
        for (Feed feed : feeds) {
            String topic = cluster.topic(feed.topic);
            listeners.put(topic, feed.listener);
            partitions.put(feed, partitionsOf(topic));
        }
        // Before their ends are asked for: Kafka's client warns of each one that it does not read.
        consumer.assign(partitions.values().stream().flatMap(List::stream).toList());
        partitions.forEach((feed, its) -> begin(its, feed, now).forEach(consumer::seek));
        thread = Thread.ofPlatform().name("floodgate-feeds").daemon().unstarted(this::read);
    }

    private List<TopicPartition> partitionsOf(String topic) {
        return consumer.partitionsFor(topic, PATIENCE).stream()
                .map(p -> new TopicPartition(topic, p.partition()))
                .toList();
    }

    /** Returns where to begin with each partition of a feed. */
    private Map<TopicPartition, Long> begin(List<TopicPartition> partitions, Feed feed, Instant now) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, PATIENCE);
        Map<TopicPartition, Long> firsts = consumer.beginningOffsets(partitions, PATIENCE);
        Map<TopicPartition, Long> begin =
                PastRecords.begin(feed.backlog, firsts, ends, time -> since(partitions, time), now.toEpochMilli());
        news.putAll(ends);
        feed.listener.begin(begin);
        return begin;
    }

    private Map<TopicPartition, Long> since(List<TopicPartition> partitions, long time) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        consumer.offsetsForTimes(partitions.stream().collect(Collectors.toMap(each -> each, each -> time)), PATIENCE)
                .forEach((partition, found) -> {
                    if (found != null) offsets.put(partition, found.offset());
                });
        return offsets;
    }

    /** @param purpose of the consumer, for its client id */
    public static TopicReader start(Cluster cluster, String purpose, List<Feed> feeds, Instant now) {
        var consumer = new ClusterConsumer<>(
                ReaderSettings.committed(cluster.client(purpose)),
                new StringDeserializer(),
                new ByteArrayDeserializer());
        try {
            TopicReader reader = new TopicReader(consumer, cluster, feeds, now);
            reader.thread.start();
            return reader;
        } catch (RuntimeException e) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            throw e;
        }
    }

    private void read() {
        while (!closed) {
            try {
                ConsumerRecords<String, byte[]> records = consumer.poll(POLL);
                if (!records.isEmpty()) hand(records);
                if (!loaded) loaded = isAtTheNews();
                failing = false;
                failures.ended();
            } catch (WakeupException e) {
                // closing: the loop ends by itself
            } catch (RuntimeException e) {
                failing = true;
                complain(e);
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
        // It has no group to leave, and the broker may hold the last fetch back for a while.
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }

    private void complain(RuntimeException failure) {
        String topics = String.join(" and ", listeners.keySet());
        String cause = Rights.missing(failure, AclOperation.READ, ResourceType.TOPIC, topics)
                .map(missing -> "the user of this role lacks the right: " + missing)
                .orElse(failure.toString());
        if (failures.isNews(cause))
            LOG.warn("{} cannot be read ({}); what they feed grows stale until it works again.", topics, cause);
    }

    private boolean isAtTheNews() {
        for (Map.Entry<TopicPartition, Long> partition : news.entrySet())
            if (consumer.position(partition.getKey(), PATIENCE) < partition.getValue()) return false;
        return true;
    }

    /** Returns whether everything that was there when reading began has been read, and reading goes on. */
    public boolean isLoaded() {
        return loaded && !failing;
    }

    private void hand(ConsumerRecords<String, byte[]> records) {
        for (TopicPartition partition : records.partitions()) {
            Listener listener = listeners.get(partition.topic());
            if (listener != null) listener.read(records.records(partition), news);
        }
    }

    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
