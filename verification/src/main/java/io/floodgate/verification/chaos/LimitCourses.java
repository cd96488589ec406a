package io.floodgate.verification.chaos;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.history.LimitCourse;
import io.floodgate.verification.history.LimitCourse.Run;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What became of a load's rate limits: the runs that events show, and what the server says in the end. */
final class LimitCourses {
    private LimitCourses() {}

    static List<LimitCourse> of(ChaosConfig config, ChaosLimits limits, Map<String, List<Run>> runs, Caller caller)
            throws IOException {
        List<LimitCourse> courses = new ArrayList<>();
        for (var limit : limits.byName().entrySet()) {
            String key = config.queuePrefix() + ":" + limit.getKey();
            Heard heard = caller.get("/ojs/v1/rate-limits/" + key);
            // One that is no longer in use is forgotten.
            if (!heard.isOk() && heard.status() != 404)
                throw new IOException("no answer says what is left of limit %s: %s".formatted(key, heard.shown()));
            courses.add(new LimitCourse(
                    key,
                    limit.getValue(),
                    runs.getOrDefault(key, List.of()),
                    heard.body().path("active").longValue(0),
                    heard.body().path("waiting_count").longValue(0)));
        }
        return courses;
    }
}
