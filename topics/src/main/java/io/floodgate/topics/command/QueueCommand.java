package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Wire;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.SchemaMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Commands to the queues of one log. */
public sealed interface QueueCommand extends Command {
    /**
     * A job, as any OJS client spells it. With {@code madeId} its id was made by the sender for this queue, and is known
     * to be new.
     */
    record Enqueue(
            byte[] job,
            boolean madeId,
            @Wire.Name("wait_ms") Duration maxWait) implements QueueCommand, Patient {
        public Enqueue(byte[] job, boolean madeId) {
            this(job, madeId, Duration.ZERO);
        }

        @Override
        public Enqueue waiting(Duration time) {
            return new Enqueue(job, madeId, time);
        }
    }

    /** Jobs that are stored together or not at all. All ids are there; {@code madeIds} as above, for all of them. */
    record EnqueueBatch(
            List<byte[]> jobs,
            boolean madeIds,
            @Wire.Name("wait_ms") Duration maxWait) implements QueueCommand, Patient {
        /** All jobs together: what logs tell each other about a batch must fit into a record, too. */
        public static final int MAX_BYTES = 24 * 1024 * 1024;

        public EnqueueBatch {
            jobs = List.copyOf(jobs);
        }

        public EnqueueBatch(List<byte[]> jobs, boolean madeIds) {
            this(jobs, madeIds, Duration.ZERO);
        }

        @Override
        public EnqueueBatch waiting(Duration time) {
            return new EnqueueBatch(jobs, madeIds, time);
        }
    }

    /**
     * Room for all of a batch that is too large for one step, and can wait for it: kept, once it is there, until an
     * {@link EndHold}, or a minute has passed without one. The first line of the reply names it, as if it were a part.
     */
    record HoldRoom(
            @Wire.Name("queues") @Wire.Least(1) List<QueueDemand> demands,
            @Wire.Name("wait_ms") Duration maxWait) implements QueueCommand, Patient {
        public HoldRoom {
            demands = List.copyOf(demands);
        }

        @Override
        public HoldRoom waiting(Duration time) {
            return new HoldRoom(demands, time);
        }
    }

    /**
     * A part of a batch that is too large for one step: its jobs are stored, but not seen, until an {@link EndHold} says
     * what becomes of them, or a minute has passed without one. The first line of the reply names the part.
     *
     * @param first the position of its first job in the whole batch, for the messages
     * @param room that is held for the batch, by its name; null for a batch that does not wait
     */
    record HoldBatch(
            int first,
            @Wire.Most(Limits.JOBS_OF_A_PART) List<byte[]> jobs,
            boolean madeIds,
            @Nullable Long room) implements QueueCommand {
        public HoldBatch {
            jobs = List.copyOf(jobs);
        }

        public HoldBatch(int first, List<byte[]> jobs, boolean madeIds) {
            this(first, jobs, madeIds, null);
        }

        /** The name of what is held, in the first line of a reply to this or to {@link HoldRoom}; none if nothing of it is. */
        public static Optional<Long> name(byte[] line) {
            return MemberWalk.text(line, "part").map(Long::valueOf);
        }
    }

    /** All held parts of one batch, by the names they were given: stored together, or dropped. */
    record EndHold(@Wire.Most(Limits.PARTS_OF_A_BATCH) List<Long> parts, boolean store) implements QueueCommand {
        public EndHold {
            parts = List.copyOf(parts);
        }
    }

    /**
     * Claims up to {@code count} jobs, queues from left to right; waits for the first one when nothing is ready.
     *
     * @param atOnce the caller holds started jobs of other partitions: the answer waits for nothing, not even for permits
     */
    record Fetch(
            @Wire.Least(1) List<String> queues,
            @Wire.Least(1) @Wire.Capped(Fetch.MAX_COUNT) int count,
            @Wire.Name("worker_id") @Nullable String worker,
            @Wire.Name("visibility_timeout_ms") @Nullable Duration visibility,
            @Wire.Name("wait_ms") Duration maxWait,
            @Wire.Inline WantedJobs types,
            boolean atOnce)
            implements QueueCommand {
        public static final int MAX_COUNT = 100;

        public Fetch {
            queues = List.copyOf(queues);
            if (types.areAll()) types = WantedJobs.ALL; // most are, and share it
        }

        public Fetch(
                List<String> queues,
                int count,
                @Nullable String worker,
                @Nullable Duration visibility,
                Duration maxWait) {
            this(queues, count, worker, visibility, maxWait, WantedJobs.ALL);
        }

        public Fetch(
                List<String> queues,
                int count,
                @Nullable String worker,
                @Nullable Duration visibility,
                Duration maxWait,
                WantedJobs types) {
            this(queues, count, worker, visibility, maxWait, types, false);
        }

        public Fetch waiting(Duration wait) {
            return new Fetch(queues, count, worker, visibility, wait, types, atOnce);
        }

        /** The same, for the worker of that name. */
        public Fetch by(String name) {
            return new Fetch(queues, count, name, visibility, maxWait, types, atOnce);
        }

        /** The same from these queues, without waiting. */
        public Fetch from(List<String> names, int most) {
            return new Fetch(names, most, worker, visibility, Duration.ZERO, types, atOnce);
        }

        public Fetch atOnce(boolean now) {
            return new Fetch(queues, count, worker, visibility, maxWait, types, now);
        }
    }

    /**
     * Answers as soon as one of the queues has a job of these types that could be fetched; claims nothing.
     *
     * @param atOnce as of a {@link Fetch}
     */
    record Watch(
            @Wire.Least(1) List<String> queues,
            @Wire.Name("wait_ms") Duration maxWait,
            @Wire.Inline WantedJobs types,
            boolean atOnce)
            implements QueueCommand {
        public Watch {
            queues = List.copyOf(queues);
        }

        public Watch(List<String> queues, Duration maxWait) {
            this(queues, maxWait, WantedJobs.ALL);
        }

        public Watch(List<String> queues, Duration maxWait, WantedJobs types) {
            this(queues, maxWait, types, false);
        }
    }

    /** A {@link Watch} has found something in these queues, and its caller does not fetch it: others may. */
    record Decline(@Wire.Least(1) List<String> queues) implements QueueCommand {
        public Decline {
            queues = List.copyOf(queues);
        }
    }

    /** How many available jobs of each priority the queue has (OJS priority §10.3). */
    record CountPriorities(String queue) implements QueueCommand {}

    record GetQueue(String queue) implements QueueCommand {}

    /** The status of the queue, with who waits, who runs its jobs, and what holds jobs back: samples of a bounded size. */
    record ExplainQueue(String queue) implements QueueCommand {}

    /**
     * What is set changes, what is unset is as usual again, and the rest stays as it is.
     *
     * @param mustExist it is rejected if there is no such queue, instead of making it
     */
    record ConfigureQueue(
            String queue, QueueConfig set, @Wire.Most(250) Set<String> unset, boolean mustExist)
            implements QueueCommand {
        public ConfigureQueue {
            unset = Set.copyOf(unset);
        }

        public ConfigureQueue(String queue, QueueConfig set, Set<String> unset) {
            this(queue, set, unset, false);
        }
    }

    /** An operator makes the queue, before its first job does. Rejected if it is there already. */
    record CreateQueue(String queue, @Wire.Name("set") QueueConfig config) implements QueueCommand {}

    /**
     * Ends the queue: nothing comes in any more, and when nothing unfinished is left, it is gone.
     *
     * @param target to which its jobs are moved, if that is the strategy
     */
    record DeleteQueue(
            String queue,
            Deletion strategy,
            @Wire.Name("target_queue") @Nullable String target) implements QueueCommand {
        public DeleteQueue(String queue, Deletion strategy) {
            this(queue, strategy, null);
        }
    }

    /**
     * A gateway that knew the queue to be full rejected these jobs without asking the partition. The partition counts
     * and reports them like those that it rejects itself.
     *
     * @param type of the last of these jobs
     * @param tenant whose bound was the reason; null if that of the whole queue was
     */
    record CountRejected(
            String queue,
            @Wire.Least(0) long jobs,
            @Wire.Name("job_type") String type,
            @Wire.Name("tenant_id") @Nullable String tenant)
            implements QueueCommand {}

    /**
     * With what key gateways sign what they write to the topic of this queue: from now on with this one, if the partition has none.
     * The answer says with which, and whether a forwarder reads the topic.
     *
     * @param offered in hexadecimal digits
     */
    record UseKey(
            String queue,

            @Wire.Name("key") @Wire.Matches(SignedRequest.KEY)
            String offered) implements QueueCommand {}

    /**
     * A forwarder has begun to read this partition of a topic. The answer has the offset that comes in next.
     *
     * @param from what comes in first, if nothing has yet
     */
    record OpenIngress(
            @Wire.Inline Ingress ingress, @Wire.Least(0) long from) implements QueueCommand {
        public String queue() {
            return ingress.queue();
        }
    }

    /**
     * A question: whether there is room for jobs that a gateway believes to have none. Nothing is kept. If there is none, the
     * rejection is that of the jobs, and counts as theirs.
     */
    record CheckRoom(@Wire.Inline QueueDemand demand) implements QueueCommand {
        public String queue() {
            return demand.queue();
        }
    }

    /** A question: how many of these ids, which lead to this log, belong to a job already, or may belong to one soon. */
    record CheckIds(
            @Wire.Name("job_ids") @Wire.Most(Limits.JOBS_OF_A_BATCH)
            List<JobId> ids) implements QueueCommand {
        public CheckIds {
            ids = List.copyOf(ids);
        }
    }

    /**
     * A record of the topic of a queue's own: a job that is taken in as any other, once, however often it is forwarded.
     *
     * @param from where the record before it ends: what is forwarded has no gaps
     * @param begins its forwarder has just begun, and knows of nothing before it that is still there
     * @param appended when the broker had it
     * @param maxWait how long the job waits for room, if its producer has said so
     * @param job null if it cannot be a job
     * @param wrong why it cannot be one
     * @param request of a gateway, which waits for the answer; null for a job of any other producer
     * @param schemaFault why the job does not match its schema; null if it does, and for jobs that a gateway has checked
     */
    record Forward(
            @Wire.Inline Ingress ingress,
            @Wire.Least(0) long from,
            @Wire.Least(0) long offset,
            boolean begins,
            Instant appended,
            @Wire.Name("wait_ms") @Nullable Duration maxWait,
            @Wire.AnyJson byte @Nullable [] job,
            @Wire.Name("refusal") @Nullable Rejection wrong,
            @Nullable SignedRequest request,
            @Nullable SchemaFault schemaFault)
            implements QueueCommand {
        /**
         * Arguments that do not match their schema: the queue decides what becomes of the job.
         *
         * @param unlessDecided what becomes of it if the queue has not decided
         */
        public record SchemaFault(Rejection why, SchemaMode unlessDecided) {
            /** Returns what becomes of the job. */
            public SchemaMode under(@Nullable SchemaMode decided) {
                return decided == null ? unlessDecided : decided;
            }
        }

        /** Of a job that needs no schema, or matches it. */
        public Forward(
                Ingress ingress,
                long from,
                long offset,
                boolean begins,
                Instant appended,
                @Nullable Duration maxWait,
                byte @Nullable [] job,
                @Nullable Rejection wrong,
                @Nullable SignedRequest request) {
            this(ingress, from, offset, begins, appended, maxWait, job, wrong, request, null);
        }

        public Forward(
                Ingress ingress,
                long from,
                long offset,
                boolean begins,
                Instant appended,
                @Nullable Duration maxWait,
                byte @Nullable [] job,
                @Nullable Rejection wrong) {
            this(ingress, from, offset, begins, appended, maxWait, job, wrong, null);
        }

        public String queue() {
            return ingress.queue();
        }

        /** The same record, passed over. */
        public Forward withoutJob(Rejection why) {
            return new Forward(ingress, from, offset, begins, appended, maxWait, null, why);
        }
    }

    /** @param reason why, for those who look at the queue later */
    record Pause(
            String queue,
            @Wire.Most(Pause.REASON_CHARS) @Nullable String reason) implements QueueCommand {
        public static final int REASON_CHARS = 200;

        public Pause(String queue) {
            this(queue, null);
        }
    }

    record Resume(String queue) implements QueueCommand {}
}
