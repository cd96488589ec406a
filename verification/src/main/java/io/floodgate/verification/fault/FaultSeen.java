package io.floodgate.verification.fault;

import io.floodgate.verification.client.Service.Return;
import io.floodgate.verification.history.Damage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a repetition has shown.
 *
 * @param gaps of the partitions, the longest one first
 * @param back from power on; incomplete if a partition was never served
 * @param ready what gateways said of themselves, in words
 * @param complaints what was wrong besides
 */
record FaultSeen(
        long seed,
        Damage damage,
        boolean judged,
        List<Duration> gaps,
        Return back,
        String ready,
        List<String> complaints) {
    FaultSeen {
        gaps = List.copyOf(gaps);
        complaints = List.copyOf(complaints);
    }

    /** A repetition that came to nothing. */
    static FaultSeen failed(long seed, Exception why) {
        Duration never = Duration.ofDays(1);
        return new FaultSeen(
                seed,
                Damage.NONE,
                false,
                List.of(),
                new Return(never, never, false),
                "",
                List.of(String.valueOf(why.getMessage())));
    }

    boolean passed() {
        return judged && damage.isNone() && back.complete() && complaints.isEmpty();
    }

    static String heading() {
        return "%8s %9s %7s %8s %7s %6s %9s %7s %5s %5s %7s %7s %7s  %s"
                .formatted(
                        "seed",
                        "answered",
                        "acked",
                        "rejected",
                        "unknown",
                        "lost",
                        "acks lost",
                        "doubled",
                        "over",
                        "other",
                        "gap, s",
                        "first",
                        "all, s",
                        "/ready");
    }

    String line() {
        return "%8d %9d %7d %8d %7d %6s %9s %7s %5s %5s %7.1f %7s %7s  %s"
                .formatted(
                        seed,
                        damage.answers().enqueued(),
                        damage.answers().acked(),
                        damage.answers().rejected(),
                        damage.answers().unknown(),
                        ifJudged(damage.lost()),
                        ifJudged(damage.forgotten()),
                        ifJudged(damage.doubled()),
                        ifJudged(damage.over()),
                        ifJudged(damage.other()),
                        gap(),
                        seconds(back.first()),
                        back.complete() ? seconds(back.all()) : "never",
                        ready);
    }

    private String ifJudged(long count) {
        return judged ? Long.toString(count) : "?";
    }

    private double gap() {
        return gaps.isEmpty() ? 0 : gaps.getFirst().toMillis() / 1_000.0;
    }

    private static String seconds(Duration length) {
        return length.toDays() > 0 ? "never" : "%.1f".formatted(length.toMillis() / 1_000.0);
    }

    /** A line about all. */
    static String total(List<FaultSeen> all) {
        Damage damage = all.stream().map(FaultSeen::damage).reduce(Damage.NONE, Damage::with);
        List<Double> gaps =
                new ArrayList<>(all.stream().map(FaultSeen::gap).sorted().toList());
        return "total: %d of %d passed; %,d answered, %,d acked; %,d lost, %,d acks lost, %,d doubled, %,d over, %,d other; %d not judged; longest gap %.1f s (median %.1f s)"
                .formatted(
                        all.stream().filter(FaultSeen::passed).count(),
                        all.size(),
                        damage.answers().enqueued(),
                        damage.answers().acked(),
                        damage.lost(),
                        damage.forgotten(),
                        damage.doubled(),
                        damage.over(),
                        damage.other(),
                        all.stream().filter(seen -> !seen.judged).count(),
                        gaps.getLast(),
                        gaps.get(gaps.size() / 2));
    }
}
