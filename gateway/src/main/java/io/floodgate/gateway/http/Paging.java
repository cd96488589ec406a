package io.floodgate.gateway.http;

import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.json.JsonOut;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a list that is asked for. Public lists count in {@code limit} and {@code offset}, admin lists in {@code
 * page} and {@code per_page}; both are understood everywhere, and every reply has both (OJS HTTP binding §17, admin
 * §7).
 */
public record Paging(int limit, int offset) {
    public static final int DEFAULT_LIMIT = 50;
    private static final String CURSOR = "cursor";
    /** Prefix of the offset in a cursor: ids and names do not begin with it. */
    private static final String OFFSET = "@";

    private static final int MAX_LIMIT = 200;
    private static final int MAX_OFFSET = 1_000_000;

    public static Paging of(Call call) throws RejectedException {
        return of(call, DEFAULT_LIMIT, MAX_LIMIT);
    }

    public static Paging besideCursor(Call call) throws RejectedException {
        return besideCursor(call, DEFAULT_LIMIT, MAX_LIMIT);
    }

    public static Paging of(Call call, int defaultLimit, int maxLimit) throws RejectedException {
        if (ownCursor(call).isPresent()) throw wrongCursor();
        return besideCursor(call, defaultLimit, maxLimit);
    }

    /** Reads the paging of a list that has cursors of its own beside pages. */
    public static Paging besideCursor(Call call, int defaultLimit, int maxLimit) throws RejectedException {
        int limit = Math.clamp(number(call, "limit", number(call, "per_page", defaultLimit)), 1, maxLimit);
        int page = Math.max(1, number(call, "page", 1));
        int start = (int) Math.min((page - 1L) * limit, MAX_OFFSET);
        Optional<String> cursor = call.query(CURSOR).filter(Paging::isOffset);
        if (cursor.isPresent()) start = offset(cursor.get());
        return new Paging(limit, Math.clamp(number(call, "offset", start), 0, MAX_OFFSET));
    }

    /** The cursor that the list itself has given; none if it is an offset. */
    public static Optional<String> ownCursor(Call call) {
        return call.query(CURSOR).filter(cursor -> !isOffset(cursor));
    }

    private static boolean isOffset(String cursor) {
        return cursor.startsWith(OFFSET);
    }

    private static int offset(String cursor) throws RejectedException {
        try {
            return Integer.parseInt(cursor.substring(OFFSET.length()));
        } catch (NumberFormatException malformed) {
            throw wrongCursor();
        }
    }

    public static RejectedException wrongCursor() {
        return RequestFields.wrong(CURSOR, "The query parameter 'cursor' must be the next_cursor of a page before.");
    }

    public static int number(Call call, String name, int otherwise) throws RejectedException {
        Optional<String> text = call.query(name);
        if (text.isEmpty()) return otherwise;
        try {
            return Integer.parseInt(text.get());
        } catch (NumberFormatException e) {
            throw RequestFields.wrong(name, "The query parameter '%s' must be an integer.".formatted(name));
        }
    }

    /** Rejects pages beyond this depth, for lists in which each page costs as much as all before it. */
    public Paging within(int deepest) throws RejectedException {
        if (offset <= deepest) return this;
        throw RequestFields.wrong(
                "offset", "This list can be paged through up to %d entries; narrow it down.".formatted(deepest));
    }

    public void write(long total, JsonOut out) {
        write(total, next(total), out);
    }

    /** The cursor of the page after this one; null if it is the last one. */
    public @Nullable String next(long total) {
        long next = offset + (long) limit;
        return next < total ? OFFSET + next : null;
    }

    /** Returns a page under its name and as {@code items}: clients look for either. */
    public JsonOut page(String name, JsonOut items, long total) {
        return page(name, items, total, next(total));
    }

    /** @param next the cursor of the next page; null if this is the last one */
    public JsonOut page(String name, JsonOut items, long total, @Nullable Object next) {
        byte[] all = items.toBytes();
        JsonOut out = JsonOut.object(2 * all.length + 128).fieldRaw(name, all).fieldRaw("items", all);
        write(total, next, out);
        return out.endObject();
    }

    /** @param next the cursor of the next page; null if this is the last one */
    public void write(long total, @Nullable Object next, JsonOut out) {
        out.beginObject("pagination")
                .field("total", total)
                .field("limit", limit)
                .field("offset", offset)
                .field("page", offset / limit + 1)
                .field("per_page", limit)
                .field("has_more", next != null)
                .optional("next_cursor", next == null ? null : next.toString())
                .endObject();
    }
}
