package io.floodgate.processor.batch;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.processor.unique.KeyRejections;
import io.floodgate.processor.unique.UniqueKeys;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Message.Replaced;
import io.floodgate.topics.command.Message.Settle;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.UniqueMessage.CancelHolder;
import io.floodgate.topics.command.UniqueMessage.ClaimKeys;
import io.floodgate.topics.command.UniqueMessage.HolderCancelled;
import io.floodgate.topics.command.UniqueMessage.KeyClaim;
import io.floodgate.topics.command.UniqueMessage.KeyVerdict;
import io.floodgate.topics.command.UniqueMessage.KeysClaimed;
import io.floodgate.topics.unique.UniquePolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Batches with unique jobs, of which a single unique job is one. Their keys are claimed first; then they are stored as any
 * other batch, without the jobs that are ignored, and whatever becomes of them settles their keys, too.
 *
 * <pre>
 *   coordinator        homes of keys            partitions of jobs
 *     ClaimKeys ──────▶  ask who has the key ──────▶
 *               ◀──────  KeysClaimed         ◀──────
 *     Prepare, Prepared as of any batch
 *     CancelHolder ────────────────────────────────▶  if a job of another partition is replaced
 *     Settle    ──────▶  the keys are free, and the jobs in their queues
 * </pre>
 */
final class UniqueBatches {
    /** Batches that are claiming keys. */
    private static final int MOST = 10_000;

    private final Batches batches;
    private final UniqueKeys keys;
    private final LocalUniqueBatches local;
    private final KeyPhases phases;
    private final Routing routing;
    private final Effects out;

    UniqueBatches(Batches batches, UniqueKeys keys, QueueRules queues, PartitionContext context) {
        this.batches = batches;
        this.keys = keys;
        local = new LocalUniqueBatches(batches, keys, queues, context);
        phases = new KeyPhases(context);
        routing = context.routing();
        out = context.out();
    }

    static boolean areUnique(List<BatchMember> members) {
        for (BatchMember member : members) if (member.envelope().terms().unique() != null) return true;
        return false;
    }

    // ---- the sender of a batch

    /** @param here all of its jobs and ids are of this partition */
    void enqueue(EnqueueBatch batch, List<BatchMember> members, long number, boolean here) {
        KeyPhase phase = begin(batch, members);
        if (phase == null) return;
        if (members.size() == 1) phase.members = members;
        List<KeyClaim> claims = phase.claims(members);
        boolean allHere = here && claims.stream().allMatch(claim -> home(claim).equals(out.log()));
        if (!allHere || !local.store(batch, members, claims, phase)) claim(number, phase, claims);
    }

    void hold(HoldBatch part, List<BatchMember> members, long number) {
        for (BatchMember member : members) {
            UniquePolicy policy = member.envelope().terms().unique();
            if (policy == null || !policy.onConflict().replaces()) continue;
            out.reject(Rejection.of(
                    ErrorCode.INVALID_REQUEST,
                    "A batch that is stored in parts cannot replace jobs: send fewer jobs at once."));
            return;
        }
        KeyPhase phase = begin(part, members);
        if (phase != null) claim(number, phase, phase.claims(members));
    }

    /** Null if its jobs are duplicates of each other, and it was rejected. */
    private @Nullable KeyPhase begin(Command command, List<BatchMember> members) {
        KeyPhase phase =
                new KeyPhase(command, out.replyTo(), out.by(), out.now().plus(Batches.PREPARED_WITHIN));
        Rejection rejection = OwnDuplicates.find(members, phase, routing, out.now());
        if (rejection == null) return phase;
        out.reject(rejection);
        return null;
    }

    private PartitionId home(KeyClaim claim) {
        return claim.policy().home(routing, claim.queue());
    }

    // ---- the keys of a batch

    private void claim(long number, KeyPhase phase, List<KeyClaim> claims) {
        phase.replaced.clear();
        if (phases.count() >= MOST) {
            out.reject(Rejection.of(
                    ErrorCode.BACKEND_UNAVAILABLE, "%d batches with unique jobs are being stored.".formatted(MOST)));
            return;
        }
        out.setReplyTo(null);
        Map<PartitionId, List<KeyClaim>> byHome = takeHomes(phase, claims);
        phases.add(number, phase);
        ask(number, byHome);
        if (claims.isEmpty()) store(number, phase);
    }

    private Map<PartitionId, List<KeyClaim>> takeHomes(KeyPhase phase, List<KeyClaim> claims) {
        Map<PartitionId, List<KeyClaim>> byHome = new LinkedHashMap<>();
        for (KeyClaim claim : claims)
            byHome.computeIfAbsent(home(claim), home -> new ArrayList<>()).add(claim);
        phase.homes.clear();
        byHome.keySet().forEach(home -> phase.homes.put(home, false));
        return byHome;
    }

    private void ask(long number, Map<PartitionId, List<KeyClaim>> byHome) {
        // With keys of several homes, it would wait for one while others wait for its others.
        boolean waits = byHome.size() == 1;
        byHome.forEach((home, own) -> ask(number, home, waits, own));
    }

    private void ask(long number, PartitionId home, boolean waits, List<KeyClaim> claims) {
        out.tell(home, name(number), new ClaimKeys(number, out.log(), waits, claims));
    }

    /** Others had some of its keys: it lets go of all, and takes them home by home, in an order that all batches have. */
    private void claimInOrder(long number, KeyPhase phase) {
        for (PartitionId home : phase.homes.keySet()) settle(number, home, false);
        List<BatchMember> members = batches.reader().membersOf(phase.command);
        phase.isBusy = false;
        phase.isInOrder = true;
        phase.replaced.clear();
        if (!phase.begun) {
            phase.ignored.clear();
            OwnDuplicates.find(members, phase, routing, out.now());
        }
        takeHomes(phase, phase.claims(members));
        askNextHome(number, phase);
    }

    private void askNextHome(long number, KeyPhase phase) {
        phases.save(number, phase);
        PartitionId next = phase.unanswered();
        List<KeyClaim> own = phase.claims(batches.reader().membersOf(phase.command)).stream()
                .filter(claim -> home(claim).equals(next))
                .toList();
        ask(number, next, true, own);
    }

    void claimed(KeysClaimed message) {
        long number = message.batch();
        KeyPhase phase = phases.find(number);
        // The batch is given up: the home will ask, or has its answer.
        if (phase == null || phase.homes.isEmpty()) return;
        Rejection rejection = message.rejection();
        if (rejection != null && KeyRejections.isTaken(rejection)) {
            phase.isBusy = true;
            rejection = null;
        }
        boolean isNew = phase.begun && message.verdicts().stream().anyMatch(KeyVerdict::ignored);
        if (rejection == null && isNew && phase.homes.size() + phase.ignored.size() > 1) rejection = changed();
        phase.answer(message);
        if (rejection != null) reject(number, phase, phase.isAlone() ? rejection.without("index") : rejection);
        else if (!phase.isComplete() && phase.isInOrder) askNextHome(number, phase);
        else if (!phase.isComplete()) phases.save(number, phase);
        else if (phase.isBusy) claimInOrder(number, phase);
        else if (phase.begun && isNew) allIgnored(number, phase);
        else if (phase.begun) goOn(number, phase);
        else store(number, phase);
    }

    private static Rejection changed() {
        return Rejection.of(
                ErrorCode.BACKEND_UNAVAILABLE,
                "While the batch waited, a duplicate of one of its jobs came; try again.");
    }

    /** Answers a batch of which nothing is to be stored. */
    private void allIgnored(long number, KeyPhase phase) {
        batches.drop(number);
        answer(phase, List.of());
        end(number, false);
    }

    private void answer(KeyPhase phase, List<byte[]> tails) {
        if (phase.replyTo != null)
            out.replyTo(
                    phase.replyTo,
                    new Reply.Done(
                            LocalUniqueBatches.lines(phase.complete(tails)).toBytes()));
    }

    private void goOn(long number, KeyPhase phase) {
        phase.cancels.addAll(cancels(batches.reader().membersOf(phase.command), phase));
        phases.save(number, phase);
        batches.askNext(number);
    }

    /** Stores a batch that has all of its keys. */
    private void store(long number, KeyPhase phase) {
        phases.waitNoMore(number, phase);
        List<BatchMember> members = phase.members == null ? batches.reader().membersOf(phase.command) : phase.members;
        phase.members = null;
        List<BatchMember> stored = phase.stored(members);
        if (stored.isEmpty()) {
            answer(phase, List.of());
            end(number, false);
            return;
        }
        phase.renumber(members.size());
        List<KeyVerdict> cancels = cancels(stored, phase);
        boolean canBeHere = cancels.isEmpty() && phase.command instanceof EnqueueBatch;
        if (canBeHere && local.storeWithKeys(number, stored, phase)) {
            end(number, true);
            return;
        }
        List<byte[]> jobs = stored.stream().map(BatchMember::job).toList();
        phase.command = with(jobs, phase.command);
        phase.begun = true;
        phase.cancels.addAll(cancels);
        phases.save(number, phase);
        out.setReplyTo(phase.replyTo);
        out.setBy(phase.by);
        batches.coordinate(stored, number, phase.command);
        // It was too large, and has been rejected.
        if (!batches.has(number)) end(number, false);
    }

    private static Command with(List<byte[]> jobs, Command command) {
        if (command instanceof HoldBatch part) return new HoldBatch(part.first(), jobs, part.madeIds(), part.room());
        EnqueueBatch batch = (EnqueueBatch) command;
        return new EnqueueBatch(jobs, batch.madeIds(), batch.maxWait());
    }

    /** Jobs that are replaced, and are not where what replaces them is. */
    private List<KeyVerdict> cancels(List<BatchMember> stored, KeyPhase phase) {
        List<KeyVerdict> cancels = new ArrayList<>();
        for (KeyVerdict verdict : phase.replaced) {
            PartitionId owner =
                    routing.ofQueue(stored.get(verdict.position()).envelope().queue());
            if (!owner.equals(verdict.log())) cancels.add(verdict);
        }
        return cancels;
    }

    /** Returns what a partition has to know of the jobs that are replaced there. */
    Prepare replacing(long number, PartitionId log, Prepare prepare) {
        KeyPhase phase = phases.find(number);
        if (phase == null || phase.replaced.isEmpty()) return prepare;
        List<BatchMember> members = batches.reader().membersOf(phase.command);
        List<Replaced> replaced = new ArrayList<>();
        for (KeyVerdict verdict : phase.replaced) {
            BatchMember member = members.get(verdict.position());
            boolean isThere = verdict.log().equals(log)
                    && routing.ofQueue(member.envelope().queue()).equals(log);
            if (isThere) replaced.add(new Replaced(verdict.holder(), member.id(), member.states()));
        }
        return prepare.replacing(replaced);
    }

    // ---- what becomes of the batch

    /** Claims the keys of the batch, if that has to be done before others are asked. Returns whether it has begun. */
    boolean claimsAgain(long number) {
        KeyPhase phase = phases.find(number);
        if (phase == null || !phase.homes.isEmpty()) return false;
        phase.isInOrder = false;
        phase.replaced.clear();
        phase.cancels.clear();
        Map<PartitionId, List<KeyClaim>> byHome =
                takeHomes(phase, phase.claims(batches.reader().membersOf(phase.command)));
        phases.save(number, phase);
        ask(number, byHome);
        return true;
    }

    /** Releases the keys of a batch while it waits for capacity. */
    void release(long number) {
        KeyPhase phase = phases.find(number);
        if (phase == null) return;
        for (PartitionId home : phase.homes.keySet()) settle(number, home, false);
        phase.homes.clear();
        phases.save(number, phase);
    }

    /** Everybody has prepared: it is stored for certain, and whether jobs of other partitions are to be cancelled first. */
    boolean cancelsFirst(long number) {
        KeyPhase phase = phases.find(number);
        if (phase == null || phase.cancels.isEmpty()) return false;
        phase.decided = true;
        phases.save(number, phase);
        List<BatchMember> members = batches.reader().membersOf(phase.command);
        for (KeyVerdict verdict : phase.cancels) {
            BatchMember by = members.get(verdict.position());
            out.setBy(phase.by);
            out.tell(
                    verdict.log(),
                    name(number),
                    new CancelHolder(number, out.log(), verdict.holder(), by.id(), by.states(), 0));
        }
        return true;
    }

    boolean isDecided(long number) {
        KeyPhase phase = phases.find(number);
        return phase != null && phase.decided;
    }

    void cancelled(HolderCancelled message) {
        KeyPhase phase = phases.find(message.batch());
        if (phase == null || !phase.decided) return;
        JobId job = message.job();
        phase.cancels.removeIf(verdict -> verdict.holder().equals(job));
        phases.save(message.batch(), phase);
        if (phase.cancels.isEmpty()) batches.settle(message.batch());
    }

    List<byte[]> tails(long number, List<byte[]> tails) {
        KeyPhase phase = phases.find(number);
        return phase == null ? tails : phase.complete(tails);
    }

    /** The batch is settled, and with it its keys. */
    void end(long number, boolean commit) {
        KeyPhase phase = phases.find(number);
        if (phase == null) return;
        phases.delete(number, phase);
        for (PartitionId home : phase.homes.keySet()) settle(number, home, commit);
    }

    private void settle(long number, PartitionId home, boolean commit) {
        Settle message = new Settle(number, out.log(), commit);
        if (home.equals(out.log())) keys.settle(message);
        else out.tell(home, name(number), message);
    }

    private void reject(long number, KeyPhase phase, Rejection why) {
        if (phase.begun) {
            phases.save(number, phase);
            batches.reject(number, why);
            return;
        }
        end(number, false);
        if (phase.replyTo != null) out.replyTo(phase.replyTo, new Reply.Rejected(why.shortened()));
        else out.reject(why);
    }

    /** A home of one of its keys has not answered in time. */
    void giveUp(long number) {
        KeyPhase phase = phases.find(number);
        if (phase == null || phase.begun) return;
        reject(
                number,
                phase,
                Rejection.of(
                        ErrorCode.BACKEND_UNAVAILABLE,
                        "The key of the job was not decided about within %s. Try again."
                                .formatted(Batches.PREPARED_WITHIN)));
    }

    boolean has(long number) {
        return phases.has(number);
    }

    private static String name(long number) {
        return "batch:" + number;
    }

    void load() {
        phases.load();
    }

    void forgetRecent() {
        phases.forgetRecent();
    }

    boolean clear(int most) {
        return phases.deleteSome(most);
    }
}
