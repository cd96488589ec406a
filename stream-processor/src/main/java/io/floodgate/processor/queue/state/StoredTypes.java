package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.version.UnreadableRange;
import io.floodgate.topics.version.VersionRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The stored form of a fetch's filter, and its memory. */
public final class StoredTypes {
    private StoredTypes() {}

    public static void writeNames(WantedJobs types, BinaryOut out) {
        out.flag(types.excluded()).number(types.names().size());
        types.names().forEach(out::text);
    }

    public static WantedJobs readNames(BinaryIn in) {
        boolean excluded = in.flag();
        return new WantedJobs(texts(in), excluded);
    }

    public static void writeVersions(WantedJobs types, BinaryOut out) {
        out.number(types.versions().size());
        types.versions().forEach((type, range) -> {
            List<String> texts = range.texts();
            out.text(type).number(texts.size());
            texts.forEach(out::text);
        });
    }

    public static Map<String, VersionRange> readVersions(BinaryIn in) {
        Map<String, VersionRange> versions = new TreeMap<>();
        for (int left = in.integer(); left > 0; left--) {
            String type = in.text();
            try {
                versions.put(type, VersionRange.parse(texts(in)));
            } catch (UnreadableRange impossible) {
                throw new IllegalStateException("a stored range of versions", impossible);
            }
        }
        return versions;
    }

    public static void writeTenants(WantedJobs types, BinaryOut out) {
        out.number(types.tenants().size());
        types.tenants().forEach(out::text);
    }

    public static List<String> readTenants(BinaryIn in) {
        return texts(in);
    }

    private static List<String> texts(BinaryIn in) {
        List<String> texts = new ArrayList<>();
        for (int left = in.integer(); left > 0; left--) texts.add(in.text());
        return texts;
    }

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
