package io.floodgate.outbox;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of the rows of a queue that were sent together.
 *
 * @param enqueued the first ones of them, which are jobs now
 * @param rejected those that can never be jobs
 * @param held why the remaining ones stay where they are; null if none remains
 */
record Delivery(
        String queue,
        List<OutboxRow> enqueued,
        List<Rejected> rejected,
        @Nullable Held held) {
    /** A row that can never be a job. */
    record Rejected(OutboxRow row, String code, String message) {}

    /**
     * Why the rows of a queue wait.
     *
     * @param asked how long the server wants to be left alone; zero if it did not say
     */
    record Held(String code, String message, Duration asked) {}

    Delivery {
        enqueued = List.copyOf(enqueued);
        rejected = List.copyOf(rejected);
    }
}
