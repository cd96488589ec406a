package io.floodgate.topics.queue;

import io.floodgate.topics.json.WireName;
import java.util.Locale;

/** In which order a fetch looks into its queues (OJS fair scheduling §7). */
public enum QueueSharing implements WireName {
    /** Always as they are named. */
    STRICT,
    /** Each one first in turn. */
    ROUND_ROBIN,
    /** Each one first as often as its weight says. */
    WEIGHTED,
    /** The one with the most jobs that wait. */
    LEAST_LOADED;

    @Override
    public String wire() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
