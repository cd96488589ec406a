package io.floodgate.processor.topology;

import static java.util.stream.Collectors.toSet;

import io.floodgate.topics.client.AdminAnswers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;

/** The static members of a group. Such a member cannot leave by itself: its coordinator is asked to remove it. */
final class GroupMembers {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Admin admin;
    private final String group;

    GroupMembers(Admin admin, String group) {
        this.admin = admin;
        this.group = group;
    }

    Set<String> names() {
        var described = admin.describeConsumerGroups(List.of(group)).describedGroups();
        return AdminAnswers.await(Objects.requireNonNull(described.get(group)), PATIENCE).members().stream()
                .map(MemberDescription::groupInstanceId)
                .flatMap(Optional::stream)
                .collect(toSet());
    }

    /** Others get the partitions of these members at once, and not after the end of their sessions. */
    void remove(Predicate<String> names) {
        Set<MemberToRemove> members =
                names().stream().filter(names).map(MemberToRemove::new).collect(toSet());
        if (members.isEmpty()) return;
        var options = new RemoveMembersFromConsumerGroupOptions(members);
        AdminAnswers.await(admin.removeMembersFromConsumerGroup(group, options).all(), PATIENCE);
    }
}
