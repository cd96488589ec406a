package io.floodgate.topics.client;

import static org.apache.kafka.common.resource.PatternType.LITERAL;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;

import io.floodgate.topics.Topics;
import io.floodgate.topics.client.Rights.Grant;
import io.floodgate.topics.client.Rights.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the cluster what a role may do there, before it does anything: a client that finds out later only knows that
 * something failed. Rights that a cluster does not show are taken as allowed.
 */
final class RightsCheck {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A broker that hangs must not hold up a start for each question that it would have to answer. */
    private static final Duration SHORT = Duration.ofSeconds(3);

    private static final String ANY = "rights-check";

    /** Rights that are needed only as long as something is to be made. */
    private static final Set<AclOperation> TO_MAKE = EnumSet.of(AclOperation.CREATE);

    /** Rights that include the right to see whether there is such a topic. */
    private static final Set<AclOperation> TO_SEE =
            EnumSet.of(AclOperation.DESCRIBE, AclOperation.READ, AclOperation.WRITE, AclOperation.DELETE);

    private final Admin admin;
    private final Cluster cluster;
    private final List<String> missing = new ArrayList<>();
    private boolean silent;

    private RightsCheck(Admin admin, Cluster cluster) {
        this.admin = admin;
        this.cluster = cluster;
    }

    /** @param queueTopics whether topics of queues are used */
    static void run(Admin admin, Cluster cluster, Role role, boolean queueTopics) {
        RightsCheck check = new RightsCheck(admin, cluster);
        Set<String> seen = AdminAnswers.await(admin.listTopics().names(), PATIENCE);
        for (Grant grant : Rights.of(role)) {
            boolean ofQueues = grant.name().equals(Topics.ingress(""));
            if (!check.silent && (!ofQueues || queueTopics)) check.look(grant, seen);
        }
        if (!check.missing.isEmpty()) throw new MissingRights(cluster, check.missing);
    }

    private void look(Grant grant, Set<String> seen) {
        String name = cluster.namespace().of(grant.name());
        switch (grant.type()) {
            case TOPIC -> {
                if (grant.pattern() == LITERAL) topic(grant, name, resource(grant, name));
                else topics(grant, name, seen);
            }
            case GROUP -> group(grant, name);
            case TRANSACTIONAL_ID -> transactionalIds(grant, name);
            default -> throw new IllegalStateException("no way to check " + grant.type());
        }
    }

    private void group(Grant grant, String name) {
        try {
            var answer = admin.describeConsumerGroups(
                    List.of(name), new DescribeConsumerGroupsOptions().includeAuthorizedOperations(true));
            allowed(
                    grant,
                    resource(grant, name),
                    await(Objects.requireNonNull(answer.describedGroups().get(name)))
                            .authorizedOperations());
        } catch (KafkaException e) {
            rejected(grant, resource(grant, name), e);
        }
    }

    private void transactionalIds(Grant grant, String prefix) {
        try {
            await(admin.describeTransactions(List.of(prefix + ANY)).all());
        } catch (KafkaException e) {
            rejected(grant, resource(grant, prefix), e);
        }
    }

    /** Checks one of these topics, since one is as good as any other; there may be none yet. */
    private void topics(Grant grant, String prefix, Set<String> seen) {
        List<String> there = seen.stream()
                .filter(topic -> topic.startsWith(prefix) && topic.length() > prefix.length())
                .sorted(Comparator.naturalOrder())
                .limit(1)
                .toList();
        if (there.isEmpty() || grant.name().equals(Topics.ingress(""))) mayMake(grant, prefix);
        for (String topic : there) topic(grant, topic, Rights.resource(TOPIC, LITERAL, topic));
        if (there.isEmpty() && grant.operations().stream().anyMatch(TO_SEE::contains))
            topic(grant, prefix + ANY, resource(grant, prefix));
    }

    private void mayMake(Grant grant, String prefix) {
        if (!grant.operations().contains(AclOperation.CREATE)) return;
        String name = prefix + ANY;
        try {
            await(admin.createTopics(
                            List.of(new NewTopic(name, 1, (short) 1)), new CreateTopicsOptions().validateOnly(true))
                    .all());
        } catch (KafkaException e) {
            if (e.getCause() instanceof AuthorizationException) add(AclOperation.CREATE, resource(grant, prefix));
        }
    }

    private void topic(Grant grant, String name, String resource) {
        try {
            allowed(
                    grant,
                    resource,
                    Objects.requireNonNull(await(admin.describeTopics(
                                                    List.of(name),
                                                    new DescribeTopicsOptions().includeAuthorizedOperations(true))
                                            .allTopicNames())
                                    .get(name))
                            .authorizedOperations());
        } catch (KafkaException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) return;
            rejected(grant, resource, e);
        }
    }

    private void allowed(Grant grant, String resource, @Nullable Set<AclOperation> operations) {
        if (operations == null) return;
        for (AclOperation operation : grant.operations())
            if (!TO_MAKE.contains(operation) && !operations.contains(operation)) add(operation, resource);
    }

    /** Notes that a resource cannot even be seen: then nothing of it is allowed. */
    private void rejected(Grant grant, String resource, KafkaException failure) {
        silent |= failure.getCause() instanceof TimeoutException;
        if (!(failure.getCause() instanceof AuthorizationException)) return;
        for (AclOperation operation : grant.operations()) if (!TO_MAKE.contains(operation)) add(operation, resource);
    }

    private void add(AclOperation operation, String resource) {
        missing.add("%s on %s".formatted(Rights.name(operation), resource));
    }

    private static String resource(Grant grant, String name) {
        return Rights.resource(grant.type(), grant.pattern(), name);
    }

    private static <T> T await(KafkaFuture<T> answer) {
        return AdminAnswers.await(answer, SHORT);
    }
}
