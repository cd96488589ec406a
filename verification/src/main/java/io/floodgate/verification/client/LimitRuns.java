package io.floodgate.verification.client;

import io.floodgate.verification.history.LimitCourse.Run;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Reads out of events which jobs ran on whose permits, from when to when. */
final class LimitRuns {
    private record Begun(String key, Run run) {}

    private final Map<String, List<Run>> byKey = new TreeMap<>();
    private final Map<String, Begun> begun = new HashMap<>();

    void add(JsonNode envelope) {
        JsonNode data = envelope.required("data");
        if (!data.has("job_id") || !data.has("state")) return;
        String job = data.required("job_id").stringValue();
        Instant time = Instant.parse(envelope.required("time").stringValue());
        JsonNode permit = data.get("rate_limit");
        if (permit != null) {
            Instant date = Instant.EPOCH.plus(permit.required("permit_us").longValue(), ChronoUnit.MICROS);
            begun.put(job, new Begun(permit.required("key").stringValue(), new Run(job, date, time, null)));
        } else if (!data.required("state").stringValue().equals("active")) {
            Begun ended = begun.remove(job);
            if (ended != null) add(ended.key, new Run(job, ended.run.permit(), ended.run.start(), time));
        }
    }

    private void add(String key, Run run) {
        byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(run);
    }

    /** Those that have not ended, too. */
    Map<String, List<Run>> byKey() {
        begun.values().forEach(open -> add(open.key, open.run));
        begun.clear();
        return byKey;
    }
}
