package io.floodgate.verification.crash;

import io.floodgate.verification.client.Rounds.Round;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * How requests were answered while something was gone.
 *
 * @param begun when it went, by {@code System.nanoTime()}
 * @param ended when it was started again
 * @param seen rounds that went on meanwhile, of which the first requests are looked at
 */
record OutageSeen(int partitions, long begun, long ended, List<Round> seen) {
    /** A circuit opens when nothing was answered for two seconds. */
    private static final Duration SOON = Duration.ofSeconds(4);

    /** From then on a rejection takes no time worth mentioning, but for the few that find out. */
    private static final Duration AT_ONCE = Duration.ofMillis(500);

    private static final Duration WITHOUT_A_BREAK = Duration.ofSeconds(3);

    OutageSeen {
        seen = List.copyOf(seen);
    }

    /** Until the first rejection for that partition. */
    Optional<Duration> openedAfter(int partition) {
        return seen.stream()
                .filter(one -> one.log() == partition && one.status() == 503 && isMeanwhile(one))
                .map(one -> Duration.ofNanos(one.enqueued() - begun))
                .min(Duration::compareTo);
    }

    /** What half of those waited at most who asked for that partition when its circuit must have been open. */
    Duration rejectedWithin(int partition) {
        long[] sorted = seen.stream()
                .filter(one -> one.log() == partition && isMeanwhile(one) && one.begun() - begun > SOON.toNanos())
                .mapToLong(one -> one.enqueued() - one.begun())
                .sorted()
                .toArray();
        return sorted.length == 0 ? Duration.ZERO : Duration.ofNanos(sorted[sorted.length / 2]);
    }

    /** The longest time in which no request for that partition was served. */
    Duration longestBreak(int partition) {
        long[] served = LongStream.concat(
                        LongStream.of(begun, ended),
                        seen.stream()
                                .filter(one -> one.log() == partition && isServed(one))
                                .mapToLong(Round::enqueued)
                                .filter(at -> at > begun && at < ended))
                .sorted()
                .toArray();
        return Duration.ofNanos(IntStream.range(1, served.length)
                .mapToLong(i -> served[i] - served[i - 1])
                .max()
                .orElseThrow());
    }

    private static boolean isServed(Round one) {
        return one.status() == 200 || one.status() == 201;
    }

    private boolean isMeanwhile(Round one) {
        return one.begun() >= begun && one.enqueued() <= ended;
    }

    /** Of what is gone for these partitions, and must be rejected; all others must be served. */
    List<String> complaints(Set<Integer> gone) {
        List<String> complaints = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            if (gone.contains(partition)) complaints.addAll(complaintsOfGone(partition));
            else if (longestBreak(partition).compareTo(WITHOUT_A_BREAK) > 0)
                complaints.add("partition %d was not served for %s, though nothing of it was gone"
                        .formatted(partition, seconds(longestBreak(partition))));
        }
        return complaints;
    }

    private List<String> complaintsOfGone(int partition) {
        List<String> complaints = new ArrayList<>();
        Optional<Duration> opened = openedAfter(partition);
        if (opened.isEmpty() || opened.get().compareTo(SOON) > 0)
            complaints.add("requests for partition %d were rejected only after %s"
                    .formatted(partition, opened.map(OutageSeen::seconds).orElse("the end")));
        if (rejectedWithin(partition).compareTo(AT_ONCE) > 0)
            complaints.add("half of the requests for partition %d waited for more than %s, though its circuit is open"
                    .formatted(partition, seconds(rejectedWithin(partition))));
        return complaints;
    }

    /** Others take over: at least this many partitions go on without a break, all others in this time. */
    List<String> complaints(int atLeast, Duration takenOver) {
        List<Duration> breaks =
                IntStream.range(0, partitions).mapToObj(this::longestBreak).toList();
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
        List<Duration> opened = IntStream.range(0, partitions)
                .mapToObj(this::openedAfter)
                .flatMap(Optional::stream)
                .sorted()
                .toList();
        List<Duration> breaks = IntStream.range(0, partitions)
                .mapToObj(this::longestBreak)
                .sorted()
                .toList();
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
