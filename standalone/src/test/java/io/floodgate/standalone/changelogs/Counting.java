package io.floodgate.standalone.changelogs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.processor.store.KeyValues;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Counts in two stores how often each key came, so that a record that is counted twice, or not at all, is seen. */
final class Counting implements Processor<String, String, Void, Void> {
    static final String FIRST = "first";
    static final String SECOND = "second";
    /** Deletes a key instead of counting it. */
    static final String FORGET = "forget";
    /** Has the stores shown to the test. */
    static final String SHOW = "show";

    static final class Fault extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** What was shown last, by partition and store. */
    static final Map<String, Map<String, Integer>> SHOWN = new ConcurrentHashMap<>();

    private final AtomicInteger untilFault;
    private @Nullable ProcessorContext<Void, Void> context;

    Counting(AtomicInteger untilFault) {
        this.untilFault = untilFault;
    }

    @Override
    public void init(ProcessorContext<Void, Void> newContext) {
        context = newContext;
    }

    @Override
    public void process(Record<String, String> record) {
        if (context == null) throw new IllegalStateException("not initialised");
        KeyValues first = context.getStateStore(FIRST);
        KeyValues second = context.getStateStore(SECOND);
        if (record.value().equals(SHOW)) {
            SHOWN.put(context.taskId().partition() + FIRST, entries(first));
            SHOWN.put(context.taskId().partition() + SECOND, entries(second));
            return;
        }
        byte[] key = record.key().getBytes(UTF_8);
        count(first, key, record.value());
        count(second, key, record.value());
        if (untilFault.decrementAndGet() == 0) throw new Fault();
    }

    private static void count(KeyValues store, byte[] key, String what) {
        if (what.equals(FORGET)) {
            store.delete(key);
            return;
        }
        byte[] before = store.get(key);
        int count = before == null ? 0 : Integer.parseInt(new String(before, UTF_8));
        store.put(key, Integer.toString(count + 1).getBytes(UTF_8));
    }

    private static Map<String, Integer> entries(KeyValues store) {
        Map<String, Integer> entries = new TreeMap<>();
        store.scan(new byte[0], new byte[] {127}, (key, value) -> {
            entries.put(new String(key, UTF_8), Integer.parseInt(new String(value, UTF_8)));
            return true;
        });
        return entries;
    }
}
