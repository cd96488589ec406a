package io.floodgate.verification.chaos;

import io.floodgate.verification.chaos.Special.Keys;
import io.floodgate.verification.chaos.Special.Limits;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.history.KeyAtRest;
import io.floodgate.verification.history.LimitCourse;
import io.floodgate.verification.history.LimitCourse.Run;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What the server says of a load when all is quiet. */
final class AtRest {
    private AtRest() {}

    /** Its rate limits, with the runs that events show. */
    static List<LimitCourse> limits(ChaosConfig config, Limits limits, Map<String, List<Run>> runs, Caller caller)
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

    /** The keys of its unique jobs. */
    static List<KeyAtRest> keys(ChaosConfig config, Keys keys, Caller caller) throws IOException {
        List<KeyAtRest> found = new ArrayList<>();
        String cursor = "";
        do {
            Heard page = caller.get("/ojs/v1/unique-jobs?limit=100" + cursor);
            if (!page.isOk()) throw new IOException("it is unknown which jobs have keys: " + page.shown());
            for (JsonNode item : page.body().required("items"))
                found.add(new KeyAtRest(
                        item.required("key").stringValue(),
                        item.required("job_id").stringValue(),
                        item.path("state").stringValue(""),
                        false));
            String next = page.body().at("/pagination/next_cursor").stringValue("");
            cursor = next.isEmpty() ? "" : "&cursor=" + next;
        } while (!cursor.isEmpty());
        for (int key = 0; key < keys.count(); key++) {
            String name = Keys.given(config.seed(), key);
            Heard one = caller.get("/ojs/v1/unique-jobs/" + name);
            if (one.isOk() && one.body().path("claimed").asBoolean(false)) found.add(new KeyAtRest(name, "", "", true));
        }
        return found;
    }
}
