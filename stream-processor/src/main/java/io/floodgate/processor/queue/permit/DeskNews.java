package io.floodgate.processor.queue.permit;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.limit.LimitEvents;
import io.floodgate.processor.queue.state.Desk;
import io.floodgate.processor.queue.state.Job;
import io.floodgate.processor.queue.state.Lane;
import io.floodgate.topics.limit.Held;
import org.jspecify.annotations.Nullable;

/** That jobs of a key are held back, and that this is over: announced once until one starts, and not too often. */
final class DeskNews {
    private static final long EVERY_MS = 1_000;

    private final Effects out;

    DeskNews(Effects out) {
        this.out = out;
    }

    void heldBack(Desk desk) {
        Held held = desk.held();
        long now = out.now().toEpochMilli();
        desk.limited.note(held != null, now);
        if (held == null) eligible(desk);
        if (held == null || desk.announced != null || now - desk.lastAnnounced < EVERY_MS) return;
        Lane lane = first(desk);
        if (lane == null || lane.head == null) return;
        desk.announcedAt = now;
        desk.lastAnnounced = now;
        desk.announced = held;
        LimitEvents.exceeded(desk.key, held, lane.queue.queue, lane.head.job(), out);
    }

    /** Those that were held back can start, once a worker comes. */
    private void eligible(Desk desk) {
        Held why = desk.announced;
        Lane lane = first(desk);
        if (why == null) return;
        desk.announced = null;
        if (lane == null || lane.head == null) return;
        long waited = out.now().toEpochMilli() - desk.announcedAt;
        LimitEvents.released(desk.key, why.strategy(), lane.queue.queue, lane.head.job(), waited, out);
    }

    private static @Nullable Lane first(Desk desk) {
        return desk.lanes().stream()
                .filter(some -> some.head != null)
                .findFirst()
                .orElse(null);
    }

    /** Whether it was announced that jobs were held back, which is over now that this one has started. */
    boolean released(Desk desk, Job job) {
        Held why = desk.announced;
        if (why == null) return false;
        long waited = out.now().toEpochMilli() - desk.announcedAt;
        LimitEvents.released(desk.key, why.strategy(), job.queue, job.id, waited, out);
        desk.announced = null;
        return true;
    }
}
