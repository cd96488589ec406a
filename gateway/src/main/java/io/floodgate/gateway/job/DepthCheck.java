package io.floodgate.gateway.job;

import io.floodgate.gateway.door.CapacityVerdict;
import io.floodgate.gateway.door.Demand;
import io.floodgate.gateway.door.Doors;
import io.floodgate.gateway.door.EarlyRefusals;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.overload.Overload;
import io.floodgate.topics.JobId;
import io.floodgate.topics.LogId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.CommandNotSent;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.QueueCommand.CheckIds;
import io.floodgate.topics.command.QueueCommand.CheckRoom;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.MemberWalk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what is known of the depth of queues before jobs are written. Jobs that seem to have no room are not written
 * before their log has said, in answer to a question of a few bytes, that they have: so nothing is refused by what is known
 * here alone, and what is refused costs a log little.
 */
final class DepthCheck {
    private final CommandClient client;
    private final Duration patience;
    private final Doors doors;
    private final EarlyRefusals early;
    private final Overload overload;

    DepthCheck(CommandClient client, Duration patience, Doors doors, Overload overload) {
        this.client = client;
        this.patience = patience;
        this.doors = doors;
        this.overload = overload;
        early = new EarlyRefusals(client, doors);
    }

    /**
     * Why the jobs have no room; empty if they are to be written.
     *
     * @param demands what is to come together, one for each queue
     * @param givenIds ids that were not made here
     * @param part whose jobs of one sender take turns before a log
     */
    Optional<Refusal> refuse(Call call, List<Demand> demands, List<JobId> givenIds, String part)
            throws CommandFailed, RefusedException {
        List<Demand> full = new ArrayList<>();
        for (Demand demand : demands) {
            CapacityVerdict verdict = doors.judge(demand);
            Refusal refusal = verdict.refusal();
            if (refusal != null && demands.size() == 1) {
                early.refused(demand, refusal);
                return Optional.of(refusal);
            }
            if (verdict.kind() != CapacityVerdict.Kind.WRITE) full.add(demand);
        }
        if (full.isEmpty() || areKnown(call, givenIds, part)) return Optional.empty();
        for (Demand demand : full) {
            Refusal refusal = ask(call, demand, part);
            if (refusal != null) return Optional.of(refusal);
        }
        return Optional.empty();
    }

    /** Whether any of these jobs is stored: its sender is answered that it is there, not that its queue is full. */
    boolean areKnown(Call call, List<JobId> ids, String part) throws CommandFailed, RefusedException {
        Map<LogId, List<JobId>> byLog = new LinkedHashMap<>();
        for (JobId id : ids)
            byLog.computeIfAbsent(client.routing().ofJob(id), log -> new ArrayList<>())
                    .add(id);
        for (Map.Entry<LogId, List<JobId>> of : byLog.entrySet()) {
            String key = of.getValue().getFirst().toString();
            Reply reply = ask(call, client, of.getKey(), key, part, new CheckIds(of.getValue()));
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

    private @Nullable Refusal ask(Call call, Demand demand, String part) throws CommandFailed, RefusedException {
        String queue = demand.queue();
        long asked = doors.now();
        Reply reply = ask(
                call,
                call.by(client),
                client.routing().ofQueue(queue),
                queue,
                part,
                new CheckRoom(demand.asQuestion()));
        if (reply instanceof Reply.Refused refused) {
            hear(refused.refusal(), asked, demand);
            return refused.refusal();
        }
        if (reply instanceof Reply.Done done) new QueueLoads(doors).hear(done.lines(), 1);
        return null;
    }

    /** A log has refused jobs; the next caller gets the same answer if nothing has changed. */
    void hear(Refusal refusal, long asked, @Nullable Demand demand) {
        if (refusal.code() == ErrorCode.QUEUE_FULL || refusal.code() == ErrorCode.TENANT_LIMIT_EXCEEDED)
            doors.refused(refusal, asked, demand);
    }

    private Reply ask(Call call, CommandClient sender, LogId log, String key, String part, Command question)
            throws CommandFailed, RefusedException {
        try (Overload.Pass pass = overload.enter(log, call.source(), part, 1)) {
            Reply reply = sender.call(log, key, question, patience);
            pass.answered();
            return reply;
        } catch (NoReply silence) {
            // Nothing has been written that could still come in.
            throw new CommandNotSent("the log did not say whether there is room", silence);
        }
    }
}
