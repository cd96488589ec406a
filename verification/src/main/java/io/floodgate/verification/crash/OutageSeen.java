package io.floodgate.verification.crash;

import io.floodgate.verification.client.Witness.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * How a witness was answered while something was gone.
 *
 * @param begun when it went, by {@code System.nanoTime()}
 * @param ended when it was started again
 * @param seen by the witness
 */
record OutageSeen(int logs, long begun, long ended, List<Seen> seen) {
    /** A circuit opens when nothing was answered for two seconds. */
    private static final Duration SOON = Duration.ofSeconds(4);

    /** From then on a rejection takes no time worth mentioning, but for the few that find out. */
    private static final Duration AT_ONCE = Duration.ofMillis(500);

    private static final Duration WITHOUT_A_BREAK = Duration.ofSeconds(3);

    OutageSeen {
        seen = List.copyOf(seen);
    }

    /** Until the first rejection for that log. */
    Optional<Duration> openedAfter(int log) {
        return seen.stream()
                .filter(one -> one.log() == log && one.rejected() && isMeanwhile(one))
                .map(one -> Duration.ofNanos(one.ended() - begun))
                .min(Duration::compareTo);
    }

    /** What half of those waited at most who asked for that log when its circuit must have been open. */
    Duration rejectedWithin(int log) {
        long[] sorted = seen.stream()
                .filter(one -> one.log() == log && isMeanwhile(one) && one.begun() - begun > SOON.toNanos())
                .mapToLong(one -> one.ended() - one.begun())
                .sorted()
                .toArray();
        return sorted.length == 0 ? Duration.ZERO : Duration.ofNanos(sorted[sorted.length / 2]);
    }

    /** The longest time in which no request for that partition was served. */
    Duration longestBreak(int log) {
        long[] served = LongStream.concat(
                        LongStream.of(begun, ended),
                        seen.stream()
                                .filter(one -> one.log() == log && one.served())
                                .mapToLong(Seen::ended)
                                .filter(at -> at > begun && at < ended))
                .sorted()
                .toArray();
        return Duration.ofNanos(IntStream.range(1, served.length)
                .mapToLong(i -> served[i] - served[i - 1])
                .max()
                .orElseThrow());
    }

    private boolean isMeanwhile(Seen one) {
        return one.begun() >= begun && one.ended() <= ended;
    }

    /** Of what is gone for these logs, and must be rejected; all others must be served. */
    List<String> complaints(Set<Integer> gone) {
        List<String> complaints = new ArrayList<>();
        for (int log = 0; log < logs; log++) {
            if (gone.contains(log)) complaints.addAll(complaintsOfGone(log));
            else if (longestBreak(log).compareTo(WITHOUT_A_BREAK) > 0)
                complaints.add("partition %d was not served for %s, though nothing of it was gone"
                        .formatted(log, seconds(longestBreak(log))));
        }
        return complaints;
    }

    private List<String> complaintsOfGone(int log) {
        List<String> complaints = new ArrayList<>();
        Optional<Duration> opened = openedAfter(log);
        if (opened.isEmpty() || opened.get().compareTo(SOON) > 0)
            complaints.add("requests for partition %d were rejected only after %s"
                    .formatted(log, opened.map(OutageSeen::seconds).orElse("the end")));
        if (rejectedWithin(log).compareTo(AT_ONCE) > 0)
            complaints.add("half of the requests for partition %d waited for more than %s, though its circuit is open"
                    .formatted(log, seconds(rejectedWithin(log))));
        return complaints;
    }

    /** Others take over: at least this many partitions go on without a break, all others in this time. */
    List<String> complaints(int atLeast, Duration takenOver) {
        List<Duration> breaks =
                IntStream.range(0, logs).mapToObj(this::longestBreak).toList();
        List<String> complaints = new ArrayList<>();
        long without = breaks.stream()
                .filter(one -> one.compareTo(WITHOUT_A_BREAK) <= 0)
                .count();
        if (without < atLeast)
            complaints.add(
                    "%d partitions were served without a break, and not %d: %s".formatted(without, atLeast, breaks));
        if (breaks.stream().anyMatch(one -> one.compareTo(takenOver) > 0))
            complaints.add("others had not taken over within %s: %s".formatted(seconds(takenOver), breaks));
        return complaints;
    }

    /** For a line of the report. */
    String summary() {
        List<Duration> opened = IntStream.range(0, logs)
                .mapToObj(this::openedAfter)
                .flatMap(Optional::stream)
                .sorted()
                .toList();
        List<Duration> breaks =
                IntStream.range(0, logs).mapToObj(this::longestBreak).sorted().toList();
        String rejections = opened.isEmpty()
                ? "no request was rejected"
                : "rejected in %d partitions, from %s to %s after the blow"
                        .formatted(opened.size(), seconds(opened.getFirst()), seconds(opened.getLast()));
        return "%s; longest time without service by partition: %s"
                .formatted(
                        rejections,
                        String.join(
                                ", ", breaks.stream().map(OutageSeen::seconds).toList()));
    }

    private static String seconds(Duration length) {
        return "%.1f s".formatted(length.toMillis() / 1_000.0);
    }
}
