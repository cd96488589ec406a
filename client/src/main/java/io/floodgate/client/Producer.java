package io.floodgate.client;

import io.floodgate.client.journal.Journal;
import io.floodgate.topics.circuit.BreakerState;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.trace.JobTracing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enqueues jobs. Made by {@link #http} or {@link #kafka}; safe for any number of threads, and one is enough for a process.
 *
 * <pre>{@code
 * try (Producer producer = Producer.http("http://localhost:8080").onDisk(Path.of("buffer")).build()) {
 *     Receipt receipt = producer.enqueue(Job.of("email.send", "ada@example.com").queue("email"));
 *     producer.submit(Job.of("report.generate", 7)); // kept locally, and sent in the background
 * }
 * }</pre>
 */
public final class Producer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Producer.class);

    private final ProducerConfig config;
    private final Transport transport;
    private final JobTracing tracing;
    private final List<EnqueueMiddleware> middleware;
    private final JobEncoding encoding;
    private final Time time;
    private final OutgoingJob.Ids ids;
    private final ProducerListener listener;
    private final SendCapacity room;
    private final Lines lines;
    private final @Nullable Journal journal;
    private final AtomicBoolean closed = new AtomicBoolean();

    Producer(
            ProducerConfig config,
            Transport transport,
            Surroundings around,
            JobTracing tracing,
            List<EnqueueMiddleware> middleware,
            JobEncoding encoding,
            ProducerListener listener,
            @Nullable Journal journal) {
        this.config = config;
        this.transport = transport;
        this.tracing = tracing;
        this.middleware = middleware;
        this.encoding = encoding;
        this.listener = listener;
        this.journal = journal;
        time = around.time();
        ids = around.ids();
        room = new SendCapacity(config.buffering(), listener);
        lines = new Lines(
                new Sending(config, transport, time, around.chance(), around.threads(), listener, this::over));
        if (journal != null) takeUp(journal.takeFound(), listener);
    }

    /** Begins a producer for a server at this address, {@code http://localhost:8080} for instance. */
    public static ProducerBuilder http(String server) {
        return http(server, Map::of);
    }

    /** @param headers of each request, asked for again: a token for a proxy, for instance */
    public static ProducerBuilder http(String server, Supplier<Map<String, String>> headers) {
        URI uri = URI.create(server);
        ProducerConfig.check(
                uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())),
                "'%s' is no address of a server, such as http://localhost:8080".formatted(server));
        return new ProducerBuilder(waitForRoom -> new HttpTransport(uri, headers, waitForRoom));
    }

    /**
     * Begins a producer for the partitions themselves, past HTTP; needs {@code kafka-clients}.
     *
     * @param kafka {@code bootstrap.servers} and anything else Kafka clients understand (TLS, SASL …)
     * @throws IllegalArgumentException without {@code bootstrap.servers}
     */
    public static ProducerBuilder kafka(Map<String, Object> kafka) {
        return kafka(kafka, "");
    }

    /** The same, for an installation with this {@code --namespace}; empty for none. */
    public static ProducerBuilder kafka(Map<String, Object> kafka, String namespace) {
        return new ProducerBuilder(KafkaTransport.to(kafka, namespace));
    }

    /**
     * Begins a producer whose jobs this server gets, in the thread that enqueues them. Tests get one from
     * {@code floodgate-testing}.
     */
    public static ProducerBuilder direct(DirectServer server) {
        return new ProducerBuilder((waitForRoom, codecs) -> new DirectTransport(server, codecs));
    }

    /**
     * Returns once the server has the job. Throws a subclass of {@link EnqueueFailed} when it rejects, or when the retries
     * or the deadline are used up.
     */
    public Receipt enqueue(Job job) throws InterruptedException {
        return await(start(job, config.buffering().patience()));
    }

    /** The same, without waiting: also for room in the buffer. */
    public CompletableFuture<Receipt> enqueueAsync(Job job) {
        try {
            return start(job, Duration.ZERO);
        } catch (InterruptedException | EnqueueFailed failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** Stores these jobs together or not at all. */
    public List<Receipt> enqueueAll(List<Job> jobs) throws InterruptedException {
        return await(start(jobs, config.buffering().patience()));
    }

    /** The same, without waiting: also for room in the buffer. */
    public CompletableFuture<List<Receipt>> enqueueAllAsync(List<Job> jobs) {
        try {
            return start(jobs, Duration.ZERO);
        } catch (InterruptedException | EnqueueFailed failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private CompletableFuture<Receipt> start(Job job, Duration patience) throws InterruptedException {
        return start(List.of(job), patience, List::getFirst);
    }

    private CompletableFuture<List<Receipt>> start(List<Job> jobs, Duration patience) throws InterruptedException {
        return start(jobs, patience, receipts -> receipts);
    }

    private <T> CompletableFuture<T> start(List<Job> jobs, Duration patience, Function<List<Receipt>, T> told)
            throws InterruptedException {
        List<Passage> passages = jobs.stream().map(this::outgoing).toList();
        List<OutgoingJob> sent = passages.stream()
                .filter(each -> !each.dropped())
                .map(Passage::job)
                .toList();
        if (sent.isEmpty())
            return CompletableFuture.completedFuture(told.apply(receipts(passages, false, Optional.empty())));
        return send(sent, patience, taken -> told.apply(receipts(passages, taken.wasThere(), taken.pressure())));
    }

    /**
     * Keeps the job until the server has it, and returns its id as soon as it is kept: in memory, or on disk if a
     * directory was given; an empty text if middleware has dropped it. Throws {@link BufferFull} when there is no room, {@link JobRejected} for a job that is none.
     */
    public String submit(Job job) {
        Passage passage = outgoing(job);
        if (passage.dropped()) return "";
        OutgoingJob read = passage.job();
        EnqueueSpan span = EnqueueSpan.begin(tracing, List.of(read));
        try {
            keep(span.putInto(read));
        } catch (RuntimeException failure) {
            span.ended(failure);
            throw failure;
        }
        span.ended(null);
        return read.id().toString();
    }

    private void keep(OutgoingJob job) {
        PendingSend entry = PendingSend.kept(job, time.now(), OptionalLong.empty());
        try {
            takeRoom(entry, config.buffering().patience());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw room.full(entry);
        }
        add(journal == null ? entry : onDisk(journal, job, entry));
    }

    private PendingSend onDisk(Journal disk, OutgoingJob job, PendingSend entry) {
        try {
            return PendingSend.kept(job, entry.added, OptionalLong.of(disk.add(job.json())));
        } catch (IOException failure) {
            room.release(1, entry.bytes());
            throw new UncheckedIOException("Job %s could not be written to the buffer".formatted(job.id()), failure);
        }
    }

    /** Takes up the jobs that an earlier process has left. */
    private void takeUp(List<Journal.Kept> found, ProducerListener listener) {
        int unreadable = 0;
        for (Journal.Kept kept : found) {
            OutgoingJob job;
            try {
                job = OutgoingJob.kept(kept.job());
            } catch (UnreadableJob | RuntimeException failure) {
                unreadable++;
                LOG.warn("A job in the buffer cannot be read, and stays there: {}", failure.getMessage());
                continue;
            }
            PendingSend entry = PendingSend.kept(job, time.now(), OptionalLong.of(kept.sequence()));
            room.force(1, entry.bytes());
            add(entry);
        }
        if (unreadable == 0) return;
        LOG.error(
                "{} jobs in the buffer cannot be read by this version; they stay there, and are not sent.", unreadable);
        listener.unreadable(unreadable);
    }

    private Passage outgoing(Job job) {
        if (closed.get()) throw new IllegalStateException("the producer is closed");
        return Passage.through(middleware, encoding, job, ids);
    }

    private <T> CompletableFuture<T> send(
            List<OutgoingJob> jobs, Duration patience, Function<PendingSend.Taken, T> told)
            throws InterruptedException {
        EnqueueSpan span = EnqueueSpan.begin(tracing, jobs);
        try {
            CompletableFuture<T> answer = sendNow(span.putInto(jobs), patience, told);
            var unused = answer.whenComplete((done, failure) -> span.ended(failure));
            return answer;
        } catch (InterruptedException | RuntimeException failure) {
            span.ended(failure);
            throw failure;
        }
    }

    private <T> CompletableFuture<T> sendNow(
            List<OutgoingJob> jobs, Duration patience, Function<PendingSend.Taken, T> told)
            throws InterruptedException {
        long now = time.now();
        PendingSend entry =
                PendingSend.awaited(jobs, now, now + Time.nanos(config.retries().deadline()));
        takeRoom(entry, patience);
        CompletableFuture<T> answer = new CompletableFuture<>();
        var unused = entry.ended.whenComplete((taken, failure) -> {
            if (failure == null) answer.complete(told.apply(taken));
            else answer.completeExceptionally(failure);
        });
        // A caller that cancels waits no more, and what has not been sent is not sent.
        var unusedToo = answer.whenComplete((done, failure) -> entry.ended.cancel(false));
        add(entry);
        return answer;
    }

    private void takeRoom(PendingSend entry, Duration patience) throws InterruptedException {
        if (!room.take(entry.jobs.size(), entry.bytes(), Time.nanos(patience))) throw room.full(entry);
    }

    private void add(PendingSend entry) {
        long bytes = entry.bytes();
        var unused = entry.ended.whenComplete((taken, failure) -> room.release(entry.jobs.size(), bytes));
        if (!(transport instanceof DirectTransport direct)) {
            lines.add(entry);
            return;
        }
        try {
            direct.take(entry, listener);
        } finally {
            over(List.of(entry));
        }
    }

    private static List<Receipt> receipts(List<Passage> passages, boolean wasThere, Optional<QueuePressure> pressure) {
        return passages.stream()
                .map(each -> each.dropped()
                        ? new Receipt(each.job().id().toString(), each.job().queue(), false, true, Optional.empty())
                        : new Receipt(each.job().id().toString(), each.job().queue(), wasThere, false, pressure))
                .toList();
    }

    private static <T> T await(CompletableFuture<T> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            answer.cancel(false);
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof EnqueueFailed failed) throw failed;
            throw new IllegalStateException("enqueueing failed", e.getCause());
        }
    }

    private void over(List<PendingSend> kept) {
        List<Long> sequences = new ArrayList<>();
        for (PendingSend entry : kept) entry.sequence().ifPresent(sequences::add);
        if (journal == null || sequences.isEmpty()) return;
        try {
            journal.done(sequences);
        } catch (IOException failure) {
            LOG.warn(
                    "The journal could not note that {} jobs are enqueued; they will be sent again.",
                    sequences.size(),
                    failure);
        }
    }

    /** Returns the state of the circuit breaker of a queue, or of {@link ProducerListener#SERVER}. */
    public BreakerState breaker(String queue) {
        return lines.breaker(queue);
    }

    /** Jobs that wait to be sent, or are under way. */
    public long pending() {
        return room.jobs();
    }

    /** Returns whether the server has everything; waits at most this long. */
    public boolean flush(Duration patience) throws InterruptedException {
        lines.hurry();
        return room.awaitEmpty(Time.nanos(patience));
    }

    /**
     * Takes nothing more, and waits for what is there as long as the grace period says. What is not sent then fails for
     * those who wait, stays on disk for the next start, and is lost if it was only kept in memory.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) return;
        try {
            flush(config.grace());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        long left = room.jobs();
        if (left > 0)
            LOG.warn(
                    "The producer closes with {} jobs unsent: {}.",
                    left,
                    journal == null ? "they are lost" : "those that were submitted are kept for the next start");
        lines.abandon(new SendResult.Unavailable("client_closed", "The producer was closed.", false, Optional.empty()));
        transport.close();
        time.close();
        if (journal != null) journal.close();
    }
}
