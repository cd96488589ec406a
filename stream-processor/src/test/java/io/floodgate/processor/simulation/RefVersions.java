package io.floodgate.processor.simulation;

import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.version.UnreadableRange;
import io.floodgate.topics.version.VersionRange;
import java.util.List;
import java.util.Map;

/** Versions of jobs, and which of them are in which range: written down instead of computed. */
final class RefVersions {
    static final List<String> VERSIONS = List.of("1.0", "1.1", "1.11", "2.0", "2.0.5", "beta");

    private static final Map<String, List<String>> BY_RANGE = Map.of(
            "1.x", List.of("1.0", "1.1", "1.11"),
            ">=1.1 <2.0", List.of("1.1", "1.11"),
            ">=2.0", List.of("2.0", "2.0.5"),
            "1.11", List.of("1.11"));

    static final List<String> RANGES = List.of("1.x", ">=1.1 <2.0", ">=2.0", "1.11");

    private RefVersions() {}

    static VersionRange range(String text) {
        try {
            return VersionRange.parse(text);
        } catch (UnreadableRange wrong) {
            throw new IllegalArgumentException(wrong);
        }
    }

    static boolean isWanted(Submission job, WantedJobs types) {
        if (!types.have(job.type())) return false;
        VersionRange range = types.versions().get(job.type());
        return range == null
                || job.version() == null
                || BY_RANGE.getOrDefault(range.toString(), List.of()).contains(job.version());
    }
}
