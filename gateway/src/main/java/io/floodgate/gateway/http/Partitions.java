package io.floodgate.gateway.http;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CronCommand;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.SchemaCommand;
import io.floodgate.topics.command.SignalName;
import io.floodgate.topics.command.SinkCommand;
import io.floodgate.topics.command.SourceCommand;
import io.floodgate.topics.command.WebhookCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The partitions, as operations ask them: one that owns what a command is about, or all of them at once.
 *
 * @param patience how long each of them may take to answer
 */
public record Partitions(CommandClient client, Duration patience) {
    /** The partition that owns something, and the key of the commands about it. */
    public record Owner(Partitions all, PartitionId partition, String key) {
        /** The same partition, with another patience. */
        public Owner within(Duration patience) {
            return new Owner(new Partitions(all.client, patience), partition, key);
        }

        public CompletableFuture<Reply> send(Command command) {
            return all.client.send(partition, key, command, all.patience);
        }

        public Reply call(Command command) throws CommandFailed {
            return Replies.await(send(command));
        }

        /** Returns the lines of the answer. */
        public List<byte[]> ask(Command command) throws CommandFailed, RejectedException {
            return lines(call(command));
        }

        /** Returns the first line of the answer. */
        public byte[] askLine(Command command) throws CommandFailed, RejectedException {
            return ask(command).getFirst();
        }
    }

    /** Sends commands on behalf of the caller. */
    public Partitions by(Call call) {
        return new Partitions(call.by(client), patience);
    }

    /** Sends commands that only look, as {@link Call#from} does. */
    public Partitions from(Call call) {
        return new Partitions(call.from(client), patience);
    }

    public Owner ofQueue(String queue) {
        return owner(client.routing().ofQueue(queue), queue);
    }

    public Owner ofJob(JobId id) {
        return owner(client.routing().ofJob(id), id.toString());
    }

    public Owner ofWorker(String worker) {
        return owner(client.routing().ofWorker(worker), "worker:" + worker);
    }

    public Owner ofPool(String pool) {
        return owner(client.routing().ofPool(pool), "pool:" + pool);
    }

    public Owner ofSchemas() {
        return owner(client.routing().ofSchemas(), SchemaCommand.KEY);
    }

    public Owner ofWebhooks() {
        return owner(client.routing().ofWebhooks(), WebhookCommand.KEY);
    }

    public Owner ofSources() {
        return owner(client.routing().ofSources(), SourceCommand.KEY);
    }

    public Owner ofSinks() {
        return owner(client.routing().ofSinks(), SinkCommand.KEY);
    }

    public Owner ofSignal(SignalName name) {
        return owner(client.routing().ofSignal(name), name.text());
    }

    public Owner ofTenant(String tenant) {
        return owner(client.routing().ofTenant(tenant), "tenant:" + tenant);
    }

    public Owner ofLimit(String key) {
        return owner(client.routing().ofLimit(key), "limit:" + key);
    }

    public Owner ofSchedule(String name) {
        return owner(CronCommand.home(client.routing(), name), "cron:" + name);
    }

    /** @param key of commands to this partition, about something that it need not own */
    public Owner owner(PartitionId partition, String key) {
        return new Owner(this, partition, key);
    }

    public List<PartitionId> all() {
        return client.routing().logs();
    }

    /** Returns the partition of the queue; without one, all of them. */
    public List<PartitionId> of(@Nullable String queue) {
        return queue == null ? all() : List.of(client.routing().ofQueue(queue));
    }

    public List<CompletableFuture<Reply>> sendAll(String key, Command command) {
        return send(all(), key, command);
    }

    public List<CompletableFuture<Reply>> send(List<PartitionId> partitions, String key, Command command) {
        return partitions.stream()
                .map(partition -> owner(partition, key).send(command))
                .toList();
    }

    /** Returns the lines of the answers of all partitions. */
    public List<List<byte[]>> askAll(String key, Command command) throws CommandFailed, RejectedException {
        return awaitAll(sendAll(key, command));
    }

    public static List<List<byte[]>> awaitAll(List<CompletableFuture<Reply>> replies)
            throws CommandFailed, RejectedException {
        List<List<byte[]>> answers = new ArrayList<>();
        for (CompletableFuture<Reply> reply : replies) answers.add(await(reply));
        return answers;
    }

    public static List<byte[]> await(CompletableFuture<Reply> reply) throws CommandFailed, RejectedException {
        return lines(Replies.await(reply));
    }

    /** Returns the lines of a partition's answer, unless it rejected. */
    public static List<byte[]> lines(Reply reply) throws RejectedException {
        return Replies.lines(reply);
    }
}
