package io.floodgate.bench.scenario;

/**
 * The shape of a load.
 *
 * @param callers connections, or commands in flight
 * @param size jobs in each request
 * @param count jobs, schedules, producers or workflows in all
 * @param rate operations per second of an open loop; 0 for a closed one
 */
public record LoadShape(int callers, int size, int count, double rate) {
    public static LoadShape of(int callers, int size) {
        return new LoadShape(callers, size, 0, 0);
    }

    static LoadShape of(int callers, int size, int count) {
        return new LoadShape(callers, size, count, 0);
    }

    LoadShape atRate(double perSecond) {
        return new LoadShape(callers, size, count, perSecond);
    }
}
