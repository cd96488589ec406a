package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Housekeeping;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.Stores;
import io.floodgate.topics.JobId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.LogCommand.Extend;
import io.floodgate.topics.command.LogCommand.ListDead;
import io.floodgate.topics.command.LogCommand.Withdraw;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The queues and jobs of one log: what commands, messages and timers do to them. */
public final class QueueRules implements Entity {
    private final Queues queues;
    private final Jobs jobs;
    private final Announcements announcements;
    private final Admission admission;
    private final Attempts attempts;
    private final JobTimers jobTimers;
    private final Retirement retirement;
    private final JobRules jobRules;
    private final Fetches fetches;
    private final Waiting waiting;
    private final Leases leases;
    private final DeadLetters deadLetters;
    private final Clearing clearing;
    private final Housekeeping housekeeping;
    private final List<String> changed = new ArrayList<>();
    private final Effects out;

    public QueueRules(
            Stores stores, Keys keys, Routing routing, Timers timers, Housekeeping housekeeping, Effects out) {
        this.out = out;
        this.housekeeping = housekeeping;
        JobEvents events = new JobEvents(out);
        queues = new Queues(stores.entities(), keys, out);
        jobs = new Jobs(stores, keys, queues, timers, housekeeping, out);
        announcements = new Announcements(stores.entities(), keys, routing, housekeeping, out);
        admission = new Admission(queues, jobs, events, out);
        attempts = new Attempts(queues, jobs, events, out);
        jobTimers = new JobTimers(queues, jobs, attempts, events, out);
        retirement = new Retirement(stores.jobs(), keys, jobs, housekeeping, routing, out);
        jobRules = new JobRules(queues, jobs, attempts, retirement, events, out);
        fetches = new Fetches(queues, jobs, jobTimers, announcements, events, out);
        waiting = new Waiting(stores.entities(), keys, queues, fetches, timers, out);
        leases = new Leases(jobs, jobTimers, attempts, events, out);
        clearing = new Clearing(stores, keys, queues, jobs, announcements, waiting);
        deadLetters = new DeadLetters(stores.jobs(), keys, queues, jobs, out);
    }

    /** Rebuilds from the stores what is held in memory. */
    @Override
    public void load() {
        queues.load();
        jobs.load();
        announcements.load();
        waiting.load();
    }

    /** Whether this log has the job, were it only held. */
    public boolean knows(JobId id) {
        return jobs.knows(id);
    }

    /** Whether this log has the job, but does not show it yet: its batch is not settled. */
    public boolean holds(JobId id) {
        Job job = jobs.findHeld(id);
        return job != null && job.held;
    }

    /** Takes the job in; the tail of what is shown of it. */
    public byte[] admit(Envelope envelope, JobId id, boolean registered) {
        return JobView.tail(admission.admit(envelope, id, registered, false));
    }

    /** Takes the job in without showing it to anybody; the place in the line that it holds. */
    public long reserve(Envelope envelope, JobId id, boolean registered) {
        return admission.admit(envelope, id, registered, true).place;
    }

    /** The tail that a held job will be shown with. */
    public byte[] tailOfReserved(JobId id) {
        Job job = jobs.findHeld(id);
        if (job == null) throw new IllegalStateException("job %s is not held".formatted(id));
        return JobView.tail(job);
    }

    /** Lets the job into its queue, if it is still held at this place. */
    public void admitReserved(JobId id, long place) {
        Job job = jobs.findHeld(id);
        if (job != null && job.held && job.place == place) admission.letGo(job);
    }

    public void dropReserved(JobId id, long place) {
        Job job = jobs.findHeld(id);
        if (job != null && job.place == place) dropReserved(id);
    }

    /** Forgets the job, if it is held. */
    public void dropReserved(JobId id) {
        Job job = jobs.findHeld(id);
        if (job != null && job.held) jobs.forget(job);
    }

    /** Carries out a command on a job of this log; false when there is no such job here. */
    public boolean apply(JobCommand command) {
        Job job = jobs.find(command.job());
        if (job == null) return false;
        jobTimers.catchUp(job);
        jobRules.apply(command, job);
        return true;
    }

    /** @param number the place of this fetch among all that wait, should it have to */
    public void fetch(Fetch fetch, long number) {
        JsonOut lines = fetches.claim(fetch);
        if (lines.length() > 0 || fetch.maxWait().isZero() || out.replyTo() == null) out.reply(lines);
        else park(number, false, fetch);
    }

    public void watch(Watch watch, long number) {
        boolean ready = watch.queues().stream().anyMatch(fetches::hasReady);
        if (ready || watch.maxWait().isZero() || out.replyTo() == null) out.reply(Waiting.ready(ready));
        else park(number, true, new Fetch(watch.queues(), 1, null, null, watch.maxWait()));
    }

    private void park(long number, boolean watch, Fetch fetch) {
        if (out.replyTo() == null) return;
        Instant until = out.now().plus(fetch.maxWait());
        waiting.park(new Parked(number, watch, fetch, out.replyTo(), until));
        out.setReplyTo(null);
    }

    public void pause(String name) {
        Queue queue = queues.use(name);
        if (!queue.isPaused()) {
            queue.pausedAt = out.now();
            queues.changed(queue);
            announce("queue.paused", queue);
        }
        replyStatus(queue);
    }

    public void resume(String name) {
        Queue queue = queues.use(name);
        if (queue.isPaused()) {
            queue.pausedAt = null;
            queues.changed(queue);
            queues.stirred(queue);
            announce("queue.resumed", queue);
        }
        replyStatus(queue);
    }

    private void announce(String type, Queue queue) {
        out.emit(
                type,
                queue.name,
                queue.name,
                new JsonOut().beginObject().field("queue", queue.name).endObject());
    }

    public void show(String name) {
        Queue queue = queues.find(name);
        replyStatus(queue == null ? new Queue(name) : queue);
    }

    private void replyStatus(Queue queue) {
        if (out.replyTo() != null) out.reply(status(queue, out.now()));
    }

    /** The queue's line on {@code ojs.queue-status}; nothing for a queue that was never used. */
    public Optional<byte[]> status(String name, Instant now) {
        Queue queue = queues.find(name);
        return queue == null || !queue.exists() ? Optional.empty() : Optional.of(status(queue, now));
    }

    public List<String> names() {
        return queues.all().stream().map(queue -> queue.name).toList();
    }

    /** How many jobs are stored, finished ones too. */
    public long jobs() {
        return queues.all().stream().mapToLong(queue -> queue.counts.all()).sum();
    }

    private byte[] status(Queue queue, Instant now) {
        return QueueStatus.of(queue, jobs.oldest(queue), now);
    }

    public void extend(Extend extend, java.util.function.Function<JobId, @Nullable String> directory) {
        leases.extend(extend, directory);
    }

    public void workerLost(String worker) {
        announcements.forget(worker);
        ErrorReport error = ErrorReport.of("worker_death", "Worker '%s' stopped sending heartbeats.".formatted(worker));
        leases.loseAllOf(worker, error);
    }

    public void listDead(ListDead command) {
        deadLetters.list(command);
    }

    @Override
    public boolean fire(Timer timer) {
        switch (timer.kind()) {
            case JOB -> {
                Job job = jobs.findHeld(timer.job());
                if (job != null) jobTimers.catchUp(job);
            }
            case PARKED -> waiting.giveUp(timer.high());
            case HOUSEKEEPING -> {
                housekeeping.begin();
                retirement.slice();
                announcements.tidy();
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Serves who waits from what became ready in this step. */
    @Override
    public void serve() {
        waiting.serve(queues.takeStirred());
    }

    @Override
    public void save() {
        jobs.save();
        changed.addAll(queues.save());
    }

    @Override
    public void rollBack() {
        changed.clear();
        load();
    }

    /** The queues that were changed since this was last asked. */
    public List<String> takeChanged() {
        List<String> taken = List.copyOf(changed);
        changed.clear();
        return taken;
    }

    /** Ends these waiters, all of the requester if none is named. */
    public void withdraw(Withdraw withdraw) {
        out.reply(new JsonOut().beginObject().endObject());
    }

    /** What the live state takes in memory, roughly. */
    public long memoryBytes() {
        return 0;
    }

    public int waiters() {
        return waiting.size();
    }

    @Override
    public boolean clear(int most) {
        return clearing.clear(most);
    }

    /** Recounts everything from the stores and names what disagrees: for tests. */
    public List<String> audit() {
        return Audit.of(queues, jobs);
    }
}
