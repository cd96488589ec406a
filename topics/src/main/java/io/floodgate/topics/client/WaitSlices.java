package io.floodgate.topics.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Waits are cut into turns. A parked fetch may outlive this process, should it be killed: no worker has the jobs that
 * it then gets until their leases end, so it must not be parked for long.
 *
 * @param longest the shortest is three quarters of it: waits that began in one moment do not all go on in one
 */
record WaitSlices(Duration longest) {
    static final WaitSlices OF_SECONDS = new WaitSlices(Duration.ofSeconds(4));

    /** @param isLast whether nothing is left of the wait after it */
    record Turn(Duration length, boolean isLast, long begun) {
        /** Returns whether the partition has not waited, having no capacity for it: asking again would not help. */
        boolean isCutShort() {
            return System.nanoTime() - begun < length.dividedBy(2).toNanos();
        }
    }

    Turn begin(Duration left) {
        boolean last = left.compareTo(longest) <= 0;
        long most = longest.toMillis();
        Duration length =
                last ? left : Duration.ofMillis(ThreadLocalRandom.current().nextLong(most * 3 / 4, most));
        return new Turn(length, last, System.nanoTime());
    }
}
