package io.floodgate.gateway.http;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Paths of the specification and of official clients at which this version offers nothing (OJS HTTP binding §19). */
final class MissingFeatures {
    private static final Map<Pattern, String> FEATURES = new LinkedHashMap<>();

    static {
        add("cron jobs under this path", "admin/cron", "admin/crons");
        add("workflows under this path", "admin/workflows");
        add("webhooks under this path", "admin/webhooks");
        add("unique jobs under this path", "admin/unique-jobs");
        add("middleware", "middleware");
        add("job lineage", "jobs/[^/]+/lineage");
    }

    private MissingFeatures() {}

    private static void add(String feature, String... paths) {
        for (String path : paths) FEATURES.put(Pattern.compile("/ojs/v1/" + path + "(/.*)?"), feature);
    }

    /** Empty for a path that is none of theirs. */
    static Optional<Rejection> at(String path) {
        for (Map.Entry<Pattern, String> feature : FEATURES.entrySet())
            if (feature.getKey().matcher(path).matches())
                return Optional.of(Rejection.of(
                                ErrorCode.UNSUPPORTED, "This server does not support %s.".formatted(feature.getValue()))
                        .with("feature", feature.getValue()));
        return Optional.empty();
    }
}
