package io.floodgate.bench.load;

import java.util.Map;
import java.util.TreeMap;

/** What went wrong, counted by kind, with one example each. */
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

    /** A line for each kind. */
    public synchronized java.util.List<String> lines() {
        return kinds.values().stream()
                .map(kind -> "%,d × %s".formatted(kind.count, kind.example))
                .toList();
    }

    /** Messages differ by ids and the like; their beginning and class tell kinds apart. */
    private static String kind(Throwable failure, String message) {
        return failure.getClass().getName() + message.substring(0, Math.min(40, message.length()));
    }
}
