package io.floodgate.client;

import static org.assertj.core.api.Assertions.catchThrowable;

import io.floodgate.topics.circuit.BreakerState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;

/** A producer with a server in memory, on a single thread, with time that stands still and no chance. */
abstract class ProducerFixture {
    final ManualTime time = new ManualTime();
    final FakeServer server = new FakeServer(time);
    final List<String> heard = new ArrayList<>();
    final ProducerBuilder builder = new ProducerBuilder(waitForRoom -> server)
            .grace(Duration.ZERO)
            .listener(new ProducerListener() {
                @Override
                public void breaker(String queue, BreakerState state) {
                    heard.add(queue + " " + state);
                }

                @Override
                public void pressure(QueuePressure pressure) {
                    heard.add(pressure.queue() + " " + pressure.pressure());
                }

                @Override
                public void unreadable(long jobs) {
                    heard.add("unreadable " + jobs);
                }

                @Override
                public void rejected(Job job, EnqueueFailed why) {
                    heard.add("rejected " + why.code() + " " + job);
                }
            });
    private final AtomicLong chance = new AtomicLong();
    private Producer producer;

    Producer start() {
        producer = builder.build(new Surroundings(
                time, () -> 0, Runnable::run, new OutgoingJob.Ids(() -> 1_700_000_000_000L, chance::incrementAndGet)));
        return producer;
    }

    Producer producer() {
        return producer == null ? start() : producer;
    }

    static Job job(String type) {
        return Job.of(type).queue("email");
    }

    CompletableFuture<Receipt> enqueue(String type) {
        return producer().enqueueAsync(job(type));
    }

    void enqueueAll(String... types) {
        for (String type : types) {
            var unused = enqueue(type);
        }
    }

    void submit(String... types) {
        for (String type : types) producer().submit(job(type));
    }

    static Throwable failure(CompletableFuture<?> of) {
        Throwable thrown = catchThrowable(of::get);
        return thrown instanceof ExecutionException ? thrown.getCause() : thrown;
    }

    static Duration seconds(long count) {
        return Duration.ofSeconds(count);
    }

    @AfterEach
    void close() {
        if (producer != null) producer.close();
    }
}
