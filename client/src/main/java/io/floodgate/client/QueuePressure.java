package io.floodgate.client;

/**
 * The fill level of a bounded queue, as the server reports it from its warning threshold on (OJS backpressure §7.3).
 *
 * @param depth unfinished jobs
 * @param bound of the jobs, or of the bytes if only these are bounded
 * @param pressure from 0 to 1: of the bound that is nearer
 */
public record QueuePressure(String queue, long depth, long bound, double pressure) {}
