package io.floodgate.client;

import java.util.Optional;

/**
 * The server has the job, unless it was dropped.
 *
 * @param wasThere it had a job of this id before: from an earlier try whose answer was lost, or because the id is your own
 *     and was sent before
 * @param dropped {@link EnqueueMiddleware} has dropped it, and it was not sent
 * @param pressure of the queue, if it fills up: who slows down now will not be rejected later
 */
public record Receipt(String id, String queue, boolean wasThere, boolean dropped, Optional<QueuePressure> pressure) {}
