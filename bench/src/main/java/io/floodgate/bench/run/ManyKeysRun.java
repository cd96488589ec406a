package io.floodgate.bench.run;

import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.run.LimitedQueues.Limit;
import io.floodgate.topics.LogId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What limits cost that hold nothing back: lifecycles of jobs without one, with a key in the log of the queue, and with one in another log. */
public final class ManyKeysRun {
    private static final long NEVER_REACHED = 1_000;

    private final Settings settings;
    private final int keys;
    private final int turns;

    public ManyKeysRun(Settings settings, int keys, int turns) {
        this.settings = settings;
        this.keys = keys;
        this.turns = turns;
    }

    /** One of the ways in which {@link LimitedCycles} go through their lives. */
    @FunctionalInterface
    private interface Way {
        Measurement run(
                LimitedCycles cycles, String name, String what, IntFunction<LongFunction<@Nullable Limit>> limits)
                throws Exception;
    }

    public List<Measurement> overHttp() throws Exception {
        return run((cycles, name, what, limits) -> cycles.overHttp(name, settings, what, limits));
    }

    public List<Measurement> onLog() throws Exception {
        return run((cycles, name, what, limits) -> cycles.onLog(name, settings, what, limits));
    }

    private List<Measurement> run(Way way) throws Exception {
        try (LimitedQueues log = LimitedQueues.connect(settings, "keys")) {
            LimitedCycles cycles = new LimitedCycles(log);
            List<List<Limit>> same = new ArrayList<>();
            List<List<Limit>> other = new ArrayList<>();
            for (LogId each : log.logs()) {
                same.add(keys(() -> log.keyIn(each), log.logs().size()));
                other.add(keys(() -> log.keyOutside(each), log.logs().size()));
            }
            String what = "%,d keys".formatted(keys);
            return new Turns()
                    .with("no limit", name -> way.run(cycles, name, what, at -> number -> null))
                    .with("key in the same log", name -> way.run(cycles, name, what, at -> limits(same.get(at))))
                    .with("key in another log", name -> way.run(cycles, name, what, at -> limits(other.get(at))))
                    .take(turns);
        }
    }

    /** Jobs without a key, while the server knows of no limit, and while as many jobs with keys of their own wait there. */
    public List<Measurement> runBesideKeys() throws Exception {
        if (!settings.reset())
            throw new IllegalArgumentException("beside keys means: with and without them; that needs --reset");
        return new Turns()
                .with("no key is known", name -> besideKeys(name, 0))
                .with("%,d keys are known".formatted(keys), name -> besideKeys(name, keys))
                .take(turns);
    }

    private Measurement besideKeys(String name, int known) throws Exception {
        settings.prepare();
        try (LimitedQueues log = LimitedQueues.connect(settings, "beside-%d".formatted(System.nanoTime()))) {
            for (LogId each : log.logs()) {
                List<Limit> here = known == 0
                        ? List.of()
                        : keys(() -> log.keyIn(each), log.logs().size());
                log.fill(log.queueIn(each), here.size(), number -> here.get((int) number));
            }
            return new LimitedCycles(log)
                    .overHttp(name, settings.withoutReset(), "none of these jobs has a key", at -> number -> null);
        }
    }

    private List<Limit> keys(Supplier<String> one, int queues) {
        List<Limit> all = new ArrayList<>();
        for (int i = 0; i < Math.max(1, keys / queues); i++) all.add(Limit.concurrency(one.get(), NEVER_REACHED));
        return all;
    }

    private static LongFunction<@Nullable Limit> limits(List<Limit> keys) {
        return number -> keys.get(ThreadLocalRandom.current().nextInt(keys.size()));
    }
}
