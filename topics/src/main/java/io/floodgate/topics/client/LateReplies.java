package io.floodgate.topics.client;

import io.floodgate.topics.command.Reply;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The handlers of replies that come when no caller waits any more. Kept for a while, for the latest commands only. */
final class LateReplies {
    static final long KEPT = TimeUnit.MINUTES.toNanos(2);
    static final int MOST = 10_000;

    /** Wake-ups that come later are of no use. */
    private static final long WAKE_UPS_KEPT = TimeUnit.SECONDS.toNanos(2);

    private static final int MOST_WAKE_UPS = 1_000;

    private final int most;
    private final long kept;

    private record Entry(Consumer<Reply> action, long until) {}

    private final Map<Long, Entry> entries = new LinkedHashMap<>();

    LateReplies() {
        this(MOST, KEPT);
    }

    private LateReplies(int most, long kept) {
        this.most = most;
        this.kept = kept;
    }

    static LateReplies ofWatches() {
        return new LateReplies(MOST_WAKE_UPS, WAKE_UPS_KEPT);
    }

    synchronized void add(long correlation, Consumer<Reply> action, long now) {
        entries.put(correlation, new Entry(action, now + kept));
        Iterator<Entry> oldest = entries.values().iterator();
        while (oldest.hasNext() && (oldest.next().until <= now || entries.size() > most)) oldest.remove();
    }

    synchronized @Nullable Consumer<Reply> take(long correlation) {
        Entry entry = entries.remove(correlation);
        return entry == null ? null : entry.action;
    }

    synchronized int size() {
        return entries.size();
    }
}
