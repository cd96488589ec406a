package io.floodgate.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/**
 * Events that handlers emit for other applications. Handlers never wait, so an event that does not fit into the buffer
 * is dropped, and counted; no job depends on it.
 */
final class DomainEvents implements AutoCloseable {
    static final int MAX_TYPE_CHARS = 255;
    static final int MAX_DATA_BYTES = 256 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(DomainEvents.class);
    private static final byte[] NULL = "null".getBytes(UTF_8);

    private record Event(byte[] key, byte[] json) {}

    private static final Event LAST = new Event(new byte[0], new byte[0]);

    private final @Nullable EventSink sink;
    private final BlockingQueue<Event> buffer;
    private final int size;
    private final Duration patience;
    private final Clock clock;
    private final WorkerMeters meters;
    private final Thread sending;
    private volatile boolean closed;

    /** @param patience for what is in the buffer when the worker closes */
    DomainEvents(@Nullable EventSink sink, int size, Duration patience, Clock clock, WorkerMeters meters) {
        this.sink = sink;
        this.size = size;
        this.patience = patience;
        this.clock = clock;
        this.meters = meters;
        buffer = new ArrayBlockingQueue<>(size);
        sending = Thread.ofVirtual().name("floodgate-events").unstarted(this::send);
        if (sink != null) sending.start();
    }

    boolean emit(JobContext from, String type, @Nullable Object data) {
        if (sink == null)
            throw new IllegalStateException(
                    "This worker has no topic for domain events: name one by WorkerBuilder.events.");
        if (type.isEmpty() || type.length() > MAX_TYPE_CHARS)
            throw new IllegalArgumentException(
                    "The type of an event has 1 to %d characters, not %d.".formatted(MAX_TYPE_CHARS, type.length()));
        byte[] json;
        try {
            json = data == null ? NULL : Json.MAPPER.writeValueAsBytes(data);
        } catch (JacksonException unwritable) {
            return dropped("unwritable", from, type);
        }
        if (json.length > MAX_DATA_BYTES) return dropped("too_large", from, type);
        Event event = new Event(from.job().id().toString().getBytes(UTF_8), envelope(from, type, json));
        if (closed || !buffer.offer(event)) return dropped("buffer_full", from, type);
        return true;
    }

    private boolean dropped(String reason, JobContext from, String type) {
        meters.eventsDropped(reason).increment();
        LOG.debug("Job {}: its event '{}' was dropped ({}).", from.job().id(), type, reason);
        return false;
    }

    private byte[] envelope(JobContext from, String type, byte[] data) {
        LeasedJob job = from.job();
        return JsonOut.object()
                .field("specversion", "1.0")
                .field("id", "evt_" + UUID.randomUUID())
                .field("type", type)
                .field("source", "ojs://worker/" + from.worker())
                .field("time", clock.instant())
                .field("subject", job.id().toString())
                .field("datacontenttype", "application/json")
                .field("jobtype", job.type())
                .field("queue", job.queue())
                .field("attempt", job.attempt())
                .fieldRaw("data", data)
                .endObject()
                .toBytes();
    }

    private void send() {
        try {
            for (Event event = buffer.take(); !event.equals(LAST); event = buffer.take()) send(event);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(Event event) {
        if (sink == null) return;
        sink.send(event.key(), event.json(), failure -> {
            meters.eventsDropped("not_sent").increment();
            LOG.debug("A domain event of job {} was dropped ({}).", new String(event.key(), UTF_8), failure.toString());
        });
    }

    double saturation() {
        return (double) buffer.size() / size;
    }

    /** Sends what is in the buffer, as far as that goes without waiting for long. */
    @Override
    public void close() {
        closed = true;
        if (sink == null) return;
        try {
            if (buffer.offer(LAST, patience.toMillis(), TimeUnit.MILLISECONDS)) sending.join(patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        List<Event> unsent = new ArrayList<>();
        buffer.drainTo(unsent);
        boolean unused = buffer.offer(LAST);
        sending.interrupt();
        // LAST among them, if it was still there.
        int left = (int) unsent.stream().filter(event -> !event.equals(LAST)).count();
        if (left > 0) {
            meters.eventsDropped("closed").increment(left);
            LOG.warn("{} domain events are dropped: their topic did not take them in time.", left);
        }
        sink.close();
    }
}
