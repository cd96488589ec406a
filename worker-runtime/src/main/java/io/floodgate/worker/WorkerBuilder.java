package io.floodgate.worker;

import io.floodgate.topics.client.ClientConfig;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.KafkaCommandClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Puts a {@link Worker} together; what is not said stays at the defaults of {@link WorkerConfig}. */
public final class WorkerBuilder {
    record Parts(CommandClient client, boolean ownsClient, Map<String, JobHandler> handlers) {
        Parts {
            handlers = Map.copyOf(handlers);
        }
    }

    private final Map<String, JobHandler> handlers = new LinkedHashMap<>();
    private @Nullable Supplier<CommandClient> client;
    private boolean ownsClient;
    private String id = "worker-" + UUID.randomUUID();
    private List<String> queues = List.of("default");
    private int concurrency = WorkerConfig.CONCURRENCY;
    private @Nullable Duration visibility;
    private Duration heartbeat = WorkerConfig.HEARTBEAT;
    private Duration park = WorkerConfig.PARK;
    private Duration grace = WorkerConfig.GRACE;
    private Duration patience = WorkerConfig.PATIENCE;
    private MeterRegistry registry = new CompositeMeterRegistry();

    WorkerBuilder() {}

    /** Uses this client, which the worker will not close. */
    public WorkerBuilder client(CommandClient value) {
        client = () -> value;
        ownsClient = false;
        return this;
    }

    /** Connects a client of the worker's own. */
    public WorkerBuilder client(ClientConfig value) {
        client = () -> KafkaCommandClient.connect(value);
        ownsClient = true;
        return this;
    }

    public WorkerBuilder id(String value) {
        id = value;
        return this;
    }

    /** Where jobs are taken from, the left-most queue with a job first. */
    public WorkerBuilder queues(String... names) {
        return queues(List.of(names));
    }

    public WorkerBuilder queues(List<String> names) {
        queues = names;
        return this;
    }

    public WorkerBuilder concurrency(int value) {
        concurrency = value;
        return this;
    }

    public WorkerBuilder handle(String type, JobHandler handler) {
        if (handlers.putIfAbsent(type, handler) != null)
            throw new IllegalArgumentException("there are two handlers for jobs of type '%s'".formatted(type));
        return this;
    }

    public WorkerBuilder visibility(Duration value) {
        visibility = value;
        return this;
    }

    public WorkerBuilder heartbeat(Duration value) {
        heartbeat = value;
        return this;
    }

    public WorkerBuilder park(Duration value) {
        park = value;
        return this;
    }

    public WorkerBuilder grace(Duration value) {
        grace = value;
        return this;
    }

    public WorkerBuilder patience(Duration value) {
        patience = value;
        return this;
    }

    /** Where the worker's meters go; nowhere by default. */
    public WorkerBuilder meters(MeterRegistry value) {
        registry = value;
        return this;
    }

    /** Connects if need be, and starts to work. */
    public Worker start() {
        return start(Pace.ofTheSystem());
    }

    Worker start(Pace pace) {
        if (client == null) throw new IllegalStateException("a worker needs a client");
        var config = new WorkerConfig(id, queues, concurrency, visibility, heartbeat, park, grace, patience);
        Worker worker = new Worker(config, new Parts(client.get(), ownsClient, handlers), pace, registry);
        worker.start();
        return worker;
    }
}
