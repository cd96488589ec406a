package io.floodgate.topics.client;

import io.floodgate.topics.command.AdminCommand;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.LimitCommand;
import io.floodgate.topics.command.LogCommand.Extend;
import io.floodgate.topics.command.LogCommand.Inspect;
import io.floodgate.topics.command.LogCommand.ListDead;
import io.floodgate.topics.command.LogCommand.ListSetAside;
import io.floodgate.topics.command.LogCommand.Tick;
import io.floodgate.topics.command.LogCommand.Withdraw;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.QueueCommand.Decline;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import io.floodgate.topics.command.QueueCommand.HoldRoom;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.command.WorkerCommand.Leave;
import java.time.Duration;

/** Commands that are bounded together, so that no kind of them takes the room of another. */
public enum Lane {
    /** Reports of finished work, what keeps leases alive or gives them back, and the end of what is held: never shed. */
    COMPLETIONS,
    /** Whatever somebody waits for while it is carried out. */
    WORK,
    /** Fetches, and looks whether there is something to fetch, that are answered at once. */
    FETCHES,
    /** Looks for jobs among all that are stored: each costs its log as much as hundreds of other commands. */
    SEARCHES,
    /** Questions about what is stored, whose answers may be large. */
    READS,
    /** What waits in the log: for a job to come, counted by the queues at which it does, or for room in a queue. */
    WAITS,
    /** Questions whether a log is well: they are answered, or not, whatever else is going on. */
    PROBES;

    /** So many jobs of a batch, and so many queues that are looked at, cost a log as much as any other command. */
    private static final int JOBS_OF_ONE = 10;

    private static final int QUEUES_OF_ONE = 10;

    static Lane of(Command command) {
        return switch (command) {
            case Ack c -> COMPLETIONS;
            case Nack c -> COMPLETIONS;
            case Extend c -> COMPLETIONS;
            case Beat c -> COMPLETIONS;
            case Leave c -> COMPLETIONS;
            case Withdraw c -> COMPLETIONS;
            case Decline c -> COMPLETIONS;
            case EndHold c -> COMPLETIONS;
            case Fetch c -> c.maxWait().isZero() ? FETCHES : WAITS;
            case Watch c -> c.maxWait().isZero() ? FETCHES : WAITS;
            case Patient c -> c.maxWait().isZero() ? WORK : WAITS;
            case GetJob c -> READS;
            case ListDead c -> SEARCHES;
            case AdminCommand.ListJobs c -> SEARCHES;
            case AdminCommand.ListWorkers c -> READS;
            case AdminCommand.ListLeases c -> READS;
            case AdminCommand.ListTenants c -> READS;
            case ListSetAside c -> READS;
            case LimitCommand.GetLimit c -> READS;
            case LimitCommand.ListLimits c -> READS;
            case LimitCommand.CountLimited c -> READS;
            case Tick c -> PROBES;
            case Inspect c -> PROBES;
            default -> WORK;
        };
    }

    /** How much of its lane's room a command takes: by what it costs the log, or what the log keeps of it. */
    static int weight(Command command) {
        return switch (command) {
            case Fetch c -> weight(c.queues().size(), c.maxWait());
            case Watch c -> weight(c.queues().size(), c.maxWait());
            case EnqueueBatch c -> 1 + c.jobs().size() / JOBS_OF_ONE;
            case HoldBatch c -> 1 + c.jobs().size() / JOBS_OF_ONE;
            case HoldRoom c -> 1 + c.demands().size() / JOBS_OF_ONE;
            default -> 1;
        };
    }

    private static int weight(int queues, Duration wait) {
        return wait.isZero() ? 1 + queues / QUEUES_OF_ONE : queues;
    }
}
