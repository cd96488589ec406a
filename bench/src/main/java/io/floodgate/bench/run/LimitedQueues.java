package io.floodgate.bench.run;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Queues and keys that are in the logs where a run needs them, and jobs with rate limits for these queues. */
final class LimitedQueues implements AutoCloseable {
    /** What one step of a partition stores without a noticeable wait of others. */
    private static final int BATCH = 500;

    private final CommandClient client;
    private final String start;
    private int names;

    /** What jobs with a key say of it. Formatted once. */
    static final class Limit {
        private final byte[] json;

        private Limit(String key, String members) {
            json = "{\"key\":\"%s\",%s}".formatted(key, members).getBytes(US_ASCII);
        }

        static Limit perSecond(String key, String kind, long starts) {
            return new Limit(key, "\"%s\":{\"limit\":%d,\"period\":\"PT1S\"}".formatted(kind, starts));
        }
    }

    private LimitedQueues(CommandClient client, String start) {
        this.client = client;
        this.start = start;
    }

    static LimitedQueues connect(Settings settings, String run) {
        return new LimitedQueues(PartitionTarget.open(settings, 10_000), "%s-%s-".formatted(settings.queue(), run));
    }

    List<PartitionId> logs() {
        return client.routing().logs();
    }

    PartitionWorker worker(int number) {
        return new PartitionWorker(client, "bench-limits-" + number);
    }

    String queueIn(PartitionId log) {
        return in(log, client.routing()::ofQueue);
    }

    String keyIn(PartitionId log) {
        return in(log, client.routing()::ofLimit);
    }

    private String in(PartitionId log, Function<String, PartitionId> route) {
        while (true) {
            String name = start + names++;
            if (route.apply(name).equals(log)) return name;
        }
    }

    void fill(String queue, long jobs, Limit limit) throws CommandFailed, RejectedException {
        Counter numbers = new Counter(jobs);
        for (Counter.Range range = numbers.take(BATCH); !range.isEmpty(); range = numbers.take(BATCH)) {
            List<byte[]> batch = new ArrayList<>(range.size());
            for (long number = range.from(); number < range.to(); number++) batch.add(job(queue, number, limit));
            PartitionTarget.check(client.call(
                    client.routing().ofQueue(queue), queue, new EnqueueBatch(batch, true), PartitionTarget.PATIENCE));
        }
    }

    private static byte[] job(String queue, long number, Limit limit) {
        String id = JobBodies.newId(Slot.of(queue)).toString();
        return SmallJob.end(
                SmallJob.of(JobBodies.TYPE, queue).id(id).arg(number).options().fieldRaw("rate_limit", limit.json));
    }

    @Override
    public void close() {
        client.close();
    }
}
