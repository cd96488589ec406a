package io.floodgate.gateway.admin;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A worker as its registry describes it.
 *
 * @param json the entry, on one line
 */
record WorkerEntry(byte[] json) {
    static final String RUNNING = "running";
    static final String QUIET = "quiet";
    /** State of a worker that has fallen silent. */
    static final String STALE = "stale";

    static final String LEFT = "left";

    String id() {
        return text("worker_id").orElse("");
    }

    private Optional<String> text(String name) {
        return MemberWalk.text(json, name);
    }

    String directive() {
        return text("directive").orElse(RUNNING);
    }

    /** Running; quiet, after a directive to fetch no more or to stop; stale, having fallen silent; or left in good order. */
    String state() {
        if (text("state").orElse("").equals(LEFT)) return LEFT;
        if (text("state").orElse("").equals("lost")) return STALE;
        return directive().equals(RUNNING) ? RUNNING : QUIET;
    }

    boolean isPresent() {
        return !state().equals(STALE) && !state().equals(LEFT);
    }

    /** The partitions in which it may have jobs. */
    List<String> logs() {
        List<String> logs = new ArrayList<>();
        for (String log : text("logs").orElse("[]").split("[\\[\\]\", ]+", -1)) if (!log.isEmpty()) logs.add(log);
        return logs;
    }

    /** Writes the entry under the names that the admin specification, its page and its command-line tool read. */
    void write(JsonOut out) {
        out.field("id", id())
                .field("worker_id", id())
                .field("state", state())
                .field("status", state())
                .field("directive", directive().equals(RUNNING) ? "continue" : directive());
        text("started_at").ifPresent(time -> out.field("started_at", time));
        text("last_heartbeat_at")
                .ifPresent(time -> out.field("last_heartbeat_at", time).field("last_heartbeat", time));
        boolean namesQueues = false;
        MemberWalk members = new MemberWalk(json);
        while (members.next()) if (members.nameIs("about")) namesQueues = about(members.inside(), out);
        // The admin page fails on a worker without them.
        if (!namesQueues) out.beginArray("queues").endArray();
    }

    /** Writes what the worker says about itself, but for what is known better. Returns whether it names its queues. */
    private static boolean about(MemberWalk about, JsonOut out) {
        boolean namesQueues = false;
        while (about.next()) {
            if (about.nameIs("state") || about.nameIs("started_at") || about.nameIs("shutdown")) continue;
            about.copyTo(out);
            namesQueues |= about.nameIs("queues");
            if (about.nameIs("labels")) out.fieldRaw("metadata", about.raw());
        }
        return namesQueues;
    }
}
