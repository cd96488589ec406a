package io.floodgate.gateway.event;

import io.floodgate.gateway.connection.Peer;
import io.floodgate.topics.json.JsonOut;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Events as streams of server-sent events: so many at most, for each is a thread that looks at every event. */
public final class EventStreams {
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    /** How long a stream may go unnoticed that its reader has left. */
    private static final Duration TICK = Duration.ofSeconds(1);
    /** What comes within this time is sent together; the first event after a quiet time goes out at once. */
    private static final Duration GATHERING = Duration.ofMillis(20);

    private static final int MOST_AT_ONCE = 1_000;
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final EventLog log;
    private final int most;
    private final AtomicInteger open = new AtomicInteger();

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

    boolean tryOpen() {
        if (open.incrementAndGet() <= most) return true;
        open.decrementAndGet();
        return false;
    }

    void closed() {
        open.decrementAndGet();
    }

    /**
     * Until the reader leaves, or this server stops.
     *
     * @param from where the reader left off; null if it wants what comes from now on
     * @param mayRead whether it still may
     */
    void write(
            EventFilter filter,
            @Nullable EventCursor from,
            EventLog.Snapshot now,
            BooleanSupplier mayRead,
            OutputStream out)
            throws IOException {
        Peer peer = Peer.current();
        if (peer != null) {
            var unused = peer.watch();
        }
        try {
            new Stream(filter, peer, mayRead, out).run(from, now);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Stream {
        private final EventFilter filter;
        private final @Nullable Peer peer;
        private final BooleanSupplier mayRead;
        private final OutputStream out;
        private EventCursor cursor = EventCursor.beginning();
        private long position;

        Stream(EventFilter filter, @Nullable Peer peer, BooleanSupplier mayRead, OutputStream out) {
            this.filter = filter;
            this.peer = peer;
            this.mayRead = mayRead;
            this.out = out;
        }

        void run(@Nullable EventCursor from, EventLog.Snapshot now) throws IOException, InterruptedException {
            position = now.position();
            cursor = now.end().copy();
            send(COMMENT);
            if (from != null) resume(from, now);
            long quiet = System.nanoTime();
            while (!log.isClosed() && (peer == null || !peer.hasLeft())) {
                EventLog.Batch batch = log.await(position, MOST_AT_ONCE, TICK);
                if (!mayRead.getAsBoolean()) return;
                position = batch.position();
                if (batch.lost() > 0) send(lost(batch.lost()));
                if (send(batch.events())) {
                    quiet = System.nanoTime();
                    LockSupport.parkNanos(GATHERING.toNanos());
                } else if (System.nanoTime() - quiet > HEARTBEAT.toNanos()) {
                    send(COMMENT);
                    quiet = System.nanoTime();
                }
            }
        }

        /** First of all what the reader has not seen yet, as far as it is still there. */
        private void resume(EventCursor from, EventLog.Snapshot now) throws IOException {
            long missed = from.behind(now.gone());
            cursor = from.orLater(now.gone());
            if (missed > 0) send(lost(missed));
            send(now.events().stream().filter(from::isBefore).toList());
            cursor = cursor.orLater(now.end());
        }

        private boolean send(List<Event> events) throws IOException {
            boolean any = false;
            for (Event event : events) {
                cursor.moveBehind(event);
                if (!filter.lets(event)) continue;
                send(frame(event));
                any = true;
            }
            return any;
        }

        private void send(byte[] bytes) throws IOException {
            if (peer != null) peer.isReceiving();
            out.write(bytes);
            out.flush();
            if (peer != null) peer.hasReceived();
        }

        /** The envelope with the job and the queue once more at its top, where stream readers look for them. */
        private byte[] frame(Event event) {
            JsonOut data = new JsonOut(event.json().length + 128).beginObject().members(event.json());
            if (event.isAboutJob()) data.optional("job_id", event.subject());
            data.optional("queue", event.queue()).endObject();
            return frame(event.type(), data);
        }

        /** How many records are gone that this reader has not seen; not all of them need have concerned it. */
        private byte[] lost(long events) {
            JsonOut data = new JsonOut().beginObject().field("lost_at_most", events);
            return frame(
                    "floodgate.events_lost", data.field("topic", "ojs.events").endObject());
        }

        private byte[] frame(String type, JsonOut data) {
            return "event: %s\nid: %s\ndata: %s\n\n"
                    .formatted(onOneLine(type), cursor, data)
                    .getBytes(StandardCharsets.UTF_8);
        }

        private static String onOneLine(String text) {
            return text.chars().anyMatch(Character::isISOControl) ? text.replaceAll("\\p{Cntrl}", " ") : text;
        }
    }
}
