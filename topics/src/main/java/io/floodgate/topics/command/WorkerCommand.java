package io.floodgate.topics.command;

import java.util.Locale;

/** Commands to the registry entry of one worker. */
public sealed interface WorkerCommand extends Command {
    /** Among what a worker says about itself: the versions of job types that it takes. */
    String VERSIONS = "versions";

    String worker();

    /** A sign of life. {@code about} is a JSON object: hostname, pid, queues, concurrency, labels, state, versions. */
    record Beat(String worker, byte[] about) implements WorkerCommand {}

    /** The worker leaves in good order. */
    record Leave(String worker) implements WorkerCommand {}

    record GetWorker(String worker) implements WorkerCommand {}

    /** The directive in the answers to the worker's next heartbeats (OJS worker protocol §4). */
    enum Directive {
        RUNNING,
        /** It fetches no more jobs, and finishes those it has. */
        QUIET,
        /** It stops. */
        TERMINATE;

        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Directive read(String wire) throws UnreadableCommand {
            for (Directive directive : values()) if (directive.wire().equals(wire)) return directive;
            throw new UnreadableCommand("There is no directive '%s'.".formatted(Limits.echo(wire)));
        }
    }

    record Direct(String worker, Directive directive) implements WorkerCommand {}

    /** An operator says that the worker is gone: its jobs are given to others, and it is forgotten. */
    record Deregister(String worker) implements WorkerCommand {}
}
