package io.floodgate.standalone.broker.local;

import static java.util.Objects.requireNonNull;

import io.floodgate.standalone.broker.disk.GroupSync;
import io.floodgate.topics.client.LocalPartitions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import kafka.cluster.Partition;
import kafka.server.ReplicaManager;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.ProduceResponse.PartitionResponse;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/**
 * Appends to the logs that this process's broker leads, as its request handlers do, acknowledged as answers are. A thread
 * of its own does it: an interrupt in the middle of a write closes the log's file, which takes the broker with it.
 */
public final class LeaderPartitions implements LocalPartitions, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderPartitions.class);
    private static final short BY_ALL = -1;
    private static final short BY_LEADER = 1;
    private static final long PATIENCE_MS = 5_000;
    private static final int MOST_RECORDS = 500;
    private static final int MOST_BYTES = 256 * 1024;
    private static final short NO_TRANSACTION = -1;
    private static final Entry END =
            new Entry(new TopicPartition("", 0), new SimpleRecord(new byte[0]), (metadata, failure) -> {});

    private final ReplicaManager replicas;
    private final GroupSync sync;
    private final boolean answersWait;
    private final BlockingQueue<Entry> waiting = new LinkedBlockingQueue<>();
    private final RequestLocal buffers = RequestLocal.withThreadConfinedCaching();
    private final Thread thread;
    /** How many records to each log are under way by the network. */
    private final Map<TopicPartition, Integer> elsewhere = new HashMap<>();

    private boolean closed;

    private record Entry(TopicPartition log, SimpleRecord record, Callback done) {
        private int bytes() {
            return record.value().remaining();
        }
    }

    /** @param answersWait for the disk */
    public LeaderPartitions(ReplicaManager replicas, GroupSync sync, boolean answersWait) {
        this.replicas = replicas;
        this.sync = sync;
        this.answersWait = answersWait;
        thread = Thread.ofPlatform().name("floodgate-appends").daemon().start(this::run);
    }

    @Override
    public boolean append(ProducerRecord<String, byte[]> record, Callback done) {
        TopicPartition log = new TopicPartition(record.topic(), record.partition());
        if (led(replicas, log) == null) return false;
        byte[] key = record.key() == null ? null : record.key().getBytes(StandardCharsets.UTF_8);
        SimpleRecord written = new SimpleRecord(
                System.currentTimeMillis(),
                key,
                record.value(),
                record.headers().toArray());
        return offer(new Entry(log, written, done));
    }

    /** What comes behind a record that was sent elsewhere waits for it, or goes the same way. */
    @Override
    public void send(ProducerRecord<String, byte[]> record, Callback done, Producer<String, byte[]> other) {
        TopicPartition log = new TopicPartition(record.topic(), record.partition());
        synchronized (elsewhere) {
            if (!elsewhere.containsKey(log) && append(record, done)) return;
            elsewhere.merge(log, 1, Integer::sum);
        }
        Callback told = (metadata, failure) -> {
            hasCome(log);
            done.onCompletion(metadata, failure);
        };
        try {
            var unused = other.send(record, told);
        } catch (RuntimeException unsent) {
            hasCome(log);
            throw unsent;
        }
    }

    private void hasCome(TopicPartition log) {
        synchronized (elsewhere) {
            elsewhere.computeIfPresent(log, (same, underWay) -> underWay == 1 ? null : underWay - 1);
        }
    }

    @Override
    public Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
        return new LeaderConsumer(config, replicas);
    }

    @Override
    public void whenOnDisk(TopicPartition partition, long offset, Runnable action) {
        sync.whenOnDisk(partition, offset + 1, action);
    }

    @Override
    public void whenAnswerable(TopicPartition partition, long offset, Runnable action) {
        if (answersWait) whenOnDisk(partition, offset, action);
        else action.run();
    }

    /** Its consumers inflate a record at a time. To store batches inflated, the broker would inflate whole batches. */
    @Override
    public String compression() {
        return "producer";
    }

    /** The log, if this broker leads it. */
    static @Nullable Partition led(ReplicaManager replicas, TopicPartition log) {
        var hosted = replicas.onlinePartition(log);
        return hosted.isDefined() && hosted.get().isLeader() ? hosted.get() : null;
    }

    private synchronized boolean offer(Entry entry) {
        return !closed && waiting.add(entry);
    }

    private void run() {
        List<Entry> next = new ArrayList<>();
        try {
            while (true) {
                next.add(waiting.take());
                waiting.drainTo(next, MOST_RECORDS - 1);
                boolean last = next.remove(END);
                boolean isOurTurn = answersWait && sync.take();
                while (!next.isEmpty()) append(together(next));
                if (isOurTurn) sync.syncAndGiveBack();
                if (last) return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // no thread interrupts this one
        }
    }

    /** Takes the first ones, as many as may leave together. */
    private static Map<TopicPartition, List<Entry>> together(List<Entry> entries) {
        Map<TopicPartition, List<Entry>> batches = new LinkedHashMap<>();
        int taken = 0;
        long bytes = 0;
        for (Entry entry : entries) {
            bytes += entry.bytes();
            if (taken > 0 && bytes > MOST_BYTES) break;
            batches.computeIfAbsent(entry.log, log -> new ArrayList<>()).add(entry);
            taken++;
        }
        entries.subList(0, taken).clear();
        return batches;
    }

    private void append(Map<TopicPartition, List<Entry>> batches) {
        CompletableFuture<Map<TopicIdPartition, PartitionResponse>> answer = new CompletableFuture<>();
        try {
            append(batches, answer);
            replicas.tryCompleteActions(); // waiting fetches get the records
        } catch (RuntimeException failure) {
            LOG.error("The broker in this process has failed to append.", failure);
            answer.completeExceptionally(failure);
        }
        var unused = answer.whenComplete((answers, failure) -> {
            if (failure != null) batches.values().forEach(batch -> tell(batch, null, asException(failure)));
            else answers.forEach((log, one) -> tell(requireNonNull(batches.get(log.topicPartition())), one));
        });
    }

    private void append(
            Map<TopicPartition, List<Entry>> batches,
            CompletableFuture<Map<TopicIdPartition, PartitionResponse>> answer) {
        Map<TopicIdPartition, MemoryRecords> records = new LinkedHashMap<>();
        batches.forEach((log, batch) -> records.put(new TopicIdPartition(Uuid.ZERO_UUID, log), records(batch)));
        replicas.appendRecords(
                PATIENCE_MS,
                answersWait ? BY_ALL : BY_LEADER,
                false,
                AppendOrigin.CLIENT,
                CollectionConverters.asScala(records),
                answers -> {
                    answer.complete(answers);
                    return BoxedUnit.UNIT;
                },
                statistics -> BoxedUnit.UNIT,
                buffers,
                CollectionConverters.asScala(Collections.emptyMap()),
                NO_TRANSACTION);
    }

    private static MemoryRecords records(List<Entry> batch) {
        return MemoryRecords.withRecords(
                Compression.NONE, batch.stream().map(Entry::record).toArray(SimpleRecord[]::new));
    }

    private static Exception asException(Throwable failure) {
        return failure instanceof Exception exception ? exception : new IllegalStateException(failure);
    }

    private void tell(List<Entry> batch, PartitionResponse answer) {
        // As a producer does: what the log does not take together it may take one by one.
        if (answer.error == Errors.MESSAGE_TOO_LARGE && batch.size() > 1)
            for (Entry entry : batch) append(Map.of(entry.log, List.of(entry)));
        else tell(batch, answer, answer.error == Errors.NONE ? null : answer.error.exception(answer.errorMessage));
    }

    private static void tell(List<Entry> batch, @Nullable PartitionResponse answer, @Nullable Exception failure) {
        for (int i = 0; i < batch.size(); i++) {
            Entry entry = batch.get(i);
            try {
                entry.done.onCompletion(answer == null ? null : metadata(entry, answer, i), failure);
            } catch (RuntimeException e) {
                LOG.error("A listener of records in {} failed.", entry.log, e);
            }
        }
    }

    private static RecordMetadata metadata(Entry entry, PartitionResponse answer, int index) {
        return new RecordMetadata(entry.log, answer.baseOffset, index, answer.logAppendTime, -1, entry.bytes());
    }

    /** What has been taken is appended. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) return;
            closed = true;
            waiting.add(END);
        }
        try {
            thread.join(PATIENCE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
