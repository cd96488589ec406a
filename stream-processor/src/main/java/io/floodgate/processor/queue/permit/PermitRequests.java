package io.floodgate.processor.queue.permit;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.limit.LimitRules;
import io.floodgate.processor.limit.Permits;
import io.floodgate.processor.queue.state.PermitAccount;
import io.floodgate.processor.queue.state.PermitAccountStore;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Message.AskPermits;
import io.floodgate.topics.command.Message.GivePermits;
import io.floodgate.topics.command.Message.PermitMessage;
import io.floodgate.topics.command.Message.PermitUse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The messages of permit accounts to the partitions of their keys: each has the whole state. */
record PermitRequests(PermitAccountStore accounts, Routing routing, LimitRules limits, Effects out) {
    void send(PermitAccount account) {
        send(account, false);
    }

    /** A job has started on this permit: what is sent next says so. */
    void report(PermitAccount account, Permits permit) {
        account.report(permit.date(), startTime(account, permit));
    }

    /** Returns the time of a start as the key's partition has to count it, never too early. */
    private long startTime(PermitAccount account, Permits permit) {
        // More time has passed since the permit was given than this partition says.
        // mutant: slow-start
        if (out.isTimeSlow()) return PermitUse.ON_ARRIVAL;
        long now = account.lateness.there(out.now().toEpochMilli());
        // mutant: reported-start
        return Math.clamp(now, permit.date(), permit.until());
    }

    /** Closes an account that has no more jobs of the key. */
    void leave(PermitAccount account) {
        send(account, true);
    }

    private void send(PermitAccount account, boolean leaves) {
        AskPermits message = totals(account, leaves);
        account.unused.clear();
        account.used.clear();
        account.mustTell = false;
        account.toldReceived = account.received;
        account.toldHeld = account.holds();
        accounts.changed(account);
        if (account.home.equals(out.log())) limits.ask(message);
        else limits.post().add(account.home, message);
    }

    private AskPermits totals(PermitAccount account, boolean leaves) {
        return new AskPermits(
                account.key,
                out.log(),
                account.epoch,
                account.allowance,
                account.definedAt,
                account.stale,
                account.received,
                account.holds(),
                account.wanted,
                leaves,
                account.unused,
                account.used,
                out.now().toEpochMilli());
    }

    /** Returns permits, since there are no such jobs here any more. */
    void reject(GivePermits message, @Nullable PermitAccount account) {
        if (account != null && account.epoch > message.epoch()) return;
        PartitionId log = routing.ofLimit(message.key());
        PermitAccount gone = new PermitAccount(message.key(), log, message.epoch());
        gone.received = message.given();
        gone.stale = true;
        gone.returnUnused(new Permits(message.count(), message.date(), message.until()));
        AskPermits totals = totals(gone, true);
        // Behind what is being given: the key's partition must not receive it before.
        if (log.equals(out.log())) out.tell(log, "limit:" + gone.key, new PermitMessage(List.of(totals), List.of()));
        else limits.post().add(log, totals);
    }
}
