package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.json.JsonOut;
import java.util.ArrayList;
import java.util.List;

/** The failed attempts of a job, oldest first, each as JSON. Long histories lose their beginning. */
public final class ErrorLog {
    public static final StoredForm<ErrorLog> STORED = new StoredForm<>(ErrorLog.class, 1, "the error history of a job");
    private static final int MOST_ENTRIES = 100;
    private static final int MOST_BYTES = 512 * 1024;

    private final List<byte[]> entries = new ArrayList<>();

    public ErrorLog with(byte[] entry) {
        entries.add(entry);
        while (entries.size() > 1 && (entries.size() > MOST_ENTRIES || bytes() > MOST_BYTES)) entries.removeFirst();
        return this;
    }

    private int bytes() {
        return entries.stream().mapToInt(e -> e.length).sum();
    }

    /** {@code {"error":…,"errors":[…]}}, the first of them only while the job has not succeeded. */
    public byte[] show(boolean withLast) {
        JsonOut out = JsonOut.object(512);
        if (withLast) out.fieldRaw("error", entries.getLast());
        out.beginArray("errors");
        entries.forEach(out::raw);
        return out.endArray().endObject().toBytes();
    }

    public byte[] last() {
        return entries.getLast();
    }
}
