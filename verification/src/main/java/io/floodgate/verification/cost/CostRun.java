package io.floodgate.verification.cost;

import io.floodgate.verification.client.Pause;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Role;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Starts an installation, puts one load after another on it, and prints a line for each. */
final class CostRun {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final List<Role> ROLES = List.of(Role.BROKER, Role.PROCESSOR, Role.GATEWAY);

    /** What is left of the load before. */
    private static final Duration CALM = Duration.ofSeconds(5);

    private static final int MOST_KINDS = 10;

    private final CostPlan plan;
    private final Path directory;
    private final PrintStream out;
    private int rejected;

    CostRun(CostPlan plan, Path directory, PrintStream out) {
        this.plan = plan;
        this.directory = directory;
        this.out = out;
    }

    private interface Work {
        void run(JobLoad load) throws InterruptedException;
    }

    /** Whether all requests were answered well. */
    boolean run() throws Exception {
        try (Installation installation = Installation.cluster(
                directory, plan.brokers(), plan.partitions(), plan.processors(), plan.gateways(), plan.options())) {
            installation.start(PATIENCE);
            if (!new Service(installation.urls(), plan.partitions(), new Recorder())
                    .await(PATIENCE)
                    .complete()) throw new IllegalStateException("not every partition serves");
            if (plan.warmUp().isPositive())
                new JobLoad(installation.urls(), plan.partitions()).withoutPause(24, plan.warmUp());
            try (BrokerRequests requests = new BrokerRequests(installation.all(Role.BROKER))) {
                for (int rate : plan.rates())
                    measure(rate == 0 ? "idle" : rate + "/s", installation, requests, load -> {
                        if (rate == 0) Pause.of(plan.length());
                        else load.atRate(rate, plan.length());
                    });
                if (plan.callers() > 0)
                    measure(
                            plan.callers() + " callers",
                            installation,
                            requests,
                            load -> load.withoutPause(plan.callers(), plan.length()));
            }
            return rejected == 0;
        }
    }

    /** What an installation has used up to a moment. */
    private record Used(Map<Role, Duration> processorTime, Duration compiling, Map<String, Long> requests, long at) {}

    private static Used used(Installation installation, BrokerRequests requests) throws Exception {
        Map<Role, Duration> times = new EnumMap<>(Role.class);
        for (Role role : ROLES)
            times.put(
                    role,
                    installation.all(role).stream().map(Child::processorTime).reduce(Duration.ZERO, Duration::plus));
        Duration compiling = installation.members().stream()
                .map(member -> Compiling.of(member.process().pid()))
                .reduce(Duration.ZERO, Duration::plus);
        return new Used(times, compiling, requests.count(), System.nanoTime());
    }

    private void measure(String name, Installation installation, BrokerRequests requests, Work work) throws Exception {
        Pause.of(CALM);
        JobLoad load = new JobLoad(installation.urls(), plan.partitions());
        Used before = used(installation, requests);
        work.run(load);
        print(name, load, before, used(installation, requests));
        rejected += load.rejected();
    }

    private void print(String name, JobLoad load, Used before, Used after) {
        int jobs = load.jobs().length;
        double seconds = (after.at - before.at) / 1e9;
        // Of an idle installation, percent of a core.
        double per = jobs == 0 ? seconds * 10 : jobs;
        String unit = jobs == 0 ? "% of a core" : "ms per job";
        double all = 0;
        List<String> parts = new ArrayList<>();
        for (Role role : ROLES) {
            double millis = millis(before.processorTime.get(role), after.processorTime.get(role));
            all += millis;
            parts.add("%ss %.2f".formatted(role, millis / per));
        }
        out.printf("%n%s: %.1f jobs/s, %d not served%n", name, jobs / seconds, load.rejected());
        out.printf(
                "  processor time: %.2f %s (%s; of it compiling %.2f), %.0f%% of a core%n",
                all / per,
                unit,
                String.join(", ", parts),
                millis(before.compiling, after.compiling) / per,
                all / seconds / 10);
        if (jobs > 0)
            out.printf(
                    "  enqueue p50 %.1f ms, p99 %.1f ms; job p50 %.1f ms, p99 %.1f ms%n",
                    at(load.enqueues(), 0.5), at(load.enqueues(), 0.99), at(load.jobs(), 0.5), at(load.jobs(), 0.99));
        out.printf("  requests to brokers a second: %s%n", perSecond(before.requests, after.requests, seconds));
        out.flush();
    }

    private static double millis(@Nullable Duration before, @Nullable Duration after) {
        if (before == null || after == null) return 0;
        return after.minus(before).toNanos() / 1e6;
    }

    private static String perSecond(Map<String, Long> before, Map<String, Long> after, double seconds) {
        Map<String, Double> rates = new TreeMap<>();
        after.forEach((kind, count) -> rates.put(kind, (count - before.getOrDefault(kind, 0L)) / seconds));
        return rates.entrySet().stream()
                .filter(kind -> kind.getValue() >= 0.5)
                .sorted(Comparator.comparingDouble((Entry<String, Double> kind) -> -kind.getValue()))
                .limit(MOST_KINDS)
                .map(kind -> "%s %.0f".formatted(kind.getKey(), kind.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static double at(long[] ascending, double quantile) {
        if (ascending.length == 0) return 0;
        return ascending[Math.min(ascending.length - 1, (int) (quantile * ascending.length))] / 1e6;
    }
}
