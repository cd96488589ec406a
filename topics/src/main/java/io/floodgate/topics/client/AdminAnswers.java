package io.floodgate.topics.client;

import static java.util.stream.Collectors.toMap;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicListing;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;

/** Waits for what a cluster answers to its administrators. */
public final class AdminAnswers {
    private AdminAnswers() {}

    /** Throws a {@link KafkaException} whose cause is what went wrong. */
    public static <T> T await(KafkaFuture<T> answer, Duration patience) {
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new KafkaException(String.valueOf(e.getCause()), e.getCause());
        } catch (TimeoutException e) {
            throw new KafkaException("The cluster did not answer within %d s.".formatted(patience.toSeconds()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("Interrupted while the cluster was asked.", e);
        }
    }

    /** Returns the ids of all topics that there are, by name. */
    public static Map<String, String> topicIds(Admin admin, Duration patience) {
        return await(admin.listTopics().listings(), patience).stream()
                .collect(toMap(TopicListing::name, topic -> topic.topicId().toString()));
    }

    /** Makes topics; one that another process has made meanwhile is as good. */
    public static void create(Admin admin, List<NewTopic> topics, Duration patience) {
        for (KafkaFuture<Void> creation : admin.createTopics(topics).values().values()) {
            try {
                await(creation, patience);
            } catch (KafkaException failed) {
                if (!(failed.getCause() instanceof TopicExistsException)) throw failed;
            }
        }
    }
}
