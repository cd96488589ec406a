package io.floodgate.processor.queue.permit;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.limit.LimitRules;
import io.floodgate.processor.limit.Permits;
import io.floodgate.processor.queue.state.Desk;
import io.floodgate.processor.queue.state.DeskTable;
import io.floodgate.processor.queue.state.Job;
import io.floodgate.processor.queue.state.Lane;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.wait.Waiters;
import io.floodgate.topics.LogId;
import io.floodgate.topics.command.Message.GivePermits;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.RateLimit;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where the queues of a log get permits for jobs with a rate limit: from the log of the key, which may be this one, and then
 * answers within the step. What comes from elsewhere is asked for in advance, for as many jobs and workers as wait, and begins
 * a job in time or goes back.
 */
public final class Desks implements Entity {
    /** So long permits are kept for somebody who comes for a job. */
    static final long KEPT_MS = 250;

    /** The same where an answer came too late for whoever had asked: he will come again, but perhaps only after a second. */
    static final long KEPT_LATE_MS = 2_000;

    /** An answer that took longer tells nothing about the clock of the key's log. */
    private static final long SOON_MS = 250;

    /** Who has asked and heard nothing for long asks once more. */
    private static final long AGAIN_MS = 30_000;

    /** A desk without jobs is kept so long at least, and up to twice as long. */
    private static final long IDLE_MS = 60_000;

    /** So long permits for which nobody waits are kept for who comes next. */
    private static final long GRACE_MS = 50;

    private static final int MOST_BUSY = 200;

    private final DeskTable desks;
    private final Queues queues;
    private final Waiters waiters;
    private final Timers timers;
    private final DeskMail mail;
    private final DeskNews news;
    private final LimitRules limits;
    private final Effects out;

    public Desks(DeskTable desks, Queues queues, Waiters waiters, LimitRules limits, PartitionContext context) {
        this.desks = desks;
        this.queues = queues;
        this.waiters = waiters;
        this.timers = context.timers();
        mail = new DeskMail(desks, context.routing(), limits, context.out());
        news = new DeskNews(context.out());
        this.limits = limits;
        this.out = context.out();
    }

    @Override
    public void load() {
        for (Desk desk : desks.all()) {
            Instant at = desk.timer;
            if (at != null) timers.set(Timer.permits(at, desk.key));
            if (desk.expiry != null) timers.set(Timer.expiry(desk.expiry, desk.key));
        }
        // The jobs are where they stand, which is no news to anybody.
        desks.takeTouched();
    }

    private long now() {
        return out.now().toEpochMilli();
    }

    private boolean isHere(Desk desk) {
        return desk.home.equals(out.log());
    }

    public Collection<Desk> all() {
        return desks.all();
    }

    @Nullable
    public Desk find(String key) {
        return desks.find(key);
    }

    /** The desk of a job with a rate limit, which is there as long as the job. */
    public Desk of(String key) {
        Desk desk = desks.find(key);
        if (desk == null) throw new IllegalStateException("there is no desk for key " + key);
        return desk;
    }

    /** A job with this limit comes in: its word about the key is the newest. */
    public void use(RateLimit limit) {
        Desk desk = desks.find(limit.key());
        if (desk == null) desk = desks.open(limit.key(), out.nextNumber());
        boolean known = desk.definedAt > 0 && !desk.superseded && desk.allowance.equals(limit.allowance());
        desk.allowance = limit.allowance();
        desk.definedAt = now();
        desk.superseded = false;
        desk.idleSince = 0;
        desks.changed(desk);
        if (!known) send(desk);
    }

    /**
     * Workers wait for jobs of this lane.
     *
     * @param most permits that could be used
     * @return how many will come later
     */
    public int ask(Lane lane, int most) {
        Desk desk = lane.desk;
        // In the same log one is asked for when it is used: then order and time are exact.
        desk.wanted = isHere(desk) ? 1 : Math.min(most, lane.jobs.size());
        desk.unheard = true;
        desk.askedAt = now();
        desk.idleSince = 0;
        send(desk);
        // So that it asks again if it hears nothing.
        desks.touched(desk);
        desks.place(desk);
        return desk.standing() == Desk.Standing.ASKED ? desk.wanted : 0;
    }

    public void keep(Desk desk) {
        desk.keeps = true;
        desks.changed(desk);
    }

    /** Whether an answer about this key is still waited for. */
    public boolean isAnsweredSoon(Desk desk) {
        if (desk.isAnsweredSoon(now())) return true;
        desk.silent = true;
        desks.changed(desk);
        desks.place(desk);
        return false;
    }

    /** Whether a job can start on a permit of this key: one that is too old goes back first. */
    public boolean hasPermit(Desk desk) {
        Instant next = desk.firstExpiry();
        if (next == null || next.isAfter(out.now())) return desk.hasStock();
        look(desk);
        return desk.hasStock();
    }

    /** Somebody who waited for jobs is gone: what nobody waits for is not asked for any more, and goes back. */
    public void lessen() {
        for (Desk desk : desks.busy(MOST_BUSY)) {
            if (isWaitedFor(desk)) continue;
            if (isHere(desk) || desk.unheard || desk.allowance.concurrency() != null || !desk.allowance.isPaced()) {
                giveUp(desk);
                continue;
            }
            // Nobody else is kept from running meanwhile, and workers that look into several logs come and go.
            if (desk.givesUpAt == 0) desk.givesUpAt = now() + GRACE_MS;
            desks.changed(desk);
            desks.touched(desk);
        }
    }

    private boolean isWaitedFor(Desk desk) {
        return desk.lanes().stream().anyMatch(lane -> waiters.at(lane.queue.queue) != null);
    }

    private void giveUp(Desk desk) {
        desk.givesUpAt = 0;
        desk.silent |= desk.unheard;
        desk.wanted = 0;
        desk.unheard = false;
        desk.returnAll();
        desk.mustTell = true;
        desks.changed(desk);
        desks.touched(desk);
        desks.place(desk);
    }

    /** Uses a permit for a job that starts: its date, in microseconds. */
    public long take(Desk desk) {
        Permits permit = desk.take();
        if (permit.areDated()) {
            // mutant: reported-start
            if (isHere(desk)) limits.started(desk.key, permit.date());
            else desk.report(permit.date(), Math.clamp(desk.lateness.there(now()), permit.date(), permit.until()));
        }
        desks.place(desk);
        desks.changed(desk);
        return permit.date() * 1_000;
    }

    /** Of the key's jobs, those in this queue do not start before then. */
    public void freeze(String key, String queue, Instant until) {
        Desk desk = of(key);
        desk.freeze(queue, until);
        desks.place(desk);
        desks.changed(desk);
        desks.touched(desk);
    }

    /** Something else is in force of the key: what workers have said before holds its jobs back in no queue any more. */
    public void unfreeze(Desk desk) {
        if (desk.thawsAt() == null) return;
        thaw(desk, Instant.MAX);
        desks.changed(desk);
        desks.touched(desk);
    }

    private void thaw(Desk desk) {
        thaw(desk, out.now());
    }

    private void thaw(Desk desk, Instant until) {
        for (String name : desk.thaw(until)) {
            Queue queue = queues.find(name);
            if (queue != null) queues.toServe(queue);
        }
        desks.place(desk);
    }

    /** There may be memory for the key by now: whoever comes to its jobs asks again. */
    private void askForMemory(Desk desk) {
        Held held = desk.held();
        if (!desk.isWithoutMemory()
                || held == null
                || held.until() == null
                || held.until().isAfter(out.now())) return;
        desk.held(null);
        desks.place(desk);
        for (Lane lane : desk.lanes()) {
            Queue queue = queues.find(lane.queue.queue);
            if (queue != null) queues.toServe(queue);
        }
    }

    /** A job has started: that others were held back is over, for the time being. */
    public void started(Desk desk, Job job) {
        if (news.released(desk, job)) desks.changed(desk);
    }

    /** All there is to tell of it; what a key of this log gives comes at once. */
    private void send(Desk desk) {
        mail.send(desk);
        receive();
    }

    /** Takes what keys of this log have given. */
    public void receive() {
        for (GivePermits give = limits.post().takeHere();
                give != null;
                give = limits.post().takeHere()) take(give);
    }

    /** Another log has given permits, or says that there are none. */
    public void accept(GivePermits message) {
        receive();
        take(message);
    }

    private void take(GivePermits message) {
        Desk desk = desks.find(message.key());
        Permits permits = new Permits(message.count(), message.date(), message.until());
        if (desk == null || desk.epoch != message.epoch()) {
            mail.refuse(message, desk);
            return;
        }
        long now = now();
        long more = Math.clamp(message.given() - desk.received, 0, Integer.MAX_VALUE);
        desk.received = Math.max(desk.received, message.given());
        if (isHere(desk)) desk.balance();
        desk.wanted = (int) Math.max(0, desk.wanted - Math.min(more, permits.count()));
        long kept = desk.silent || desk.keeps ? KEPT_LATE_MS : KEPT_MS;
        desk.unheard = false;
        desk.silent = false;
        desk.keeps = false;
        desk.returnsAtOnce = message.returnsAtOnce();
        desk.superseded = message.superseded();
        if (!isHere(desk)) desk.lateness.of(message.at(), message.asked(), now, SOON_MS);
        if (message.held() != null || more > 0 || !message.tell()) desk.held(here(message.held(), desk));
        // Of what was lost on the way, nothing is held.
        if (more >= permits.count() && permits.count() > 0) stock(desk, permits, kept);
        if (message.recall()) desk.returnAll();
        // Nobody tells when there is memory again: it is asked for later.
        if (desk.isWithoutMemory()) desk.wanted = 0;
        news.heldBack(desk);
        desks.changed(desk);
        desks.place(desk);
        desk.mustTell |= message.tell() || !desk.unused.isEmpty();
        desks.touched(desk);
        toServe(desk);
    }

    private void toServe(Desk desk) {
        for (Lane lane : desk.lanes()) {
            Queue queue = queues.find(lane.queue.queue);
            if (queue != null) queues.toServe(queue);
        }
    }

    private void stock(Desk desk, Permits permits, long kept) {
        long from = desk.lateness.here(permits.date());
        // mutant: stock-kept
        long until = Math.max(from, now()) + kept;
        if (permits.areDated()) until = Math.min(until, desk.lateness.here(permits.until()));
        if (until < now()) desk.returnUnused(permits);
        else desk.stock(new Desk.Lot(permits, from, until), now());
    }

    /** The key's log may be of another time. */
    private static @Nullable Held here(@Nullable Held held, Desk desk) {
        if (held == null || held.until() == null) return held;
        return new Held(held.strategy(), held.limit(), held.current(), desk.lateness.here(held.until()));
    }

    /** As a step ends: what runs ended in it gives back. What a desk says may have another one of this log asked. */
    public void settle() {
        for (List<Desk> some = desks.takeTouched(); !some.isEmpty(); some = desks.takeTouched())
            some.forEach(this::settle);
    }

    private void settle(Desk desk) {
        if (!desk.open) return;
        if (desk.mustTell || !desk.used.isEmpty() || (desk.returnsAtOnce && desk.hasReturned())) send(desk);
        watchStock(desk);
        wake(desk);
    }

    /** Most permits are used in the step in which they come: what expires follows from what is left of them, and is not stored. */
    private void watchStock(Desk desk) {
        Instant next = desk.firstExpiry();
        if (Objects.equals(next, desk.expiry)) return;
        if (desk.expiry != null) timers.cancel(Timer.expiry(desk.expiry, desk.key));
        if (next != null) timers.set(Timer.expiry(next, desk.key));
        desk.expiry = next;
    }

    private void wake(Desk desk) {
        long at = Long.MAX_VALUE;
        if (desk.wanted > 0) at = desk.askedAt + AGAIN_MS;
        // Looked at now and then, not after each job: one that is in use would be written once more for it.
        // mutant: idle-desk
        if (desk.timer == null && desk.isIdle()) at = Math.min(at, now() + IDLE_MS);
        Held held = desk.held();
        if (held != null && held.until() != null && desk.isWithoutMemory())
            at = Math.min(at, held.until().toEpochMilli());
        Instant thaws = desk.thawsAt();
        if (thaws != null) at = Math.min(at, thaws.toEpochMilli());
        if (at == Long.MAX_VALUE) return;
        Instant next = Instant.ofEpochMilli(Math.max(at, now()));
        Instant before = desk.timer;
        // An earlier one looks again.
        if (before != null && !next.isBefore(before)) return;
        if (before != null) timers.cancel(Timer.permits(before, desk.key));
        timers.set(Timer.permits(next, desk.key));
        desk.timer = next;
        desks.changed(desk);
    }

    @Override
    public boolean fire(Timer timer) {
        if (timer.kind() == Timers.Kind.PERMITS) visit(timer.name());
        else if (timer.kind() == Timers.Kind.EXPIRY) look(timer.name());
        else return false;
        return true;
    }

    /** The time of permits has come, or is over. */
    private void look(String key) {
        Desk desk = desks.find(key);
        if (desk == null) return;
        boolean waited = desk.standing() == Desk.Standing.ASKED && !isAnsweredSoon(desk);
        look(desk);
        if (desk.givesUpAt > 0 && desk.givesUpAt <= now()) {
            desk.givesUpAt = 0;
            if (!isWaitedFor(desk)) giveUp(desk);
        }
        if (waited || desk.hasStock()) toServe(desk);
    }

    private void look(Desk desk) {
        desk.ripen(now());
        desks.changed(desk);
        desks.place(desk);
        desks.touched(desk);
        if (desk.unused.isEmpty()) return;
        // Nobody is there to use more.
        desk.wanted = 0;
        send(desk);
        desks.place(desk);
    }

    /** What its worker was told holds for permits that are here, too. */
    public void recall(String key) {
        Desk desk = desks.find(key);
        if (desk == null || !desk.hasPermits()) return;
        desk.returnAll();
        desk.mustTell = true;
        desks.changed(desk);
        desks.touched(desk);
        desks.place(desk);
        toServe(desk);
    }

    /** It is looked at now and then. */
    private void visit(String key) {
        Desk desk = desks.find(key);
        if (desk == null) return;
        desk.timer = null;
        desks.changed(desk);
        thaw(desk);
        askForMemory(desk);
        boolean asksAgain = desk.wanted > 0 && desk.askedAt + AGAIN_MS <= now();
        if (asksAgain) {
            desk.askedAt = now();
            desk.silent |= desk.unheard;
            desks.place(desk);
        }
        if (!desk.isIdle()) desk.idleSince = 0;
        else if (desk.idleSince == 0) desk.idleSince = now();
        else if (desk.idleSince + IDLE_MS <= now()) {
            close(desk);
            return;
        }
        if (asksAgain) send(desk);
        wake(desk);
    }

    private void close(Desk desk) {
        desk.wanted = 0;
        mail.leave(desk);
        receive();
        desks.close(desk);
    }

    /** Messages between this log and that one were lost: what is here is told anew. */
    @Nullable
    public String verify(LogId other, @Nullable String after, int most) {
        List<Desk> slice = desks.after(after, most);
        for (Desk desk : slice) if (desk.home.equals(other)) send(desk);
        return slice.size() < most ? null : slice.getLast().key;
    }

    @Override
    public boolean clear(int most) {
        List<Desk> some = desks.after(null, most);
        for (Desk desk : some) {
            if (desk.timer != null) timers.cancel(Timer.permits(desk.timer, desk.key));
            desk.returnAll();
            watchStock(desk);
            close(desk);
        }
        return some.size() < most;
    }
}
