package io.floodgate.verification.chaos;

import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.queue.KeyOrder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** What distinguishes the jobs and queues of a load from ordinary ones. */
public sealed interface Special {
    Special NOTHING = new Nothing();

    /** Nothing is bounded, limited, unique or in order, and all stays where it is. */
    record Nothing() implements Special {}

    /**
     * Queues that are full most of the time. Half of them are bounded by their jobs, the others by the bytes of these.
     *
     * @param producers of them all, each of which waits for its answer before it goes on
     * @param changes how long it takes until another queue gets another bound and the next strategy
     */
    record Bounds(long maxDepth, long maxBytes, int producers, Duration changes) implements Special {
        public static Bounds thousandJobsOrOneMegabyte(int producers) {
            return new Bounds(1_000, 1_000_000, producers, Duration.ofSeconds(2));
        }
    }

    /** Jobs with rate limits, by the ends of their keys: each kind alone, and all of them together. */
    record Limits(Map<String, Allowance> byName) implements Special {
        public Limits {
            byName = new TreeMap<>(byName);
        }

        /** Together they let through twice what is enqueued in a second. */
        public static Limits twice(int enqueuesPerSecond) {
            int each = Math.max(2, enqueuesPerSecond * 2 / 5);
            Duration second = Duration.ofSeconds(1);
            return new Limits(Map.of(
                    "one", new Allowance(1L, null, null),
                    "few", new Allowance(3L, null, null),
                    "window", new Allowance(null, new Pace(each, second), null),
                    "long", new Allowance(null, new Pace(each * 5L, Duration.ofSeconds(5)), null),
                    "even", new Allowance(null, null, new Pace(each, second)),
                    "all", new Allowance(5L, new Pace(each, second), new Pace(each * 2L, second))));
        }
    }

    /**
     * Two queues in different partitions, each of which is deleted again and again while its jobs move to the other one.
     *
     * @param jobs to move, beside those that producers add
     * @param largestArgument of these jobs, in bytes: large ones do not all travel in one message
     */
    record Moves(int jobs, int largestArgument) implements Special {}

    /**
     * Unique jobs with few keys, so that most jobs have a duplicate.
     *
     * @param count of keys of each kind: those of all queues, and those of one queue each
     */
    record Keys(int count) implements Special {
        private static final List<String> CONFLICTS = List.of("reject", "ignore", "replace", "replace_except_schedule");

        /** Of all queues: it leads to any partition. */
        static String given(long seed, int number) {
            return "%032x%032x".formatted(seed, number);
        }

        static String anyConflict(RandomGenerator random) {
            return CONFLICTS.get(random.nextInt(CONFLICTS.size()));
        }
    }

    /** Jobs of a tenant with bounds over all queues, which are reached all the time. */
    record TenantBounds(long maxJobs, long maxConcurrency) implements Special {}

    /**
     * Jobs with order keys, each key in one queue. The queues take turns in what becomes of a key whose job has failed.
     *
     * @param keys the first few of them are of more jobs than the others
     */
    record Order(int keys) implements Special {
        private static final List<KeyOrder> ORDERS = List.of(
                new KeyOrder(null, false, null),
                new KeyOrder(null, true, null),
                new KeyOrder(null, null, Duration.ofSeconds(2)));

        static KeyOrder of(int queue) {
            return ORDERS.get(queue % ORDERS.size());
        }

        /** Returns the configuration of the queue. */
        static byte[] config(int queue) {
            Duration most = of(queue).blockAtMost();
            return most == null
                    ? json("{'order':{'on_failure':'%s'}}", of(queue).isSkipping() ? "skip" : "block")
                    : json("{'order':{'block_at_most':'%s'}}", most);
        }
    }
}
