package io.floodgate.bench.load;

/**
 * Callers that do the same, as one part of a load.
 *
 * @param unit what is counted: jobs, echoes, …
 * @param rate operations per second that are due, whatever the server does (an open loop); 0 for a closed loop, where
 *     each caller starts its next operation when the last one is done
 * @param isVirtual whether callers have virtual threads, which is best while they wait for replies of partitions; platform
 *     threads are best on sockets
 */
public record Part(
        String name, String unit, int callers, double rate, boolean isVirtual, LoadOperation.Factory operations) {
    public Part {
        if (callers < 1) throw new IllegalArgumentException("at least one caller is needed");
        if (rate < 0) throw new IllegalArgumentException("a rate cannot be negative");
    }

    /** Returns callers in a closed loop, each with a platform thread. */
    public static Part of(String name, String unit, int callers, LoadOperation.Factory operations) {
        return new Part(name, unit, callers, 0, false, operations);
    }

    public Part atRate(double perSecond) {
        return new Part(name, unit, callers, perSecond, isVirtual, operations);
    }

    public Part onVirtualThreads() {
        return new Part(name, unit, callers, rate, true, operations);
    }

    boolean isOpen() {
        return rate > 0;
    }
}
