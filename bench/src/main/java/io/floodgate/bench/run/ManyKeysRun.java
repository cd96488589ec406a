package io.floodgate.bench.run;

import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Operation;
import io.floodgate.bench.run.LimitedQueues.Limit;
import io.floodgate.topics.LogId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What limits cost that hold nothing back: lifecycles of jobs without one, with a key in the log of the queue, and with one in another log. */
public final class ManyKeysRun {
    private static final int CALLERS = 64;
    private static final int SIZE = 10;
    private static final long NEVER_REACHED = 1_000;
    private static final Duration WAIT = Duration.ofSeconds(5);

    private final Settings settings;
    private final int keys;

    public ManyKeysRun(Settings settings, int keys) {
        this.settings = settings;
        this.keys = keys;
    }

    public List<Measurement> run() throws Exception {
        List<Measurement> found = new ArrayList<>();
        try (LimitedQueues log = LimitedQueues.connect(settings, "keys")) {
            List<String> queues = log.logs().stream().map(log::queueIn).toList();
            List<List<String>> same = new ArrayList<>();
            List<List<String>> other = new ArrayList<>();
            for (LogId each : log.logs()) {
                same.add(keys(() -> log.keyIn(each), queues.size()));
                other.add(keys(() -> log.keyOutside(each), queues.size()));
            }
            Measurement free = cycles("no limit", log, queues, at -> number -> null);
            found.add(free);
            found.add(shared(cycles("key in the same log", log, queues, at -> limits(same.get(at))), free));
            found.add(shared(cycles("key in another log", log, queues, at -> limits(other.get(at))), free));
        }
        return found;
    }

    private List<String> keys(Supplier<String> one, int queues) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < Math.max(1, keys / queues); i++) all.add(one.get());
        return all;
    }

    private static LongFunction<@Nullable Limit> limits(List<String> keys) {
        return number -> Limit.concurrency(keys.get(ThreadLocalRandom.current().nextInt(keys.size())), NEVER_REACHED);
    }

    private Measurement cycles(
            String name, LimitedQueues log, List<String> queues, IntFunction<LongFunction<@Nullable Limit>> limits)
            throws Exception {
        String how = "batch of %d, fetch of %d, %d acks at once; %s"
                .formatted(SIZE, SIZE, SIZE, settings.loop("%d callers, %,d keys".formatted(CALLERS, keys)));
        return settings.load(CALLERS).onVirtualThreads("lifecycles, " + name, how, "jobs", caller -> {
            int at = caller % queues.size();
            return cycle(log, log.worker(caller), queues.get(at), limits.apply(at));
        });
    }

    private static Operation cycle(
            LimitedQueues log, LogWorker worker, String queue, LongFunction<@Nullable Limit> limits) {
        return due -> {
            log.fill(queue, SIZE, limits);
            int left = SIZE;
            while (left > 0) {
                List<LogWorker.Handed> handed = worker.fetch(queue, left, WAIT);
                if (handed.isEmpty())
                    throw new IllegalStateException(
                            "a fetch brought nothing within %s although jobs were enqueued".formatted(WAIT));
                worker.ack(handed);
                left -= handed.size();
            }
            return SIZE;
        };
    }

    private static Measurement shared(Measurement limited, Measurement free) {
        return new Measurement(
                String.format(
                        Locale.ROOT,
                        "%s: %.0f%% of it",
                        limited.name(),
                        100 * limited.perSecond() / Math.max(1, free.perSecond())),
                limited.how(),
                limited.unit(),
                limited.units(),
                limited.window(),
                limited.micros(),
                limited.server(),
                limited.errors());
    }
}
