package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpResponse;
import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Plan;
import io.floodgate.bench.load.Samples;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * First what can be served, in a closed loop beside workers; then a multiple of that, whatever the server does; then half
 * of it, from the moment on in which the overload ends.
 */
public final class OverloadRun {
    private static final int QUEUES = 8;
    private static final int PEAK_CONNECTIONS = 64;
    private static final int WORKERS = 16;
    private static final double QUIET_SHARE = 0.05;
    /** Enough that a tenant waits for the server, and not for a connection. */
    private static final int QUIET_CONNECTIONS = 30;

    private static final String NOISY = "noisy";

    private static final Duration AFTERWARDS = Duration.ofSeconds(5);

    private final Settings settings;
    private final double factor;
    private final int connections;
    private final int quietTenants;
    private final List<JobBodies> queues = new ArrayList<>();

    /**
     * @param factor how much more than what can be served, by all together
     * @param connections of all of them
     * @param quietTenants who send little beside one who sends too much; 0 for an overload without tenants
     */
    public OverloadRun(Settings settings, double factor, int connections, int quietTenants) {
        this.settings = settings.withRate(0);
        this.factor = factor;
        this.connections = connections;
        this.quietTenants = quietTenants;
        for (int i = 0; i < QUEUES; i++) queues.add(settings.jobs("-overload-" + i));
    }

    public List<Measurement> run() throws Exception {
        settings.prepare();
        List<Measurement> found = new ArrayList<>();
        List<String> names = queues.stream().map(JobBodies::queue).toList();
        try (BusyWorkers workers = BusyWorkers.start(settings, names, WORKERS)) {
            double peak = peak(workers, found);
            overload(workers, peak, found);
            afterwards(workers, peak, found);
        }
        return found;
    }

    private double peak(BusyWorkers workers, List<Measurement> found) throws Exception {
        Load load = new Load(new Plan(settings.warmup(), settings.measured(), PEAK_CONNECTIONS, 0), settings.server());
        var phase = workers.measure(load.window());
        Measurement taken = load.onOneThread(
                "peak: taken",
                "closed loop, 64 connections",
                "jobs",
                producing(PEAK_CONNECTIONS, caller -> noisy(), null));
        found.add(taken);
        found.add(phase.acks("peak"));
        return taken.perSecond();
    }

    private void overload(BusyWorkers workers, double peak, List<Measurement> found) throws Exception {
        int own = Math.max(1, connections - QUIET_CONNECTIONS * quietTenants);
        Plan plan = new Plan(Duration.ofSeconds(1), settings.measured(), own, factor * peak - quietRate(peak));
        Load load = new Load(plan, settings.server());
        var phase = workers.measure(load.window());
        Samples rejected = new Samples(load.window());
        CompletableFuture<Measurement> quiet =
                quietTenants == 0 ? CompletableFuture.completedFuture(null) : quietMeanwhile(peak);
        String memoryBefore = memory();
        Measurement taken = load.onOneThread(
                "overload: taken",
                "%s, %s → ".formatted(settings.withRate(plan.rate()).loop(own + " connections"), memoryBefore),
                "jobs",
                producing(own, caller -> noisy(), rejected));
        found.add(withMemory(taken));
        found.add(new Measurement(
                "overload: rejected",
                "503 or 429 with Retry-After of at least 1",
                "rejections",
                rejected.units(),
                load.window(),
                Samples.merge(List.of(rejected)),
                Optional.empty(),
                new Errors()));
        found.add(phase.acks("overload"));
        found.add(phase.nacks("overload"));
        found.add(phase.beats("overload"));
        Measurement others = quiet.join();
        if (others != null) found.add(others);
    }

    /** Who sends too much, if there are tenants. */
    private @Nullable String noisy() {
        return quietTenants == 0 ? null : NOISY;
    }

    private double quietRate(double peak) {
        return quietTenants * QUIET_SHARE * peak;
    }

    /** Whatever is rejected of theirs is an error. */
    private CompletableFuture<Measurement> quietMeanwhile(double peak) {
        CompletableFuture<Measurement> measured = new CompletableFuture<>();
        Thread.ofPlatform().name("bench-quiet").daemon().start(() -> {
            try {
                double rate = quietRate(peak);
                Plan plan =
                        new Plan(Duration.ofSeconds(1), settings.measured(), QUIET_CONNECTIONS * quietTenants, rate);
                measured.complete(new Load(plan, OptionalLong.empty())
                        .onOneThread(
                                "overload: taken of %d quiet tenants".formatted(quietTenants),
                                settings.withRate(rate).loop(plan.callers() + " connections"),
                                "jobs",
                                producing(plan.callers(), caller -> "quiet-" + caller % quietTenants, null)));
            } catch (Exception failure) {
                measured.completeExceptionally(new CompletionException(failure));
            }
        });
        return measured;
    }

    private void afterwards(BusyWorkers workers, double peak, List<Measurement> found) throws Exception {
        Plan plan = new Plan(AFTERWARDS, AFTERWARDS, PEAK_CONNECTIONS, peak / 2);
        Load load = new Load(plan, settings.server());
        var phase = workers.measure(load.window());
        found.add(load.onOneThread(
                "from 5 s afterwards on: taken",
                settings.withRate(plan.rate()).loop(PEAK_CONNECTIONS + " connections"),
                "jobs",
                producing(PEAK_CONNECTIONS, caller -> null, null)));
        found.add(phase.acks("from 5 s afterwards on"));
    }

    private String memory() {
        return settings.server().isEmpty()
                ? "server memory unknown"
                : "server memory " + ProcessMemory.of(settings.server().getAsLong());
    }

    private Measurement withMemory(Measurement taken) {
        return new Measurement(
                taken.name(),
                taken.how() + memory(),
                taken.unit(),
                taken.units(),
                taken.window(),
                taken.micros(),
                taken.server(),
                taken.errors());
    }

    /**
     * Producers who send jobs to all queues in turns.
     *
     * @param rejected where rejections are counted; without it they are errors
     */
    private Posting producing(int producers, IntFunction<@Nullable String> tenants, @Nullable Samples rejected)
            throws IOException {
        int[] number = {0};
        return new Posting(
                settings.target(),
                producers,
                producer -> headers(tenants.apply(producer)),
                due -> queues.get(number[0]++ % QUEUES).json(due),
                (answer, due) -> units(answer, due, rejected));
    }

    private static Map<String, String> headers(@Nullable String tenant) {
        return tenant == null ? Map.of() : Map.of("X-OJS-Tenant", tenant);
    }

    private static int units(HttpResponse answer, long due, @Nullable Samples rejected) throws IOException {
        if (answer.status() == 201) return 1;
        boolean full = answer.status() == 503 || answer.status() == 429;
        if (!full || rejected == null || answer.retryAfter() < 1) throw Posting.unexpected(answer);
        rejected.add(due, System.nanoTime(), 1);
        return 0;
    }
}
