package io.floodgate.verification.chaos;

/**
 * Two queues in different logs, each of which is deleted again and again while its jobs move to the other one.
 *
 * @param jobs to move, beside those that producers add
 * @param largestArgument of these jobs, in bytes: large ones do not all travel in one message
 */
public record ChaosMoves(int jobs, int largestArgument) {}
