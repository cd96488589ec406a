package io.floodgate.processor.testing;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.AdminCommand.BeginBulk;
import io.floodgate.topics.command.AdminCommand.BulkAction;
import io.floodgate.topics.command.AdminCommand.GetBulk;
import io.floodgate.topics.command.AdminCommand.ListJobs;
import io.floodgate.topics.command.AdminCommand.ListLeases;
import io.floodgate.topics.command.AdminCommand.ListWorkers;
import io.floodgate.topics.command.AdminCommand.Maintain;
import io.floodgate.topics.command.AdminCommand.StopBulk;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Activate;
import io.floodgate.topics.command.JobCommand.Cancel;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.DeleteDead;
import io.floodgate.topics.command.JobCommand.DeleteJob;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.JobCommand.Progress;
import io.floodgate.topics.command.JobCommand.RetryDead;
import io.floodgate.topics.command.JobCommand.RetryJob;
import io.floodgate.topics.command.JobCommand.SetPriority;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.command.PartitionCommand.Configure;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.command.PartitionCommand.ListDead;
import io.floodgate.topics.command.PartitionCommand.Reset;
import io.floodgate.topics.command.PartitionCommand.Tick;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import io.floodgate.topics.command.PartitionSettings;
import io.floodgate.topics.command.ProgressReport;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.CountRejected;
import io.floodgate.topics.command.QueueCommand.CreateQueue;
import io.floodgate.topics.command.QueueCommand.Decline;
import io.floodgate.topics.command.QueueCommand.DeleteQueue;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import io.floodgate.topics.command.QueueCommand.HoldRoom;
import io.floodgate.topics.command.QueueCommand.Pause;
import io.floodgate.topics.command.QueueCommand.Resume;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.command.WorkerCommand.Deregister;
import io.floodgate.topics.command.WorkerCommand.Direct;
import io.floodgate.topics.command.WorkerCommand.Directive;
import io.floodgate.topics.command.WorkerCommand.GetWorker;
import io.floodgate.topics.command.WorkerCommand.Leave;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.queue.TenantBounds;
import io.floodgate.topics.version.UnreadableRange;
import io.floodgate.topics.version.VersionRange;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Commands in a test's words, which a test inherits. Jobs go by nickname (see {@link Ids}); the queue is "q" where nothing else is said. */
public abstract class Commands {
    /** Where a job goes, and what is fetched from, when a test does not care. */
    public static final String QUEUE = "q";

    public static Job enqueue(String nickname) {
        return new Job(nickname);
    }

    /** A job whose id the partition has to make. */
    public static Job enqueueWithoutId() {
        return new Job(null);
    }

    public static Ask batch(Job... jobs) {
        return ask(new EnqueueBatch(Stream.of(jobs).map(Job::json).toList(), false));
    }

    /** @param room that is held for the whole batch */
    public static Ask holdIn(long room, int first, Job... jobs) {
        return ask(new HoldBatch(first, Stream.of(jobs).map(Job::json).toList(), false, room));
    }

    /** Room for these, which come later, each with its queue. */
    public static Ask room(Duration wait, Job... jobs) {
        return ask(new HoldRoom(Demands.of(Stream.of(jobs).map(Job::json).toList()), wait));
    }

    public static Ask hold(int first, Job... jobs) {
        return ask(new HoldBatch(first, Stream.of(jobs).map(Job::json).toList(), false));
    }

    public static Ask batchOfMadeIds(Job... jobs) {
        return ask(new EnqueueBatch(Stream.of(jobs).map(Job::json).toList(), true));
    }

    public static Taking fetch(String... queues) {
        return new Taking(queues.length == 0 ? List.of(QUEUE) : List.of(queues));
    }

    public static Ask watch(Duration wait, String... queues) {
        return ask(new Watch(queues.length == 0 ? List.of(QUEUE) : List.of(queues), wait));
    }

    public static Ask decline(String... queues) {
        return ask(new Decline(List.of(queues)));
    }

    public static Report ack(String job) {
        return new Report(job, null);
    }

    /** A failure of an ordinary kind, unless the test says more. */
    public static Report nack(String job) {
        return new Report(job, ErrorReport.of("handler_error", "it broke"));
    }

    /** The worker reports so much of the work as done. */
    public static Ask progress(String job, double share) {
        return progress(job, new Claimant(null, null), ProgressReport.of(share));
    }

    public static Ask progress(String job, Claimant claimant, ProgressReport report) {
        return ask(new Progress(Ids.id(job), claimant, report));
    }

    public static Ask cancel(String job) {
        return ask(new Cancel(Ids.id(job)));
    }

    public static Ask activate(String job) {
        return ask(new Activate(Ids.id(job)));
    }

    public static Ask getJob(String job) {
        return ask(new GetJob(Ids.id(job)));
    }

    public static Ask retryDead(String job) {
        return ask(new RetryDead(Ids.id(job)));
    }

    public static Ask deleteDead(String job) {
        return ask(new DeleteDead(Ids.id(job)));
    }

    public static Ask retryJob(String job) {
        return ask(new RetryJob(Ids.id(job)));
    }

    public static Ask deleteJob(String job) {
        return ask(new DeleteJob(Ids.id(job)));
    }

    public static Ask setPriority(String job, int priority) {
        return ask(new SetPriority(Ids.id(job), priority));
    }

    public static Ask listJobs(JobFilter filter, boolean oldestFirst, int limit, @Nullable String after) {
        JobId cursor = after == null ? null : JobId.parse(after).orElseThrow();
        return ask(new ListJobs(filter, oldestFirst, limit, cursor));
    }

    public static Ask listLeases(String worker) {
        return ask(new ListLeases(worker, 10));
    }

    public static Ask bulk(String operation, BulkAction action, JobFilter filter) {
        return ask(new BeginBulk(operation, action, filter));
    }

    public static Ask getBulk(String operation) {
        return ask(new GetBulk(operation));
    }

    public static Ask stopBulk(String operation) {
        return ask(new StopBulk(operation));
    }

    public static Ask maintain(boolean enabled) {
        return ask(new Maintain(enabled, enabled ? "a new disk" : null, null));
    }

    public static Ask listWorkers(int limit, @Nullable String after) {
        return ask(new ListWorkers(limit, after));
    }

    public static Ask direct(String worker, Directive directive) {
        return ask(new Direct(worker, directive));
    }

    public static Ask deregister(String worker) {
        return ask(new Deregister(worker));
    }

    public static Ask bound(String queue, QueueConfig set, String... unset) {
        return ask(new ConfigureQueue(queue, set, Set.of(unset)));
    }

    /** What is decided about the queue's jobs, or about those of all queues. */
    public static Ask decide(String queue, QueuePolicy policy, String... unset) {
        return bound(queue, QueueConfig.of(policy), unset);
    }

    /** A gateway rejected this many jobs. */
    public static Ask countRejected(long jobs) {
        return ask(new CountRejected(QUEUE, jobs, "email.send", null));
    }

    /** An enqueue that waits for room. */
    public static Ask patient(Duration time, Job job) {
        return ask(new Enqueue(job.json(), false, time));
    }

    /** At most {@code maxDepth} unfinished jobs in the usual queue. */
    public static Ask bound(long maxDepth, Overflow strategy) {
        return bound(QUEUE, new QueueConfig(maxDepth, null, strategy, null));
    }

    /** What one tenant may have in the queue; {@code *} for every other one. */
    public static Ask boundOf(String tenant, long maxDepth) {
        return bound(QUEUE, QueueConfig.of(new TenantBounds(Map.of(tenant, maxDepth))));
    }

    public static Ask makeQueue(String queue, QueueConfig config) {
        return ask(new CreateQueue(queue, config));
    }

    public static Ask delete(String queue, Deletion strategy) {
        return ask(new DeleteQueue(queue, strategy));
    }

    public static Ask move(String queue, String target) {
        return ask(new DeleteQueue(queue, Deletion.MOVE, target));
    }

    public static Ask pause(String queue) {
        return ask(new Pause(queue));
    }

    public static Ask resume(String queue) {
        return ask(new Resume(queue));
    }

    public static Ask getQueue(String queue) {
        return ask(new GetQueue(queue));
    }

    public static Ask beat(String worker) {
        return ask(new Beat(worker, "{\"hostname\":\"h\"}".getBytes(StandardCharsets.UTF_8)));
    }

    public static Ask leave(String worker) {
        return ask(new Leave(worker));
    }

    public static Ask getWorker(String worker) {
        return ask(new GetWorker(worker));
    }

    /** A heartbeat for jobs; {@code worker} and {@code length} may be left out. */
    public static Ask extend(@Nullable String worker, @Nullable Duration length, String... jobs) {
        return ask(new Extend(worker, ids(jobs), length));
    }

    /** The same, naming every job that the worker has. */
    public static Ask extendAll(String worker, String... jobs) {
        return ask(new Extend(worker, ids(jobs), null, true));
    }

    /** @param numbers none for whatever the asker waits for and has been handed */
    public static Ask withdraw(String asker, Long... numbers) {
        return ask(new Withdraw(asker, List.of(numbers)));
    }

    public static Ask configure(PartitionSettings settings) {
        return ask(new Configure(settings));
    }

    public static Ask listDead(@Nullable String queue, int limit, @Nullable String after) {
        return ask(new ListDead(queue, limit, after));
    }

    public static Ask tick() {
        return ask(new Tick());
    }

    public static Ask reset() {
        return ask(new Reset());
    }

    public static Ask ask(Command command) {
        return new Ask() {
            @Override
            public Command command() {
                return command;
            }
        };
    }

    private static List<JobId> ids(String... nicknames) {
        return Stream.of(nicknames).map(Ids::id).toList();
    }

    /** An enqueue, member by member. */
    public static final class Job extends Ask {
        private final Map<String, String> members = new LinkedHashMap<>();
        private boolean madeId;

        private Job(@Nullable String nickname) {
            if (nickname != null) member("id", quoted(Ids.id(nickname).toString()));
            member("type", quoted("test.job")).member("args", "[]").to(QUEUE);
        }

        /** Any member of the envelope, as JSON. */
        public Job member(String name, String json) {
            members.put(name, json);
            return this;
        }

        public Job type(String type) {
            return member("type", quoted(type));
        }

        public Job to(String queue) {
            return member("queue", quoted(queue));
        }

        /** A tenant's. */
        public Job of(String tenant) {
            return member("meta", "{\"tenant_id\":\"" + tenant + "\"}");
        }

        public Job priority(int priority) {
            return member("priority", Integer.toString(priority));
        }

        /** To be run so much later. */
        public Job delay(Duration delay) {
            return member("delay_until", quoted("+" + delay));
        }

        public Job pending() {
            return member("pending", "true");
        }

        /** To be forgotten when it has not run by then. */
        public Job ttl(Duration ttl) {
            return member("expires_at", quoted("+" + ttl));
        }

        public Job timeout(Duration timeout) {
            return member("timeout_ms", Long.toString(timeout.toMillis()));
        }

        public Job visibility(Duration visibility) {
            return member("visibility_timeout_ms", Long.toString(visibility.toMillis()));
        }

        /** A retry policy, in JSON with single quotes. */
        public Job retry(String json) {
            return member("retry", json.replace('\'', '"'));
        }

        public Job maxAttempts(int attempts) {
            return member("max_attempts", Integer.toString(attempts));
        }

        public Job discardedOnWorkerLost() {
            return member("on_worker_lost", quoted("discard"));
        }

        /** The sender just made the id for this queue. */
        public Job madeId() {
            madeId = true;
            return this;
        }

        public byte[] json() {
            List<String> parts = new ArrayList<>();
            members.forEach((name, json) -> parts.add(quoted(name) + ":" + json));
            return ("{" + String.join(",", parts) + "}").getBytes(StandardCharsets.UTF_8);
        }

        private static String quoted(String text) {
            return '"' + text + '"';
        }

        @Override
        public Command command() {
            return new Enqueue(json(), madeId);
        }
    }

    /** A fetch of one job without waiting, unless more is said. */
    public static final class Taking extends Ask {
        private final List<String> queues;
        private boolean atOnce;
        private WantedJobs types = WantedJobs.ALL;
        private int count = 1;
        private @Nullable String worker;
        private @Nullable Duration lease;
        private Duration wait = Duration.ZERO;

        private Taking(List<String> queues) {
            this.queues = queues;
        }

        public Taking count(int most) {
            count = most;
            return this;
        }

        public Taking by(String name) {
            worker = name;
            return this;
        }

        public Taking lease(Duration length) {
            lease = length;
            return this;
        }

        public Taking waiting(Duration atMost) {
            wait = atMost;
            return this;
        }

        /** The worker holds started jobs of other partitions. */
        public Taking atOnce() {
            atOnce = true;
            return this;
        }

        public Taking only(String... names) {
            types = WantedJobs.only(List.of(names)).ofTenants(types.tenants());
            return this;
        }

        public Taking allBut(String... names) {
            types = WantedJobs.allBut(List.of(names)).ofTenants(types.tenants());
            return this;
        }

        public Taking ofTenants(String... names) {
            types = types.ofTenants(List.of(names));
            return this;
        }

        /** Of this type, only these versions. */
        public Taking accepting(String type, String... ranges) {
            Map<String, VersionRange> all = new TreeMap<>(types.versions());
            try {
                all.put(type, VersionRange.parse(List.of(ranges)));
            } catch (UnreadableRange wrong) {
                throw new IllegalArgumentException(wrong);
            }
            types = types.accepting(all);
            return this;
        }

        @Override
        public Command command() {
            return new Fetch(queues, count, worker, lease, wait, types, atOnce);
        }
    }

    /** How a run went. */
    public static final class Report extends Ask {
        private final JobId job;
        private @Nullable ErrorReport error;
        private @Nullable String worker;
        private @Nullable Long lease;
        private @Nullable Long attempt;
        private byte @Nullable [] result;
        private boolean requeue;
        private Duration delay = Duration.ZERO;

        private Report(String job, @Nullable ErrorReport error) {
            this.job = Ids.id(job);
            this.error = error;
        }

        public Report by(String name) {
            worker = name;
            return this;
        }

        public Report underLease(long number) {
            lease = number;
            return this;
        }

        public Report inAttempt(long number) {
            attempt = number;
            return this;
        }

        public Report result(String json) {
            result = json.getBytes(StandardCharsets.UTF_8);
            return this;
        }

        public Report error(ErrorReport report) {
            error = report;
            return this;
        }

        /** A failure of this type; its code is the same. */
        public Report type(String type) {
            return error(ErrorReport.of(type, "it broke"));
        }

        public Report code(String code) {
            return error(new ErrorReport("handler_error", code, "it broke", null, new byte[] {'{', '}'}));
        }

        public Report retryable(boolean retryable) {
            return error(
                    new ErrorReport("handler_error", "handler_error", "it broke", retryable, new byte[] {'{', '}'}));
        }

        public Report requeue() {
            requeue = true;
            return this;
        }

        public Report requeueIn(Duration time) {
            delay = time;
            return requeue();
        }

        @Override
        public Command command() {
            Claimant claimant = new Claimant(worker, lease, attempt);
            return error == null ? new Ack(job, claimant, result) : new Nack(job, claimant, error, requeue, delay);
        }
    }
}
