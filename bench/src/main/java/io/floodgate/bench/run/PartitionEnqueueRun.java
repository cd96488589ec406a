package io.floodgate.bench.run;

import io.floodgate.bench.load.LoadOperation;
import io.floodgate.bench.load.Measurement;

/** Enqueues straight into the log, as a gateway does, one job or many per command. */
public final class PartitionEnqueueRun {
    private PartitionEnqueueRun() {}

    public static Measurement run(String name, Settings settings, int inFlight, int size) throws Exception {
        try (PartitionTarget log = PartitionTarget.connect(settings, name, inFlight)) {
            String how = "%s, %s"
                    .formatted(
                            size == 1 ? "one job per command" : size + " jobs per command",
                            settings.loop(inFlight + " in flight"));
            return settings.load(inFlight).onVirtualThreads(name, how, "jobs", caller -> operation(log, size));
        }
    }

    private static LoadOperation operation(PartitionTarget log, int size) {
        return due -> {
            if (size == 1) log.enqueue(due);
            else log.enqueueBatch(size);
            return size;
        };
    }
}
