package io.floodgate.bench.scenario;

import io.floodgate.bench.load.LoadOperation;
import io.floodgate.bench.load.Part;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.ClientConfig;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.Fetching;
import io.floodgate.topics.client.KafkaCommandClient;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.QueueCommand;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;

/** Commands straight to partitions, as a gateway or an embedded worker sends them. */
record PartitionScenarios(CommandClient client, JobBodies jobs, int size) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    static void enqueue(Session session) throws Exception {
        measure(session, "log-enqueue by %d", commands -> due -> {
            commands.enqueue(due);
            return commands.size;
        });
    }

    static void lifecycle(Session session) throws Exception {
        measure(session, "log-lifecycle by %d", commands -> {
            Fetching fetching = new Fetching(commands.client, PATIENCE);
            return due -> {
                commands.enqueue(due);
                return commands.finish(fetching);
            };
        });
    }

    /** Makes the operation of a caller. */
    private interface Caller {
        LoadOperation of(PartitionScenarios commands);
    }

    private static void measure(Session session, String name, Caller caller) throws Exception {
        LoadShape shape = session.shape();
        int inFlight = Math.max(shape.callers() * shape.size(), ClientConfig.DEFAULT_MAX_IN_FLIGHT);
        try (CommandClient client =
                KafkaCommandClient.connect(new ClientConfig(session.kafka(), session.routing(), inFlight))) {
            PartitionScenarios commands = new PartitionScenarios(client, session.jobs("-log"), shape.size());
            Part part = Part.of(
                            name.formatted(shape.size()),
                            "jobs",
                            shape.callers(),
                            (number, steps) -> caller.of(commands))
                    .atRate(shape.rate());
            session.measure(part.onVirtualThreads());
        }
    }

    private void enqueue(long number) throws CommandFailed, RejectedException {
        List<byte[]> batch = new ArrayList<>(size);
        for (int i = 0; i < size; i++) batch.add(jobs.withId(number + i));
        QueueCommand command = size == 1 ? new Enqueue(batch.getFirst(), true) : new EnqueueBatch(batch, true);
        check(client.call(client.routing().ofQueue(jobs.queue()), jobs.queue(), command, PATIENCE));
    }

    /** Fetches jobs, acks all at once, and waits for the replies. */
    private int finish(Fetching fetching) throws CommandFailed, RejectedException {
        String worker = "bench";
        List<byte[]> fetched = fetching.fetch(new Fetch(List.of(jobs.queue()), size, worker, null, Duration.ZERO));
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (byte[] json : fetched) {
            JsonNode job = Json.tree(json);
            JobId id = JobId.parse(job.required("id").stringValue()).orElseThrow();
            Ack ack = new Ack(id, new Claimant(worker, job.required("lease").longValue()), null);
            replies.add(client.send(client.routing().ofJob(id), id.toString(), ack, PATIENCE));
        }
        for (CompletableFuture<Reply> reply : replies) check(Replies.await(reply));
        // Every caller has enqueued as many as it fetches, so there are always enough for all of them.
        if (fetched.size() != size)
            throw new IllegalStateException("only %d of %d jobs came".formatted(fetched.size(), size));
        return size;
    }

    private static void check(Reply reply) throws RejectedException {
        if (reply instanceof Reply.Rejected rejected) throw new RejectedException(rejected.rejection());
    }
}
