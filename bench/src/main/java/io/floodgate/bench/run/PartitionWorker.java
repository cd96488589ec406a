package io.floodgate.bench.run;

import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.Fetching;
import io.floodgate.topics.client.RejectedException;
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

/** A worker's side of the log: fetch and ack, without HTTP. */
final class PartitionWorker {
    private final CommandClient client;
    private final Fetching fetching;
    private final String id;

    /** A job in hand; {@code number} is its first argument. */
    record Handed(JobId id, long lease, long number) {}

    PartitionWorker(CommandClient client, String id) {
        this.client = client;
        this.id = id;
        fetching = new Fetching(client, PartitionTarget.PATIENCE);
    }

    List<Handed> fetch(String queue, int count, Duration wait) throws CommandFailed, RejectedException {
        List<Handed> handed = new ArrayList<>();
        for (byte[] json : fetching.fetch(new Fetch(List.of(queue), count, id, null, wait))) {
            JsonNode job = Json.tree(json);
            handed.add(new Handed(
                    JobId.parse(job.required("id").stringValue()).orElseThrow(),
                    job.required("lease").longValue(),
                    job.required("args").required(0).longValue()));
        }
        return handed;
    }

    /** All at once. */
    void ack(List<Handed> jobs) throws CommandFailed, RejectedException {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (Handed job : jobs) {
            Ack ack = new Ack(job.id, new Claimant(id, job.lease), null);
            replies.add(client.send(client.routing().ofJob(job.id), job.id.toString(), ack, PartitionTarget.PATIENCE));
        }
        for (CompletableFuture<Reply> reply : replies) PartitionTarget.check(Replies.await(reply));
    }
}
