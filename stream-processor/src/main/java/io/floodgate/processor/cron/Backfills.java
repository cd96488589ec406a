package io.floodgate.processor.cron;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.kernel.Work.Piece;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Times of the past that are run by hand: some at once, and the others a slice at a time, so that no command waits for all of them. */
final class Backfills {
    /** Runs of one slice. */
    static final int SLICE = 25;

    private static final String KIND = "backfill";
    private static final byte[] NO_RUNS = {'[', ']'};

    private final ScheduleStore store;
    private final ScheduleRuns runs;
    private final Work work;
    private final Effects out;

    Backfills(ScheduleStore store, ScheduleRuns runs, PartitionContext context) {
        this.store = store;
        this.runs = runs;
        work = context.work();
        out = context.out();
        work.register(KIND, this::slice);
    }

    /**
     * The rest of a backfill.
     *
     * @param createdAt of the schedule: one that is registered later by the same name is another one
     * @param by in whose name it runs
     * @param runs so far, as they are shown
     * @param times that are still to be run
     */
    private record Rest(Instant createdAt, @Nullable Identity by, byte[] runs, List<Instant> times) {
        static final StoredForm<Rest> STORED = new StoredForm<>(Rest.class, 1, "a backfill");
    }

    void begin(String name, ScheduleState state, List<Instant> times) {
        Rest rest = run(name, state, new Rest(state.createdAt, out.by(), NO_RUNS, times));
        if (rest.times.isEmpty()) {
            reply(name, rest);
            return;
        }
        work.begin(KIND, name, out.takeReplyTo(), out.now(), Rest.STORED.write(rest));
    }

    private byte @Nullable [] slice(Piece piece) {
        Rest rest = Rest.STORED.read(piece.cursor());
        ScheduleState state = store.registered(piece.subject());
        if (state != null && state.createdAt.equals(rest.createdAt)) {
            out.setBy(rest.by);
            rest = run(piece.subject(), state, rest);
            if (!rest.times.isEmpty()) return Rest.STORED.write(rest);
        }
        reply(piece.subject(), rest);
        return null;
    }

    /** Runs times of a backfill. Each has an outcome; skipped ones are known at once, and the others' queues decide. */
    private Rest run(String name, ScheduleState state, Rest rest) {
        JsonOut all = new JsonOut().beginArray();
        if (rest.runs.length > NO_RUNS.length) all.raw(rest.runs, 1, rest.runs.length - 1);
        int some = Math.min(SLICE, rest.times.size());
        for (Instant time : rest.times.subList(0, some)) runs.backfill(name, store.spec(name), state, time, all);
        store.put(name, state);
        return new Rest(rest.createdAt, rest.by, all.endArray().toBytes(), rest.times.subList(some, rest.times.size()));
    }

    private void reply(String name, Rest rest) {
        out.reply(
                JsonOut.object().field("name", name).fieldRaw("runs", rest.runs).endObject());
    }
}
