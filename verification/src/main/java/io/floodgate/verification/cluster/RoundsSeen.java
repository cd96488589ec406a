package io.floodgate.verification.cluster;

import io.floodgate.verification.client.Rounds.Ready;
import io.floodgate.verification.client.Rounds.Round;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * How rounds were served, and what gateways said of themselves, in one phase of a fault.
 *
 * @param every how often there was a round in each log: so much later than it is well a log is seen to be well
 * @param from when the phase began, by {@code System.nanoTime()}
 */
public record RoundsSeen(
        int gateways, int logs, Duration every, long from, long until, List<Round> rounds, List<Ready> readies) {
    /** A gateway asks a log once a second, and waits 1.5 s for the answer. */
    private static final Duration UNTIL_SAID = Duration.ofMillis(3_500);

    /** A log that has been silent for less may be called silent or not. */
    private static final Duration SILENT = Duration.ofMillis(1_400);

    /** Time in which a log was not served through a gateway: from the end of a good round to the end of the next one. */
    record Gap(int gateway, int log, long from, long until) {
        Duration length() {
            return Duration.ofNanos(until - from);
        }
    }

    public RoundsSeen {
        rounds = List.copyOf(rounds);
        readies = List.copyOf(readies);
    }

    /** Those that touch the phase; what has not ended when the rounds do is as long as it has been seen. */
    private List<Gap> gaps(int gateway, int log) {
        long[] ends = rounds.stream()
                .filter(round -> round.gateway() == gateway && round.log() == log && round.served())
                .mapToLong(Round::ended)
                .sorted()
                .toArray();
        long last = rounds.stream().mapToLong(Round::ended).max().orElse(until);
        // What was not served before the phase is not served from its beginning.
        long first = ends.length == 0 ? from : Math.min(ends[0], from);
        long[] all = LongStream.concat(
                        LongStream.of(first),
                        LongStream.concat(LongStream.of(ends), LongStream.of(Math.max(last, until))))
                .toArray();
        List<Gap> gaps = new ArrayList<>();
        for (int i = 1; i < all.length; i++)
            if (all[i] > from && all[i - 1] < until) gaps.add(new Gap(gateway, log, all[i - 1], all[i]));
        return gaps;
    }

    /** The longest one through any of the gateways. */
    public Duration longestGap(int log) {
        Duration longest = Duration.ZERO;
        for (int gateway = 0; gateway < gateways; gateway++) {
            Duration here = longestGap(gateway, log);
            if (here.compareTo(longest) > 0) longest = here;
        }
        return longest;
    }

    /**
     * Of one that began long before this phase, what comes before it belongs to the phase before. One that began with the
     * last round of this phase belongs to the next one.
     */
    public Duration longestGap(int gateway, int log) {
        long before = from - every.toNanos() - SILENT.toNanos();
        return gaps(gateway, log).stream()
                .filter(gap -> gap.from < until - every.toNanos())
                .map(gap -> Duration.ofNanos(gap.until - (gap.from >= before ? gap.from : from)))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** The same, through the one gateway that was served best. */
    Duration longestGapOfBestGateway(int log) {
        Duration best = Duration.ofNanos(until - from);
        for (int gateway = 0; gateway < gateways; gateway++) {
            Duration longest = longestGap(gateway, log);
            if (longest.compareTo(best) < 0) best = longest;
        }
        return best;
    }

    private boolean isMeanwhile(long at) {
        return at >= from && at < until;
    }

    /** How long those took that were served, ascending. */
    public long[] millis() {
        return rounds.stream()
                .filter(round -> round.served() && isMeanwhile(round.begun()))
                .mapToLong(round -> (round.ended() - round.begun()) / 1_000_000)
                .sorted()
                .toArray();
    }

    public long notServed() {
        return rounds.stream()
                .filter(round -> !round.served() && isMeanwhile(round.begun()))
                .count();
    }

    /** The first answer of a gateway that is not what rounds show, for each gateway and log. */
    public List<String> untrueAnswers() {
        List<String> untrue = new ArrayList<>();
        for (int gateway = 0; gateway < gateways; gateway++)
            for (int log = 0; log < logs; log++) untrueAnswer(gateway, log, untrue);
        return untrue;
    }

    private void untrueAnswer(int gateway, int log, List<String> untrue) {
        List<Gap> gaps = gaps(gateway, log);
        List<String> found = new ArrayList<>();
        for (Ready ready : readies) {
            // One that does not answer says nothing; a gateway that is gone cannot.
            if (ready.gateway() != gateway || !isMeanwhile(ready.begun()) || ready.status() == 0) continue;
            boolean saidSilent = ready.status() != 200 || ready.silent().contains(log);
            if (!saidSilent && gaps.stream().anyMatch(gap -> isSilentFor(gap, ready, every)))
                found.add("gateway %d called partition %d well after it had not been served for %s"
                        .formatted(gateway + 1, log, UNTIL_SAID));
            if (ready.status() == 200 && saidSilent && gaps.stream().noneMatch(gap -> mayBeSilentFor(gap, ready)))
                found.add("gateway %d called partition %d silent, which was served".formatted(gateway + 1, log));
        }
        if (!found.isEmpty()) untrue.add("%s (%d times)".formatted(found.getFirst(), found.size()));
    }

    private static boolean isSilentFor(Gap gap, Ready ready, Duration every) {
        long well = gap.until - every.toNanos() - SILENT.toNanos();
        return ready.begun() - gap.from > UNTIL_SAID.toNanos() && ready.ended() < well;
    }

    private static boolean mayBeSilentFor(Gap gap, Ready ready) {
        return gap.length().compareTo(SILENT) > 0
                && gap.from < ready.ended()
                && gap.until > ready.begun() - UNTIL_SAID.toNanos();
    }
}
