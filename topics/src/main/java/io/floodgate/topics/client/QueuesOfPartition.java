package io.floodgate.topics.client;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a fetch that live in one partition. Their positions are those in the list of the whole fetch, where the left-most
 * queue with a job comes first.
 */
final class QueuesOfPartition {
    static final int NONE = Integer.MAX_VALUE;

    private static final byte[] YES = {'t', 'r', 'u', 'e'};

    /** The queues of a partition that come at a position or after it. */
    record From(QueuesOfPartition log, int position) {}

    private final PartitionId log;
    private final List<String> names = new ArrayList<>();
    private final List<Integer> positions = new ArrayList<>();

    private QueuesOfPartition(PartitionId log) {
        this.log = log;
    }

    /**
     * Sorts queues by partition, in the order of each partition's first queue. A queue that is named twice counts where
     * it was named first.
     */
    static List<QueuesOfPartition> of(Collection<String> queues, Routing routing) {
        Map<PartitionId, QueuesOfPartition> byLog = new LinkedHashMap<>();
        int position = 0;
        for (String queue : new LinkedHashSet<>(queues))
            byLog.computeIfAbsent(routing.ofQueue(queue), QueuesOfPartition::new)
                    .add(queue, position++);
        return List.copyOf(byLog.values());
    }

    private void add(String queue, int position) {
        names.add(queue);
        positions.add(position);
    }

    PartitionId log() {
        return log;
    }

    List<String> names() {
        return names;
    }

    /** The queues at these positions, the last one excluded. */
    List<String> between(int from, int to) {
        return names.subList(indexOf(from), indexOf(to));
    }

    /** The first position from there on; {@link #NONE} if there is none. */
    int firstFrom(int position) {
        int index = indexOf(position);
        return index == positions.size() ? NONE : positions.get(index);
    }

    private int indexOf(int position) {
        int index = 0;
        while (index < positions.size() && positions.get(index) < position) index++;
        return index;
    }

    /** The position of the first queue that a watch found ready; a partition that does not name it means any from there on. */
    int ready(Reply.Done answer, int from) {
        Members found = ready(answer);
        if (found == null) return NONE;
        int named = names.indexOf(found.text("queue"));
        return named < 0 ? firstFrom(from) : Math.max(from, positions.get(named));
    }

    /** Returns the queues that a watch found ready: the one that its partition names, or any. */
    static List<String> ready(Reply.Done answer, List<String> watched) {
        Members found = ready(answer);
        if (found == null) return List.of();
        String named = found.text("queue");
        return named != null && watched.contains(named) ? List.of(named) : watched;
    }

    /** The answer, if it says that something is ready. */
    private static @Nullable Members ready(Reply.Done answer) {
        try {
            Members members = Members.of(answer.body());
            return Arrays.equals(members.raw("ready"), YES) ? members : null;
        } catch (MalformedJson unreadable) {
            return null;
        }
    }
}
