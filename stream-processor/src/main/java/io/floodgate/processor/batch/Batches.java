package io.floodgate.processor.batch;

import io.floodgate.processor.batch.Ballot.Part;
import io.floodgate.processor.directory.Directory;
import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobId;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Message.Claim;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Message.Prepared;
import io.floodgate.topics.command.Message.Settle;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.JsonOut;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Batches: stored whole or not at all (OJS HTTP binding §9.2).
 *
 * <p>When all its queues live in this log, a batch is one step. Otherwise this log coordinates:
 *
 * <pre>
 *   coordinator        participants
 *     Prepare  ──────▶  hold jobs and ids, unseen but counted
 *              ◀──────  Prepared, or refused and nothing held
 *     (all prepared: the batch is stored, and its sender told so)
 *     Settle   ──────▶  let them go into their queues, or forget them
 * </pre>
 *
 * Messages are never lost, so every batch is settled, whoever crashes.
 */
public final class Batches {
    private final KeyValues entities;
    private final Keys keys;
    private final Routing routing;
    private final QueueRules queues;
    private final Directory directory;
    private final Effects out;

    public Batches(
            KeyValues entities, Keys keys, Routing routing, QueueRules queues, Directory directory, Effects out) {
        this.entities = entities;
        this.keys = keys;
        this.routing = routing;
        this.queues = queues;
        this.directory = directory;
        this.out = out;
    }

    /** A job of the batch, its id, its own bytes, and whether the id has to be claimed. */
    private record Member(JobId id, Envelope envelope, byte[] job, boolean claims) {}

    /** @param number of this batch among those of this log, should it take more than one step */
    public void enqueue(EnqueueBatch batch, long number) {
        long bytes = batch.jobs().stream().mapToLong(job -> job.length).sum();
        if (bytes > EnqueueBatch.MAX_BYTES) {
            out.refuse(Refusal.of(
                    ErrorCode.BATCH_SIZE_EXCEEDED,
                    "The batch has %d bytes; at most %d are accepted.".formatted(bytes, EnqueueBatch.MAX_BYTES)));
            return;
        }
        List<Member> members;
        try {
            members = read(batch);
        } catch (UnreadableJob unreadable) {
            out.refuse(unreadable.refusal());
            return;
        }
        Map<LogId, Prepare> parts = split(members, number);
        boolean here = parts.size() == 1 && parts.containsKey(out.log());
        if (here) storeHere(members);
        else coordinate(members, parts, number);
    }

    private List<Member> read(EnqueueBatch batch) throws UnreadableJob {
        List<byte[]> jobs = batch.jobs();
        if (jobs.isEmpty())
            throw new UnreadableJob(Refusal.of(ErrorCode.INVALID_REQUEST, "A batch needs at least one job."));
        List<Member> members = new ArrayList<>(jobs.size());
        Set<JobId> seen = new LinkedHashSet<>();
        for (int i = 0; i < jobs.size(); i++) {
            Refusal refusal;
            try {
                Envelope envelope = EnvelopeReader.read(jobs.get(i));
                JobId id = envelope.id();
                if (id != null && seen.add(id)) {
                    members.add(new Member(id, envelope, jobs.get(i), !(batch.madeIds() && isMadeFor(id, envelope))));
                    continue;
                }
                refusal = id == null
                        ? Refusal.of(ErrorCode.INVALID_REQUEST, "A job of a batch needs an id.")
                        : Directory.duplicate(id);
            } catch (UnreadableJob unreadable) {
                refusal = unreadable.refusal();
            }
            throw new UnreadableJob(
                    refusal.withMessage("Batch refused: job at index %d: %s".formatted(i, refusal.message()))
                            .with("index", i));
        }
        return members;
    }

    /** An id that leads to another log than the queue's was not made for it, whatever the sender says. */
    private boolean isMadeFor(JobId id, Envelope envelope) {
        return routing.ofJob(id).equals(routing.ofQueue(envelope.queue()));
    }

    private void storeHere(List<Member> members) {
        for (Member member : members) {
            Refusal taken = member.claims ? directory.refuseTaken(member.id) : directory.refuseSentTwice(member.id);
            if (taken != null) {
                out.refuse(taken);
                return;
            }
        }
        JsonOut tails = new JsonOut(members.size() * 256);
        for (Member member : members)
            tails.raw(queues.admit(member.envelope, member.id, false)).newLine();
        out.reply(tails);
    }

    /** What each log has to prepare. An id is claimed where it says it lives, whichever log its queue is in. */
    private Map<LogId, Prepare> split(List<Member> members, long number) {
        Map<LogId, Prepare> parts = new LinkedHashMap<>();
        Map<LogId, List<byte[]>> jobs = new LinkedHashMap<>();
        Map<LogId, List<Claim>> claims = new LinkedHashMap<>();
        for (Member member : members) {
            LogId owner = routing.ofQueue(member.envelope.queue());
            jobs.computeIfAbsent(owner, log -> new ArrayList<>()).add(member.job);
            if (member.claims)
                claims.computeIfAbsent(routing.ofJob(member.id), log -> new ArrayList<>())
                        .add(new Claim(member.id, member.envelope.queue()));
        }
        Set<LogId> logs = new LinkedHashSet<>(jobs.keySet());
        logs.addAll(claims.keySet());
        for (LogId log : logs)
            parts.put(
                    log,
                    new Prepare(
                            number, out.log(), jobs.getOrDefault(log, List.of()), claims.getOrDefault(log, List.of())));
        return parts;
    }

    private void coordinate(List<Member> members, Map<LogId, Prepare> parts, long number) {
        Map<LogId, List<Integer>> positions = new LinkedHashMap<>();
        parts.keySet().forEach(log -> positions.put(log, new ArrayList<>()));
        for (int i = 0; i < members.size(); i++) {
            List<Integer> ofOwner =
                    positions.get(routing.ofQueue(members.get(i).envelope.queue()));
            if (ofOwner != null) ofOwner.add(i);
        }
        List<Part> ballot = new ArrayList<>();
        positions.forEach((log, own) -> ballot.add(new Part(log, own)));
        entities.put(keys.batch(number), new Ballot(out.replyTo(), ballot).write());
        out.setReplyTo(null);
        parts.forEach((log, prepare) -> out.tell(log, "batch:" + number, prepare));
    }

    public void prepare(Prepare message) {
        List<Member> members = message.jobs().stream().map(Batches::readOwn).toList();
        Refusal taken = refuseTaken(message, members);
        if (taken != null) {
            answer(message, List.of(), taken);
            return;
        }
        List<byte[]> tails = new ArrayList<>();
        List<HeldJobs.Held> held = new ArrayList<>();
        List<JobId> claimed = new ArrayList<>();
        for (Claim claim : message.claims()) {
            if (routing.ofQueue(claim.queue()).equals(out.log())) continue; // the job itself will stand for its id
            directory.claim(claim.job(), claim.queue(), name(message.coordinator(), message.batch()));
            claimed.add(claim.job());
        }
        for (Member member : members) {
            long place = queues.hold(member.envelope, member.id, isRegistered(member));
            tails.add(queues.tailOfHeld(member.id));
            held.add(new HeldJobs.Held(member.id, place));
        }
        entities.put(keys.held(message.coordinator(), message.batch()), new HeldJobs(held, claimed).write());
        answer(message, tails, null);
    }

    private @Nullable Refusal refuseTaken(Prepare message, List<Member> members) {
        for (Claim claim : message.claims()) {
            Refusal taken = directory.refuseTaken(claim.job());
            if (taken != null) return taken;
        }
        for (Member member : members) {
            // Another log decides about the claim, but what is here must not be overwritten meanwhile.
            Refusal taken =
                    isRegistered(member) ? directory.refuseTaken(member.id) : directory.refuseSentTwice(member.id);
            if (taken != null) return taken;
        }
        return null;
    }

    private boolean isRegistered(Member member) {
        return !routing.ofJob(member.id).equals(out.log());
    }

    private static String name(LogId coordinator, long batch) {
        return coordinator + "#" + batch;
    }

    private static Member readOwn(byte[] job) {
        try {
            Envelope envelope = EnvelopeReader.read(job);
            JobId id = envelope.id();
            if (id == null) throw new IllegalStateException("a job of a batch without an id");
            return new Member(id, envelope, job, false);
        } catch (UnreadableJob unreadable) {
            throw new IllegalStateException("a job of a batch that its coordinator could read", unreadable);
        }
    }

    private void answer(Prepare message, List<byte[]> tails, @Nullable Refusal refusal) {
        Prepared prepared = new Prepared(message.batch(), out.log(), tails, refusal);
        out.tell(message.coordinator(), "batch:" + message.batch(), prepared);
    }

    public void prepared(Prepared message) {
        byte[] stored = entities.get(keys.batch(message.batch()));
        if (stored == null) throw new IllegalStateException("batch %d is unknown".formatted(message.batch()));
        Ballot ballot = Ballot.read(stored);
        ballot.answer(message.participant(), message.tails(), message.refusal());
        if (ballot.isComplete()) settle(message.batch(), ballot);
        else entities.put(keys.batch(message.batch()), ballot.write());
    }

    private void settle(long number, Ballot ballot) {
        entities.delete(keys.batch(number));
        boolean commit = ballot.refusal == null;
        for (Part part : ballot.parts) out.tell(part.log, "batch:" + number, new Settle(number, out.log(), commit));
        if (ballot.replyTo != null) out.replyTo(ballot.replyTo, outcome(ballot));
        else if (ballot.refusal != null) out.refuse(ballot.refusal);
    }

    private static Reply outcome(Ballot ballot) {
        if (ballot.refusal != null) return new Reply.Refused(ballot.refusal);
        JsonOut tails = new JsonOut(1024);
        for (byte[] tail : ballot.tails()) tails.raw(tail).newLine();
        return new Reply.Done(tails.toBytes());
    }

    public void settle(Settle message) {
        byte[] key = keys.held(message.coordinator(), message.batch());
        byte[] stored = entities.get(key);
        if (stored == null) return; // refused here, so nothing is held
        entities.delete(key);
        HeldJobs held = HeldJobs.read(stored);
        for (HeldJobs.Held job : held.jobs()) {
            if (message.commit()) queues.letGo(job.id(), job.place());
            else queues.dropHeld(job.id(), job.place());
        }
        String batch = name(message.coordinator(), message.batch());
        held.claims().forEach(id -> directory.settle(id, batch, message.commit()));
    }
}
