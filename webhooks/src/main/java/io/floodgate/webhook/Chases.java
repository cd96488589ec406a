package io.floodgate.webhook;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** The subscriptions that have to catch up: a few at a time, by turns. */
final class Chases implements AutoCloseable {
    private static final int MOST_AT_ONCE = 4;

    private final List<Chase> all = new ArrayList<>();

    void add(Chase chase) {
        all.add(chase);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** Returns those whose turn it is. One that has to wait, because its queue is half full, lets others go first. */
    List<Chase> next() {
        List<Chase> next = List.copyOf(all.subList(0, Math.min(MOST_AT_ONCE, all.size())));
        if (all.size() > MOST_AT_ONCE) all.add(all.removeFirst());
        return next;
    }

    /** Returns the last revision before that of a subscription which has to catch up in this partition. */
    long considered(TopicPartition partition) {
        return all.stream()
                .filter(chase -> chase.partitions().contains(partition))
                .mapToLong(chase -> chase.subscription().following().revision() - 1)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    void end(String subscription) {
        for (Chase chase : List.copyOf(all)) {
            if (!chase.subscription().id().equals(subscription)) continue;
            chase.close();
            all.remove(chase);
        }
    }

    /** Another process has this partition now. */
    void drop(TopicPartition partition) {
        for (Chase chase : List.copyOf(all)) {
            if (chase.partitions().contains(partition)) chase.drop(partition);
            if (chase.partitions().isEmpty()) end(chase.subscription().id());
        }
    }

    @Override
    public void close() {
        all.forEach(Chase::close);
        all.clear();
    }
}
