package io.floodgate.bench.run;

import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Operation;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.Fetching;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;

/** The whole life of a job without HTTP: enqueued, fetched and acked, one by one or many at a time. */
public final class LogLifecycleRun {
    private LogLifecycleRun() {}

    public static Measurement run(String name, Settings settings, int inFlight, int size) throws Exception {
        try (LogTarget log = LogTarget.connect(settings, name, inFlight * size)) {
            String how = size == 1
                    ? "enqueue, fetch, ack, one by one; " + settings.loop(inFlight + " in flight")
                    : "1 enqueue of %d, 1 fetch of %d, %d acks at once; %s"
                            .formatted(size, size, size, settings.loop(inFlight + " in flight"));
            Fetching fetching = new Fetching(log.client(), LogTarget.PATIENCE);
            return settings.load(inFlight)
                    .onVirtualThreads(name, how, "jobs", caller -> operation(log, fetching, size, "bench-" + caller));
        }
    }

    private static Operation operation(LogTarget log, Fetching fetching, int size, String worker) {
        Fetch fetch = new Fetch(List.of(log.queue()), size, worker, null, Duration.ZERO);
        return due -> {
            if (size == 1) log.enqueue(due);
            else log.enqueueBatch(size);
            List<byte[]> handed = fetching.fetch(fetch);
            ack(log, handed, worker);
            if (handed.size() != size)
                throw new IllegalStateException(
                        "a fetch of %d brought %d jobs although more were enqueued".formatted(size, handed.size()));
            return size;
        };
    }

    private static void ack(LogTarget log, List<byte[]> handed, String worker) throws CommandFailed, RefusedException {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (byte[] json : handed) {
            JsonNode job = Json.tree(json);
            JobId id = JobId.parse(job.required("id").stringValue()).orElseThrow();
            Ack ack = new Ack(id, new Claimant(worker, job.required("lease").longValue()), null);
            replies.add(log.client().send(log.client().routing().ofJob(id), id.toString(), ack, LogTarget.PATIENCE));
        }
        for (CompletableFuture<Reply> reply : replies) LogTarget.check(Replies.await(reply));
    }
}
