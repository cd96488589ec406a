package io.floodgate.processor.queue.state;

import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.version.VersionRange;
import java.util.Map;

/** The stored form of a fetch's filter, and its memory. */
public final class StoredTypes {
    private StoredTypes() {}

    /** The names of types and tenants, and the ranges of versions. */
    public static long bytes(WantedJobs types) {
        long bytes = 0;
        for (String type : types.names()) bytes += Memory.NAME + type.length();
        for (String tenant : types.tenants()) bytes += Memory.NAME + tenant.length();
        for (Map.Entry<String, VersionRange> each : types.versions().entrySet())
            bytes += Memory.NAME
                    + each.getKey().length()
                    + Memory.VERSION_INTERVAL
                            * (1L + each.getValue().intervals().size());
        return bytes;
    }
}
