package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.queue.DeadLettering;
import io.floodgate.topics.queue.Keeping;
import io.floodgate.topics.queue.QueuePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finished jobs of queues that keep only a number of them, oldest first. Only jobs that finish while their queue has
 * such a number are counted: other queues pay nothing, and a queue that gets a number loses nothing that is there.
 */
public final class CountedJobs implements Entity {
    /** The most jobs of a queue that go in one step, even if the number was lowered by far. */
    private static final int SLICE = 100;

    private static final byte[] NOTHING = {};

    /** The way in which a job has ended. */
    private enum Kind {
        COMPLETED(0),
        CANCELLED(1),
        DISCARDED(2),
        DEAD_LETTER(3);

        /** Code in the stored form. */
        final int code;

        Kind(int code) {
            this.code = code;
        }
    }

    private record Group(Kind kind, String queue) implements Comparable<Group> {
        @Override
        public int compareTo(Group other) {
            int order = kind.compareTo(other.kind);
            return order != 0 ? order : queue.compareTo(other.queue);
        }
    }

    private final KeyValues index;
    private final KeyValues counts;
    private final Queues queues;
    /** Jobs that this step has added, which a scan does not see yet. */
    private final Map<Group, List<JobId>> grown = new TreeMap<>();

    public CountedJobs(KeyValues index, KeyValues counts, Queues queues) {
        this.index = index;
        this.counts = counts;
        this.queues = queues;
    }

    /** Adds a job that has finished. */
    void enter(JobRecord job) {
        Group group = new Group(kind(job), job.queue);
        byte[] key = key(group, job);
        if (key == null || most(group) == null || index.get(key) != null) return;
        index.put(key, NOTHING);
        count(group, 1);
        grown.computeIfAbsent(group, one -> new ArrayList<>()).add(job.id);
    }

    /** Takes out a job that is removed, or lives again. */
    void leave(JobRecord job) {
        for (Kind kind : Kind.values()) {
            Group group = new Group(kind, job.queue);
            byte[] key = isOf(kind, job.state) ? key(group, job) : null;
            if (key == null || index.get(key) == null) continue;
            index.delete(key);
            count(group, -1);
        }
    }

    private static Kind kind(JobRecord job) {
        return switch (job.state) {
            case CANCELLED -> Kind.CANCELLED;
            case DISCARDED -> job.deadLetter ? Kind.DEAD_LETTER : Kind.DISCARDED;
            default -> Kind.COMPLETED;
        };
    }

    private static boolean isOf(Kind kind, JobState state) {
        return switch (kind) {
            case COMPLETED -> state == JobState.COMPLETED;
            case CANCELLED -> state == JobState.CANCELLED;
            case DISCARDED, DEAD_LETTER -> state == JobState.DISCARDED;
        };
    }

    private byte @Nullable [] key(Group group, JobRecord job) {
        return job.endedAt == null
                ? null
                : Keys.counted(group.kind.code, group.queue, job.endedAt.toEpochMilli(), job.id);
    }

    /** Returns the number of these jobs that the queue keeps; null if it is not configured. */
    private @Nullable Long most(Group group) {
        QueuePolicy policy = queues.imagine(group.queue).config().policy();
        Keeping keeping = policy.keeping();
        return switch (group.kind) {
            case COMPLETED -> keeping.completedCount();
            case CANCELLED -> keeping.cancelledCount();
            case DISCARDED -> keeping.discardedCount();
            case DEAD_LETTER -> {
                DeadLettering dead = policy.deadLetters();
                boolean isOfHere = dead.queue() == null && dead.maxSize() != null;
                yield isOfHere ? dead.bound() : keeping.discardedCount();
            }
        };
    }

    private long count(Group group) {
        byte[] stored = counts.get(Keys.countOf(group.kind.code, group.queue));
        return stored == null ? 0 : new BinaryIn(stored).number();
    }

    private void count(Group group, long more) {
        byte[] key = Keys.countOf(group.kind.code, group.queue);
        long now = Math.max(0, count(group) + more);
        if (now == 0) counts.delete(key);
        else counts.put(key, new BinaryOut().number(now).toBytes());
    }

    /** The oldest of those that are too many by what this step has added. */
    List<JobId> takeTooMany() {
        List<JobId> tooMany = new ArrayList<>();
        grown.forEach((group, latest) -> {
            Long most = most(group);
            long over = most == null ? 0 : Math.min(SLICE, count(group) - most);
            if (over <= 0) return;
            List<JobId> oldest = oldest(group, over);
            tooMany.addAll(oldest);
            // They are the last that go.
            latest.stream().limit(over - oldest.size()).forEach(tooMany::add);
        });
        grown.clear();
        return tooMany;
    }

    private List<JobId> oldest(Group group, long most) {
        byte[] prefix = Keys.allCounted(group.kind.code, group.queue);
        List<JobId> oldest = new ArrayList<>();
        index.scan(prefix, Keys.after(prefix), (key, value) -> {
            oldest.add(Keys.jobAtEnd(key));
            return oldest.size() < most;
        });
        return oldest;
    }

    @Override
    public void rollBack() {
        grown.clear();
    }
}
