package io.floodgate.gateway.event;

import io.floodgate.gateway.connection.Peer;
import io.floodgate.gateway.http.Answer;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Dispatcher;
import io.floodgate.gateway.http.Paging;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.json.JsonOut;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** {@code /ojs/v1/events} (OJS events §6.4): a page at a time, or as a stream of server-sent events. */
public final class EventOperations implements HttpService {
    public static final String PREFIX = "/ojs/v1/events";

    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    /** How long a stream may go on after the gateway was asked to stop. */
    private static final Duration TICK = Duration.ofSeconds(1);

    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);
    private static final HeaderName LAST_EVENT_ID = HeaderNames.create("Last-Event-ID");

    private final Dispatcher endpoints;
    private final EventLog log;

    public EventOperations(Dispatcher endpoints, EventLog log) {
        this.endpoints = endpoints;
        this.log = log;
    }

    @Override
    public void routing(HttpRules rules) {
        endpoints.under(PREFIX, rules).get("", this::poll).get("/stream", this::stream);
    }

    private Answer poll(Call call) throws RefusedException {
        int limit = Math.clamp(Paging.number(call, "limit", DEFAULT_LIMIT), 1, MAX_LIMIT);
        String after = call.query("after").or(() -> call.query("cursor")).orElse(null);
        EventLog.Page page = log.page(EventFilter.of(call), after, limit);
        JsonOut out = new JsonOut(4_096).beginObject().name("events").beginArray();
        for (Event event : page.events()) out.raw(event.json());
        out.endArray().name("items").beginArray();
        for (Event event : page.events())
            out.beginObject()
                    .members(event.json())
                    .field("timestamp", event.time())
                    .endObject();
        out.endArray();
        String cursor =
                page.events().isEmpty() ? after : page.events().getLast().id();
        out.optional("cursor", cursor).field("has_more", page.hasMore());
        out.name("pagination")
                .beginObject()
                .field("total", page.events().size())
                .field("limit", limit)
                .field("offset", 0)
                .field("page", 1)
                .field("per_page", limit)
                .field("has_more", page.hasMore())
                .optional("next_cursor", cursor)
                .endObject();
        return Answer.ok(out.endObject());
    }

    private Answer stream(Call call) throws RefusedException {
        EventFilter filter = EventFilter.of(call);
        String after = call.header(LAST_EVENT_ID);
        return new Answer.Streamed(HeaderValues.CONTENT_TYPE_EVENT_STREAM, out -> stream(filter, after, out));
    }

    private void stream(EventFilter filter, @Nullable String after, OutputStream out) throws IOException {
        Peer caller = Peer.current();
        if (caller != null) caller.watch();
        Subscriber subscriber = log.subscribe(filter, after);
        try {
            write(COMMENT, out);
            long quiet = 0;
            while (!subscriber.hasEnded() && (caller == null || !caller.hasLeft())) {
                Event event = subscriber.next(TICK);
                if (event != null) {
                    write(frame(event), out);
                    quiet = 0;
                } else if (++quiet * TICK.toSeconds() >= HEARTBEAT.toSeconds()) {
                    write(COMMENT, out);
                    quiet = 0;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            log.unsubscribe(subscriber);
        }
    }

    private static void write(byte[] bytes, OutputStream out) throws IOException {
        Peer caller = Peer.current();
        if (caller != null) caller.isReceiving();
        out.write(bytes);
        out.flush();
        if (caller != null) caller.hasReceived();
    }

    /** The envelope with the job and the queue once more at its top, where stream readers look for them. */
    private static byte[] frame(Event event) {
        JsonOut data = new JsonOut(event.json().length + 128).beginObject().members(event.json());
        if (event.isAboutJob()) data.optional("job_id", event.subject());
        data.optional("queue", event.queue()).endObject();
        return "event: %s\nid: %s\ndata: %s\n\n"
                .formatted(event.type(), event.id(), data)
                .getBytes(StandardCharsets.UTF_8);
    }
}
