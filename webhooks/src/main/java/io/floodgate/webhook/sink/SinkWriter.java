package io.floodgate.webhook.sink;

import io.floodgate.topics.Topics;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.ClusterConsumer;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.Rights;
import io.floodgate.topics.command.SinkCommand.Row;
import io.floodgate.topics.command.SinkCommand.Sink;
import io.floodgate.webhook.EventReaders;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes outcomes for one sink: those in its share of the partitions of events, the others by other processes. The records of what was
 * polled, and how far that is, are one transaction: a process that is killed has written nothing, and one whose partitions are another's by
 * now cannot commit. After any failure it begins again at what is committed.
 *
 * <pre>
 *   events ──poll──▶ templates ──▶ ┌ records to the topic   ┐
 *                                  └ offsets with the epoch ┘ one transaction
 * </pre>
 */
final class SinkWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SinkWriter.class);
    private static final Duration POLL = Duration.ofMillis(250);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration CLOSING = Duration.ofSeconds(5);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);
    private static final Duration BETWEEN_COMMITS = Duration.ofSeconds(1);
    private static final int FETCH_BYTES = 8 * 1024 * 1024;

    private final Cluster cluster;
    private final SinkReports reports;
    private final SinkMeters meters;
    private final SinkOutlet outlet;
    private final String group;
    private final long id;
    /** The epochs whose beginnings were looked for, by partition. */
    private final Map<TopicPartition, Long> epochs = new HashMap<>();

    private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    private final AtomicLong behind = new AtomicLong();
    private final Thread thread;
    private volatile Sink sink;
    private volatile boolean closing;
    private volatile @Nullable ClusterConsumer<String, byte[]> consumer;
    private boolean isLost;
    private int failed;
    private long pausedUntil = System.nanoTime();
    private long committedAt = System.nanoTime();

    private SinkWriter(Cluster cluster, CommandClient client, MeterRegistry registry, String process, Sink sink) {
        this.cluster = cluster;
        this.sink = sink;
        id = sink.id();
        group = cluster.namespace().sink(sink.name());
        reports = new SinkReports(client, sink, process);
        meters = new SinkMeters(registry, sink.name(), behind::get);
        outlet = new SinkOutlet(cluster, sink, group + "-" + process, reports, meters);
        thread = Thread.ofPlatform()
                .name("floodgate-sink-" + sink.name())
                .daemon()
                .unstarted(this::run);
    }

    static SinkWriter start(Cluster cluster, CommandClient client, MeterRegistry registry, String process, Sink sink) {
        SinkWriter writer = new SinkWriter(cluster, client, registry, process, sink);
        writer.thread.start();
        return writer;
    }

    long id() {
        return id;
    }

    /** The registry has this row now. */
    void known(Row row) {
        sink = row.sink();
        outlet.known(row.sink());
        reports.known(row.standing().failingSince() != null);
    }

    private void run() {
        while (!closing) {
            try {
                step();
            } catch (WakeupException closes) {
                // The loop ends.
            } catch (CommitFailedException | RebalanceInProgressException moved) {
                // Its partitions are another's: what is left of them is read from what is committed.
                outlet.abort();
                isLost = true;
            } catch (OffsetOutOfRangeException deleted) {
                skipDeleted(deleted);
            } catch (SinkFailed | KafkaException failure) {
                fail(why(failure));
            } catch (RuntimeException defect) {
                LOG.error("Sink {} does not write because of a defect in Floodgate.", sink.name(), defect);
                fail(defect.toString());
            }
        }
        stop();
    }

    private String why(Exception failure) {
        return failure instanceof KafkaException
                ? Rights.missing(failure, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, group)
                        .map(missing -> "The user of the gateway lacks a right, perhaps: " + missing + ".")
                        .orElse(failure.toString())
                : String.valueOf(failure.getMessage());
    }

    private void fail(String why) {
        meters.failed();
        outlet.abort();
        isLost = true;
        failed++;
        pausedUntil = System.nanoTime()
                + Math.min(LONGEST_PAUSE.toNanos(), Duration.ofMillis(500).toNanos() << Math.min(failed, 10));
        // What is over with the next attempt is not worth a word.
        if (failed > 1) reports.failed(why);
    }

    private void step() throws SinkFailed {
        ClusterConsumer<String, byte[]> own = consumer();
        if (System.nanoTime() < pausedUntil) {
            own.pause(own.assignment());
            EventReaders.readAgain(own, own.poll(POLL));
            return;
        }
        if (isLost) {
            // It ends what the one before has left open: only then it is certain what is committed.
            outlet.open();
            isLost = false;
            place(own, own.assignment());
            own.resume(own.paused());
        }
        rewind(own);
        ConsumerRecords<String, byte[]> records = own.poll(POLL);
        Map<TopicPartition, OffsetAndMetadata> offsets = offsets(own);
        if (outlet.write(records, offsets, own)) committed.putAll(offsets);
        failed = 0;
        look(own, offsets);
        reports.goesWell();
    }

    private Map<TopicPartition, OffsetAndMetadata> offsets(ClusterConsumer<String, byte[]> own) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (TopicPartition partition : own.assignment()) {
            String epoch = Long.toString(epochs.getOrDefault(partition, 0L));
            OffsetAndMetadata now = new OffsetAndMetadata(own.position(partition), epoch);
            if (!now.equals(committed.get(partition))) offsets.put(partition, now);
        }
        return offsets;
    }

    /** Where nothing was for this sink, it is enough to commit now and then. */
    private void look(ClusterConsumer<String, byte[]> own, Map<TopicPartition, OffsetAndMetadata> offsets) {
        if (System.nanoTime() - committedAt < BETWEEN_COMMITS.toNanos()) return;
        committedAt = System.nanoTime();
        if (!offsets.isEmpty()) own.commitSync(offsets);
        committed.putAll(offsets);
        long lag = 0;
        for (TopicPartition partition : own.assignment())
            lag += own.currentLag(partition).orElse(0);
        behind.set(lag);
    }

    /** More than the retention of events behind, or paused for that long. */
    private void skipDeleted(OffsetOutOfRangeException deleted) {
        ClusterConsumer<String, byte[]> own = consumer();
        deleted.offsetOutOfRangePartitions()
                .forEach((partition, offset) -> reports.skipped(
                        "The events of partition %d from offset %d on were deleted before they were looked at."
                                .formatted(partition.partition(), offset)));
        own.seekToBeginning(deleted.partitions());
    }

    // ---- where to begin

    private ClusterConsumer<String, byte[]> consumer() {
        ClusterConsumer<String, byte[]> own = consumer;
        if (own != null) return own;
        Map<String, Object> config = EventReaders.settings(cluster, "sink-" + sink.name(), group);
        config.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        own = EventReaders.open(config);
        consumer = own;
        isLost = true;
        own.subscribe(List.of(cluster.topic(Topics.EVENTS)), new Assignments(own));
        return own;
    }

    private void place(ClusterConsumer<String, byte[]> own, Collection<TopicPartition> partitions) {
        if (partitions.isEmpty()) return;
        Map<TopicPartition, OffsetAndMetadata> known = own.committed(Set.copyOf(partitions), PATIENCE);
        for (TopicPartition partition : partitions) {
            OffsetAndMetadata last = known.get(partition);
            epochs.remove(partition);
            committed.remove(partition);
            if (last == null) continue;
            epochs.put(partition, EventReaders.mark(last));
            committed.put(partition, last);
            own.seek(partition, last);
        }
        rewind(own);
    }

    /** Goes to where the sink begins, in partitions in which that was not done for this beginning. */
    private void rewind(ClusterConsumer<String, byte[]> own) {
        var beginning = sink.beginning();
        Set<TopicPartition> behindIt = new HashSet<>(own.assignment());
        behindIt.removeIf(partition -> epochs.getOrDefault(partition, 0L) >= beginning.epoch());
        if (behindIt.isEmpty()) return;
        outlet.offsets(behindIt, beginning.at()).forEach((partition, offset) -> {
            own.seek(partition, offset);
            epochs.put(partition, beginning.epoch());
        });
    }

    // ---- partitions come and go

    private final class Assignments implements ConsumerRebalanceListener {
        private final ClusterConsumer<String, byte[]> own;

        private Assignments(ClusterConsumer<String, byte[]> own) {
            this.own = own;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            // Should it fail, it is done with the next step.
            boolean wasLost = isLost;
            isLost = true;
            place(own, partitions);
            isLost = wasLost;
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            epochs.keySet().removeAll(partitions);
            committed.keySet().removeAll(partitions);
        }
    }

    private void stop() {
        outlet.close();
        meters.close();
        ClusterConsumer<String, byte[]> own = consumer;
        consumer = null;
        if (own == null) return;
        EventReaders.leave(own, "sink " + sink.name());
    }

    @Override
    public void close() {
        closing = true;
        ClusterConsumer<String, byte[]> own = consumer;
        if (own != null) own.wakeup();
        try {
            thread.join(CLOSING);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
