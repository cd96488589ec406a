package io.floodgate.gateway.cron;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields of a schedule as they are sent, each under any of its names. A change is a JSON merge patch (RFC 7396) of the schedule
 * that exists: a field that is not sent stays, and null unsets a field.
 */
final class ScheduleFields {
    /** Fields of a job template that a schedule may also have at its top level. */
    private static final List<String> AT_TOP = List.of("type", "args", "options", "meta", "queue");

    private static final Set<String> KNOWN = Set.of(
            "name",
            "expression",
            "cron",
            "schedule",
            "timezone",
            "job_template",
            "type",
            "args",
            "options",
            "meta",
            "queue",
            "overlap_policy",
            "enabled",
            "description",
            "catch_up",
            "catch_up_window",
            "catch_up_window_ms",
            "jitter",
            "jitter_ms",
            "max_wait",
            "max_wait_ms",
            "managed_by");

    /** Fields with which a schedule is shown: the system sets them, and ignores what a client sends (OJS cron §2.2). */
    private static final Set<String> SYSTEM = Set.of(
            "id",
            "status",
            "created_at",
            "updated_at",
            "version",
            "registered_by",
            "run_count",
            "skipped_count",
            "last_run_at",
            "next_run_at",
            "last_job_id",
            "last_success_at",
            "last_outcome",
            "paused_since",
            "tzdata",
            "next",
            "running",
            "waits_for_run");

    /** Two names of one setting: a change of one replaces the other. */
    private static final Map<String, String> OTHER_NAMES =
            Map.of("timeout", "timeout_ms", "timeout_ms", "timeout", "ttl", "expires_at", "expires_at", "ttl");

    private final RequestFields sent;
    private final @Nullable RequestFields before;

    ScheduleFields(RequestFields sent, @Nullable RequestFields before) throws RejectedException {
        for (String name : sent.names())
            if (!KNOWN.contains(name) && !SYSTEM.contains(name)) throw sent.unknown(name, KNOWN);
        this.sent = sent;
        this.before = before;
    }

    private @Nullable RequestFields source(String... names) {
        for (String name : names) if (sent.has(name)) return sent;
        for (String name : names) if (isUnset(sent, name)) return null;
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

    /** An expression that is sent may name a zone of its own; else the zone stays. */
    @Nullable
    String timezone(String expression) throws RejectedException {
        boolean isInside =
                expression.strip().startsWith("TZ=") || expression.strip().startsWith("CRON_TZ=");
        return isInside && !sent.has("timezone") ? null : text(255, "timezone");
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

    /** The template of its jobs: in an object of its own, or at the top level. */
    RequestFields template() throws RejectedException {
        RequestFields given = sent.has("job_template") ? sent.object("job_template") : atTop();
        TemplateReader.check(given);
        return before == null ? given : merged(before.object("job_template"), given);
    }

    private RequestFields atTop() throws RejectedException {
        // The queue of a schedule is shown at its top level, too: a client that sends all back names it twice.
        boolean isQueueInside = sent.tree("options") instanceof ObjectNode options && options.has("queue");
        JsonOut out = JsonOut.object();
        for (String name : AT_TOP) if (!isQueueInside || !name.equals("queue")) sent.copy(name, out);
        return RequestFields.of(out.endObject().toBytes());
    }

    private static RequestFields merged(RequestFields before, RequestFields given) throws RejectedException {
        ObjectNode template = tree(before);
        ObjectNode patch = tree(given);
        JsonNode options = patch.path("options");
        if (options instanceof ObjectNode inside && !patch.has("meta") && inside.has("meta"))
            patch.set("meta", inside.remove("meta"));
        ObjectNode old = template.withObject("/options");
        // A setting stands in the options or beside them: there is one of it afterwards.
        patch.propertyNames().forEach(name -> drop(name, old, template));
        options.propertyNames().forEach(name -> drop(name, template, old));
        merge(template, patch);
        byte[] args = (given.has("args") ? given : before).raw("args");
        JsonOut out = JsonOut.object();
        template.properties().forEach(each -> {
            if (!each.getKey().equals("args")) out.fieldRaw(each.getKey(), Json.bytes(each.getValue()));
        });
        if (args != null && !isUnset(given, "args")) out.fieldRaw("args", args); // digit by digit
        return RequestFields.of(out.endObject().toBytes());
    }

    private static boolean isUnset(RequestFields given, String name) {
        return given.names().contains(name) && !given.has(name);
    }

    private static void drop(String name, ObjectNode place, ObjectNode ownPlace) {
        place.remove(name);
        String other = OTHER_NAMES.get(name);
        if (other == null) return;
        place.remove(other);
        ownPlace.remove(other);
    }

    private static ObjectNode tree(RequestFields of) throws RejectedException {
        ObjectNode tree = Json.MAPPER.createObjectNode();
        for (String name : of.names()) tree.set(name, of.tree(name));
        return tree;
    }

    private static void merge(ObjectNode into, ObjectNode changes) {
        changes.properties().forEach(each -> {
            JsonNode change = each.getValue();
            if (change.isNull()) into.remove(each.getKey());
            else if (change instanceof ObjectNode inner && into.get(each.getKey()) instanceof ObjectNode stands)
                merge(stands, inner);
            else into.set(each.getKey(), change);
        });
    }
}
