package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.json.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What partitions tell each other of jobs that the system makes: one partition keeps what wants the job to be run, its owner, and
 * another one the queue; see {@code docs/explanation/own-jobs.md}.
 */
public sealed interface OwnJobMessage extends Message {
    /**
     * The owner that made a job and gets its outcome.
     *
     * @param kind of owners: each kind has its own rules
     * @param home the partition that keeps it
     * @param name among the owners of its kind
     * @param ticket its own name for the job
     * @param wantsResult whether it gets the result and the last error of the job
     */
    record JobOwner(@Wire.Most(20) String kind, PartitionId home, String name, String ticket, boolean wantsResult) {
        /** What leads to its partition. */
        public String key() {
            return kind + ":" + name;
        }
    }

    /**
     * To a queue: take this job in. Its id was made by its owner for the slot of the queue, so that it is the same whenever
     * the step that made it is executed.
     *
     * @param job with its id
     * @param maxWait for how long it stands in the line of producers if there is no room; if zero, it is rejected
     * @param anywhere it waits whatever the strategy of the queue, and not only if that is to block
     * @param roomOf a job of the same queue that has ended in this step, and leaves its room
     */
    record PlaceOwn(
            JobOwner owner,
            @Wire.Name("job_id") JobId id,
            byte[] job,
            @Wire.OrEmpty Duration maxWait,
            boolean anywhere,
            @Nullable JobId roomOf)
            implements OwnJobMessage, Patient {
        /** For a job that never gives up. */
        public static final Duration FOREVER = Duration.ofDays(3650);

        /** Rejected at once if there is no room. */
        public static PlaceOwn orSkip(JobOwner owner, JobId id, byte[] job) {
            return new PlaceOwn(owner, id, job, Duration.ZERO, false, null);
        }

        /** Waits for room, whatever the strategy of the queue. */
        public static PlaceOwn orWait(JobOwner owner, JobId id, byte[] job, Duration maxWait) {
            return new PlaceOwn(owner, id, job, maxWait, true, null);
        }

        /** Waits for room in a queue whose strategy is to block; rejected at once by any other. */
        public static PlaceOwn asQueueSays(JobOwner owner, JobId id, byte[] job, Duration maxWait) {
            return new PlaceOwn(owner, id, job, maxWait, false, null);
        }

        /** Comes in where the other job was; waits for room if that has gone to another one. */
        public static PlaceOwn inRoomOf(JobId ended, JobOwner owner, JobId id, byte[] job, Duration maxWait) {
            return new PlaceOwn(owner, id, job, maxWait, true, ended);
        }

        @Override
        public PlaceOwn waiting(Duration time) {
            return new PlaceOwn(owner, id, job, time, anywhere, null);
        }
    }

    /**
     * To the owner: the job is in its queue, or waits for room, or was rejected.
     *
     * @param waits it stands in the line; another answer follows
     * @param at by the time of the queue
     */
    record PlacedOwn(
            JobOwner owner,
            JobId job,
            boolean waits,
            @Nullable Rejection rejection,
            Instant at) implements OwnJobMessage {
        public boolean isThere() {
            return !waits && rejection == null;
        }
    }

    /**
     * What has become of a job: it has ended or is a dead letter, or is to be run again after that.
     *
     * @param number of this note among all of the job
     * @param state in which it is; a dead letter counts as discarded
     * @param gone no trace of it is left, or it was never there
     * @param attempt its last one
     * @param startedAt when that began, if one did
     * @param result that it was completed with, as JSON, if its owner wants that
     * @param error its last one, as JSON, if its owner wants that
     */
    record OwnerNote(
            JobOwner owner,
            JobId job,
            int number,
            JobState state,
            boolean gone,
            int attempt,
            @Nullable Instant startedAt,
            @Wire.AnyJson byte @Nullable [] result,
            @Wire.AnyJson byte @Nullable [] error) {
        /** It is not going to be run any more. */
        public boolean isOver() {
            return gone || state.isTerminal();
        }

        long bytes() {
            return 200L + (result == null ? 0 : result.length) + (error == null ? 0 : error.length);
        }
    }

    /** To the home of owners: what has become of their jobs. */
    record TellOwners(PartitionId log, List<OwnerNote> notes) implements OwnJobMessage {
        /** What goes into one message, unless a single note is larger. */
        public static final int MOST = 256;

        public static final long MOST_BYTES = 256L * 1024;

        public TellOwners {
            notes = List.copyOf(notes);
        }

        /** How many of these, from the first on, go into one message. */
        public static int fitting(List<OwnerNote> notes) {
            long bytes = 0;
            for (int i = 0; i < notes.size(); i++) {
                bytes += notes.get(i).bytes();
                if (i > 0 && (i == MOST || bytes > MOST_BYTES)) return i;
            }
            return notes.size();
        }
    }

    /**
     * To the partition of a job: how does it stand? Asked when messages may be lost.
     *
     * @param hops how often the question was passed on
     */
    record AskOwn(
            JobOwner owner, JobId job, @Wire.Capped(100) int hops) implements OwnJobMessage {}

    /**
     * To the partition of a job: cancel it, wherever it is.
     *
     * @param by the job that takes its place; null for none
     * @param spares one that has started; its owner gets a message that it has
     */
    record CancelOwn(
            JobOwner owner,
            JobId job,
            @Nullable JobId by,
            @Wire.Capped(100) int hops,
            boolean spares) implements OwnJobMessage {
        public CancelOwn(JobOwner owner, JobId job, @Nullable JobId by, int hops) {
            this(owner, job, by, hops, false);
        }

        /** One that was passed on. */
        public CancelOwn further() {
            return new CancelOwn(owner, job, by, hops + 1, spares);
        }
    }
}
