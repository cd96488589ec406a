package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.queue.state.IndexEntry;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.topics.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Lets one job of each order key start: the next one as soon as the one before has ended, has gone, or is passed. */
public record KeyTurns(Jobs jobs, Queues queues, JobOrders orders, Effects out) {
    /** The jobs of a partition have been put into their lines in any order. */
    void load() {
        for (KeyLines.Change change : orders.keys.takeChanges()) {
            if (change.released() != null) sort(change.released(), true);
            if (change.next() != null) sort(change.next(), false);
        }
    }

    private void sort(JobId job, boolean waits) {
        orders.sort(entry(stored(job)), waits);
        // There may be a million of them.
        jobs.forgetRead(job);
    }

    /** The lines of some jobs have changed. */
    public void settle() {
        for (KeyLines.Change change : orders.keys.takeChanges()) {
            if (change.released() != null) orders.place(entry(stored(change.released())), true);
            if (change.next() != null) release(stored(change.next()));
        }
    }

    /** Returns what is wrong with the lines, all of whose jobs these are. */
    public List<String> audit(Collection<JobRecord> all) {
        Map<Long, List<JobRecord>> recounted = new TreeMap<>();
        for (JobRecord job : all) {
            IndexEntry.Ordered place = entry(job).order();
            if (place != null)
                recounted.computeIfAbsent(place.line(), l -> new ArrayList<>()).add(job);
        }
        List<String> problems = new ArrayList<>();
        Map<String, Integer> longest = new TreeMap<>();
        recounted.values().forEach(line -> longest.merge(line.getFirst().queue, line.size(), Math::max));
        longest.forEach((queue, length) -> {
            int known = Math.max(1, orders.keys.longest(queue));
            if (known != length) problems.add("longest line of %s: %d, recounted %d".formatted(queue, known, length));
        });
        if (!recounted.keySet().equals(orders.keys.all()))
            problems.add("lines %s, recounted %s".formatted(orders.keys.all(), recounted.keySet()));
        recounted.forEach((line, jobsOfKey) -> {
            jobsOfKey.sort(Comparator.comparingLong(
                    job -> Objects.requireNonNull(entry(job).order()).number()));
            JobRecord first = jobsOfKey.getFirst();
            long running = jobsOfKey.stream().filter(job -> job.lease != null).count();
            boolean starts = running == 0 && first.isReady() && !orders.isAside(first.id);
            JobId released = orders.keys.released(line);
            if (running > 1) problems.add("%d jobs of line %d run".formatted(running, line));
            if (orders.keys.size(line) != jobsOfKey.size() || !Objects.equals(released, starts ? first.id : null))
                problems.add("line %d has %d jobs and releases %s, recounted %d and %s"
                        .formatted(line, orders.keys.size(line), released, jobsOfKey.size(), starts ? first.id : null));
        });
        return problems;
    }

    private void release(JobRecord job) {
        Queue queue = queues.of(job);
        jobs.noteEnding(job, queue);
        if (!job.isReady()) return;
        orders.place(entry(job), false);
        queues.toServe(queue);
    }

    private IndexEntry entry(JobRecord job) {
        return IndexEntry.of(job, queues.of(job));
    }

    private JobRecord stored(JobId id) {
        JobRecord job = out.whileAbout(Quarantine.JOB, id, () -> jobs.findReserved(id));
        if (job == null) throw new IllegalStateException("job %s of an order key is not stored".formatted(id));
        return job;
    }

    /** Returns the job of the same order key that keeps this one back; null if none does. */
    @Nullable
    public JobId holder(JobRecord job) {
        IndexEntry.Ordered place = entry(job).order();
        return place == null ? null : orders.keys.holder(place, job.id);
    }

    /**
     * What is shown of the lines of a queue.
     *
     * @param behind jobs that wait for another one of their key
     * @param longest the number of jobs of the longest line
     * @param since when the job was enqueued that has waited longest for another one; null if none does
     */
    public record Figures(int behind, int longest, @Nullable Instant since) {}

    public Figures figures(Queue queue) {
        int behind = queue.ready().behind();
        return behind == 0
                ? new Figures(0, 0, null)
                : new Figures(
                        behind,
                        orders.keys.longest(queue.name),
                        jobs.oldest(queue.ready().headsBehind()));
    }

    /** Returns how many jobs are in the line of this one, itself among them. */
    public int lineOf(JobRecord job) {
        IndexEntry.Ordered place = entry(job).order();
        return place == null ? 0 : orders.keys.size(place.line());
    }
}
