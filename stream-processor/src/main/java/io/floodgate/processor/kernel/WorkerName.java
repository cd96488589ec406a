package io.floodgate.processor.kernel;

import io.floodgate.topics.command.Identity;
import org.jspecify.annotations.Nullable;

/**
 * The name of a worker in the partition: its own id, and the key that it shows. Callers with different keys can name
 * their workers alike, and none of them can speak for another's.
 */
public final class WorkerName {
    /** A character that no name of a key has. */
    private static final char BY = '\u001F';

    private WorkerName() {}

    /** @param by who says so; null without a key */
    public static String of(String id, @Nullable Identity by) {
        return by == null ? id : id + BY + by.name();
    }

    /** Returns the id by which the worker calls itself. */
    public static String id(String name) {
        int end = name.lastIndexOf(BY);
        return end < 0 ? name : name.substring(0, end);
    }

    /** The key that it shows; null for none. */
    public static @Nullable String key(String name) {
        int end = name.lastIndexOf(BY);
        return end < 0 ? null : name.substring(end + 1);
    }

    /** Returns the beginning of the names of all workers with this id that show a key. */
    public static String withAnyKey(String id) {
        return id + BY;
    }
}
