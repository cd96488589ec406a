package io.floodgate.bench.load;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Failures, counted by kind, with one example each. */
public final class Errors {
    private record Kind(long count, String example) {}

    private final Map<String, Kind> kinds = new TreeMap<>();

    public void add(Throwable failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        add(kind(failure, message), message);
    }

    public void add(String kind, String example) {
        add(kind, example, 1);
    }

    public synchronized void add(String kind, String example, long count) {
        kinds.merge(kind, new Kind(count, example), (known, more) -> new Kind(known.count + more.count, known.example));
    }

    public synchronized long count() {
        return kinds.values().stream().mapToLong(Kind::count).sum();
    }

    /** Returns a line for each kind. */
    public synchronized List<String> lines() {
        return kinds.values().stream()
                .map(kind -> "%,d × %s".formatted(kind.count, kind.example))
                .toList();
    }

    /** Returns the class and the beginning of the message: ids and the like differ further on. */
    private static String kind(Throwable failure, String message) {
        return failure.getClass().getName() + message.substring(0, Math.min(40, message.length()));
    }
}
