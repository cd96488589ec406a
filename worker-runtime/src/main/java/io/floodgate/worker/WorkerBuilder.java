package io.floodgate.worker;

import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.codec.CodecChain;
import io.floodgate.topics.codec.PayloadCodec;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.middleware.MiddlewareChain;
import io.floodgate.topics.queue.TenantId;
import io.floodgate.topics.trace.JobTracing;
import io.floodgate.topics.version.UnreadableRange;
import io.floodgate.topics.version.VersionRange;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Puts a {@link Worker} together; what is not said stays at the defaults of {@link WorkerConfig}. */
public final class WorkerBuilder {
    private static final long JOURNAL_BYTES = 64L * 1024 * 1024;

    private final Map<String, TransactionalHandler> handlers = new LinkedHashMap<>();
    private final TransactionalTypes transactional = new TransactionalTypes();
    private final Map<String, VersionRange> versions = new TreeMap<>();
    private final Supplier<CommandClient> client;
    private final boolean ownsClient;
    /** Where transactions are committed; null in tests without a cluster. */
    private final @Nullable Cluster cluster;

    private String node = Host.NAME;
    private Duration connecting = WorkerConnection.PATIENCE;
    private String id = "worker-" + UUID.randomUUID();
    private List<String> queues = List.of("default");
    private List<String> tenants = List.of();
    private int concurrency = WorkerConfig.CONCURRENCY;
    private @Nullable Duration visibility;
    private Duration heartbeat = WorkerConfig.HEARTBEAT;
    private Duration park = WorkerConfig.PARK;
    private Duration grace = WorkerConfig.GRACE;
    private Duration patience = WorkerConfig.PATIENCE;
    private final Protection protection = new Protection();
    private @Nullable Path journal;
    private long journalBytes = JOURNAL_BYTES;
    private @Nullable Supplier<@Nullable EventSink> events;
    private ThreadFactory threads = Thread.ofVirtual().name("job-", 0).factory();
    private MeterRegistry registry = new CompositeMeterRegistry();
    private @Nullable OpenTelemetry telemetry;
    private CodecChain codecs = new CodecChain(List.of());
    private final MiddlewareChain<RunMiddleware> middleware = new MiddlewareChain<>();

    /** Connects a client of the worker's own. */
    WorkerBuilder(Cluster cluster) {
        client = () -> WorkerConnection.connect(cluster, node, connecting);
        ownsClient = true;
        this.cluster = cluster;
    }

    WorkerBuilder(WorkerConnection connection) {
        client = connection::client;
        ownsClient = false;
        cluster = connection.cluster();
    }

    /** Uses this client, which the worker will not close. */
    WorkerBuilder(CommandClient shared) {
        this(() -> shared);
    }

    WorkerBuilder(Supplier<CommandClient> shared) {
        client = shared;
        ownsClient = false;
        cluster = null;
    }

    /**
     * The name of this process in the ids of its Kafka clients, {@code floodgate-worker-NODE-PURPOSE}: operators see it, and
     * quotas count by it. By default the host's name.
     */
    public WorkerBuilder node(String value) {
        node = value;
        return this;
    }

    /** Sets how long {@link #start} waits for a Kafka broker to answer: 20 s. */
    public WorkerBuilder connectWithin(Duration value) {
        connecting = value;
        return this;
    }

    public WorkerBuilder id(String value) {
        id = value;
        return this;
    }

    /** Sets the queues from which jobs are taken, the left-most queue with a job first. */
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
        return add(type, (context, transaction) -> handler.handle(context));
    }

    /** Sets properties of the Kafka producers of transactional handlers, beside those of the connection. */
    public WorkerBuilder transactions(Map<String, Object> producer) {
        transactional.producer(producer);
        return this;
    }

    /**
     * Sets a handler whose records and whose job's completion are both or neither: a reader with {@code read_committed} sees
     * the records of each completed job once. All workers of this type must have a transactional handler for it.
     */
    public WorkerBuilder handleTransactionally(String type, TransactionalHandler handler) {
        add(type, handler);
        transactional.add(type);
        return this;
    }

    private WorkerBuilder add(String type, TransactionalHandler handler) {
        if (handlers.putIfAbsent(type, handler) != null)
            throw new IllegalArgumentException("there are two handlers for jobs of type '%s'".formatted(type));
        return this;
    }

    /**
     * Sets the versions of this type that the worker takes, beside jobs without a version: {@code "2.x"}, {@code ">=1.0
     * <3.0"}, {@code "2.1"}; of several ranges, one has to hold. By default it takes all versions.
     */
    public WorkerBuilder versions(String type, String... ranges) {
        try {
            versions.put(type, VersionRange.parse(List.of(ranges)));
        } catch (UnreadableRange unreadable) {
            throw new IllegalArgumentException(
                    "The versions of jobs of type '%s' cannot be read: %s".formatted(type, unreadable.reason()));
        }
        if (versions.size() > WantedJobs.MOST)
            throw new IllegalArgumentException(
                    "A worker can say the versions of at most %d types.".formatted(WantedJobs.MOST));
        return this;
    }

    /** Takes jobs of these tenants only, {@code _default} for jobs without one; without a call, those of all. */
    public WorkerBuilder tenants(String... names) {
        for (String name : names)
            if (!TenantId.isTenant(name) && !name.equals(TenantId.DEFAULT))
                throw new IllegalArgumentException("'%s' cannot be a tenant".formatted(name));
        if (names.length > WantedJobs.MOST)
            throw new IllegalArgumentException(
                    "A worker can take jobs of at most %d tenants, not %d.".formatted(WantedJobs.MOST, names.length));
        tenants = List.of(names);
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

    /** Changes what keeps the worker from taking more than it can do. */
    public WorkerBuilder protection(Consumer<Protection> change) {
        change.accept(protection);
        return this;
    }

    /**
     * Sets the directory for outcomes that the partition does not take, so that they outlive this process. It is for
     * this worker alone, and for its successor.
     */
    public WorkerBuilder journal(Path directory) {
        journal = directory;
        return this;
    }

    /** Sets how large the journal may become; further outcomes are held in memory only. */
    public WorkerBuilder journalBytes(long value) {
        journalBytes = value;
        return this;
    }

    /**
     * Sets the target of events that handlers send with {@link JobContext#emit}.
     *
     * @param kafka {@code bootstrap.servers} and whatever else a Kafka producer understands
     */
    public WorkerBuilder events(Map<String, Object> kafka, String topic) {
        return events(() -> new KafkaEvents(kafka, topic));
    }

    WorkerBuilder events(Supplier<@Nullable EventSink> sink) {
        events = sink;
        return this;
    }

    WorkerBuilder threads(ThreadFactory value) {
        threads = value;
        return this;
    }

    /** Sets the registry of the worker's meters; none by default. */
    public WorkerBuilder meters(MeterRegistry value) {
        registry = value;
        return this;
    }

    /**
     * Sets the target of the worker's spans; by default that of the process, if it or an agent has set up
     * OpenTelemetry.
     */
    public WorkerBuilder tracing(OpenTelemetry value) {
        telemetry = value;
        return this;
    }

    /** Changes the chain of middleware around all handlers; its first one is the outermost. */
    public WorkerBuilder middleware(Consumer<MiddlewareChain<RunMiddleware>> change) {
        change.accept(middleware);
        return this;
    }

    /** Decodes the arguments of jobs that their producers have encoded, before middleware and handler; none by default. */
    public WorkerBuilder codec(PayloadCodec... values) {
        codecs = new CodecChain(List.of(values));
        return this;
    }

    /**
     * Connects if need be, and starts to work.
     *
     * @throws org.apache.kafka.common.KafkaException if the cluster does not answer, has no topics of Floodgate in this
     *     namespace, or does not let this user do what a worker has to; the message says which
     * @throws UncheckedIOException if the journal cannot be used
     */
    public Worker start() {
        return start(RetryTiming.ofTheSystem());
    }

    Worker start(RetryTiming pace) {
        if (handlers.isEmpty())
            throw new IllegalStateException("a worker needs a handler: it asks for jobs of the types that it handles");
        for (String type : versions.keySet())
            if (!handlers.containsKey(type))
                throw new IllegalStateException(
                        "the worker takes versions of '%s', and has no handler for jobs of this type".formatted(type));
        if (tenants.size() * queues.size() > WantedJobs.MOST_TENANTS_AND_QUEUES)
            throw new IllegalStateException("the worker takes jobs of %d tenants from %d queues: at most %d pairs"
                    .formatted(tenants.size(), queues.size(), WantedJobs.MOST_TENANTS_AND_QUEUES));
        var config =
                new WorkerConfig(id, queues, concurrency, visibility, heartbeat, park, grace, patience, protection);
        CommandClient connection = client.get();
        try {
            return start(config, connection, pace);
        } catch (RuntimeException failure) {
            if (ownsClient) connection.close();
            throw failure;
        }
    }

    private Worker start(WorkerConfig config, CommandClient connection, RetryTiming pace) {
        WorkerMeters meters = new WorkerMeters(registry, id);
        Undelivered undelivered = new Undelivered(openJournal(), meters);
        DomainEvents said = new DomainEvents(
                events == null ? null : events.get(), protection.eventBuffer(), patience, Clock.systemUTC(), meters);
        WantedJobs taken = WantedJobs.ALL.accepting(versions).ofTenants(tenants);
        TransactionSlots slots = transactional.open(cluster, node);
        RunDispatcher.Handlers handling = new RunDispatcher.Handlers(handlings(said, slots), taken, threads);
        WorkerParts parts = new WorkerParts(connection, ownsClient, handling, said, undelivered, slots);
        Worker worker = new Worker(config, parts, pace, meters);
        worker.start();
        return worker;
    }

    private @Nullable OutcomeJournal openJournal() {
        if (journal == null) return null;
        try {
            return OutcomeJournal.open(journal, journalBytes);
        } catch (IOException failure) {
            throw new UncheckedIOException("The journal in %s cannot be used.".formatted(journal), failure);
        }
    }

    WorkerBuilder transactions(TransactionSlots value) {
        transactional.slots(value);
        return this;
    }

    private Map<String, Handling> handlings(DomainEvents said, @Nullable TransactionSlots slots) {
        Map<String, Handling> byType = new LinkedHashMap<>();
        TransactionProtocol protocol = slots == null ? null : new TransactionProtocol(slots, Clock.systemUTC());
        handlers.forEach((type, handler) ->
                byType.put(type, handling(within(handler), said, transactional.contains(type) ? protocol : null)));
        return byType;
    }

    /** Returns the handler within the middleware, for one run. */
    private Function<TransactionOutputs, JobHandler> within(TransactionalHandler handler) {
        List<RunMiddleware> chain = middleware.all();
        return outputs -> RunMiddleware.around(context -> handler.handle(context, outputs), chain);
    }

    /**
     * Returns the handler of a type within the middleware; null if there is none. What a transactional one sends goes
     * nowhere.
     */
    @Nullable
    JobHandler handler(String type) {
        TransactionalHandler handler = handlers.get(type);
        return handler == null ? null : within(handler).apply(new TransactionOutputs());
    }

    Handling handling(
            Function<TransactionOutputs, JobHandler> handler,
            DomainEvents said,
            @Nullable TransactionProtocol transactions) {
        return new Handling(
                id,
                handler,
                protection.handlerTimeout(),
                protection.retriesErrors(),
                said,
                new JobTracing(telemetry),
                codecs,
                transactions);
    }

    /** Accepts what handlers emit, if there is a topic for it, and sends it nowhere. */
    DomainEvents nowhere() {
        return new DomainEvents(
                events == null ? null : EventSink.NOWHERE,
                protection.eventBuffer(),
                patience,
                Clock.systemUTC(),
                new WorkerMeters(registry, id));
    }

    List<String> types() {
        return List.copyOf(handlers.keySet());
    }

    /** Returns what to fetch for these handlers; several fetches if there are more of them than one can name. */
    List<WantedJobs> wanted() {
        List<String> types = types();
        List<WantedJobs> wanted = new ArrayList<>();
        for (int from = 0; from < types.size(); from += WantedJobs.MOST)
            wanted.add(WantedJobs.only(types.subList(from, Math.min(from + WantedJobs.MOST, types.size())))
                    .accepting(versions)
                    .ofTenants(tenants));
        return wanted;
    }
}
