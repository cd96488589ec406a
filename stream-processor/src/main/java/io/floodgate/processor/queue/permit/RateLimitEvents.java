package io.floodgate.processor.queue.permit;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.limit.LimitEvents;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.PermitAccount;
import io.floodgate.processor.queue.state.SubQueue;
import io.floodgate.topics.limit.Held;
import org.jspecify.annotations.Nullable;

/** Events that jobs of a key are held back, and that this is over: once until one starts, and not too often. */
record RateLimitEvents(Effects out) {
    private static final long EVERY_MS = 1_000;

    void heldBack(PermitAccount account) {
        Held held = account.held();
        long now = out.now().toEpochMilli();
        account.limited.note(held != null, now);
        if (held == null) eligible(account);
        if (held == null || account.announced != null || now - account.lastAnnounced < EVERY_MS) return;
        SubQueue subQueue = first(account);
        if (subQueue == null || subQueue.head == null) return;
        account.announcedAt = now;
        account.lastAnnounced = now;
        account.announced = held;
        LimitEvents.exceeded(account.key, held, subQueue.queue.queue, subQueue.head.job(), out);
    }

    /** Announces that jobs that were held back can start, once a worker comes. */
    private void eligible(PermitAccount account) {
        Held why = account.announced;
        SubQueue subQueue = first(account);
        if (why == null) return;
        account.announced = null;
        if (subQueue == null || subQueue.head == null) return;
        long waited = out.now().toEpochMilli() - account.announcedAt;
        LimitEvents.released(account.key, why.strategy(), subQueue.queue.queue, subQueue.head.job(), waited, out);
    }

    private static @Nullable SubQueue first(PermitAccount account) {
        return account.subQueues().stream()
                .filter(some -> some.head != null)
                .findFirst()
                .orElse(null);
    }

    /** Returns whether it was announced that jobs were held back, which is over now that this one has started. */
    boolean released(PermitAccount account, JobRecord job) {
        Held why = account.announced;
        if (why == null) return false;
        long waited = out.now().toEpochMilli() - account.announcedAt;
        LimitEvents.released(account.key, why.strategy(), job.queue, job.id, waited, out);
        account.announced = null;
        return true;
    }
}
