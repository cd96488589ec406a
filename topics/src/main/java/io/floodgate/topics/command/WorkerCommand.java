package io.floodgate.topics.command;

import io.floodgate.topics.json.Wire;
import io.floodgate.topics.json.WireName;

/** Commands to the registry entry of one worker. */
public sealed interface WorkerCommand extends Command {
    /** Among what a worker says about itself: the versions of job types that it takes. */
    String VERSIONS = "versions";

    String worker();

    /** A sign of life. {@code about} is a JSON object: hostname, pid, queues, concurrency, labels, state, versions. */
    record Beat(
            @Wire.Name("worker_id") String worker,
            @Wire.Most(Limits.ABOUT_BYTES) byte[] about) implements WorkerCommand {}

    /** The worker leaves in good order. */
    record Leave(@Wire.Name("worker_id") String worker) implements WorkerCommand {}

    record GetWorker(@Wire.Name("worker_id") String worker) implements WorkerCommand {}

    /** The directive in the answers to the worker's next heartbeats (OJS worker protocol §4). */
    enum Directive implements WireName {
        RUNNING,
        /** It fetches no more jobs, and finishes those it has. */
        QUIET,
        /** It stops. */
        TERMINATE
    }

    record Direct(@Wire.Name("worker_id") String worker, Directive directive) implements WorkerCommand {}

    /** An operator says that the worker is gone: its jobs are given to others, and it is forgotten. */
    record Deregister(@Wire.Name("worker_id") String worker) implements WorkerCommand {}
}
