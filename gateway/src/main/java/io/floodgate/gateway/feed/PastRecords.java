package io.floodgate.gateway.feed;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongFunction;
import org.apache.kafka.common.TopicPartition;

/** Finds where to begin with a topic: at the earliest time since which the records of all partitions fit. */
final class PastRecords {
    private static final Duration LONGEST = Duration.ofDays(3);
    /** Steps of the search, each of which asks the brokers. The last one finds the time to four seconds. */
    private static final int STEPS = 16;

    private PastRecords() {}

    /**
     * Returns for each partition from where to read at most {@code most} records in all.
     *
     * @param since the first record of each partition since a time; without those that have none
     */
    static Map<TopicPartition, Long> begin(
            long most,
            Map<TopicPartition, Long> firsts,
            Map<TopicPartition, Long> ends,
            LongFunction<Map<TopicPartition, Long>> since,
            long now) {
        if (records(firsts, ends) <= most) return firsts;
        Map<TopicPartition, Long> begin = ends;
        long fits = 0;
        long tooLong = LONGEST.toMillis();
        for (int step = 0; step < STEPS; step++) {
            long back = (fits + tooLong) / 2;
            Map<TopicPartition, Long> there = new HashMap<>(ends);
            there.putAll(since.apply(now - back));
            if (records(there, ends) <= most) {
                begin = there;
                fits = back;
            } else {
                tooLong = back;
            }
        }
        return begin;
    }

    private static long records(Map<TopicPartition, Long> from, Map<TopicPartition, Long> ends) {
        long records = 0;
        for (Map.Entry<TopicPartition, Long> end : ends.entrySet())
            records += Math.max(0, end.getValue() - from.getOrDefault(end.getKey(), end.getValue()));
        return records;
    }
}
