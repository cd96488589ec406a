package io.floodgate.processor.kernel;

import io.floodgate.topics.command.ReplyTo;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What waits on behalf of somebody, found by who asked for it: whoever leaves takes it back. What has no requester is not here. */
public final class ByRequester<T> {
    private final Map<String, TreeMap<Long, T>> waiting = new TreeMap<>();

    public void clear() {
        waiting.clear();
    }

    public void put(@Nullable ReplyTo replyTo, T value) {
        if (replyTo == null) return;
        waiting.computeIfAbsent(replyTo.requester(), requester -> new TreeMap<>())
                .put(replyTo.correlation(), value);
    }

    public void remove(@Nullable ReplyTo replyTo) {
        if (replyTo == null) return;
        TreeMap<Long, T> own = waiting.get(replyTo.requester());
        if (own != null && own.remove(replyTo.correlation()) != null && own.isEmpty())
            waiting.remove(replyTo.requester());
    }

    public @Nullable T find(String requester, long correlation) {
        TreeMap<Long, T> own = waiting.get(requester);
        return own == null ? null : own.get(correlation);
    }

    /** All of one requester, as they are now. */
    public List<T> of(String requester) {
        TreeMap<Long, T> own = waiting.get(requester);
        return own == null ? List.of() : List.copyOf(own.values());
    }
}
