package io.floodgate.bench.limit;

import io.floodgate.topics.Topics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The topics of the echo: configured like a log and its replies, there for the length of a run. */
final class EchoTopics implements AutoCloseable {
    static final String REQUESTS = "bench.echo";
    static final String REPLIES = "bench.replies";
    static final int PARTITIONS = 8;

    private final Admin admin;

    private EchoTopics(Admin admin) {
        this.admin = admin;
    }

    static EchoTopics create(Map<String, Object> kafka) throws InterruptedException {
        Admin admin = Admin.create(kafka);
        try {
            // What a run that was cut short has left behind.
            delete(admin);
            await(admin.createTopics(List.of(like(Topics.COMMANDS, REQUESTS), like(Topics.REPLIES, REPLIES)))
                    .all());
            return new EchoTopics(admin);
        } catch (RuntimeException | InterruptedException e) {
            admin.close();
            throw e;
        }
    }

    private static NewTopic like(String model, String name) {
        Topics.Spec spec = Topics.all(PARTITIONS).stream()
                .filter(each -> each.name().equals(model))
                .findFirst()
                .orElseThrow();
        return new NewTopic(name, PARTITIONS, (short) 1).configs(spec.config());
    }

    private static void delete(Admin admin) throws InterruptedException {
        for (String topic : List.of(REQUESTS, REPLIES)) {
            try {
                await(admin.deleteTopics(List.of(topic)).all());
            } catch (UnknownTopicOrPartitionException none) {
                // good
            }
        }
    }

    private static void await(KafkaFuture<Void> done) throws InterruptedException {
        try {
            done.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) throw cause;
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("the cluster did not answer within 30 s", e);
        }
    }

    @Override
    public void close() {
        try {
            delete(admin);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            admin.close();
        }
    }
}
