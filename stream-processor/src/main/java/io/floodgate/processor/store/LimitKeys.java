package io.floodgate.processor.store;

/** The keys of rate limits and of what a partition has of their permits, see {@link Keys}. */
public final class LimitKeys {
    private LimitKeys() {}

    /** Rate limits whose keys lead to this log. */
    public static byte[] limit(String key) {
        return Keys.named('f', key);
    }

    public static byte[] allLimits() {
        return Keys.kind('f');
    }

    /** Returns the key of the permit account of a limit key. */
    public static byte[] account(String key) {
        return Keys.named('g', key);
    }

    public static byte[] allAccounts() {
        return Keys.kind('g');
    }
}
