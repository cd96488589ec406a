package io.floodgate.processor.queue.permit;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.queue.state.PermitAccount;
import io.floodgate.processor.queue.state.PermitAccountStore;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.SubQueue;
import io.floodgate.topics.limit.Held;
import java.time.Instant;

/** Keys whose jobs do not start for a while, since a worker has said so or there is no memory for them; and the queues that go on. */
record StoppedKeys(PermitAccountStore accounts, Queues queues, Effects out) {
    /** Lets no job of the key in this queue start before this time. */
    void freeze(PermitAccount account, String queue, Instant until) {
        account.freeze(queue, until);
        accounts.place(account);
        accounts.changed(account);
        accounts.touched(account);
    }

    /** Something else is in force of the key: what workers have said before holds its jobs back in no queue any more. */
    void unfreeze(PermitAccount account) {
        if (account.thawsAt() == null) return;
        thaw(account, Instant.MAX);
        accounts.changed(account);
        accounts.touched(account);
    }

    void thaw(PermitAccount account) {
        thaw(account, out.now());
    }

    private void thaw(PermitAccount account, Instant until) {
        for (String name : account.thaw(until)) {
            Queue queue = queues.find(name);
            if (queue != null) queues.toServe(queue);
        }
        accounts.place(account);
    }

    /** Lets the next fetch of the key's jobs ask again, since there may be memory for the key by now. */
    void askForMemory(PermitAccount account) {
        Held held = account.held();
        if (!account.isWithoutMemory()
                || held == null
                || held.until() == null
                || held.until().isAfter(out.now())) return;
        account.held(null);
        accounts.place(account);
        toServe(account);
    }

    /** Fetches may get jobs of this key now. */
    void toServe(PermitAccount account) {
        for (SubQueue subQueue : account.subQueues()) {
            Queue queue = queues.find(subQueue.queue.queue);
            if (queue != null) queues.toServe(queue);
        }
    }
}
