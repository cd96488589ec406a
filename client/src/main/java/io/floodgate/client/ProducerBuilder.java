package io.floodgate.client;

import io.floodgate.client.ProducerConfig.Batching;
import io.floodgate.client.ProducerConfig.Buffering;
import io.floodgate.client.ProducerConfig.Retries;
import io.floodgate.client.journal.Journal;
import io.floodgate.topics.OwnDirectory;
import io.floodgate.topics.circuit.BreakerSettings;
import io.floodgate.topics.codec.CodecChain;
import io.floodgate.topics.codec.PayloadCodec;
import io.floodgate.topics.middleware.MiddlewareChain;
import io.floodgate.topics.trace.JobTracing;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts a {@link Producer} together; what is not said stays at its default. */
public final class ProducerBuilder {
    private final BiFunction<Duration, CodecChain, Transport> transport;
    private final List<ProducerListener> listeners = new ArrayList<>();
    private Duration waitForRoom = Duration.ZERO;
    private Retries retries = ProducerConfig.DEFAULT.retries();
    private BreakerSettings breaking = ProducerConfig.DEFAULT.breaking();
    private Batching batching = ProducerConfig.DEFAULT.batching();
    private Buffering buffering = ProducerConfig.DEFAULT.buffering();
    private int requests = ProducerConfig.DEFAULT.requests();
    private Duration grace = ProducerConfig.DEFAULT.grace();
    private final MiddlewareChain<EnqueueMiddleware> middleware = new MiddlewareChain<>();
    private JobEncoding encoding = new JobEncoding(new CodecChain(List.of()));
    private @Nullable Path directory;
    private boolean sync;
    private @Nullable OpenTelemetry telemetry;

    ProducerBuilder(Function<Duration, Transport> transport) {
        this((waitForRoom, codecs) -> transport.apply(waitForRoom));
    }

    ProducerBuilder(BiFunction<Duration, CodecChain, Transport> transport) {
        this.transport = transport;
    }

    /** Sets how often a job that a caller waits for is tried again; 5 times by default. */
    public ProducerBuilder retries(int most) {
        retries = new Retries(most, retries.longest(), retries.deadline());
        return this;
    }

    /** Sets the longest delay between two tries; 30 seconds by default. */
    public ProducerBuilder longestDelay(Duration value) {
        retries = new Retries(retries.most(), value, retries.deadline());
        return this;
    }

    /** Sets about how long callers wait for a job to be enqueued; 1 minute by default. */
    public ProducerBuilder deadline(Duration value) {
        retries = new Retries(retries.most(), retries.longest(), value);
        return this;
    }

    /** Sets how many rejections in a row open a queue's circuit, and for how long; 5 and 10 seconds by default. */
    public ProducerBuilder circuit(int failures, Duration rest) {
        ProducerConfig.check(failures >= 1, "a circuit must stay closed for at least 1 failure");
        breaking = new BreakerSettings(failures, rest, 1);
        return this;
    }

    /** Jobs that travel in one request; 500 and 512 KiB at most if nothing is said. */
    public ProducerBuilder batches(int jobs, int bytes) {
        batching = new Batching(jobs, bytes, batching.linger());
        return this;
    }

    /**
     * Sets how long a job waits for company; not at all by default. Jobs that come while a request is under way travel
     * together anyway.
     */
    public ProducerBuilder linger(Duration value) {
        batching = new Batching(batching.jobs(), batching.bytes(), value);
        return this;
    }

    /** Sets the bounds of jobs and bytes that wait to be sent, or are under way; 100,000 jobs and 64 MiB by default. */
    public ProducerBuilder buffer(long jobs, long bytes) {
        buffering = new Buffering(jobs, bytes, buffering.patience());
        return this;
    }

    /** Sets how long calls wait when the buffer is full; not at all by default. */
    public ProducerBuilder waitWhenFull(Duration value) {
        buffering = new Buffering(buffering.jobs(), buffering.bytes(), value);
        return this;
    }

    /** Keeps submitted jobs in this directory, so that they survive the death of this process. No two producers can share one. */
    public ProducerBuilder onDisk(Path value) {
        directory = value;
        return this;
    }

    /** Lets jobs survive the death of the machine, too, with {@link #onDisk}. Each job then waits for the disk. */
    public ProducerBuilder sync() {
        sync = true;
        return this;
    }

    /**
     * Sets how long the server may wait for capacity in a queue that blocks (OJS backpressure §5.2); not at all by
     * default.
     */
    public ProducerBuilder waitForRoom(Duration value) {
        ProducerConfig.check(
                !value.isNegative() && value.compareTo(ProducerConfig.LONGEST_WAIT_FOR_ROOM) <= 0,
                "a server waits for room for 0 to 60 seconds");
        waitForRoom = value;
        return this;
    }

    /** Requests under way at the same time, each of another queue; 16 if nothing is said. */
    public ProducerBuilder requests(int most) {
        requests = most;
        return this;
    }

    /** Sets how long closing waits for jobs that have not been sent; 10 seconds by default. */
    public ProducerBuilder grace(Duration value) {
        grace = value;
        return this;
    }

    public ProducerBuilder listener(ProducerListener value) {
        listeners.add(value);
        return this;
    }

    /**
     * Sets the target of the producer's spans; by default that of the process, if it or an agent has set up
     * OpenTelemetry.
     */
    public ProducerBuilder tracing(OpenTelemetry value) {
        telemetry = value;
        return this;
    }

    /** Changes the chain of middleware, which runs in its order on each job, also on each of a batch. */
    public ProducerBuilder middleware(Consumer<MiddlewareChain<EnqueueMiddleware>> change) {
        change.accept(middleware);
        return this;
    }

    /** Encodes the arguments of jobs with these codecs, in this order and after all middleware; none by default. */
    public ProducerBuilder codec(PayloadCodec... codecs) {
        encoding = new JobEncoding(new CodecChain(List.of(codecs)));
        return this;
    }

    /** Connects as soon as there is something to send: a server that is not there is waited for. */
    public Producer build() {
        Executor threads = task -> Thread.ofVirtual().name("floodgate-producer").start(task);
        SecureRandom chance = new SecureRandom();
        return build(new Surroundings(
                Time.ofTheSystem(),
                () -> ThreadLocalRandom.current().nextDouble(),
                threads,
                new OutgoingJob.Ids(System::currentTimeMillis, chance::nextLong)));
    }

    Producer build(Surroundings around) {
        var config = new ProducerConfig(retries, breaking, batching, buffering, requests, grace);
        Journal journal = directory == null ? null : Journal.open(own(directory), sync);
        return new Producer(
                config,
                transport.apply(waitForRoom, encoding.codecs()),
                around,
                new JobTracing(telemetry),
                middleware.all(),
                encoding,
                new Listeners(listeners),
                journal);
    }

    /** Jobs are for their user only. */
    private static Path own(Path directory) {
        try {
            OwnDirectory.create(directory);
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException("The buffer in %s cannot be opened".formatted(directory), e);
        }
    }
}
