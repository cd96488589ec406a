package io.floodgate.verification.crash;

import io.floodgate.verification.client.Service.Return;
import io.floodgate.verification.history.Verdict;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How it went: the time to come back from each blow, and what holds. */
public record CrashReport(List<Blow> blows, List<Judged> judged, List<Claim> claims) {
    private static final int SHOWN = 10;

    /**
     * A strike that was dealt, and how the service came back.
     *
     * @param at since the run began
     * @param service counted from the moment the process was started again, or, if it was not, from when it was struck
     * @param processorTime what the process had used by then, since it was started
     * @param load the machine's load average, without which no time means anything
     */
    public record Blow(Duration at, String victim, String what, Return service, Duration processorTime, double load) {}

    /** Something that must hold beside what histories say, and what breaks it. */
    public record Claim(String claim, List<String> broken) {
        public Claim {
            broken = List.copyOf(broken);
        }
    }

    /** What one of those who worked with the installation saw of it. */
    public record Judged(String whose, Verdict verdict) {}

    public CrashReport {
        blows = List.copyOf(blows);
        judged = List.copyOf(judged);
        claims = List.copyOf(claims);
    }

    public boolean passed() {
        return judged.stream().allMatch(one -> one.verdict.passed())
                && claims.stream().allMatch(claim -> claim.broken.isEmpty());
    }

    static String heading() {
        return "%8s  %-12s  %-40s %12s %12s %8s %6s"
                .formatted("at", "process", "what", "first queue", "all queues", "CPU", "load");
    }

    static String line(Blow blow) {
        return "%7.1fs  %-12s  %-40s %11.2fs %11.2fs %7.2fs %6.1f"
                .formatted(
                        seconds(blow.at()),
                        blow.victim(),
                        blow.what(),
                        seconds(blow.service().first()),
                        seconds(blow.service().all()),
                        seconds(blow.processorTime()),
                        blow.load());
    }

    void print(PrintStream out) {
        out.println();
        out.println("Back in service (a job enqueued, fetched and acked in every partition), in seconds:");
        out.println("  %-54s %9s  %6s  %6s  %6s".formatted("", "", "median", "worst", "CPU"));
        Map<String, List<Blow>> alike = blows.stream()
                .collect(Collectors.groupingBy(
                        blow -> "%-12s  %s".formatted(blow.victim().replaceAll("-\\d+$", ""), blow.what()),
                        TreeMap::new,
                        Collectors.toList()));
        alike.forEach((what, some) -> out.println("  %-54s %3d times  %6.2f  %6.2f  %6.2f"
                .formatted(
                        what,
                        some.size(),
                        median(some, blow -> blow.service().all()),
                        seconds(slowest(some)),
                        median(some, Blow::processorTime))));
        printClaims(out);
    }

    /** What holds, and what does not. */
    public void printClaims(PrintStream out) {
        for (Judged one : judged) {
            out.println();
            out.println(one.whose + ":");
            one.verdict.print(out);
        }
        out.println();
        for (Claim claim : claims) {
            out.println("%s  %s".formatted(claim.broken.isEmpty() ? "holds " : "BROKEN", claim.claim));
            claim.broken.stream().limit(SHOWN).forEach(what -> out.println("        " + what));
            if (claim.broken.size() > SHOWN) out.println("        and %d more".formatted(claim.broken.size() - SHOWN));
        }
        out.println();
        out.println(passed() ? "PASSED" : "FAILED");
    }

    private static double median(List<Blow> some, Function<Blow, Duration> figure) {
        List<Double> sorted =
                some.stream().map(blow -> seconds(figure.apply(blow))).sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    private static Duration slowest(List<Blow> some) {
        return some.stream()
                .map(blow -> blow.service().all())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    private static double seconds(Duration length) {
        return length.toMillis() / 1_000.0;
    }
}
