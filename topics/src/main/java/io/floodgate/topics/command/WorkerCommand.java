package io.floodgate.topics.command;

/** Commands to the registry entry of one worker. */
public sealed interface WorkerCommand extends Command {
    String worker();

    /** A sign of life. {@code about} is a JSON object: hostname, pid, queues, concurrency, labels, state. */
    record Beat(String worker, byte[] about) implements WorkerCommand {}

    /** The worker leaves in good order. */
    record Leave(String worker) implements WorkerCommand {}

    record GetWorker(String worker) implements WorkerCommand {}
}
