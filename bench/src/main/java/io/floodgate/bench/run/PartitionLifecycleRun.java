package io.floodgate.bench.run;

import io.floodgate.bench.load.LoadOperation;
import io.floodgate.bench.load.Measurement;
import java.time.Duration;
import java.util.List;

/** The whole life of a job without HTTP: enqueued, fetched and acked, one by one or many at a time. */
public final class PartitionLifecycleRun {
    private PartitionLifecycleRun() {}

    public static Measurement run(String name, Settings settings, int inFlight, int size) throws Exception {
        try (PartitionTarget log = PartitionTarget.connect(settings, name, inFlight * size)) {
            String how = size == 1
                    ? "enqueue, fetch, ack, one by one; " + settings.loop(inFlight + " in flight")
                    : "1 enqueue of %d, 1 fetch of %d, %d acks at once; %s"
                            .formatted(size, size, size, settings.loop(inFlight + " in flight"));
            return settings.load(inFlight)
                    .onVirtualThreads(
                            name,
                            how,
                            "jobs",
                            caller -> operation(log, new PartitionWorker(log.client(), "bench-" + caller), size));
        }
    }

    private static LoadOperation operation(PartitionTarget log, PartitionWorker worker, int size) {
        return due -> {
            if (size == 1) log.enqueue(due);
            else log.enqueueBatch(size);
            List<PartitionWorker.Handed> handed = worker.fetch(log.queue(), size, Duration.ZERO);
            worker.ack(handed);
            if (handed.size() != size)
                throw new IllegalStateException(
                        "a fetch of %d brought %d jobs although more were enqueued".formatted(size, handed.size()));
            return size;
        };
    }
}
