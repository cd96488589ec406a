package io.floodgate.processor.unique;

import io.floodgate.processor.directory.Directory;
import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.queue.KeyHolders;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.processor.unique.Duplicates.Decision;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Message.Settle;
import io.floodgate.topics.command.Message.Unsettled;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.UniqueMessage.AskHolder;
import io.floodgate.topics.command.UniqueMessage.ClaimKeys;
import io.floodgate.topics.command.UniqueMessage.Holder;
import io.floodgate.topics.command.UniqueMessage.Holder.Phase;
import io.floodgate.topics.command.UniqueMessage.HolderSaid;
import io.floodgate.topics.command.UniqueMessage.KeyClaim;
import io.floodgate.topics.command.UniqueMessage.KeyNote;
import io.floodgate.topics.command.UniqueMessage.KeyVerdict;
import io.floodgate.topics.command.UniqueMessage.KeysClaimed;
import io.floodgate.topics.command.UniqueMessage.TellKeys;
import io.floodgate.topics.unique.UniquePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keys of unique jobs. The home of a key knows which jobs may have it, and lets one job of a key come at a time. Whether a job
 * that has it is a duplicate, its own partition is asked when another one wants to come: no copy of its state could be out of
 * date, and no key is held by a job that has ended.
 */
public final class UniqueKeys implements Entity {
    private static final Duration FIRST_QUESTION = Duration.ofMinutes(2);
    private static final Duration RAREST_QUESTION = Duration.ofHours(1);

    /** Claims that wait for one key. */
    private static final int MOST_WAITING = 1_000;

    private final Routing routing;
    private final KeyHolders holders;
    private final Directory directory;
    private final Effects out;
    private final KeyRows rows;
    private final KeyClaims claims;

    public UniqueKeys(QueueRules queues, Directory directory, PartitionContext context) {
        this.directory = directory;
        routing = context.routing();
        holders = queues.holders();
        out = context.out();
        rows = new KeyRows(context);
        claims = new KeyClaims(context);
    }

    @Override
    public void register(Handlers handlers) {
        handlers.on(ClaimKeys.class, this::claim);
        handlers.on(HolderSaid.class, this::said);
        handlers.on(TellKeys.class, this::told);
        new HolderAnswers(holders, directory, out).register(handlers);
        new KeyOperations(rows, claims, out).register(handlers);
    }

    /** Returns the number of jobs whose keys are known here. */
    public long count() {
        return rows.count();
    }

    /** Returns the number of claims that wait for other jobs of their keys, which are being stored. */
    public int waiting() {
        return claims.waiting();
    }

    // ---- at the home of a key

    /** Decides whether the job may come now, as far as this partition can without asking another one. */
    public Decision decide(KeyClaim claim) {
        return claims.owner(claim.policy().fingerprint()) == null ? decide(claim, null) : Decision.LATER;
    }

    /** The job comes in this very step. */
    public void hold(KeyClaim claim) {
        rows.put(
                claim.policy().fingerprint(),
                new KeyRow(
                        claim.job(),
                        out.nextNumber(),
                        Identity.spaceOf(out.by()),
                        routing.ofQueue(claim.queue()),
                        out.now(),
                        claim.policy().states(),
                        claim.policy().period(),
                        0,
                        null));
    }

    /** @param asking the claim whose turn it is; null if the job can only come in this very step */
    private Decision decide(KeyClaim claim, @Nullable StoredClaim asking) {
        String key = claim.policy().fingerprint();
        boolean mustAsk = false;
        boolean mustPause = false;
        int duplicates = 0;
        List<KeyVerdict> replaced = new ArrayList<>();
        for (KeyRow row : rows.of(key)) {
            Holder holder = holder(row);
            if (holder == null) {
                PartitionId log = row.ended() == null ? placeOf(row) : null;
                if (log != null && asking != null && asking.answers.containsKey(row.job())) {
                    holder = asking.answer(row.job());
                } else if (log != null) {
                    mustAsk = true;
                    if (asking != null) asking.questions.add(row.job());
                    continue;
                }
                if (holder == null) {
                    rows.remove(key, row.job());
                    continue;
                }
            }
            // An older duplicate does not matter, but for what may be newer.
            // mutant: key-counts
            if (mustAsk || !claim.policy().counts(holder.state(), holder.createdAt(), holder.now())) continue;
            Decision decision = Duplicates.of(claim, holder);
            if (decision.rejection() != null || !claim.policy().onConflict().replaces()) return decision;
            // The holder is about to be settled, and no other job can get the key before.
            mustPause |= holder.phase() == Phase.RESERVED;
            duplicates++;
            // mutant: key-replaces-all
            if (holder.phase() != Phase.OVER) replaced.addAll(decision.verdicts());
        }
        if (mustPause && asking != null) asking.pauses = true;
        if (mustAsk || mustPause) return Decision.LATER;
        if (rows.isShareTaken(Identity.spaceOf(out.by()))) return Decision.rejected(KeyRejections.shareTaken());
        if (rows.count() >= KeyRows.MOST) return Decision.rejected(KeyRejections.tooManyKeys());
        boolean tooMany = rows.of(key).size() - duplicates >= KeyRows.MOST_OF_KEY;
        return tooMany ? Decision.rejected(KeyRejections.tooManyJobs()) : Decision.of(replaced);
    }

    /** Returns the state of the job that has the key, as far as it is known here for certain. */
    private @Nullable Holder holder(KeyRow row) {
        JobState ended = row.ended();
        if (ended == null) return row.log().equals(out.log()) ? holders.find(row.job()) : null;
        Instant until = row.until();
        // mutant: key-remembered-until
        if (until != null && !until.isAfter(out.now())) return null;
        Holder here = row.log().equals(out.log()) ? holders.find(row.job()) : null;
        return here != null
                ? here
                : new Holder(
                        row.job(),
                        row.log(),
                        ended,
                        row.createdAt(),
                        out.now(),
                        null,
                        Phase.OVER,
                        out.by() != null && out.by().isConfined());
    }

    /** The partition to ask; null if only this one could know. */
    private @Nullable PartitionId placeOf(KeyRow row) {
        if (!row.log().equals(out.log())) return row.log();
        PartitionId place = directory.placeOf(row.job());
        return place.equals(out.log()) ? null : place;
    }

    private void claim(ClaimKeys message) {
        StoredClaim claim =
                new StoredClaim(message, out.by(), out.nextNumber(), out.now().plus(FIRST_QUESTION));
        claims.askLater(claim);
        attempt(claim);
    }

    /** Grants the claim its keys, rejects it, or lets it wait. */
    private void attempt(StoredClaim claim) {
        out.as(claim.by, () -> decideAll(claim));
    }

    private void decideAll(StoredClaim claim) {
        List<KeyVerdict> verdicts = new ArrayList<>();
        boolean mustWait = false;
        for (KeyClaim each : claim.message.claims()) {
            String key = each.policy().fingerprint();
            if (claims.owner(key) != null) {
                waitFor(key, claim);
                return;
            }
            Decision decision = decide(each, claim);
            mustWait |= decision.later();
            Rejection rejection = decision.rejection();
            if (rejection != null) {
                reject(claim, rejection.with("index", each.position()));
                return;
            }
            verdicts.addAll(decision.verdicts());
        }
        if (mustWait) {
            for (JobId job : claim.questions) if (!claim.answers.containsKey(job)) askAbout(job, claim);
            if (claim.pauses && claim.isComplete())
                claims.askLater(claim, out.now().plus(claim.pause()));
            claims.save(claim);
            return;
        }
        grant(claim, verdicts);
    }

    private void askAbout(JobId job, StoredClaim claim) {
        PartitionId place = null;
        for (KeyClaim each : claim.message.claims()) {
            KeyRow row = rows.find(each.policy().fingerprint(), job);
            if (row != null) place = placeOf(row);
        }
        if (place != null) out.tell(place, job.toString(), new AskHolder(out.log(), claim.name(), job, 0));
    }

    /**
     * Waits while another job of the key is on its way. A batch that has keys of other homes by now could wait for
     * ever.
     */
    private void waitFor(String key, StoredClaim claim) {
        if (!claim.message.waits()) {
            reject(claim, KeyRejections.taken());
            return;
        }
        if (!claims.joinLine(key, claim, MOST_WAITING)) {
            reject(
                    claim,
                    KeyRejections.busy("%d jobs of the same key wait already; try again.".formatted(MOST_WAITING)));
            return;
        }
        claim.forgetAnswers();
        claims.save(claim);
    }

    private void grant(StoredClaim claim, List<KeyVerdict> verdicts) {
        claim.granted = true;
        claim.forgetAnswers();
        for (KeyClaim each : claim.message.claims()) {
            String key = each.policy().fingerprint();
            claims.leaveLine(key, claim);
            boolean isIgnored =
                    verdicts.stream().anyMatch(verdict -> verdict.ignored() && verdict.position() == each.position());
            if (isIgnored) continue;
            claims.give(key, claim);
            hold(each);
        }
        claims.save(claim);
        answer(claim, verdicts, null);
    }

    private void reject(StoredClaim claim, Rejection why) {
        claims.forget(claim);
        answer(claim, List.of(), why);
    }

    private void answer(StoredClaim claim, List<KeyVerdict> verdicts, @Nullable Rejection rejection) {
        ClaimKeys message = claim.message;
        out.tell(
                message.coordinator(),
                "batch:" + message.batch(),
                new KeysClaimed(message.batch(), out.log(), verdicts, rejection));
    }

    private void said(HolderSaid message) {
        StoredClaim claim = claims.find(message.claim());
        if (claim == null || claim.granted || !claim.questions.contains(message.job())) return;
        claim.answers.put(message.job(), message);
        if (claim.isComplete()) attempt(claim);
        else claims.save(claim);
    }

    /** The batch of a claim is settled: claims that wait for its keys are next. */
    public void settle(Settle message) {
        StoredClaim claim = claims.find(message.coordinator(), message.batch());
        if (claim == null) return;
        claims.forget(claim);
        if (!claim.granted) return;
        List<String> freed = new ArrayList<>();
        for (KeyClaim each : claim.message.claims()) {
            String key = each.policy().fingerprint();
            if (!claim.name().equals(claims.owner(key))) continue;
            claims.free(key);
            if (!message.commit()) rows.remove(key, each.job());
            freed.add(key);
        }
        for (String key : freed)
            for (StoredLine.Place place : claims.line(key)) {
                StoredClaim next = claims.find(place.name());
                if (next == null) continue;
                next.forgetAnswers();
                attempt(next);
                if (claims.owner(key) != null) break;
            }
    }

    /** Takes notes about jobs that have keys. */
    private void told(TellKeys message) {
        for (KeyNote note : message.notes()) {
            String key = note.fingerprint();
            KeyRow row = rows.find(key, note.job());
            boolean isOver = note.gone() || note.state().isTerminal();
            if (row == null && isOver) continue;
            if (row == null)
                row = new KeyRow(
                        note.job(),
                        out.nextNumber(),
                        note.space(),
                        message.log(),
                        note.createdAt(),
                        note.states(),
                        note.period(),
                        0,
                        null);
            if (note.number() <= row.told()) continue;
            KeyRow now = row.with(note, message.log());
            // mutant: key-of-ended
            if (isOver && !isRemembered(now, note)) rows.remove(key, note.job());
            else if (!note.gone()) rows.put(key, now);
        }
    }

    /** Returns whether it has its key although it has ended. */
    private boolean isRemembered(KeyRow row, KeyNote note) {
        Instant until = row.until();
        boolean named = (note.states() & UniquePolicy.ENDED_STATES) != 0;
        return named && (until == null ? !note.gone() : until.isAfter(out.now()));
    }

    // ---- what the partition does with all that live in it

    @Override
    public void load() {
        rows.read();
        claims.load();
    }

    /** Asks the coordinator of a claim, since no message has come for long: its settlement may be lost. */
    @Override
    public boolean fire(Timer timer) {
        if (timer.kind() != Timers.Kind.KEY) return false;
        if (rows.forgetDue(timer)) return true;
        StoredClaim claim = claims.find(timer.name());
        if (claim == null) return true;
        if (claim.pauses) {
            claims.askLater(claim, out.now().plus(FIRST_QUESTION));
            claim.forgetAnswers();
            attempt(claim);
            return true;
        }
        claim.asked++;
        Duration pause = FIRST_QUESTION.multipliedBy(1L << Math.min(claim.asked, 5));
        claim.askAt = out.now().plus(pause.compareTo(RAREST_QUESTION) > 0 ? RAREST_QUESTION : pause);
        claims.askLater(claim);
        claims.save(claim);
        ClaimKeys message = claim.message;
        out.tell(message.coordinator(), "batch:" + message.batch(), new Unsettled(message.batch(), out.log()));
        return true;
    }

    @Override
    public void save() {
        rows.write();
    }

    @Override
    public void rollBack() {
        rows.readCount();
    }

    @Override
    public boolean clear(int most) {
        if (!claims.forgetSome(most) || !rows.forgetSome(most)) return false;
        claims.forgetOwners();
        return true;
    }
}
