package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.json.Wire;
import io.floodgate.topics.json.WireName;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.RateLimit;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one partition sends to another. Delivered exactly once and in order; see {@code docs/reference/state-machine.md}. */
public interface Message extends Command {
    /** To a queue: its directory has claimed the job's id, now take the job. */
    record Place(byte[] job) implements Message {}

    /** To a queue: has the job of this claimed id come? The next requester of the id needs a certain answer. */
    record Taken(JobId job) implements Message {}

    /** To a directory: the job of a claimed id is there. */
    record Placed(JobId job) implements Message {}

    /** To a directory: the id is free again. The requester gets a rejection only now: it can try again at once. */
    record Release(JobId job, @Nullable Rejection rejection) implements Message {}

    /** The claim of a client's id in a batch, as the directory needs to know it. */
    record Claim(JobId job, String queue) {}

    /**
     * A job of the participant that ends when the batch is stored, since another one takes its place.
     *
     * @param states in which it still counts by then
     */
    record Replaced(JobId job, JobId by, int states) {}

    /**
     * How patient the sender of a batch is, should there be no room for it.
     *
     * @param joins whether to get in line, or only to say that there is none
     * @param place that it was given in the line of this log before; 0 if it never stood there
     * @param left how long it can still wait; without any, it is rejected
     * @param waited for how long it has
     */
    record Turn(boolean joins, long place, Duration left, Duration waited) {
        public boolean isLast() {
            return left.isZero();
        }
    }

    /**
     * To a participant of a batch: hold these jobs and ids until it is settled.
     *
     * @param turn null for one that does not wait
     * @param demands nothing has come yet of what room is to be kept for
     * @param room of the same coordinator, in which the jobs come; null if none was kept
     * @param replaced jobs there whose place is taken
     */
    record Prepare(
            long batch,
            PartitionId coordinator,
            List<byte[]> jobs,
            @Wire.OrEmpty List<Claim> claims,
            @Nullable Turn turn,
            @Wire.OrEmpty List<QueueDemand> demands,
            @Nullable Long room,
            @Wire.OrEmpty List<Replaced> replaced)
            implements Message {
        public Prepare {
            replaced = List.copyOf(replaced);
            jobs = List.copyOf(jobs);
            claims = List.copyOf(claims);
            demands = List.copyOf(demands);
        }

        public Prepare(long batch, PartitionId coordinator, List<byte[]> jobs, List<Claim> claims) {
            this(batch, coordinator, jobs, claims, null, List.of(), null, List.of());
        }

        public Prepare(long batch, PartitionId coordinator, List<QueueDemand> demands) {
            this(batch, coordinator, List.of(), List.of(), null, demands, null, List.of());
        }

        public Prepare on(@Nullable Turn other) {
            return new Prepare(batch, coordinator, jobs, claims, other, demands, room, replaced);
        }

        public Prepare in(@Nullable Long kept) {
            return new Prepare(batch, coordinator, jobs, claims, turn, demands, kept, replaced);
        }

        public Prepare replacing(List<Replaced> others) {
            return new Prepare(batch, coordinator, jobs, claims, turn, demands, room, others);
        }

        /** What it takes as a record, about. */
        public long bytes() {
            long bytes = QueueDemand.bytes(demands);
            for (byte[] job : jobs) bytes += job.length + 1L;
            for (Claim claim : claims) bytes += CLAIM_BYTES + claim.queue().length();
            return bytes;
        }

        /** A claim: its id, field names and brackets. */
        private static final int CLAIM_BYTES = 100;
    }

    /**
     * To the coordinator: held, and this is how the jobs will look; or rejected, and nothing is held.
     *
     * @param place not rejected, but there is no room now, and nothing is held: its place in line, 0 if it has not joined
     */
    record Prepared(
            long batch,
            PartitionId participant,
            List<byte[]> tails,
            @Nullable Rejection rejection,
            @Nullable Long place)
            implements Message {
        public Prepared {
            tails = List.copyOf(tails);
        }

        public Prepared(long batch, PartitionId participant, List<byte[]> tails, @Nullable Rejection rejection) {
            this(batch, participant, tails, rejection, null);
        }
    }

    /** To the coordinator of a batch in line here: its turn has come, and no other overtakes it until it asks. */
    record HasRoom(long batch, PartitionId participant) implements Message {}

    /** To a participant: let the held jobs go, into the queue or into nothing. */
    record Settle(long batch, PartitionId coordinator, boolean commit) implements Message {}

    /**
     * What is stored of a job's runs, as it is stored; null where there is nothing.
     *
     * @param progress what they have said of how far they came
     */
    record Past(
            @Wire.Binary byte @Nullable [] errors,
            @Wire.Binary byte @Nullable [] progress) {
        public static final Past NONE = new Past(null, null);

        public int bytes() {
            return (errors == null ? 0 : errors.length) + (progress == null ? 0 : progress.length);
        }
    }

    /** To a worker's registry entry: this log has given the worker a job, and wants to hear if it is lost. */
    record Leased(@Wire.Name("worker_id") String worker, PartitionId log) implements Message {}

    /** To a log with leases of this worker: it is gone. */
    record WorkerLost(@Wire.Name("worker_id") String worker, Why why) implements Message {
        public enum Why implements WireName {
            /** No heartbeat has come for long. */
            SILENT,
            /** It said that it was leaving, and runs none of its jobs any more. */
            LEFT,
            /** An operator has said so. */
            DEREGISTERED
        }
    }

    /** To the coordinator of a batch: jobs are reserved here, and no message about it has come for long. */
    record Unsettled(long batch, PartitionId participant) implements Message {}

    /** To the sender: these messages to this log, from the first number to the last, have never arrived. */
    record Lost(PartitionId receiver, long first, long last) implements Message {}

    /** To the sender: messages to this log have numbers that were taken already; which was the last one? */
    record WantNumber(PartitionId receiver) implements Message {}

    /** To the receiver: the number of this message is that of the last one sent, whatever others have claimed. */
    record LastNumber(PartitionId sender) implements Message {
        public static final String OP = "last-number";
    }

    /**
     * An id whose job was passed on.
     *
     * @param claim distinguishes it from other claims of the id
     * @param alone not as part of a batch, and no message has confirmed yet that it has come
     */
    record PassedOn(JobId job, long claim, boolean alone) {}

    /** To the log of the queues: are these jobs, which the directory has passed on, still there? */
    record Verify(PartitionId directory, List<PassedOn> jobs) implements Message {
        public Verify {
            jobs = List.copyOf(jobs);
        }
    }

    /** To the directory: these jobs are not there, so their ids are free. */
    record Missing(List<PassedOn> jobs) implements Message {
        public Missing {
            jobs = List.copyOf(jobs);
        }
    }

    /** To every log: what is decided about queues about which nothing is decided. Of two, the one with the higher version counts. */
    record Defaults(long version, QueueConfig config) implements Message {}

    /** To the partition that decides about {@link Defaults}: this partition does not have them yet. */
    record WantDefaults(PartitionId log) implements Message {}

    /**
     * What a dead letter takes with it.
     *
     * @param reason the type of its last error
     * @param maxDeadLetters in the queue it goes to, at most; no bound if null
     */
    record DeadLetterMove(
            String reason, @Wire.Least(0) @Nullable Long maxDeadLetters, Duration ttl) {}

    /**
     * To the log of a queue that is to get a job of another one: take it, or say why not. Until then it stays where it is, and
     * nothing happens to it there.
     *
     * @param state as its log would store it
     * @param deadLetterMove null for a job that is tried again
     * @param grant the epoch of the tenant's bound whose grant comes with the job; 0 if it used none, as it had ended; null if
     *     no bound was open there
     */
    record Transfer(
            PartitionId source,
            String from,
            String queue,
            JobId job,
            @Wire.Binary byte[] state,
            byte[] payload,
            @Wire.Inline Past past,
            @Nullable DeadLetterMove deadLetterMove,
            @Nullable Long grant)
            implements Message {}

    /**
     * To the log that has sent a {@link Transfer}: the job is here now, or there was no room for it.
     *
     * @param grant as the transfer said
     */
    record Transferred(
            JobId job,
            String queue,
            @Nullable Rejection rejection,
            @Nullable Long grant) implements Message {}

    /** To the log of a queue: has the job come? What was said of it may be lost. */
    record HasCome(PartitionId source, JobId job, String queue) implements Message {}

    /**
     * To a directory: the job of this id is in another queue now, and came from the source.
     *
     * @param hops how often it had gone to another queue by then: what several logs say may arrive in any order
     */
    record Readdress(PartitionId source, JobId job, String queue, int hops) implements Message {}

    /** To the log that the job came from: the directory knows, and sends nothing there any more. */
    record Readdressed(JobId job, String queue) implements Message {}

    /** To the sender of a message that could not be executed, and for which there is no better answer. */
    record Undeliverable(PartitionId receiver, long sequence, String op, Rejection rejection) implements Message {}

    /**
     * To the log of a key: what the sender has of its permits, and how many more it wants. What is said here replaces what the
     * same log has said before, so that nothing adds up wrongly when a message is lost.
     *
     * @param epoch distinguishes this account of the partition from earlier ones, of which nothing is left
     * @param allowance what the newest of its jobs says may run under the key
     * @param received permits that it was ever given
     * @param held those that have not been given back
     * @param stale it knows that jobs elsewhere have said something else since
     * @param wanted more of them, for as many jobs and workers as wait
     * @param leaves it has no more jobs of the key
     * @param unused the dates of those that go back without having begun a job
     * @param used when jobs have started on permits, if that counts
     * @param asked when this was said, in milliseconds
     */
    record AskPermits(
            String key,
            PartitionId log,
            long epoch,
            Allowance allowance,
            long definedAt,
            boolean stale,
            long received,
            long held,
            int wanted,
            boolean leaves,
            List<Long> unused,
            List<PermitUse> used,
            long asked) {
        public static final int MOST_WANTED = 1_000;

        public AskPermits {
            unused = List.copyOf(unused);
            used = List.copyOf(used);
        }

        /** The same with these dates and starts. */
        public AskPermits with(List<Long> otherUnused, List<PermitUse> otherUsed) {
            return new AskPermits(
                    key,
                    log,
                    epoch,
                    allowance,
                    definedAt,
                    stale,
                    received,
                    held,
                    wanted,
                    leaves,
                    otherUnused,
                    otherUsed,
                    asked);
        }
    }

    /** {@code count} jobs started on permits of this date, at that time; both by the key's partition. */
    record PermitUse(long date, long at, int count) {
        /** Instead of a time: it counts as started when the report arrives, and was some time before. */
        public static final long ON_ARRIVAL = 0;
    }

    /**
     * To a partition with jobs of a key: how many may start, and why no more may.
     *
     * @param given permits that it was ever given, these included
     * @param date when jobs may start on them at the earliest, in milliseconds
     * @param until when they may at the latest; 0 if that does not matter
     * @param at when this was said, in milliseconds
     * @param held why it has not got all that it wanted; null if it may ask again
     * @param returnsAtOnce others may wait for what it gives back
     * @param tell it is to say what it has
     * @param recall it is to give back what it has not used
     * @param stale jobs elsewhere have said something else of the key since: it has to report its next job
     * @param asked what this answers in the same step was said then; 0 if it answers nothing
     */
    record GivePermits(
            String key,
            long epoch,
            long given,
            int count,
            long date,
            long until,
            long at,
            @Nullable Held held,
            boolean returnsAtOnce,
            boolean tell,
            boolean recall,
            boolean stale,
            long asked) {}

    /** What a log has to say to another one of permits, however many keys it is about: it travels at once. */
    record PermitMessage(List<AskPermits> asks, List<GivePermits> gives) implements Message {
        /** What one step executes; more takes several messages. */
        public static final int MOST = 1_000;

        public PermitMessage {
            asks = List.copyOf(asks);
            gives = List.copyOf(gives);
        }
    }

    /** To a log with jobs of a key: what is allowed has changed, so that the dates of jobs that were put off are no longer right. */
    record LimitChanged(@Wire.Most(RateLimit.NAME_CHARS) String key) implements Message {}

    /** To the log of a key: nothing of it may start before this time, since a worker has said so. */
    record FreezeLimit(
            @Wire.Most(RateLimit.NAME_CHARS) String key,
            Instant until,
            @Wire.Most(ErrorReport.MAX_MESSAGE_CHARS) String reason)
            implements Message {}

    /** Of unique jobs. */
    sealed interface OfUnique extends Message permits UniqueMessage {}
}
