package io.floodgate.processor.queue.permit;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.queue.state.PermitAccount;
import io.floodgate.processor.queue.state.PermitAccountStore;
import io.floodgate.topics.limit.Held;
import java.time.Instant;
import java.util.Objects;

/** Timers of permit accounts: for permits that expire, to ask again, and to close idle accounts. */
record PermitTimers(PermitAccountStore accounts, Timers timers, Effects out) {
    /** A request without an answer is repeated. */
    static final long AGAIN_MS = 30_000;

    /** A permit account without jobs is kept for this time at least, and up to twice as long. */
    static final long IDLE_MS = 60_000;

    void load(PermitAccount account) {
        if (account.timer != null) timers.set(Timer.permits(account.timer, account.key));
        if (account.expiry != null) timers.set(Timer.expiry(account.expiry, account.key));
    }

    /** Cancels all timers of an account that is given up. */
    void cancel(PermitAccount account) {
        if (account.timer != null) timers.cancel(Timer.permits(account.timer, account.key));
        account.returnAll();
        watchStock(account);
    }

    /** Most permits are used in the step in which they come: what expires follows from what is left of them, and is not stored. */
    void watchStock(PermitAccount account) {
        Instant next = account.firstExpiry();
        if (Objects.equals(next, account.expiry)) return;
        if (account.expiry != null) timers.cancel(Timer.expiry(account.expiry, account.key));
        if (next != null) timers.set(Timer.expiry(next, account.key));
        account.expiry = next;
    }

    void wake(PermitAccount account) {
        long at = Long.MAX_VALUE;
        if (account.wanted > 0) at = account.askedAt + AGAIN_MS;
        // Looked at now and then, not after each job: one that is in use would be written again for it.
        // mutant: idle-account
        if (account.timer == null && account.isIdle())
            at = Math.min(at, out.now().toEpochMilli() + IDLE_MS);
        Held held = account.held();
        if (held != null && held.until() != null && account.isWithoutMemory())
            at = Math.min(at, held.until().toEpochMilli());
        Instant thaws = account.thawsAt();
        if (thaws != null) at = Math.min(at, thaws.toEpochMilli());
        if (at == Long.MAX_VALUE) return;
        Instant next = Instant.ofEpochMilli(Math.max(at, out.now().toEpochMilli()));
        Instant before = account.timer;
        // An earlier one looks again.
        if (before != null && !next.isBefore(before)) return;
        if (before != null) timers.cancel(Timer.permits(before, account.key));
        timers.set(Timer.permits(next, account.key));
        account.timer = next;
        accounts.changed(account);
    }
}
