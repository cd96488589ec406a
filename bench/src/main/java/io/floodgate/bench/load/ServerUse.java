package io.floodgate.bench.load;

/**
 * What a server has used within the window.
 *
 * @param switches of its threads, from one to another on a core: each costs microseconds, and comes of waiting for each other
 */
public record ServerUse(double cpuSeconds, long switches) {
    public ServerUse and(ServerUse more) {
        return new ServerUse(cpuSeconds + more.cpuSeconds, switches + more.switches);
    }
}
