package io.floodgate.processor.batch;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.processor.queue.bound.Bounds;
import io.floodgate.processor.unique.Duplicates.Decision;
import io.floodgate.processor.unique.UniqueKeys;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.UniqueMessage.KeyClaim;
import io.floodgate.topics.command.UniqueMessage.KeyVerdict;
import io.floodgate.topics.json.JsonOut;
import java.util.ArrayList;
import java.util.List;

/** Batches with unique jobs, all of them of this partition: they are stored in one step. */
final class LocalUniqueBatches {
    private final Batches batches;
    private final UniqueKeys keys;
    private final QueueRules queues;
    private final Routing routing;
    private final Effects out;

    LocalUniqueBatches(Batches batches, UniqueKeys keys, QueueRules queues, PartitionContext context) {
        this.batches = batches;
        this.keys = keys;
        this.queues = queues;
        routing = context.routing();
        out = context.out();
    }

    /**
     * Stores the batch if this partition has all of its keys. Returns false if another partition has to be asked, or
     * another batch awaited.
     */
    boolean store(EnqueueBatch batch, List<BatchMember> members, List<KeyClaim> claims, KeyPhase phase) {
        Rejection taken = batches.rejectTaken(members);
        if (taken != null) {
            out.reject(taken);
            return true;
        }
        for (KeyClaim claim : claims) {
            Decision decision = keys.decide(claim);
            if (decision.later()) return false;
            Rejection rejection = decision.rejection();
            if (rejection != null) {
                out.reject(members.size() == 1 ? rejection : rejection.with("index", claim.position()));
                return true;
            }
            decision.verdicts().forEach(phase::add);
        }
        List<BatchMember> stored = phase.stored(members);
        makeWay(phase);
        Bounds.Room room =
                stored.isEmpty() ? Bounds.Room.THERE : queues.bounds().makeRoom(BatchMember.envelopesOf(stored), batch);
        if (!room.isThere()) {
            goOn(phase);
            if (room.rejection() != null) out.reject(room.rejection());
            queues.bounds().park(room, batch);
            return true;
        }
        for (KeyClaim claim : claims) {
            for (KeyVerdict verdict : phase.replacedBy(claim.position()))
                queues.holders()
                        .supersede(verdict.holder(), claim.job(), claim.policy().states());
            if (!phase.ignored.containsKey(claim.position())) keys.hold(claim);
        }
        List<byte[]> tails = admit(stored);
        phase.renumber(members.size());
        out.reply(lines(phase.complete(tails)));
        return true;
    }

    /**
     * Stores the batch once other partitions have granted its keys. A batch that has to wait, or to make others wait,
     * takes the way of all batches.
     *
     * @return false if nothing has happened
     */
    boolean storeWithKeys(long number, List<BatchMember> members, KeyPhase phase) {
        for (BatchMember member : members) if (!isHere(member)) return false;
        if (batches.rejectTaken(members) != null) return false;
        out.setBy(phase.by);
        makeWay(phase);
        if (!queues.bounds().isThereRoom(BatchMember.envelopesOf(members))) {
            goOn(phase);
            return false;
        }
        for (KeyVerdict verdict : phase.replaced) {
            BatchMember by = members.get(verdict.position());
            queues.holders().supersede(verdict.holder(), by.id(), by.states());
        }
        List<byte[]> tails = phase.complete(admit(members));
        batches.decide(number);
        if (phase.replyTo != null)
            out.replyTo(phase.replyTo, new Reply.Done(lines(tails).toBytes()));
        return true;
    }

    private boolean isHere(BatchMember member) {
        PartitionId here = out.log();
        return routing.ofQueue(member.envelope().queue()).equals(here)
                && (!member.claims() || routing.ofJob(member.id()).equals(here));
    }

    private void makeWay(KeyPhase phase) {
        phase.replaced.forEach(verdict -> queues.holders().makeWay(verdict.holder(), true));
    }

    private void goOn(KeyPhase phase) {
        phase.replaced.forEach(verdict -> queues.holders().goOn(verdict.holder()));
    }

    private List<byte[]> admit(List<BatchMember> members) {
        List<byte[]> tails = new ArrayList<>();
        for (BatchMember member : members) tails.add(queues.admit(member.envelope(), member.id(), false));
        tails.addAll(queues.bounds().loads(BatchMember.queuesOf(members)));
        return tails;
    }

    static JsonOut lines(List<byte[]> tails) {
        JsonOut lines = new JsonOut(1024);
        for (byte[] tail : tails) lines.raw(tail).newLine();
        return lines;
    }
}
