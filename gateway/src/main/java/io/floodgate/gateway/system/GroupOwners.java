package io.floodgate.gateway.system;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Topics;
import io.floodgate.topics.client.AdminAnswers;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.ClusterAdmin;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the group of the processors. A processor that was killed is a member until its session is over, and then its partitions are
 * those of others. As partitions are rarely silent, there is a connection only while the question is asked, at most once in two seconds.
 */
public final class GroupOwners implements PartitionOwners {
    private static final Logger LOG = LoggerFactory.getLogger(GroupOwners.class);
    private static final Duration PATIENCE = Duration.ofMillis(1_500);
    private static final Set<GroupState> REBALANCING =
            Set.of(GroupState.PREPARING_REBALANCE, GroupState.COMPLETING_REBALANCE);

    private static final Duration FRESH = Duration.ofSeconds(2);

    private final Cluster cluster;
    private final LongSupplier nanos;
    private final ReentrantLock asking = new ReentrantLock();
    private Map<TopicPartition, Owner> known = Map.of();
    private long askedAt;

    public GroupOwners(Cluster cluster, LongSupplier nanos) {
        this.cluster = cluster;
        this.nanos = nanos;
        askedAt = nanos.getAsLong() - FRESH.toNanos();
    }

    @Override
    public @Nullable Owner of(PartitionId partition) {
        asking.lock();
        try {
            if (nanos.getAsLong() - askedAt >= FRESH.toNanos()) {
                known = ask();
                askedAt = nanos.getAsLong();
            }
            return known.get(new TopicPartition(cluster.topic(Topics.COMMANDS), partition.partition()));
        } finally {
            asking.unlock();
        }
    }

    private Map<TopicPartition, Owner> ask() {
        String group = cluster.namespace().application();
        Admin admin = new ClusterAdmin(cluster.client("owners"));
        try {
            var answer = admin.describeConsumerGroups(List.of(group)).all();
            Map<TopicPartition, Owner> owners = new HashMap<>();
            for (ConsumerGroupDescription described :
                    AdminAnswers.await(answer, PATIENCE).values()) {
                // Meanwhile no member has a partition: those that had them last are meant.
                if (REBALANCING.contains(described.groupState())) return known;
                for (MemberDescription member : described.members())
                    for (TopicPartition partition : member.assignment().topicPartitions())
                        owners.put(partition, owner(member));
            }
            return owners;
        } catch (KafkaException e) {
            LOG.info("The group {} does not say who has which partition: {}", group, e.getMessage());
            return Map.of();
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    private static Owner owner(MemberDescription member) {
        String host = member.host().startsWith("/") ? member.host().substring(1) : member.host();
        return new Owner(member.groupInstanceId().orElse(member.clientId()), host);
    }
}
