package io.floodgate.gateway.event;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.event.OjsEvent;
import io.floodgate.topics.json.JsonOut;
import io.helidon.http.HeaderValues;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Streams of server-sent events, up to a bound: each has a thread of its own, and most look at every event. */
public final class EventStreams {
    /** Time after which a stream notices that its reader has left. */
    private static final Duration TICK = Duration.ofSeconds(1);
    /** Time within which events are sent together; the first event after a quiet time goes out at once. */
    private static final Duration GATHERING = Duration.ofMillis(20);

    private static final int MOST_AT_ONCE = 1_000;

    private final EventLog log;
    private final int most;
    private final AtomicInteger open = new AtomicInteger();
    private final Map<String, Integer> bySource = new ConcurrentHashMap<>();

    /** @param most how many there may be at the same time */
    public EventStreams(EventLog log, int most) {
        this.log = log;
        this.most = most;
    }

    public int open() {
        return open.get();
    }

    public int most() {
        return most;
    }

    /** The events that are sent to a reader, until it leaves or there are no more. */
    @FunctionalInterface
    public interface Story {
        void tell(ServerSentEvents reader) throws IOException, InterruptedException;
    }

    /**
     * One more stream. A source has no more of them than it leaves for all others: they must find one, too.
     *
     * @param instead what the caller can do if there are too many
     */
    public ApiResponse open(Call call, Story story, String instead) throws RejectedException {
        String source = call.source();
        int own = bySource.merge(source, 1, Integer::sum);
        int all = open.incrementAndGet();
        if (own > 1 && own + all > most + 1) {
            close(source);
            throw new RejectedException(Rejection.of(
                            ErrorCode.RATE_LIMITED,
                            "Your API key or address has %d event streams already, its share; close one, or poll %s instead."
                                    .formatted(own - 1, instead))
                    .with("outcome", "not_executed")
                    .with("cause", "event_streams"));
        }
        if (all > most) {
            close(source);
            throw new RejectedException(Rejection.of(
                            ErrorCode.BACKEND_UNAVAILABLE,
                            "There are %d event streams already; poll %s instead, or raise --max-event-streams."
                                    .formatted(most, instead))
                    .with("outcome", "not_executed")
                    .with("cause", "event_streams"));
        }
        return new ApiResponse.Streamed(
                HeaderValues.CONTENT_TYPE_EVENT_STREAM,
                out -> {
                    try {
                        story.tell(new ServerSentEvents(out));
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } finally {
                        close(source);
                    }
                },
                () -> close(source));
    }

    private void close(String source) {
        open.decrementAndGet();
        bySource.computeIfPresent(source, (key, count) -> count == 1 ? null : count - 1);
    }

    /**
     * Returns the story of events, until the reader leaves, or this server stops.
     *
     * @param from where the reader left off; null if it wants what comes from now on
     * @param mayRead whether it still may
     */
    Story events(EventFilter filter, @Nullable EventCursor from, BooleanSupplier mayRead) {
        EventLog.Snapshot now = log.snapshot();
        return reader -> new Stream(filter, reader, mayRead).run(from, now);
    }

    private final class Stream {
        private final EventFilter filter;
        private final ServerSentEvents reader;
        private final BooleanSupplier mayRead;
        private EventCursor cursor = EventCursor.beginning();
        private long position;

        Stream(EventFilter filter, ServerSentEvents reader, BooleanSupplier mayRead) {
            this.filter = filter;
            this.reader = reader;
            this.mayRead = mayRead;
        }

        void run(@Nullable EventCursor from, EventLog.Snapshot now) throws IOException, InterruptedException {
            position = now.position();
            cursor = now.end().copy();
            if (from != null) resume(from, now);
            while (!log.isClosed() && !reader.hasLeft()) {
                EventLog.Batch batch = log.await(position, MOST_AT_ONCE, TICK);
                if (!mayRead.getAsBoolean()) return;
                position = batch.position();
                if (batch.lost() > 0) lost(batch.lost());
                if (send(batch.events())) LockSupport.parkNanos(GATHERING.toNanos());
                else reader.keepAlive();
            }
        }

        /** First of all what the reader has not seen yet, as far as it is still there. */
        private void resume(EventCursor from, EventLog.Snapshot now) throws IOException {
            long missed = from.behind(now.gone());
            cursor = from.orLater(now.gone());
            if (missed > 0) lost(missed);
            send(now.events().stream().filter(from::isBefore).toList());
            cursor = cursor.orLater(now.end());
        }

        private boolean send(List<OjsEvent> events) throws IOException {
            boolean any = false;
            for (OjsEvent event : events) {
                cursor.moveBehind(event);
                if (!filter.lets(event)) continue;
                send(event);
                any = true;
            }
            return any;
        }

        /** The envelope with the job and the queue again at its top, where stream readers look for them. */
        private void send(OjsEvent event) throws IOException {
            JsonOut data = JsonOut.object(event.json().length + 128).members(event.json());
            if (event.isAboutJob()) data.optional("job_id", event.subject());
            data.optional("queue", event.queue()).endObject();
            reader.send(event.type(), cursor.toString(), data);
        }

        /** Sends how many records are gone that this reader has not seen; not all of them need have concerned it. */
        private void lost(long events) throws IOException {
            JsonOut data = JsonOut.object().field("lost_at_most", events);
            reader.send(
                    "floodgate.events_lost",
                    cursor.toString(),
                    data.field("topic", "ojs.events").endObject());
        }
    }
}
