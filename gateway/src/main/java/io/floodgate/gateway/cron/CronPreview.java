package io.floodgate.gateway.cron;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.calendar.Timing;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Timestamps;
import java.time.Clock;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The next times of a schedule, or of an expression. */
record CronPreview(Clock clock) {
    private static final int MOST = 100;

    ApiResponse next(Call call, String name, RequestFields schedule) throws RejectedException {
        return occurrences(
                count(call),
                ScheduleJson.timing(schedule),
                ScheduleJson.anchor(schedule),
                call.query("from").orElse(null),
                JsonOut.object().field("name", name));
    }

    ApiResponse preview(Call call) throws RejectedException {
        RequestFields body = call.json().only(Set.of("expression", "cron", "schedule", "timezone", "from", "count"));
        String expression = body.requiredText("expression", "cron", "schedule");
        Timing timing = ScheduleReader.timing(expression, body.text("timezone"));
        JsonOut out = JsonOut.object().field("warnings", timing.warnings(clock.instant()));
        int count = Math.toIntExact(Math.clamp(body.number("count").orElse((long) count(call)), 1, MOST));
        return occurrences(count, timing, clock.instant(), body.text("from"), out);
    }

    private static int count(Call call) throws RejectedException {
        return Math.clamp(Paging.number(call, "count", 10), 1, MOST);
    }

    private ApiResponse occurrences(int count, Timing timing, Instant anchor, @Nullable String from, JsonOut out)
            throws RejectedException {
        Instant start = clock.instant();
        if (from != null)
            start = Timestamps.parse(from)
                    .orElseThrow(() -> RequestFields.wrong("from", "'from' must be an RFC 3339 time."));
        out.field("expression", timing.expression())
                .field("timezone", timing.zone().getId());
        ScheduleJson.occurrences(timing, start, anchor, count, out);
        return ApiResponse.ok(out.endObject());
    }
}
