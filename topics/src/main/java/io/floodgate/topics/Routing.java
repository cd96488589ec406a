package io.floodgate.topics;

import io.floodgate.topics.command.SchemaCommand;
import io.floodgate.topics.command.SignalName;
import io.floodgate.topics.command.SinkCommand;
import io.floodgate.topics.command.SourceCommand;
import io.floodgate.topics.command.WebhookCommand;
import io.floodgate.topics.limit.RateLimit;
import java.util.List;
import java.util.stream.IntStream;

/** Decides which partition owns what. */
public record Routing(int partitions) {
    public Routing {
        if (partitions < 1 || partitions > Slot.COUNT || Integer.bitCount(partitions) != 1)
            throw new IllegalArgumentException(
                    "partitions must be a power of two from 1 to %d, not %d".formatted(Slot.COUNT, partitions));
    }

    public PartitionId ofQueue(String queue) {
        return at(Slot.of(queue));
    }

    /** The partition to ask for a job: its queue's partition, or that of the directory, which passes the command on. */
    public PartitionId ofJob(JobId id) {
        return at(id.slot());
    }

    public PartitionId ofWorker(String workerId) {
        return at(Slot.of("worker:" + workerId));
    }

    public PartitionId ofPool(String name) {
        return at(Slot.of("pool:" + name));
    }

    /** The registry of schemas: one partition has it all, so that versions and URIs are unique. */
    public PartitionId ofSchemas() {
        return at(Slot.of(SchemaCommand.KEY + ":"));
    }

    /** The registry of webhook subscriptions. */
    public PartitionId ofWebhooks() {
        return at(Slot.of(WebhookCommand.KEY + ":"));
    }

    /** The registry of sources. */
    public PartitionId ofSources() {
        return at(Slot.of(SourceCommand.KEY + ":"));
    }

    /** The registry of sinks. */
    public PartitionId ofSinks() {
        return at(Slot.of(SinkCommand.KEY + ":"));
    }

    /** The home of a tenant: it divides the bound over all queues. */
    public PartitionId ofTenant(String tenant) {
        return at(Slot.of("tenant:" + tenant));
    }

    /** The partition that keeps a signal, and knows which steps wait for it. */
    public PartitionId ofSignal(SignalName name) {
        return at(Slot.of("signal:" + name.text()));
    }

    /** The partition that decides about the jobs of a rate limit's key, wherever they are: that of the queue, if the key is a queue's. */
    public PartitionId ofLimit(String key) {
        String queue = RateLimit.queueOf(key);
        return at(Slot.of(queue == null ? "limit:" + key : queue));
    }

    public PartitionId at(Slot slot) {
        return new PartitionId(slot.partition(partitions));
    }

    public boolean has(PartitionId log) {
        return log.partition() >= 0 && log.partition() < partitions;
    }

    /** Every partition there is. */
    public List<PartitionId> logs() {
        return IntStream.range(0, partitions)
                .mapToObj(partition -> new PartitionId(partition))
                .toList();
    }
}
