package io.floodgate.gateway.queue;

import io.floodgate.gateway.http.QueueLoad;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A queue's status in the several shapes that clients read. */
public final class QueueView {
    static final HeaderName VERSION = HeaderNames.create("OJS-Version");

    private QueueView() {}

    /** One line of the list: all there is to say, for a page needs nothing else. */
    static void summary(PublishedStatus status, boolean configured, JsonOut out) {
        out.beginObject();
        members(status, out);
        if (configured) ConfigView.config(status, out);
        out.endObject();
    }

    static JsonOut detail(PublishedStatus status) {
        JsonOut out = JsonOut.object(4_096);
        detail(status, out);
        return out.endObject();
    }

    /**
     * @param topic of its own, to which Kafka clients may write its jobs; null if it has none
     * @param pending why jobs do not go through it yet; null if they do
     */
    static JsonOut made(PublishedStatus status, @Nullable String topic, @Nullable String pending) {
        JsonOut out = JsonOut.object(4_096);
        detail(status, out);
        return out.optional("topic", topic).optional("topic_pending", pending).endObject();
    }

    /** The policy of all queues. */
    static JsonOut defaults(PublishedStatus status) {
        JsonOut out = JsonOut.object(4_096).field("name", status.name());
        ConfigView.fields(status, out);
        ConfigView.config(status, out);
        return out.endObject();
    }

    /** Returns the detail, and the configuration again as the administration's page reads it. */
    static JsonOut configured(PublishedStatus status) {
        JsonOut out = JsonOut.object(4_096);
        detail(status, out);
        ConfigView.configuration(status, out);
        return out.endObject();
    }

    /** Writes all members into the object at hand, as the administration's pages read them. */
    public static void administered(PublishedStatus status, JsonOut out) {
        members(status, out);
        ConfigView.config(status, out);
        ConfigView.configuration(status, out);
        out.beginObject("stats");
        members(status, out);
        out.endObject();
    }

    private static void detail(PublishedStatus status, JsonOut out) {
        members(status, out);
        ConfigView.config(status, out);
        out.beginObject("stats");
        members(status, out);
        out.endObject().beginObject("queue");
        members(status, out);
        out.endObject();
    }

    static JsonOut stats(PublishedStatus status, boolean queueAsText, Instant now) {
        JsonOut out = JsonOut.object(2_048);
        members(status, out);
        if (queueAsText) out.field("queue", status.name());
        else {
            out.beginObject("queue");
            members(status, out);
            out.endObject();
        }
        out.beginObject("stats").field("queue", status.name());
        members(status, out);
        out.endObject();
        ConfigView.config(status, out);
        return out.field("computed_at", now).endObject();
    }

    static JsonOut switched(PublishedStatus status, Instant now) {
        JsonOut out = JsonOut.object(2_048).beginObject("queue");
        members(status, out);
        out.endObject();
        MemberWalk members = new MemberWalk(status.json());
        boolean paused = false;
        while (members.next()) {
            if (members.nameIs("paused")) paused = members.text().equals("true");
            if (members.nameIs("name")
                    || members.nameIs("paused")
                    || members.nameIs("state")
                    || members.nameIs("paused_at")
                    || members.nameIs("paused_by")
                    || members.nameIs("paused_reason")) members.copyTo(out);
        }
        out.field("status", paused ? "paused" : "active");
        if (!paused) out.field("resumed_at", now);
        return out.endObject();
    }

    /** The status as published, its state again under the name of the HTTP binding, and its bounds if it has any. */
    private static void members(PublishedStatus status, JsonOut out) {
        MemberWalk members = new MemberWalk(status.json());
        while (members.next()) {
            if (members.nameIs("config") || members.nameIs("decided")) continue;
            if (members.nameIs("pressure"))
                out.fieldRaw("pressure", QueueLoad.shown(members.text()).getBytes(StandardCharsets.US_ASCII));
            else members.copyTo(out);
            if (members.nameIs("state")) out.field("status", members.text());
        }
        ConfigView.bounds(status.config(), out);
    }
}
