package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.json.JsonOut;
import java.util.ArrayList;
import java.util.List;

/** The failed attempts of a job, oldest first, each as JSON. Long histories lose their beginning. */
public final class ErrorLog {
    private static final int VERSION = 1;
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
        JsonOut out = new JsonOut(512).beginObject();
        if (withLast) out.fieldRaw("error", entries.getLast());
        out.name("errors").beginArray();
        entries.forEach(out::raw);
        return out.endArray().endObject().toBytes();
    }

    public byte[] last() {
        return entries.getLast();
    }

    public byte[] write() {
        BinaryOut out = new BinaryOut().u8(VERSION).number(entries.size());
        entries.forEach(out::blob);
        return out.toBytes();
    }

    public static ErrorLog read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "the error history of a job");
        ErrorLog log = new ErrorLog();
        int size = in.integer();
        for (int i = 0; i < size; i++) log.entries.add(in.blob());
        return log;
    }
}
