package io.floodgate.worker;

import io.floodgate.topics.client.ClusterAccess;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.Fetching;
import io.floodgate.topics.client.Heartbeats;
import io.floodgate.topics.command.WorkerCommand.Leave;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes jobs from its queues and runs their handlers. Made by {@link #kafka}, works until it is closed or the server
 * directs it to terminate.
 *
 * <pre>{@code
 * Worker worker = Worker.kafka(Map.of("bootstrap.servers", "localhost:9092"))
 *         .queues("email")
 *         .concurrency(10)
 *         .handle("email.send", context -> send(context.args()))
 *         .start();
 * }</pre>
 */
public final class Worker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private final WorkerConfig config;
    private final CommandClient client;
    private final boolean ownsClient;
    private final WorkerClock alarms;
    private final ClaimCapacity capacity;
    private final Runs runs = new Runs();
    private final Reporter reporter;
    private final DomainEvents events;
    private final @Nullable TransactionSlots transactions;
    private final RunDispatcher dispatch;
    private final HeartbeatLoop heartbeats;
    private final FetchLoop fetchLoop;
    private final Thread fetching;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile List<String> queues;
    private volatile WorkerState state = WorkerState.RUNNING;

    Worker(WorkerConfig config, WorkerParts parts, RetryTiming pace, WorkerMeters meters) {
        this.config = config;
        queues = config.queues();
        this.client = parts.client();
        this.ownsClient = parts.ownsClient();
        this.events = parts.events();
        transactions = parts.transactions();
        Protection protection = config.protection();
        alarms = pace.alarms();
        capacity = new ClaimCapacity(config.concurrency(), protection, meters);
        meters.watch(runs, capacity, config.concurrency());
        meters.watch(events);
        LongSupplier nanos = () -> alarms.now().toNanos();
        PartitionBreakers logs = new PartitionBreakers(protection.logBreaker(), nanos, meters);
        TypeBreakers types = new TypeBreakers(
                parts.handlers().byType().keySet(),
                parts.handlers().taken(),
                protection.typeBreaker(),
                nanos,
                meters,
                this::typesChanged);
        reporter = new Reporter(client, config, pace, logs, parts.undelivered(), meters);
        dispatch = new RunDispatcher(parts.handlers(), capacity, runs, types, reporter, alarms, meters);
        heartbeats = new HeartbeatLoop(
                config,
                () -> queues,
                new Heartbeats(client, config.patience()),
                runs,
                alarms,
                () -> state().wire(),
                this::directed,
                () -> dispatch.lookForStarvation(protection.starvation()));
        fetchLoop = new FetchLoop(
                config,
                () -> queues,
                new Fetching(client, config.patience()),
                client.routing(),
                capacity,
                logs,
                types,
                pace,
                meters,
                dispatch::begin);
        fetching = Thread.ofVirtual().name("floodgate-fetch").unstarted(fetchLoop::run);
    }

    /**
     * Begins a worker with a connection of its own.
     *
     * @param kafka {@code bootstrap.servers} and anything else Kafka clients understand (TLS, SASL …)
     * @throws IllegalArgumentException without {@code bootstrap.servers}
     */
    public static WorkerBuilder kafka(Map<String, Object> kafka) {
        return kafka(kafka, "");
    }

    /** The same, for an installation with this {@code --namespace}; empty for none. */
    public static WorkerBuilder kafka(Map<String, Object> kafka, String namespace) {
        return new WorkerBuilder(ClusterAccess.cluster(kafka, namespace));
    }

    /** Begins a worker with a connection that it shares with other workers, and does not close. */
    public static WorkerBuilder on(WorkerConnection connection) {
        return new WorkerBuilder(connection);
    }

    /** Fetches that wait for jobs shall wait for those of other types. */
    private void typesChanged() {
        fetchLoop.withdraw();
    }

    void start() {
        reporter.sendWhatWasLeft();
        heartbeats.start();
        fetching.start();
    }

    public String id() {
        return config.id();
    }

    /** Takes jobs from these queues from now on, the left-most one with a job first; from none, if there are none. */
    public void queues(List<String> names) {
        if (names.equals(queues)) return;
        queues = List.copyOf(names);
        fetchLoop.withdraw();
    }

    public WorkerState state() {
        return closing.get() ? WorkerState.TERMINATE : state;
    }

    /** Ends when the worker is closed, by {@link #close} or because the server said so. */
    public CompletableFuture<Void> closed() {
        return closed.copy();
    }

    private void directed(String wanted) {
        if (closing.get()) return;
        switch (WorkerState.parse(wanted)) {
            case RUNNING -> become(WorkerState.RUNNING);
            case QUIET -> become(WorkerState.QUIET);
            case TERMINATE -> {
                LOG.info("{} received the directive to terminate.", config.id());
                Thread.ofVirtual().name("floodgate-terminate").start(this::close);
            }
        }
    }

    private void become(WorkerState wanted) {
        if (state != wanted) LOG.info("{} is now {}.", config.id(), wanted.wire());
        state = wanted;
        capacity.quiet(wanted == WorkerState.QUIET);
        if (wanted == WorkerState.QUIET) fetchLoop.withdraw();
    }

    /**
     * Claims no more, waits for running handlers and for the answers to what they have reported, gives back what has not
     * finished after the grace period, and leaves. Outcomes are reported, and leases kept alive, until the end; what could
     * not be reported by then waits in the journal, if there is one, for the next start.
     */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            closed.join();
            return;
        }
        dispatch.close();
        capacity.close();
        fetchLoop.withdraw();
        try {
            drain();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            heartbeats.stop();
            int kept = reporter.close();
            // A worker that leaves gives up all leases, and its reports in the journal would count no more.
            if (kept == 0) leave();
            events.close();
            if (transactions != null) transactions.close();
            alarms.close();
            if (ownsClient) client.close();
            closed.complete(null);
        }
    }

    private void drain() throws InterruptedException {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                fetching.join();
                runs.whenEmpty().join();
                reporter.settled().join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                ended.complete(null);
            }
        });
        if (endsWithin(ended, config.grace())) return;
        for (Run run : runs.all()) run.close();
        if (endsWithin(ended, config.patience())) return;
        LOG.warn(
                "{} closes although {} jobs are unreported or still handled; their leases will end by themselves.",
                config.id(),
                runs.size());
    }

    private static boolean endsWithin(CompletableFuture<Void> ended, Duration time) throws InterruptedException {
        try {
            ended.get(time.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("draining failed", e.getCause());
        }
    }

    private void leave() {
        try {
            var unused = client.call(
                    client.routing().ofWorker(config.id()),
                    "worker:" + config.id(),
                    new Leave(config.id()),
                    config.patience());
        } catch (CommandFailed failure) {
            LOG.info("{} could not say good-bye ({}); it will be found missing.", config.id(), failure.getMessage());
        }
    }
}
