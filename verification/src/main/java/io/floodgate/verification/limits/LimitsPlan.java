package io.floodgate.verification.limits;

import java.time.Duration;
import java.util.List;

/**
 * What a run of the limits test does.
 *
 * @param queues over how many queues, each in a partition of its own as far as there are enough, the jobs of a key are spread
 * @param workers threads that fetch from all queues at once
 * @param count jobs that a fetch asks for
 * @param acks whether workers ack; without, a run shows starts alone
 * @param warmUp from the beginning; limits have to hold in it, what is delivered and how soon is judged afterwards
 * @param length with the warm-up
 * @param processors 0 for everything in one process
 * @param kills of processors, or of the one process
 */
record LimitsPlan(
        List<LimitedKey> keys,
        int queues,
        int workers,
        int count,
        boolean acks,
        Duration warmUp,
        Duration length,
        int partitions,
        int processors,
        int kills) {}
