package io.floodgate.processor.queue.permit;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.limit.LimitRules;
import io.floodgate.processor.limit.Permits;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.PermitAccount;
import io.floodgate.processor.queue.state.PermitAccountStore;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.SubQueue;
import io.floodgate.processor.queue.wait.Waiters;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Message.GivePermits;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.RateLimit;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gets permits for jobs with a rate limit: from the partition of the key, which may be this one, and then answers
 * within the step. Permits of other partitions are asked for in advance, for as many jobs and workers as wait, and
 * begin a job in time or go back.
 */
public final class PermitAccounts implements Entity {
    /** Time for which permits are kept for a worker that comes for a job. */
    static final long KEPT_MS = 250;

    /** The same where an answer came too late for the worker: it will fetch again, but perhaps only after a second. */
    static final long KEPT_LATE_MS = 2_000;

    /** Longest way of an answer that says something about the clock of the key's partition. */
    private static final long SOON_MS = 250;

    /** Time for which permits that no worker waits for are kept for the next one. */
    private static final long GRACE_MS = 50;

    private static final int MOST_BUSY = 200;

    private final PermitAccountStore accounts;
    private final Waiters waiters;
    private final PermitTimers timers;
    private final StoppedKeys stopped;
    private final PermitRequests mail;
    private final RateLimitEvents news;
    private final LimitRules limits;
    private final Effects out;

    public PermitAccounts(
            PermitAccountStore accounts, Queues queues, Waiters waiters, LimitRules limits, PartitionContext context) {
        this.accounts = accounts;
        this.waiters = waiters;
        timers = new PermitTimers(accounts, context.timers(), context.out());
        stopped = new StoppedKeys(accounts, queues, context.out());
        mail = new PermitRequests(accounts, context.routing(), limits, context.out());
        news = new RateLimitEvents(context.out());
        this.limits = limits;
        this.out = context.out();
    }

    @Override
    public void load() {
        accounts.all().forEach(timers::load);
        // The jobs are where they were, which is no news.
        accounts.takeTouched();
    }

    private long now() {
        return out.now().toEpochMilli();
    }

    private boolean isHere(PermitAccount account) {
        return account.home.equals(out.log());
    }

    public Collection<PermitAccount> all() {
        return accounts.all();
    }

    @Nullable
    public PermitAccount find(String key) {
        return accounts.find(key);
    }

    /** The permit account of a job with a rate limit, which is there as long as the job. */
    public PermitAccount of(String key) {
        PermitAccount account = accounts.find(key);
        if (account == null) throw new IllegalStateException("there is no permit account for key " + key);
        return account;
    }

    /** A job with this limit comes in: its word about the key is the newest. */
    public void use(RateLimit limit) {
        PermitAccount account = accounts.find(limit.key());
        if (account == null) account = accounts.open(limit.key(), out.nextNumber());
        boolean known = account.definedAt > 0 && !account.stale && account.allowance.equals(limit.allowance());
        account.allowance = limit.allowance();
        account.definedAt = now();
        account.stale = false;
        account.idleSince = 0;
        accounts.changed(account);
        if (!known) send(account);
    }

    /**
     * Workers wait for jobs of this sub-queue.
     *
     * @param most permits that could be used
     * @return how many will come later
     */
    public int ask(SubQueue subQueue, int most) {
        PermitAccount account = subQueue.account;
        // In the same partition one is asked for when it is used: then order and time are exact.
        account.wanted = isHere(account) ? 1 : Math.min(most, subQueue.jobs.size());
        account.unanswered = true;
        account.askedAt = now();
        account.idleSince = 0;
        send(account);
        // So that it asks again if no answer comes.
        accounts.touched(account);
        accounts.place(account);
        return account.standing() == PermitAccount.PermitState.ASKED ? account.wanted : 0;
    }

    public void keep(PermitAccount account) {
        account.keeps = true;
        accounts.changed(account);
    }

    /** Returns whether an answer about this key is still waited for. */
    public boolean isAnsweredSoon(PermitAccount account) {
        if (account.isAnsweredSoon(now())) return true;
        account.silent = true;
        accounts.changed(account);
        accounts.place(account);
        return false;
    }

    /** Returns whether a job can start on a permit of this key: one that is too old goes back first. */
    public boolean hasPermit(PermitAccount account) {
        Instant next = account.firstExpiry();
        if (next == null || next.isAfter(out.now())) return account.hasStock();
        look(account);
        return account.hasStock();
    }

    /** A worker stopped waiting for jobs: permits that no worker waits for are not requested, and go back. */
    public void lessen() {
        for (PermitAccount account : accounts.busy(MOST_BUSY)) {
            if (isWaitedFor(account)) continue;
            if (isHere(account)
                    || account.unanswered
                    || account.allowance.concurrency() != null
                    || !account.allowance.isPaced()) {
                giveUp(account);
                continue;
            }
            // No other job is kept from running meanwhile, and workers that look into several partitions come and go.
            if (account.givesUpAt == 0) account.givesUpAt = now() + GRACE_MS;
            accounts.changed(account);
            accounts.touched(account);
        }
    }

    private boolean isWaitedFor(PermitAccount account) {
        return account.subQueues().stream().anyMatch(subQueue -> waiters.at(subQueue.queue.queue) != null);
    }

    private void giveUp(PermitAccount account) {
        account.givesUpAt = 0;
        account.silent |= account.unanswered;
        account.wanted = 0;
        account.unanswered = false;
        account.returnAll();
        account.mustTell = true;
        accounts.changed(account);
        accounts.touched(account);
        accounts.place(account);
    }

    /** Uses a permit for a job that starts: its date, in microseconds. */
    public long take(PermitAccount account) {
        Permits permit = account.take();
        if (permit.areDated()) {
            if (isHere(account)) limits.started(account.key, permit.date());
            else mail.report(account, permit);
        }
        accounts.place(account);
        accounts.changed(account);
        return permit.date() * 1_000;
    }

    /** Lets no job of the key in this queue start before this time. */
    public void freeze(String key, String queue, Instant until) {
        stopped.freeze(of(key), queue, until);
    }

    /** Something else is in force of the key: what workers have said before holds its jobs back in no queue any more. */
    public void unfreeze(PermitAccount account) {
        stopped.unfreeze(account);
    }

    /** A job has started: that others were held back is over, for the time being. */
    public void started(PermitAccount account, JobRecord job) {
        if (news.released(account, job)) accounts.changed(account);
    }

    /** Sends all that the account has to report; permits of a key of this partition come at once. */
    private void send(PermitAccount account) {
        mail.send(account);
        receive();
    }

    /** Takes what keys of this partition have given. */
    public void receive() {
        for (GivePermits give = limits.post().takeHere();
                give != null;
                give = limits.post().takeHere()) take(give);
    }

    /** Another partition has given permits, or says that there are none. */
    public void accept(GivePermits message) {
        receive();
        take(message);
    }

    private void take(GivePermits message) {
        PermitAccount account = accounts.find(message.key());
        Permits permits = new Permits(message.count(), message.date(), message.until());
        if (account == null || account.epoch != message.epoch()) {
            mail.reject(message, account);
            return;
        }
        long now = now();
        long more = Math.clamp(message.given() - account.received, 0, Integer.MAX_VALUE);
        account.received = Math.max(account.received, message.given());
        if (isHere(account)) account.balance();
        account.wanted = (int) Math.max(0, account.wanted - Math.min(more, permits.count()));
        long kept = account.silent || account.keeps ? KEPT_LATE_MS : KEPT_MS;
        account.unanswered = false;
        account.silent = false;
        account.keeps = false;
        account.returnsAtOnce = message.returnsAtOnce();
        account.stale = message.stale();
        if (!isHere(account)) account.lateness.of(message.at(), message.asked(), now, SOON_MS);
        if (message.held() != null || more > 0 || !message.tell()) account.held(here(message.held(), account));
        // Of what was lost on the way, nothing is held.
        if (more >= permits.count() && permits.count() > 0) stock(account, permits, kept);
        if (message.recall()) account.returnAll();
        // No message says when there is memory again: it asks later.
        if (account.isWithoutMemory()) account.wanted = 0;
        news.heldBack(account);
        accounts.changed(account);
        accounts.place(account);
        account.mustTell |= message.tell() || !account.unused.isEmpty();
        accounts.touched(account);
        stopped.toServe(account);
    }

    private void stock(PermitAccount account, Permits permits, long kept) {
        long from = account.lateness.here(permits.date());
        // mutant: stock-kept
        long until = Math.max(from, now()) + kept;
        if (permits.areDated()) until = Math.min(until, account.lateness.here(permits.until()));
        if (until < now()) account.returnUnused(permits);
        else account.stock(new PermitAccount.Lot(permits, from, until), now());
    }

    /** The key's partition may be of another time. */
    private static @Nullable Held here(@Nullable Held held, PermitAccount account) {
        if (held == null || held.until() == null) return held;
        return new Held(held.strategy(), held.limit(), held.current(), account.lateness.here(held.until()));
    }

    /** Settles, as a step ends, the accounts of runs that have ended in it, and of those asked by these. */
    public void settle() {
        for (List<PermitAccount> some = accounts.takeTouched(); !some.isEmpty(); some = accounts.takeTouched())
            some.forEach(this::settle);
    }

    private void settle(PermitAccount account) {
        if (!account.open) return;
        if (account.mustTell || !account.used.isEmpty() || (account.returnsAtOnce && account.hasReturned()))
            send(account);
        timers.watchStock(account);
        timers.wake(account);
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
        PermitAccount account = accounts.find(key);
        if (account == null) return;
        boolean waited = account.standing() == PermitAccount.PermitState.ASKED && !isAnsweredSoon(account);
        look(account);
        if (account.givesUpAt > 0 && account.givesUpAt <= now()) {
            account.givesUpAt = 0;
            if (!isWaitedFor(account)) giveUp(account);
        }
        if (waited || account.hasStock()) stopped.toServe(account);
    }

    private void look(PermitAccount account) {
        account.ripen(now());
        accounts.changed(account);
        accounts.place(account);
        accounts.touched(account);
        if (account.unused.isEmpty()) return;
        // No worker is there to use more.
        account.wanted = 0;
        send(account);
        accounts.place(account);
    }

    /** A worker that stopped the key stops permits that are here, too. */
    public void recall(String key) {
        PermitAccount account = accounts.find(key);
        if (account == null || !account.hasPermits()) return;
        account.returnAll();
        account.mustTell = true;
        accounts.changed(account);
        accounts.touched(account);
        accounts.place(account);
        stopped.toServe(account);
    }

    /** Looks at the account, as is done now and then. */
    private void visit(String key) {
        PermitAccount account = accounts.find(key);
        if (account == null) return;
        account.timer = null;
        accounts.changed(account);
        stopped.thaw(account);
        stopped.askForMemory(account);
        boolean asksAgain = account.wanted > 0 && account.askedAt + PermitTimers.AGAIN_MS <= now();
        if (asksAgain) {
            account.askedAt = now();
            account.silent |= account.unanswered;
            accounts.place(account);
        }
        if (!account.isIdle()) account.idleSince = 0;
        else if (account.idleSince == 0) account.idleSince = now();
        else if (account.idleSince + PermitTimers.IDLE_MS <= now()) {
            close(account);
            return;
        }
        if (asksAgain) send(account);
        timers.wake(account);
    }

    private void close(PermitAccount account) {
        account.wanted = 0;
        mail.leave(account);
        receive();
        accounts.close(account);
    }

    /** Messages between this partition and that one were lost: sends again what is here. */
    @Nullable
    public String verify(PartitionId other, @Nullable String after, int most) {
        List<PermitAccount> slice = accounts.after(after, most);
        for (PermitAccount account : slice) if (account.home.equals(other)) sendAgain(account);
        return slice.size() < most ? null : slice.getLast().key;
    }

    /** Asks again, since the message that there are permits again may be lost. */
    private void sendAgain(PermitAccount account) {
        // mutant: held-after-loss
        account.held(null);
        accounts.changed(account);
        accounts.place(account);
        send(account);
        stopped.toServe(account);
    }

    @Override
    public boolean clear(int most) {
        List<PermitAccount> some = accounts.after(null, most);
        for (PermitAccount account : some) {
            timers.cancel(account);
            close(account);
        }
        return some.size() < most;
    }
}
