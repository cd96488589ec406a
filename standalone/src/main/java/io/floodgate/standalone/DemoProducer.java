package io.floodgate.standalone;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.json.JsonOut;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A trickle of jobs for the example worker. */
final class DemoProducer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DemoProducer.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** Mostly well-behaved ones: now and then one that needs a retry, seldom one that dies. */
    private static final List<String> TYPES = List.of(
            "email.send",
            "demo.greeting",
            "email.send",
            "demo.flaky",
            "email.send",
            "demo.greeting",
            "email.send",
            "email.send",
            "demo.greeting",
            "demo.broken");

    private final CommandClient client;
    private final String queue;
    private final Clock clock;
    private final ScheduledExecutorService timer;
    private long number;

    private DemoProducer(CommandClient client, String queue, Clock clock) {
        this.client = client;
        this.queue = queue;
        this.clock = clock;
        timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("floodgate-demo-producer").daemon().factory());
    }

    /** Enqueues a job at every interval until closed. */
    static DemoProducer start(CommandClient client, String queue, Duration interval) {
        DemoProducer producer = new DemoProducer(client, queue, Clock.systemUTC());
        var unused = producer.timer.scheduleWithFixedDelay(
                producer::enqueue, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
        return producer;
    }

    // An exception would end the schedule without a word.
    private void enqueue() {
        try {
            JobId id = JobId.make(
                    Slot.of(queue), clock.millis(), ThreadLocalRandom.current().nextLong());
            byte[] job = job(id, TYPES.get((int) (number % TYPES.size())), number++);
            var unused = client.send(client.routing().ofQueue(queue), queue, new Enqueue(job, true), PATIENCE)
                    .exceptionally(failure -> {
                        LOG.warn("The demo job {} was not enqueued ({}).", id, failure.getMessage());
                        return null;
                    });
        } catch (RuntimeException failure) {
            LOG.warn("No demo job this time ({}); the next one is due in a moment.", failure.toString());
        }
    }

    private byte[] job(JobId id, String type, long number) {
        return JsonOut.object()
                .field("id", id.toString())
                .field("type", type)
                .field("queue", queue)
                .beginArray("args")
                .value("visitor-%d@example.com".formatted(number))
                .endArray()
                .endObject()
                .toBytes();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
