package io.floodgate.gateway.job;

import io.floodgate.gateway.capacity.CapacityCache;
import io.floodgate.gateway.capacity.CapacityVerdict;
import io.floodgate.gateway.capacity.Demand;
import io.floodgate.gateway.capacity.EarlyRejections;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.overload.Overload;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.CommandNotSent;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.KeyCommand.CheckKeys;
import io.floodgate.topics.command.QueueCommand.CheckIds;
import io.floodgate.topics.command.QueueCommand.CheckRoom;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.unique.UniquePolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what is known of the depth of queues before jobs are written. Jobs that seem to have no room are not written
 * before their partition has said, in answer to a question of a few bytes, that they have: so nothing is rejected by what is known
 * here alone, and what is rejected costs a partition little.
 */
public final class DepthCheck {
    private final Partitions partitions;
    private final CapacityCache doors;
    private final EarlyRejections early;
    private final Overload overload;

    public DepthCheck(Partitions partitions, CapacityCache doors, Overload overload) {
        this.partitions = partitions;
        this.doors = doors;
        this.overload = overload;
        early = new EarlyRejections(partitions.client(), doors);
    }

    /**
     * Returns why the jobs do not fit; empty if they are to be written.
     *
     * @param demands what is to come together, one for each queue
     * @param givenIds ids that were not made here
     * @param part whose jobs of one sender take turns before a partition
     */
    public Optional<Rejection> reject(Call call, List<Demand> demands, List<JobId> givenIds, String part)
            throws CommandFailed, RejectedException {
        List<Demand> full = new ArrayList<>();
        Rejection certain = null;
        for (Demand demand : demands) {
            CapacityVerdict verdict = doors.judge(demand);
            if (verdict.kind() != CapacityVerdict.Kind.WRITE) full.add(demand);
            if (demands.size() == 1) certain = verdict.rejection();
        }
        if (full.isEmpty() || mayBeDuplicates(call, demands, part) || areKnown(call, givenIds, part))
            return Optional.empty();
        if (certain != null) {
            early.rejected(full.getFirst(), certain);
            return Optional.of(certain);
        }
        for (Demand demand : full) {
            Rejection rejection = ask(call, demand, part);
            if (rejection != null) return Optional.of(rejection);
        }
        return Optional.empty();
    }

    /**
     * Returns whether any of these jobs may have a duplicate: then it is answered as such although its queue is full,
     * or replaces the duplicate, which takes no room. Only the homes of the keys know.
     */
    private boolean mayBeDuplicates(Call call, List<Demand> demands, String part)
            throws CommandFailed, RejectedException {
        String space = Identity.spaceOf(call.caller().identity());
        Map<PartitionId, Set<String>> byHome = new LinkedHashMap<>();
        for (Demand demand : demands)
            for (Envelope job : demand.envelopes()) {
                UniquePolicy policy = job.terms().unique();
                if (policy == null) continue;
                UniquePolicy own = policy.in(space);
                PartitionId home = own.home(partitions.client().routing(), job.queue());
                boolean isNew = byHome.computeIfAbsent(home, log -> new LinkedHashSet<>())
                        .add(own.fingerprint());
                if (!isNew) return true;
            }
        for (Map.Entry<PartitionId, Set<String>> of : byHome.entrySet()) {
            List<String> keys = List.copyOf(of.getValue());
            Partitions.Owner home = partitions.by(call).owner(of.getKey(), keys.getFirst());
            if (!isNone(ask(call, home, part, new CheckKeys(keys)))) return true;
        }
        return false;
    }

    /**
     * Returns whether any of these jobs is stored: its sender is answered that it is there, not that its queue is full.
     */
    boolean areKnown(Call call, List<JobId> ids, String part) throws CommandFailed, RejectedException {
        Map<PartitionId, List<JobId>> byLog = new LinkedHashMap<>();
        for (JobId id : ids)
            byLog.computeIfAbsent(partitions.ofJob(id).partition(), log -> new ArrayList<>())
                    .add(id);
        for (Map.Entry<PartitionId, List<JobId>> of : byLog.entrySet()) {
            String key = of.getValue().getFirst().toString();
            Reply reply = ask(call, partitions.owner(of.getKey(), key), part, new CheckIds(of.getValue()));
            if (!isNone(reply)) return true;
        }
        return false;
    }

    private static boolean isNone(Reply reply) {
        return reply instanceof Reply.Done done
                && !done.lines().isEmpty()
                && MemberWalk.text(done.lines().getFirst(), "known")
                        .filter("0"::equals)
                        .isPresent();
    }

    private @Nullable Rejection ask(Call call, Demand demand, String part) throws CommandFailed, RejectedException {
        String queue = demand.queue();
        long asked = doors.now();
        Reply reply = ask(call, partitions.by(call).ofQueue(queue), part, new CheckRoom(demand.asQuestion()));
        if (reply instanceof Reply.Rejected rejected) {
            hear(rejected.rejection(), asked, demand);
            // A queue that has begun to block lets it wait.
            return demand.from().waits() && Enqueues.isFullAndBlocks(reply) ? null : rejected.rejection();
        }
        if (reply instanceof Reply.Done done) new QueueLoads(doors).hear(done.lines(), 1);
        return null;
    }

    /** A partition has rejected jobs; the next caller gets the same answer if nothing has changed. */
    void hear(Rejection rejection, long asked, @Nullable Demand demand) {
        if (rejection.code() == ErrorCode.QUEUE_FULL || rejection.code() == ErrorCode.TENANT_LIMIT_EXCEEDED)
            doors.rejected(rejection, asked, demand);
    }

    private Reply ask(Call call, Partitions.Owner owner, String part, Command question)
            throws CommandFailed, RejectedException {
        try (Overload.Pass pass = overload.enter(owner.partition(), call.source(), part, 1)) {
            Reply reply = owner.call(question);
            pass.answered();
            return reply;
        } catch (NoReply silence) {
            // Nothing has been written that could still come in.
            throw new CommandNotSent("the partition did not say whether there is room", silence);
        }
    }
}
