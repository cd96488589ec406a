package io.floodgate.processor.kernel;

import io.floodgate.topics.command.Identity;
import org.jspecify.annotations.Nullable;

/**
 * What a worker is called here: by its own id, and by the key that it shows. Callers with different keys can name their workers
 * alike, and none of them can speak for another's.
 */
public final class WorkerName {
    /** In no name of a key. */
    private static final char BY = '\u001F';

    private WorkerName() {}

    /** @param by who says so; null without a key */
    public static String of(String id, @Nullable Identity by) {
        return by == null ? id : id + BY + by.name();
    }

    /** As the worker calls itself. */
    public static String id(String name) {
        int end = name.lastIndexOf(BY);
        return end < 0 ? name : name.substring(0, end);
    }

    /** The key that it shows; null for none. */
    public static @Nullable String key(String name) {
        int end = name.lastIndexOf(BY);
        return end < 0 ? null : name.substring(end + 1);
    }

    /** What the names of all workers with this id begin with that show a key. */
    public static String withAnyKey(String id) {
        return id + BY;
    }
}
