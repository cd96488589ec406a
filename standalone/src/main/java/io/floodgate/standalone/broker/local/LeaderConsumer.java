package io.floodgate.standalone.broker.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import kafka.server.ReplicaManager;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A member of its group like any other, which reads what the broker in this process leads from its logs, not by its network.
 * It holds these partitions on pause for the consumer that it is otherwise, and hands back the ones that it cannot go on
 * with.
 */
final class LeaderConsumer extends KafkaConsumer<byte[], byte[]> {
    /** How often the group is polled at least while there is work; another thread sends its heartbeats. */
    private static final long GROUP_NANOS = Duration.ofMillis(200).toNanos();

    /** What is read at once, of all partitions, but for one that has more in one batch. */
    private static final long MOST_BYTES = 8L * 1024 * 1024;

    /** Of a new topic, this broker may hear after the group. */
    private static final long PATIENCE_NANOS = Duration.ofSeconds(2).toNanos();

    private static final Duration SETTLING = Duration.ofMillis(20);
    /** With a pattern, Kafka's client joins a group again only if it gets all topics within one poll. */
    private static final Duration TOPICS = Duration.ofMillis(5);

    private static final ConsumerRebalanceListener NONE = new ConsumerRebalanceListener() {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}
    };

    private final ReplicaManager replicas;
    private final List<ConsumerInterceptor<byte[], byte[]>> interceptors;
    private final int mostRecords;
    private final Map<TopicPartition, LeaderReader> readers = new LinkedHashMap<>();
    private final Set<TopicPartition> handedBack = new HashSet<>();
    /** Since when we have waited for each to be hosted here; the network would inflate whatever it finds. */
    private final Map<TopicPartition, Long> awaited = new HashMap<>();
    /** The partitions that the caller has paused; the real consumer has paused all that have a reader. */
    private final Set<TopicPartition> paused = new HashSet<>();

    private final PartitionNews news = new PartitionNews();
    private Duration patience = Duration.ZERO;
    private long lastWithGroup;

    LeaderConsumer(Map<String, Object> config, ReplicaManager replicas) {
        super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.replicas = replicas;
        var read = new ConsumerConfig(ConsumerConfig.appendDeserializerToConfig(
                config, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
        interceptors = interceptors(read);
        mostRecords = read.getInt(ConsumerConfig.MAX_POLL_RECORDS_CONFIG);
    }

    @SuppressWarnings("unchecked") // as Kafka does: they are named, and get what they are said to get
    private static List<ConsumerInterceptor<byte[], byte[]>> interceptors(ConsumerConfig config) {
        List<ConsumerInterceptor<byte[], byte[]>> all = new ArrayList<>();
        for (Object each :
                config.getConfiguredInstances(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, ConsumerInterceptor.class))
            all.add((ConsumerInterceptor<byte[], byte[]>) each);
        return all;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            if (!isSettled() || System.nanoTime() - lastWithGroup >= GROUP_NANOS) {
                ConsumerRecords<byte[], byte[]> others = pollWithGroup(deadline);
                if (!others.isEmpty()) return others;
            }
            ConsumerRecords<byte[], byte[]> records = read();
            long left = deadline - System.nanoTime();
            if (!records.isEmpty() || left <= 0) return records;
            if (isSettled()) news.await(Math.min(left, GROUP_NANOS));
        }
    }

    /** All that we have is read here, and we know where we are. */
    private boolean isSettled() {
        if (readers.isEmpty() || readers.size() < assignment().size()) return false;
        for (LeaderReader reader : readers.values()) if (!reader.isSettled()) return false;
        return true;
    }

    private ConsumerRecords<byte[], byte[]> pollWithGroup(long deadline) {
        ConsumerRecords<byte[], byte[]> others = super.poll(patience(deadline));
        lastWithGroup = System.nanoTime();
        takeWhatHasCome();
        for (LeaderReader reader : readers.values()) if (!reader.isSettled()) find(reader);
        return others;
    }

    /** Returns how long the group may take: a consumer that finds all its partitions here hardly waits for it. */
    private Duration patience(long deadline) {
        if (isSettled()) return patience;
        Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        return (readers.isEmpty() && awaited.isEmpty()) || left.compareTo(SETTLING) < 0 ? left : SETTLING;
    }

    private void find(LeaderReader reader) {
        try {
            reader.goTo(super.position(reader.partition(), Duration.ZERO));
        } catch (TimeoutException notYet) {
            // The group's coordinator has not sent our position.
        }
    }

    private ConsumerRecords<byte[], byte[]> read() {
        news.read();
        if (!news.lost().isEmpty()) handBackWhatIsLost();
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> read = new LinkedHashMap<>();
        Map<TopicPartition, OffsetAndMetadata> next = new LinkedHashMap<>();
        int left = mostRecords;
        long bytes = 0;
        for (LeaderReader reader : List.copyOf(readers.values())) {
            TopicPartition partition = reader.partition();
            if (left == 0 || !reader.isSettled() || paused.contains(partition)) continue;
            if (bytes >= MOST_BYTES) break;
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            boolean goesOn = reader.read(records, left);
            left -= records.size();
            for (ConsumerRecord<byte[], byte[]> record : records) bytes += Math.max(0, record.serializedValueSize());
            if (!records.isEmpty()) {
                read.put(partition, records);
                next.put(partition, reader.position());
                putLast(reader);
            }
            if (!goesOn) handBack(reader);
        }
        if (read.isEmpty()) return ConsumerRecords.empty();
        var all = new ConsumerRecords<>(read, next);
        for (var interceptor : interceptors) all = interceptor.onConsume(all);
        return all;
    }

    /** Next time, those come first that had nothing, or no room. */
    private void putLast(LeaderReader reader) {
        readers.remove(reader.partition());
        readers.put(reader.partition(), reader);
    }

    private void take(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            super.pause(List.of(partition));
            if (!takeNow(partition)) awaited.put(partition, System.nanoTime());
        }
    }

    /** Of one that the other consumer does not read. */
    private boolean takeNow(TopicPartition partition) {
        if (!replicas.maybeAddListener(partition, news)) return false;
        awaited.remove(partition);
        readers.put(partition, new LeaderReader(replicas, partition));
        return true;
    }

    private void takeWhatHasCome() {
        for (TopicPartition partition : Set.copyOf(assignment())) {
            if (readers.containsKey(partition)) continue;
            Long since = awaited.get(partition);
            if (since == null && !handedBack.contains(partition)) take(List.of(partition));
            else if (since != null && !takeNow(partition) && System.nanoTime() - since > PATIENCE_NANOS)
                leaveToNetwork(partition);
        }
    }

    private void leaveToNetwork(TopicPartition partition) {
        awaited.remove(partition);
        handedBack.add(partition);
        if (!paused.contains(partition)) super.resume(List.of(partition));
    }

    private void leave(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            paused.remove(partition);
            handedBack.remove(partition);
            awaited.remove(partition);
            if (readers.remove(partition) != null) replicas.removeListener(partition, news);
        }
    }

    private void leaveAll() {
        leave(List.copyOf(readers.keySet()));
        paused.clear();
        handedBack.clear();
        awaited.clear();
    }

    private void handBackWhatIsLost() {
        for (TopicPartition partition : Set.copyOf(news.lost())) {
            news.lost().remove(partition);
            LeaderReader reader = readers.get(partition);
            if (reader != null) handBack(reader);
        }
    }

    private void handBack(LeaderReader reader) {
        TopicPartition partition = reader.partition();
        readers.remove(partition);
        replicas.removeListener(partition, news);
        // Without its epoch, which a topic of the same name that was made again has, too: what is behind its end begins
        // again.
        if (reader.isSettled()) super.seek(partition, reader.next());
        leaveToNetwork(partition);
    }

    private ConsumerRebalanceListener taking(ConsumerRebalanceListener listener) {
        return new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                take(partitions);
                listener.onPartitionsAssigned(partitions);
            }

            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                listener.onPartitionsRevoked(partitions); // which may still ask for positions
                leave(partitions);
            }

            @Override
            public void onPartitionsLost(Collection<TopicPartition> partitions) {
                listener.onPartitionsLost(partitions);
                leave(partitions);
            }
        };
    }

    @Override
    public void subscribe(Collection<String> topics) {
        subscribe(topics, NONE);
    }

    @Override
    public void subscribe(Pattern topics) {
        subscribe(topics, NONE);
    }

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
        super.subscribe(topics, taking(listener));
    }

    @Override
    public void subscribe(Pattern topics, ConsumerRebalanceListener listener) {
        super.subscribe(topics, taking(listener));
        patience = TOPICS;
        lastWithGroup = System.nanoTime() - GROUP_NANOS;
    }

    @Override
    public void unsubscribe() {
        super.unsubscribe();
        leaveAll();
    }

    @Override
    public void pause(Collection<TopicPartition> partitions) {
        super.pause(partitions);
        paused.addAll(partitions);
    }

    @Override
    public void resume(Collection<TopicPartition> partitions) {
        paused.removeAll(Set.copyOf(partitions));
        super.resume(partitions.stream()
                .filter(each -> !readers.containsKey(each) && !awaited.containsKey(each))
                .toList());
    }

    @Override
    public Set<TopicPartition> paused() {
        return Set.copyOf(paused);
    }

    @Override
    public long position(TopicPartition partition) {
        return settled(partition).map(LeaderReader::next).orElseGet(() -> super.position(partition));
    }

    @Override
    public long position(TopicPartition partition, Duration timeout) {
        return settled(partition).map(LeaderReader::next).orElseGet(() -> super.position(partition, timeout));
    }

    @Override
    public OptionalLong currentLag(TopicPartition partition) {
        return settled(partition)
                .map(reader -> OptionalLong.of(reader.lag()))
                .orElseGet(() -> super.currentLag(partition));
    }

    private Optional<LeaderReader> settled(TopicPartition partition) {
        return Optional.ofNullable(readers.get(partition)).filter(LeaderReader::isSettled);
    }

    @Override
    public void seek(TopicPartition partition, long offset) {
        super.seek(partition, offset);
        lookAgain(List.of(partition));
    }

    @Override
    public void seek(TopicPartition partition, OffsetAndMetadata offset) {
        super.seek(partition, offset);
        lookAgain(List.of(partition));
    }

    @Override
    public void seekToBeginning(Collection<TopicPartition> partitions) {
        super.seekToBeginning(partitions);
        lookAgain(partitions);
    }

    @Override
    public void seekToEnd(Collection<TopicPartition> partitions) {
        super.seekToEnd(partitions);
        lookAgain(partitions);
    }

    private void lookAgain(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions.isEmpty() ? Set.copyOf(readers.keySet()) : partitions) {
            LeaderReader reader = readers.get(partition);
            if (reader != null) reader.unsettle();
        }
    }

    @Override
    public void wakeup() {
        super.wakeup();
        news.tell();
    }

    @Override
    public void close() {
        super.close();
        leaveAll();
    }

    @Override
    public void close(CloseOptions options) {
        super.close(options);
        leaveAll();
    }
}
