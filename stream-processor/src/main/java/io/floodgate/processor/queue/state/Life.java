package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.StoredFields;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a queue, and its end.
 *
 * @param explicit an operator has made it
 * @param ending it is being deleted; null if not
 * @param gone it is deleted: only what has finished in it is left, and it is not listed any more
 */
public record Life(boolean explicit, @Nullable Ending ending, boolean gone) {
    /** Life of a queue that began with its first job, as most do. */
    static final Life IMPLICIT = new Life(false, null, false);

    static final StoredFields<Life> STORED = StoredFields.of(Life.class);

    static final Life EXPLICIT = new Life(true, null, false);

    /** @param how null if it goes on as if nothing had been decided */
    Life endingBy(@Nullable Ending how) {
        return new Life(explicit, how, false);
    }

    Life ended() {
        return new Life(explicit, null, true);
    }
}
