package io.floodgate.processor.topology.disk;

import io.floodgate.topics.client.AdminAnswers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Asks the cluster about all partitions of a changelog at once, since the stores of many tasks are opened together. */
public final class AdminChangelogs implements Changelogs {
    private static final Duration FRESH = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private record Answer(long askedAt, Map<Integer, Changelog> partitions) {
        Optional<Changelog> of(TopicPartition partition) {
            return Optional.ofNullable(partitions.get(partition.partition()));
        }
    }

    private final Admin admin;
    private final Map<String, Answer> answers = new HashMap<>();

    public AdminChangelogs(Admin admin) {
        this.admin = admin;
    }

    @Override
    public synchronized Optional<Changelog> find(TopicPartition partition) {
        Answer answer = answers.get(partition.topic());
        if (answer == null || System.nanoTime() - answer.askedAt() > FRESH.toNanos()) return findNow(partition);
        return answer.of(partition);
    }

    @Override
    public synchronized Optional<Changelog> findNow(TopicPartition partition) {
        Answer answer = new Answer(System.nanoTime(), ask(partition.topic()));
        // A topic that is not there may be made in a moment.
        if (answer.partitions().isEmpty()) answers.remove(partition.topic());
        else answers.put(partition.topic(), answer);
        return answer.of(partition);
    }

    private Map<Integer, Changelog> ask(String topic) {
        try {
            return partitionsOf(topic);
        } catch (KafkaException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) return Map.of();
            // Kafka Streams tries the task again, where another exception would end the thread.
            if (e.getCause() instanceof TimeoutException
                    || e.getCause() instanceof java.util.concurrent.TimeoutException)
                throw new TimeoutException("The cluster did not answer about " + topic + ".", e);
            throw new KafkaException("The cluster could not be asked about " + topic + ".", e);
        }
    }

    private Map<Integer, Changelog> partitionsOf(String topic) {
        TopicDescription description = Objects.requireNonNull(
                await(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic));
        Map<TopicPartition, OffsetSpec> begins = new HashMap<>();
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        int copies = description.partitions().getFirst().replicas().size();
        description.partitions().forEach(p -> {
            begins.put(new TopicPartition(topic, p.partition()), OffsetSpec.earliest());
            ends.put(new TopicPartition(topic, p.partition()), OffsetSpec.latest());
        });
        KafkaFuture<Map<TopicPartition, ListOffsetsResultInfo>> first =
                admin.listOffsets(begins).all();
        Map<TopicPartition, ListOffsetsResultInfo> last =
                await(admin.listOffsets(ends).all());
        Map<Integer, Changelog> found = new HashMap<>();
        await(first)
                .forEach((partition, begin) -> found.put(
                        partition.partition(),
                        new Changelog(
                                description.topicId(),
                                begin.offset(),
                                Objects.requireNonNull(last.get(partition)).offset(),
                                copies)));
        return found;
    }

    private static <T> T await(KafkaFuture<T> answer) {
        return AdminAnswers.await(answer, PATIENCE);
    }
}
