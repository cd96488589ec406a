package io.floodgate.bench.run;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.client.ClientConfig;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.KafkaCommandClient;
import io.floodgate.topics.client.Provisioner;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;

/** The log itself, without HTTP: a command client and the queue it is to fill. */
final class PartitionTarget implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final CommandClient client;
    private final JobBodies jobs;
    private final PartitionId log;
    private final Slot slot;

    private PartitionTarget(CommandClient client, JobBodies jobs) {
        this.client = client;
        this.jobs = jobs;
        slot = Slot.of(jobs.queue());
        log = client.routing().ofQueue(jobs.queue());
    }

    /** @param run whose queue it is */
    static PartitionTarget connect(Settings settings, String run, int inFlight) {
        return new PartitionTarget(open(settings, inFlight), settings.jobs("-" + run.replaceAll("[^a-z0-9]+", "-")));
    }

    static CommandClient open(Settings settings, int inFlight) {
        Map<String, Object> kafka = Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrap());
        try (Provisioner cluster = new Provisioner(kafka)) {
            var routing = cluster.existingRouting();
            return KafkaCommandClient.connect(
                    new ClientConfig(kafka, routing, Math.max(inFlight, ClientConfig.DEFAULT_MAX_IN_FLIGHT)));
        }
    }

    CommandClient client() {
        return client;
    }

    String queue() {
        return jobs.queue();
    }

    void enqueue(long number) throws CommandFailed, RejectedException {
        call(new Enqueue(jobs.json(number, JobBodies.newId(slot)), true));
    }

    void enqueueBatch(int size) throws CommandFailed, RejectedException {
        List<byte[]> batch = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            JobId id = JobBodies.newId(slot);
            batch.add(jobs.json(i, id));
        }
        call(new EnqueueBatch(batch, true));
    }

    private void call(Command command) throws CommandFailed, RejectedException {
        check(client.call(log, jobs.queue(), command, PATIENCE));
    }

    static void check(Reply reply) throws RejectedException {
        if (reply instanceof Reply.Rejected rejected) throw new RejectedException(rejected.rejection());
    }

    @Override
    public void close() {
        client.close();
    }
}
