package io.floodgate.gateway.event;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.event.OjsEvent;
import io.floodgate.topics.json.JsonOut;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import org.jspecify.annotations.Nullable;

/** {@code /ojs/v1/events} (OJS events §6.4): a page at a time, or as a stream of server-sent events. */
public record EventOperations(EventLog log, EventStreams streams) {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;
    private static final String EVENT_ID = "evt_";
    private static final HeaderName LAST_EVENT_ID = HeaderNames.create("Last-Event-ID");

    public ApiResponse poll(Call call) throws RejectedException {
        return poll(call, EventFilter.of(call));
    }

    /** Answers with the last events of a job, for the command-line tool. */
    public ApiResponse ofJob(Call call) throws RejectedException {
        return poll(call, EventFilter.of(call).ofJob(call.parameter("id")));
    }

    private ApiResponse poll(Call call, EventFilter filter) throws RejectedException {
        Paging paging = Paging.besideCursor(call, DEFAULT_LIMIT, MAX_LIMIT);
        String after = call.query("after").or(() -> Paging.ownCursor(call)).orElse(null);
        EventLog.Page page = page(filter, after, paging);
        long size = page.events().stream()
                .mapToLong(event -> event.json().length + 64L)
                .sum();
        call.makeRoom(2 * size);
        JsonOut out = JsonOut.object(2 * (int) size + 512).beginArray("events");
        for (OjsEvent event : page.events()) out.raw(event.json());
        out.endArray().beginArray("items");
        for (OjsEvent event : page.events())
            out.beginObject()
                    .members(event.json())
                    .field("timestamp", event.time())
                    .endObject();
        out.endArray().field("cursor", page.cursor().toString()).field("has_more", page.hasMore());
        if (page.missed() > 0) out.field("missed_at_most", page.missed());
        paging(page, paging, out);
        return ApiResponse.ok(out.endObject());
    }

    private EventLog.Page page(EventFilter filter, @Nullable String after, Paging paging) throws RejectedException {
        if (after != null) return log.after(cursor(after), filter, paging.limit());
        if (filter.since() != null) return log.after(EventCursor.beginning(), filter, paging.limit());
        return log.newest(filter, paging.offset(), paging.limit());
    }

    /** A total only where all matching events were counted: with a cursor, the number is not known. */
    private static void paging(EventLog.Page page, Paging paging, JsonOut out) {
        out.beginObject("pagination");
        Integer total = page.total();
        if (total != null) out.field("total", total);
        boolean hasMore = total == null ? page.hasMore() : paging.offset() + paging.limit() < total;
        out.field("limit", paging.limit())
                .field("offset", paging.offset())
                .field("page", paging.offset() / paging.limit() + 1)
                .field("per_page", paging.limit())
                .field("has_more", hasMore)
                .field("next_cursor", page.cursor().toString())
                .endObject();
    }

    /** Ours, or the id of an event that this gateway still has. */
    private EventCursor cursor(String text) throws RejectedException {
        if (text.startsWith(EVENT_ID)) return log.cursorAfter(text).orElse(EventCursor.beginning());
        return EventCursor.parse(text)
                .orElseThrow(() -> RequestFields.wrong(
                        "cursor", "This is neither a cursor, as each page of events has one, nor the id of an event."));
    }

    public ApiResponse stream(Call call) throws RejectedException {
        return stream(call, EventFilter.of(call));
    }

    public ApiResponse streamOfJob(Call call) throws RejectedException {
        return stream(call, EventFilter.of(call).ofJob(call.parameter("id")));
    }

    public ApiResponse streamOfQueue(Call call) throws RejectedException {
        return stream(call, EventFilter.of(call).ofQueue(call.parameter("name")));
    }

    private ApiResponse stream(Call call, EventFilter filter) throws RejectedException {
        String after = call.header(LAST_EVENT_ID);
        EventCursor from = after == null || after.isEmpty() ? null : cursor(after);
        return streams.open(call, streams.events(filter, from, call.caller()::isKnown), "GET /ojs/v1/events");
    }
}
