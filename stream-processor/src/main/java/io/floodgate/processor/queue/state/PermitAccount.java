package io.floodgate.processor.queue.state;

import io.floodgate.processor.kernel.LastStored;
import io.floodgate.processor.limit.Permits;
import io.floodgate.processor.limit.StoredLimits;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Message.PermitUse;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.Strategy;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The permits of a key in a partition that has jobs under it: those that are not used, those that are asked for, and
 * why there are no more. How many jobs run, and which wait, follows from the jobs.
 */
public final class PermitAccount {
    private static final int VERSION = 1;

    /** States of a key by which its jobs can start or not. */
    public enum PermitState {
        STOCKED,
        OPEN,
        /** The key's partition has been asked, and will answer soon. */
        ASKED,
        OUT
    }

    /** Time to wait for an answer before later jobs in the order are handed out. */
    public static final long ANSWERED_WITHIN_MS = 100;

    /** Unused permits, and from when and until when a job may begin on them. */
    public record Lot(Permits permits, long from, long until) {}

    public final String key;
    public final PartitionId home;
    public long epoch;
    /** True while the account exists. */
    public boolean open;

    public Allowance allowance = Allowance.UNLIMITED;
    public long definedAt;
    /** Jobs elsewhere have said something else of the key since. */
    public boolean stale;

    public long received;
    /** The last report: permits that were received, and those of them that are held. */
    public long toldReceived;

    public long toldHeld;

    public int wanted;
    /** True while a question has no answer. */
    public boolean unanswered;
    /** The key's partition has not answered soon the last time, so that no fetch waits for it. */
    public boolean silent;
    /** The worker that has asked does not wait for the answer, and will come again. */
    public boolean keeps;
    /** True if there is something to report to the key's partition before the step ends. */
    public boolean mustTell;

    public boolean returnsAtOnce;
    private @Nullable Held held;
    /** The announced reason why jobs are held back, and since when; null if they are not. */
    @Nullable
    public Held announced;

    public long announcedAt;
    /** Time of the last announcement. */
    public long lastAnnounced;

    /** Queues in which none of its jobs starts, and until when. */
    private final TreeMap<String, Instant> frozen = new TreeMap<>();

    /** Time for which jobs were held back. */
    public final LimitedTime limited = new LimitedTime();

    private final ArrayDeque<Lot> stock = new ArrayDeque<>();
    /** Permits whose time has not come yet. */
    private final ArrayDeque<Lot> coming = new ArrayDeque<>();
    /** Permits whose time is over, to go back. */
    public final List<Long> unused = new ArrayList<>();
    /** Starts that are to be reported to the key's partition. */
    public final List<PermitUse> used = new ArrayList<>();

    /** Time at which the account is looked at. */
    @Nullable
    public Instant timer;

    /** Time of the timer for its first permits: when they may be used, expire, or are given up. */
    @Nullable
    public Instant expiry;

    public long askedAt;
    /** Time at which it gives up permits and requests, unless a worker waits; 0 for never. */
    public long givesUpAt;

    public long idleSince;
    public final Lateness lateness = new Lateness();
    final LastStored stored = new LastStored();

    /** Unfinished jobs, and those that run on a permit: as many as there are jobs. */
    public int jobs;

    public int active;
    /** Jobs that are scheduled for when their turn was expected. */
    public final TreeSet<JobId> putOff = new TreeSet<>();
    /** In an order that does not depend on which came first: memory may be lost. */
    // mutant: order-of-sub-queues
    private final Map<SubQueue.Name, SubQueue> subQueues = new TreeMap<>();

    /** @param home the partition that decides about the key */
    public PermitAccount(String key, PartitionId home, long epoch) {
        this.key = key;
        this.home = home;
        this.epoch = epoch;
    }

    @Nullable
    SubQueue subQueue(SubQueue.Name name) {
        return subQueues.get(name);
    }

    void enter(SubQueue subQueue) {
        subQueues.put(subQueue.name, subQueue);
    }

    void leave(SubQueue subQueue) {
        subQueues.remove(subQueue.name);
    }

    public Collection<SubQueue> subQueues() {
        return subQueues.values();
    }

    public PermitState standing() {
        if (!stock.isEmpty()) return PermitState.STOCKED;
        if (unanswered && wanted > 0 && !silent) return PermitState.ASKED;
        return wanted > 0 || held != null || !coming.isEmpty() ? PermitState.OUT : PermitState.OPEN;
    }

    /** Returns whether jobs of the key can start in this queue. */
    public PermitState standingIn(String queue) {
        return frozen.containsKey(queue) ? PermitState.OUT : standing();
    }

    /** Lets no job of the key in this queue start before this time. */
    public void freeze(String queue, Instant until) {
        Instant before = frozen.get(queue);
        if (before == null || until.isAfter(before)) frozen.put(queue, until);
    }

    /** The queues in which this is over. */
    public List<String> thaw(Instant now) {
        List<String> thawed = new ArrayList<>();
        frozen.forEach((queue, until) -> {
            if (!until.isAfter(now)) thawed.add(queue);
        });
        thawed.forEach(frozen::remove);
        return thawed;
    }

    /** Returns when the freeze of the next queue is over; null if there is none. */
    @Nullable
    public Instant thawsAt() {
        return frozen.isEmpty() ? null : Collections.min(frozen.values());
    }

    /** Returns what holds jobs back in this queue; null if nothing does. */
    @Nullable
    public Held heldIn(String queue) {
        Instant until = frozen.get(queue);
        return until == null ? held : new Held(Strategy.ADJUSTED, 0, active, until);
    }

    @Nullable
    public Held held() {
        return held;
    }

    /** Returns whether the partition of the key has no memory left for it. */
    public boolean isWithoutMemory() {
        return held != null && held.strategy() == Strategy.MEMORY;
    }

    public void held(@Nullable Held now) {
        held = now;
    }

    /** Permits that are not used, or under which jobs run. */
    public long holds() {
        long holds = active;
        for (Lot lot : stock) holds += lot.permits.count();
        for (Lot lot : coming) holds += lot.permits.count();
        return holds;
    }

    /** Permits have gone back that its key's partition believes to be here. */
    public boolean hasReturned() {
        return holds() < received - toldReceived + toldHeld;
    }

    /** Resets the totals, so that they do not grow. The key's partition is this one, and has received all. */
    public void balance() {
        toldHeld += received - toldReceived;
        received = 0;
        toldReceived = 0;
    }

    public void stock(Lot lot, long now) {
        if (lot.from > now) coming.addLast(lot);
        else stock.addLast(lot);
    }

    /** The permit that is used next. */
    public Permits take() {
        Lot lot = stock.pollFirst();
        if (lot == null) throw new IllegalStateException("no permit for " + key);
        if (lot.permits.count() > 1) stock.addFirst(new Lot(lot.permits.rest(), lot.from, lot.until));
        return lot.permits;
    }

    /** A job has started on one of these permits; both times are by the clock of the key's partition. */
    public void report(long date, long at) {
        PermitUse last = used.isEmpty() ? null : used.getLast();
        if (last == null || last.date() != date || last.at() != at) used.add(new PermitUse(date, at, 1));
        else used.set(used.size() - 1, new PermitUse(date, at, last.count() + 1));
    }

    /** Takes permits whose time has come, and returns those that were not used in time. */
    public void ripen(long now) {
        coming.removeIf(lot -> {
            if (lot.from <= now) stock.addLast(lot);
            return lot.from <= now;
        });
        stock.removeIf(lot -> {
            if (lot.until < now) returnUnused(lot.permits);
            return lot.until < now;
        });
    }

    /** Returns all permits: no worker is there to use them, or none may. */
    public void returnAll() {
        stock.forEach(lot -> returnUnused(lot.permits));
        coming.forEach(lot -> returnUnused(lot.permits));
        stock.clear();
        coming.clear();
    }

    public void returnUnused(Permits permits) {
        for (int i = 0; i < permits.count(); i++) unused.add(permits.date());
    }

    public boolean hasStock() {
        return !stock.isEmpty();
    }

    public boolean hasPermits() {
        return !stock.isEmpty() || !coming.isEmpty();
    }

    /** Returns whether an answer that has been asked for is still waited for. */
    public boolean isAnsweredSoon(long now) {
        return standing() == PermitState.ASKED && now < askedAt + ANSWERED_WITHIN_MS;
    }

    /** Returns when the first permits may be used, or go back, or are not awaited any more; null if there are none. */
    @Nullable
    public Instant firstExpiry() {
        long first = Long.MAX_VALUE;
        for (Lot lot : stock) first = Math.min(first, lot.until + 1);
        for (Lot lot : coming) first = Math.min(first, lot.from);
        if (givesUpAt > 0) first = Math.min(first, givesUpAt);
        if (standing() == PermitState.ASKED) first = Math.min(first, askedAt + ANSWERED_WITHIN_MS);
        return first == Long.MAX_VALUE ? null : Instant.ofEpochMilli(first);
    }

    /** Available jobs that are held back. */
    public long heldBack() {
        long jobs = 0;
        for (SubQueue subQueue : subQueues.values())
            if (heldIn(subQueue.name.queue()) != null) jobs += subQueue.jobs.size();
        return jobs;
    }

    /** Available jobs that wait here. */
    long waiting() {
        long waiting = 0;
        for (SubQueue subQueue : subQueues.values()) waiting += subQueue.jobs.size();
        return waiting;
    }

    public boolean isIdle() {
        return jobs == 0 && active == 0 && !hasPermits() && frozen.isEmpty();
    }

    byte[] write() {
        BinaryOut out = new BinaryOut().u8(VERSION).number(epoch);
        StoredLimits.write(allowance, out);
        out.number(definedAt)
                .number(received)
                .number(toldReceived)
                .number(toldHeld)
                .number(wanted);
        out.flag(unanswered).flag(returnsAtOnce);
        StoredLimits.write(held, out);
        StoredLimits.write(announced, out);
        out.number(announcedAt)
                .number(lastAnnounced)
                .number(wanted > 0 ? askedAt : 0)
                .number(idleSince)
                .optional(timer);
        lateness.write(out);
        write(stock, out);
        write(coming, out);
        out.flag(stale).flag(silent).flag(keeps).number(givesUpAt).number(frozen.size());
        frozen.forEach((queue, until) -> out.text(queue).time(until));
        limited.write(out);
        return out.toBytes();
    }

    private static void write(ArrayDeque<Lot> lots, BinaryOut out) {
        out.number(lots.size());
        for (Lot lot : lots)
            out.number(lot.permits.count())
                    .number(lot.permits.date())
                    .number(lot.permits.until())
                    .number(lot.from)
                    .number(lot.until);
    }

    private static void read(ArrayDeque<Lot> lots, BinaryIn in) {
        lots.clear();
        for (int left = in.integer(); left > 0; left--)
            lots.addLast(new Lot(new Permits(in.integer(), in.number(), in.number()), in.number(), in.number()));
    }

    /** Makes it what is stored; its jobs are where they are. */
    void restore(byte[] bytes) {
        stored.is(bytes);
        BinaryIn in = new BinaryIn(bytes);
        in.version(VERSION, () -> "permit account " + key);
        epoch = in.number();
        allowance = StoredLimits.read(in);
        definedAt = in.number();
        received = in.number();
        toldReceived = in.number();
        toldHeld = in.number();
        wanted = in.integer();
        unanswered = in.flag();
        returnsAtOnce = in.flag();
        held = StoredLimits.held(in);
        announced = StoredLimits.held(in);
        announcedAt = in.number();
        lastAnnounced = in.number();
        askedAt = in.number();
        idleSince = in.number();
        timer = in.optionalTime();
        lateness.restore(in);
        unused.clear();
        used.clear();
        mustTell = false;
        read(stock, in);
        read(coming, in);
        stale = in.flag();
        silent = in.flag();
        keeps = in.flag();
        givesUpAt = in.number();
        expiry = firstExpiry();
        frozen.clear();
        for (int left = in.integer(); left > 0; left--) frozen.put(in.text(), in.time());
        limited.restore(in);
    }
}
