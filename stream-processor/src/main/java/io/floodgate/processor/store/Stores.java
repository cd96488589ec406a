package io.floodgate.processor.store;

/**
 * The stores of a task.
 *
 * @param payloads what is written once: the job as sent, its errors, its result
 * @param jobs the small mutable state of jobs, and the indexes over finished ones
 * @param entities queues, parked fetches, directory, workers, batches, outbox and the log's own books
 */
public record Stores(KeyValues payloads, KeyValues jobs, KeyValues entities) {}
