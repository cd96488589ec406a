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
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.unique.Duplicates.Decision;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Message.Settle;
import io.floodgate.topics.command.Message.Unsettled;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.UniqueMessage.AskHolder;
import io.floodgate.topics.command.UniqueMessage.CancelHolder;
import io.floodgate.topics.command.UniqueMessage.ClaimKeys;
import io.floodgate.topics.command.UniqueMessage.Holder;
import io.floodgate.topics.command.UniqueMessage.HolderCancelled;
import io.floodgate.topics.command.UniqueMessage.HolderSaid;
import io.floodgate.topics.command.UniqueMessage.KeyClaim;
import io.floodgate.topics.command.UniqueMessage.KeyNote;
import io.floodgate.topics.command.UniqueMessage.KeyVerdict;
import io.floodgate.topics.command.UniqueMessage.KeysClaimed;
import io.floodgate.topics.command.UniqueMessage.TellKeys;
import io.floodgate.topics.unique.UniquePolicy;
import java.nio.charset.StandardCharsets;
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

    /** From where a job was, to the directory of its id, to where it is, and one more that has moved it meanwhile. */
    private static final int MOST_HOPS = 4;

    private final KeyValues entities;
    private final Routing routing;
    private final KeyHolders holders;
    private final Directory directory;
    private final Timers timers;
    private final Effects out;
    private final KeyRows rows;

    public UniqueKeys(QueueRules queues, Directory directory, PartitionContext context) {
        this.directory = directory;
        entities = context.entities();
        routing = context.routing();
        holders = queues.holders();
        timers = context.timers();
        out = context.out();
        rows = new KeyRows(context);
    }

    @Override
    public void register(Handlers handlers) {
        handlers.on(ClaimKeys.class, this::claim);
        handlers.on(HolderSaid.class, this::said);
        handlers.on(TellKeys.class, this::told);
        handlers.on(AskHolder.class, this::ask);
        handlers.on(CancelHolder.class, this::cancel);
        new KeyOperations(rows, entities, out).register(handlers);
    }

    /** How many jobs are known here by their keys. */
    public long count() {
        return rows.count();
    }

    // ---- at the home of a key

    /** Whether the job may come now, as far as this partition can tell without asking another one. */
    public Decision decide(KeyClaim claim) {
        return owner(claim.policy().fingerprint()) == null ? decide(claim, null) : Decision.LATER;
    }

    /** The job comes in this very step. */
    public void hold(KeyClaim claim) {
        rows.put(
                claim.policy().fingerprint(),
                new KeyRow(
                        claim.job(),
                        out.nextNumber(),
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
            if (!mustAsk && claim.policy().counts(holder.state(), holder.createdAt(), holder.now()))
                return Duplicates.of(claim, holder);
        }
        if (mustAsk) return Decision.LATER;
        return rows.count() < KeyRows.MOST ? Decision.FREE : Decision.rejected(tooManyKeys());
    }

    /** How the job stands, as far as that is known here for certain. */
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
                        false,
                        out.by() != null && out.by().isConfined());
    }

    /** The partition to ask; null if only this one could know. */
    private @Nullable PartitionId placeOf(KeyRow row) {
        if (!row.log().equals(out.log())) return row.log();
        PartitionId place = directory.placeOf(row.job());
        return place.equals(out.log()) ? null : place;
    }

    private @Nullable String owner(String key) {
        byte[] stored = entities.get(Keys.keyOwner(KeyRows.bytes(key)));
        return stored == null ? null : new String(stored, StandardCharsets.UTF_8);
    }

    private static Rejection tooManyKeys() {
        return Rejection.of(
                        ErrorCode.BACKEND_UNAVAILABLE,
                        "The partition of this key knows %d unique jobs: no other one comes in."
                                .formatted(KeyRows.MOST))
                .with("reason", "too_many_unique_keys");
    }

    private void claim(ClaimKeys message) {
        StoredClaim claim =
                new StoredClaim(message, out.by(), out.nextNumber(), out.now().plus(FIRST_QUESTION));
        timers.set(Timer.key(claim.askAt, claim.name()));
        attempt(claim);
    }

    /** It gets its keys, is rejected, or waits for something. */
    private void attempt(StoredClaim claim) {
        out.setBy(claim.by);
        List<KeyVerdict> verdicts = new ArrayList<>();
        boolean mustWait = false;
        for (KeyClaim each : claim.message.claims()) {
            String key = each.policy().fingerprint();
            if (owner(key) != null) {
                waitFor(key, claim);
                return;
            }
            Decision decision = decide(each, claim);
            mustWait |= decision.later();
            Rejection rejection = decision.rejection();
            if (rejection != null) {
                boolean isAlone = claim.message.waits();
                reject(claim, isAlone ? rejection : rejection.with("index", each.position()));
                return;
            }
            if (decision.verdict() != null) verdicts.add(decision.verdict());
        }
        if (mustWait) {
            for (JobId job : claim.questions) if (!claim.answers.containsKey(job)) askAbout(job, claim);
            save(claim);
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

    /** While another job of the key is on its way. A batch that wants other keys, too, could wait for ever. */
    private void waitFor(String key, StoredClaim claim) {
        if (!claim.message.waits()) {
            reject(claim, busy("Another job of one of its keys is being stored; try again."));
            return;
        }
        List<StoredLine.Place> line = line(key);
        boolean isThere = line.stream().anyMatch(place -> place.number() == claim.place);
        if (!isThere && line.size() >= MOST_WAITING) {
            reject(claim, busy("%d jobs of the same key wait already; try again.".formatted(MOST_WAITING)));
            return;
        }
        if (!isThere) {
            line.add(new StoredLine.Place(claim.place, claim.name()));
            writeLine(key, line);
        }
        claim.forgetAnswers();
        save(claim);
    }

    private static Rejection busy(String why) {
        return Rejection.of(ErrorCode.BACKEND_UNAVAILABLE, why).with("retry_after_seconds", 1);
    }

    private List<StoredLine.Place> line(String key) {
        return StoredLine.read(entities.get(Keys.keysWaiting(KeyRows.bytes(key))));
    }

    private void writeLine(String key, List<StoredLine.Place> line) {
        byte[] at = Keys.keysWaiting(KeyRows.bytes(key));
        if (line.isEmpty()) entities.delete(at);
        else entities.put(at, StoredLine.write(line));
    }

    private void leaveLine(String key, StoredClaim claim) {
        List<StoredLine.Place> line = line(key);
        if (line.removeIf(place -> place.number() == claim.place)) writeLine(key, line);
    }

    private void grant(StoredClaim claim, List<KeyVerdict> verdicts) {
        claim.granted = true;
        claim.forgetAnswers();
        for (KeyClaim each : claim.message.claims()) {
            byte[] key = KeyRows.bytes(each.policy().fingerprint());
            leaveLine(each.policy().fingerprint(), claim);
            boolean isIgnored =
                    verdicts.stream().anyMatch(verdict -> verdict.ignored() && verdict.position() == each.position());
            if (isIgnored) continue;
            entities.put(Keys.keyOwner(key), claim.name().getBytes(StandardCharsets.UTF_8));
            hold(each);
        }
        save(claim);
        answer(claim, verdicts, null);
    }

    private void reject(StoredClaim claim, Rejection why) {
        forget(claim);
        answer(claim, List.of(), why);
    }

    private void answer(StoredClaim claim, List<KeyVerdict> verdicts, @Nullable Rejection rejection) {
        ClaimKeys message = claim.message;
        out.tell(
                message.coordinator(),
                "batch:" + message.batch(),
                new KeysClaimed(message.batch(), out.log(), verdicts, rejection));
    }

    private void save(StoredClaim claim) {
        entities.put(Keys.keyClaim(claim.message.coordinator(), claim.message.batch()), claim.write());
    }

    private void forget(StoredClaim claim) {
        entities.delete(Keys.keyClaim(claim.message.coordinator(), claim.message.batch()));
        timers.cancel(Timer.key(claim.askAt, claim.name()));
        for (KeyClaim each : claim.message.claims()) leaveLine(each.policy().fingerprint(), claim);
    }

    private @Nullable StoredClaim find(PartitionId coordinator, long batch) {
        byte[] stored = entities.get(Keys.keyClaim(coordinator, batch));
        return stored == null ? null : StoredClaim.read(stored);
    }

    private @Nullable StoredClaim find(String name) {
        int at = name.lastIndexOf('#');
        return at < 0 ? null : find(PartitionId.parse(name.substring(0, at)), Long.parseLong(name.substring(at + 1)));
    }

    private void said(HolderSaid message) {
        StoredClaim claim = find(message.claim());
        if (claim == null || claim.granted || !claim.questions.contains(message.job())) return;
        claim.answers.put(message.job(), message);
        if (claim.isComplete()) attempt(claim);
        else save(claim);
    }

    /** The batch of a claim is settled: claims that wait for its keys are next. */
    public void settle(Settle message) {
        StoredClaim claim = find(message.coordinator(), message.batch());
        if (claim == null) return;
        forget(claim);
        if (!claim.granted) return;
        List<String> freed = new ArrayList<>();
        for (KeyClaim each : claim.message.claims()) {
            String key = each.policy().fingerprint();
            if (!claim.name().equals(owner(key))) continue;
            entities.delete(Keys.keyOwner(KeyRows.bytes(key)));
            if (!message.commit()) rows.remove(key, each.job());
            freed.add(key);
        }
        Identity settling = out.by();
        for (String key : freed)
            for (StoredLine.Place place : line(key)) {
                StoredClaim next = find(place.name());
                if (next == null) continue;
                next.forgetAnswers();
                attempt(next);
                if (owner(key) != null) break;
            }
        out.setBy(settling);
    }

    /** What has become of jobs that have keys. */
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

    /** Whether it has its key although it has ended. */
    private boolean isRemembered(KeyRow row, KeyNote note) {
        Instant until = row.until();
        boolean named = (note.states() & UniquePolicy.ENDED_STATES) != 0;
        return named && (until == null ? !note.gone() : until.isAfter(out.now()));
    }

    // ---- where the jobs are

    private void ask(AskHolder message) {
        Holder holder = holders.find(message.job());
        PartitionId place = directory.placeOf(message.job());
        if (holder == null && !place.equals(out.log()) && message.hops() < MOST_HOPS)
            out.pass(
                    place,
                    message.job().toString(),
                    new AskHolder(message.home(), message.claim(), message.job(), message.hops() + 1));
        else out.tell(message.home(), message.job().toString(), new HolderSaid(message.claim(), message.job(), holder));
    }

    private void cancel(CancelHolder message) {
        JobId job = message.job();
        PartitionId place = directory.placeOf(job);
        if (holders.find(job) == null && !place.equals(out.log()) && message.hops() < MOST_HOPS) {
            out.pass(
                    place,
                    job.toString(),
                    new CancelHolder(
                            message.batch(),
                            message.coordinator(),
                            job,
                            message.by(),
                            message.states(),
                            message.hops() + 1));
            return;
        }
        holders.supersede(job, message.by(), message.states());
        out.tell(message.coordinator(), "batch:" + message.batch(), new HolderCancelled(message.batch(), job));
    }

    // ---- what the partition does with all that live in it

    @Override
    public void load() {
        rows.read();
        byte[] prefix = Keys.allKeyClaims();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            StoredClaim claim = StoredClaim.read(value);
            timers.set(Timer.key(claim.askAt, claim.name()));
            return true;
        });
    }

    /** Nothing has been heard of a claim for long: its settlement may be lost. */
    @Override
    public boolean fire(Timer timer) {
        if (timer.kind() != Timers.Kind.KEY) return false;
        if (rows.forgetDue(timer)) return true;
        StoredClaim claim = find(timer.name());
        if (claim == null) return true;
        claim.asked++;
        Duration pause = FIRST_QUESTION.multipliedBy(1L << Math.min(claim.asked, 5));
        claim.askAt = out.now().plus(pause.compareTo(RAREST_QUESTION) > 0 ? RAREST_QUESTION : pause);
        timers.set(Timer.key(claim.askAt, claim.name()));
        save(claim);
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
        List<StoredClaim> some = new ArrayList<>();
        byte[] prefix = Keys.allKeyClaims();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            some.add(StoredClaim.read(value));
            return some.size() < most;
        });
        some.forEach(this::forget);
        return some.size() < most && rows.forgetSome(most);
    }
}
