package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import io.floodgate.topics.LogId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one log tells another. Delivered exactly once and in order; see {@code docs/state-machine.md}. */
public sealed interface Message extends Command {
    /** To a queue: its directory has claimed the job's id, now take the job. */
    record Place(byte[] job) implements Message {}

    /** To a queue: has the job of this claimed id come? Whoever asks for the id once more is to be told for certain. */
    record Taken(JobId job) implements Message {}

    /** To a directory: the job of a claimed id is there. */
    record Placed(JobId job) implements Message {}

    /** To a directory: the id is free again. With a refusal, the requester is told so only now, and can try again at once. */
    record Release(JobId job, @Nullable Refusal refusal) implements Message {}

    /** The claim of a client's id in a batch, as the directory needs to know it. */
    record Claim(JobId job, String queue) {}

    /** To a participant of a batch: hold these jobs and ids until it is settled. */
    record Prepare(long batch, LogId coordinator, List<byte[]> jobs, List<Claim> claims) implements Message {
        public Prepare {
            jobs = List.copyOf(jobs);
            claims = List.copyOf(claims);
        }
    }

    /** To the coordinator: held, and this is how the jobs will look; or refused, and nothing is held. */
    record Prepared(
            long batch,
            LogId participant,
            List<byte[]> tails,
            @Nullable Refusal refusal) implements Message {
        public Prepared {
            tails = List.copyOf(tails);
        }
    }

    /** To a participant: let the held jobs go, into the queue or into nothing. */
    record Settle(long batch, LogId coordinator, boolean commit) implements Message {}

    /** To a worker's registry entry: this log has given the worker a job, and wants to hear if it is lost. */
    record Leased(String worker, LogId log) implements Message {}

    /**
     * To a log with leases of this worker: it has fallen silent.
     *
     * @param left it said that it was leaving, and runs none of its jobs any more
     */
    record WorkerLost(String worker, boolean left) implements Message {
        public WorkerLost(String worker) {
            this(worker, false);
        }
    }

    /** To the coordinator of a batch: jobs are reserved here, and nothing has been heard of it for long. */
    record Unsettled(long batch, LogId participant) implements Message {}

    /** To the sender: these messages to this log, from the first number to the last, have never arrived. */
    record Lost(LogId receiver, long first, long last) implements Message {}

    /** An id whose job was passed on, and the number of its claim. */
    record PassedOn(JobId job, long claim) {}

    /** To the log of the queues: are these jobs, which the directory has passed on, still there? */
    record Verify(LogId directory, List<PassedOn> jobs) implements Message {
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

    /** To the sender of a message that could not be carried out, and for which there is no better answer. */
    record Undeliverable(LogId receiver, long sequence, String op, Refusal refusal) implements Message {}
}
