package io.floodgate.gateway.cron;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The fields of a schedule as they are sent, each under any of its names, over those of the schedule that is to be changed. */
final class ScheduleFields {
    private final RequestFields sent;
    private final @Nullable RequestFields before;

    ScheduleFields(RequestFields sent, @Nullable RequestFields before) {
        this.sent = sent;
        this.before = before;
    }

    RequestFields sent() {
        return sent;
    }

    private @Nullable RequestFields source(String... names) {
        for (String name : names) if (sent.has(name)) return sent;
        return before != null && before.has(names[0]) ? before : null;
    }

    /** The first name is that of the schedule as it stands. */
    @Nullable
    String text(int longest, String... names) throws RejectedException {
        RequestFields source = source(names);
        if (source == null) return null;
        for (String name : names) {
            String text = source.has(name) ? source.text(name, longest) : null;
            if (text != null) return text;
        }
        return null;
    }

    @Nullable
    Duration length(String name) throws RejectedException {
        RequestFields source = source(name + "_ms", name);
        if (source == null) return null;
        boolean isZero = source.number(name + "_ms").orElse(-1L) == 0;
        return isZero ? Duration.ZERO : source.length(name + "_ms", name);
    }

    @Nullable
    Boolean enabled() throws RejectedException {
        return sent.has("enabled") ? (Boolean) sent.flag("enabled") : null;
    }

    /** The template of its jobs: of its own, or at the top; else as it stands. */
    RequestFields template() throws RejectedException {
        if (sent.has("job_template")) return sent.object("job_template");
        boolean isAtTop = sent.has("type") || sent.has("args") || sent.has("options") || sent.has("meta");
        return isAtTop || before == null ? sent : before.object("job_template");
    }
}
