package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Housekeeping;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.queue.JobView.JobParts;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.Stores;
import io.floodgate.topics.JobId;
import io.floodgate.topics.job.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a log, and the one door through which they change: a job is taken out of all counts, orders and timers,
 * changed, and put back, so that these cannot disagree with it.
 */
final class Jobs {
    private final Stores stores;
    private final Keys keys;
    private final Queues queues;
    private final Timers timers;
    private final Housekeeping housekeeping;
    private final Effects out;
    /** The jobs this step has looked at; what it changes is written at its end. */
    private final Map<JobId, Job> loaded = new LinkedHashMap<>();

    private final Set<Job> changed = new LinkedHashSet<>();
    private final Map<String, TreeSet<JobId>> leasedTo = new TreeMap<>();

    Jobs(Stores stores, Keys keys, Queues queues, Timers timers, Housekeeping housekeeping, Effects out) {
        this.stores = stores;
        this.keys = keys;
        this.queues = queues;
        this.timers = timers;
        this.housekeeping = housekeeping;
        this.out = out;
    }

    /** Rebuilds ready order, leases and timers. Finished jobs lie apart and are not looked at. */
    void load() {
        clearStep();
        leasedTo.clear();
        TreeMap<Queue, java.util.ArrayList<Job>> ready = new TreeMap<>(java.util.Comparator.comparing(q -> q.name));
        byte[] prefix = keys.allLive();
        stores.jobs().scan(prefix, Keys.after(prefix), (key, value) -> {
            Job job = JobCodec.read(Keys.jobAtEnd(key), value);
            Instant wakesAt = job.wakesAt();
            if (wakesAt != null) timers.set(Timer.job(wakesAt, job.id));
            if (job.state == JobState.AVAILABLE && !job.held)
                ready.computeIfAbsent(queues.of(job), q -> new java.util.ArrayList<>())
                        .add(job);
            else indexLease(job);
            return true;
        });
        ready.forEach((queue, jobs) -> {
            jobs.sort(java.util.Comparator.comparingLong(job -> job.place));
            for (Job job : jobs) queue.ready.add(job.priority, job.place, job.id);
        });
    }

    /** The job, unless it is unknown or part of a batch that is not settled. */
    @Nullable
    Job find(JobId id) {
        Job job = findHeld(id);
        return job == null || job.held ? null : job;
    }

    @Nullable
    Job findHeld(JobId id) {
        Job known = loaded.get(id);
        if (known != null) return known;
        byte[] stored = stores.jobs().get(keys.live(id));
        if (stored == null) stored = stores.jobs().get(keys.terminal(id));
        if (stored == null) return null;
        Job job = JobCodec.read(id, stored);
        loaded.put(id, job);
        return job;
    }

    /** Whether the job is stored, were it only held. The payload is there as long as the job, whatever becomes of it. */
    boolean knows(JobId id) {
        return loaded.containsKey(id) || stores.payloads().get(keys.payload(id)) != null;
    }

    void add(Job job, byte[] payload) {
        stores.payloads().put(keys.payload(job.id), payload);
        loaded.put(job.id, job);
        enter(job);
    }

    void change(Job job, Consumer<Job> change) {
        boolean wasLive = leave(job);
        change.accept(job);
        enter(job);
        if (wasLive && !job.isLive()) {
            stores.jobs().delete(keys.live(job.id));
            fileAway(job);
        } else if (!wasLive && job.isLive()) {
            stores.jobs().delete(keys.terminal(job.id));
        }
    }

    /** Removes every trace of the job. */
    void forget(Job job) {
        leave(job);
        changed.remove(job);
        loaded.remove(job.id);
        stores.jobs().delete(keys.live(job.id));
        stores.jobs().delete(keys.terminal(job.id));
        stores.payloads().delete(keys.payload(job.id));
        if (job.hasErrors) stores.payloads().delete(keys.errors(job.id));
        if (job.hasResult) stores.payloads().delete(keys.result(job.id));
    }

    private boolean leave(Job job) {
        Queue queue = queues.of(job);
        queue.counts.remove(job);
        queues.changed(queue);
        if (job.state == JobState.AVAILABLE && !job.held) queue.ready.remove(job.priority, job.place);
        if (job.lease != null && job.lease.worker() != null) unindexLease(job, job.lease.worker());
        Instant wakesAt = job.wakesAt();
        if (wakesAt != null) timers.cancel(Timer.job(wakesAt, job.id));
        if (job.deadLetter && job.endedAt != null) stores.jobs().delete(keys.dead(job.endedAt.toEpochMilli(), job.id));
        return job.isLive();
    }

    private void enter(Job job) {
        Queue queue = queues.of(job);
        queue.counts.add(job);
        queues.changed(queue);
        if (job.state == JobState.AVAILABLE && !job.held) {
            queue.ready.add(job.priority, job.place, job.id);
            queues.stirred(queue);
        }
        indexLease(job);
        Instant wakesAt = job.wakesAt();
        if (wakesAt != null) timers.set(Timer.job(wakesAt, job.id));
        changed.add(job);
    }

    /** A finished job is found again by the time it is to be forgotten, and, if so, among the dead letters. */
    private void fileAway(Job job) {
        Instant ended = job.endedAt == null ? out.now() : job.endedAt;
        Instant until = ended.plus(retention(job.state));
        stores.jobs().put(keys.prune(until.toEpochMilli(), job.id), new byte[0]);
        housekeeping.wantBy(until);
        if (job.deadLetter)
            stores.jobs()
                    .put(
                            keys.dead(ended.toEpochMilli(), job.id),
                            job.queue.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    /** How long finished jobs are kept (OJS queue configuration §6.3). */
    static Duration retention(JobState state) {
        return state == JobState.DISCARDED ? Duration.ofDays(30) : Duration.ofDays(7);
    }

    JobParts parts(Job job) {
        byte[] payload = stores.payloads().get(keys.payload(job.id));
        if (payload == null) throw new IllegalStateException("job %s has lost its payload".formatted(job.id));
        byte[] errors = job.hasErrors ? stores.payloads().get(keys.errors(job.id)) : null;
        boolean showsResult = job.hasResult && job.state == JobState.COMPLETED;
        return new JobParts(
                payload,
                errors == null ? null : ErrorLog.read(errors).show(job.state != JobState.COMPLETED),
                showsResult ? stores.payloads().get(keys.result(job.id)) : null);
    }

    void addError(Job job, byte[] entry) {
        byte[] stored = job.hasErrors ? stores.payloads().get(keys.errors(job.id)) : null;
        ErrorLog errors = stored == null ? new ErrorLog() : ErrorLog.read(stored);
        stores.payloads().put(keys.errors(job.id), errors.with(entry).write());
        job.hasErrors = true;
    }

    void setResult(Job job, byte[] result) {
        stores.payloads().put(keys.result(job.id), result);
        job.hasResult = true;
    }

    /** Since when the queue's longest waiting ready job has been there. */
    @Nullable
    Instant oldest(Queue queue) {
        Instant oldest = null;
        for (JobId id : queue.ready.heads()) {
            byte[] stored = stores.jobs().get(keys.live(id));
            if (stored == null) continue;
            Instant at = JobCodec.read(id, stored).enqueuedAt;
            if (oldest == null || at.isBefore(oldest)) oldest = at;
        }
        return oldest;
    }

    /** Visits every stored job, finished ones too: for audits. */
    void visitAll(Consumer<Job> visitor) {
        for (byte[] prefix : List.of(keys.allLive(), keys.allTerminal()))
            stores.jobs().scan(prefix, Keys.after(prefix), (key, value) -> {
                visitor.accept(JobCodec.read(Keys.jobAtEnd(key), value));
                return true;
            });
    }

    /** The jobs this worker holds leases on. */
    List<JobId> leasedTo(String worker) {
        TreeSet<JobId> jobs = leasedTo.get(worker);
        return jobs == null ? List.of() : List.copyOf(jobs);
    }

    private void indexLease(Job job) {
        if (job.lease == null || job.lease.worker() == null) return;
        leasedTo.computeIfAbsent(job.lease.worker(), w -> new TreeSet<>()).add(job.id);
    }

    private void unindexLease(Job job, String worker) {
        TreeSet<JobId> jobs = leasedTo.get(worker);
        if (jobs != null && jobs.remove(job.id) && jobs.isEmpty()) leasedTo.remove(worker);
    }

    /** Writes what the step changed. */
    void save() {
        for (Job job : changed)
            stores.jobs().put(job.isLive() ? keys.live(job.id) : keys.terminal(job.id), JobCodec.write(job));
        clearStep();
    }

    private void clearStep() {
        changed.clear();
        loaded.clear();
    }
}
