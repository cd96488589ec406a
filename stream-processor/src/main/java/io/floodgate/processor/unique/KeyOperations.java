package io.floodgate.processor.unique;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.KeyCommand.CheckKeys;
import io.floodgate.topics.command.KeyCommand.GetKey;
import io.floodgate.topics.command.KeyCommand.ListKeys;
import io.floodgate.topics.command.KeyCommand.ReleaseKey;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.unique.UniquePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Operators look at keys whose home is this partition, and release them; gateways ask whether keys are free. */
record KeyOperations(KeyRows rows, KeyClaims claims, Effects out) {
    private static final int LIST_BYTES = 512 * 1024;

    void register(Handlers handlers) {
        handlers.on(GetKey.class, this::get);
        handlers.on(CheckKeys.class, this::check);
        handlers.on(ListKeys.class, this::list);
        handlers.on(ReleaseKey.class, this::release);
    }

    /** Answers with one row, also for a key that no job has. */
    private void get(GetKey command) {
        JsonOut reply = new JsonOut();
        write(command.key(), rows.of(command.key()), reply);
        out.reply(reply);
    }

    /**
     * Answers which keys may have a duplicate. For all other keys it is certain that a job of the sender would have
     * none.
     */
    private void check(CheckKeys command) {
        boolean mayHaveMore = rows.count() < KeyRows.MOST && !rows.isShareTaken(Identity.spaceOf(out.by()));
        long free = command.keys().stream()
                .filter(key -> mayHaveMore && rows.of(key).isEmpty() && claims.owner(key) == null)
                .count();
        out.reply(
                JsonOut.object(32).field("known", command.keys().size() - free).endObject());
    }

    /**
     * Answers with a row for each key, as many as go into a reply; the last row says whether there are more, and counts
     * the jobs of all keys.
     */
    private void list(ListKeys command) {
        JsonOut reply = new JsonOut();
        List<String> page = rows.page(command.after(), command.limit() + 1);
        int listed = 0;
        boolean more = false;
        for (String key : page) {
            more = listed == command.limit() || reply.length() > LIST_BYTES;
            if (more) break;
            write(key, rows.of(key), reply);
            reply.newLine();
            listed++;
        }
        out.reply(reply.beginObject()
                .field("more", more)
                .field("jobs", rows.count())
                .endObject());
    }

    private void write(String key, List<KeyRow> jobs, JsonOut reply) {
        reply.beginObject()
                .field("key", key)
                .field("claimed", claims.owner(key) != null)
                .field("waiting", claims.line(key).size())
                .beginArray("jobs");
        for (KeyRow row : jobs) {
            JobState ended = row.ended();
            Duration period = row.period();
            reply.beginObject()
                    .field("job_id", row.job().toString())
                    .field("created_at", row.createdAt())
                    .field("states", names(row.states()))
                    .optional("period_ms", period == null ? null : (Long) period.toMillis())
                    .optional("locked_until", row.until())
                    .optional("ended", ended == null ? null : ended.wire())
                    .endObject();
        }
        reply.endArray().endObject();
    }

    private static List<String> names(int states) {
        List<String> names = new ArrayList<>();
        for (JobState state : JobState.values()) if ((states & UniquePolicy.mask(state)) != 0) names.add(state.wire());
        return names;
    }

    /** The key may be given to the next job that asks for it, whatever becomes of those that had it. */
    private void release(ReleaseKey command) {
        JsonOut released = new JsonOut().beginArray();
        int count = 0;
        for (KeyRow row : rows.of(command.key())) {
            if (command.job() != null && !row.job().equals(command.job())) continue;
            rows.remove(command.key(), row.job());
            released.value(row.job().toString());
            count++;
        }
        byte[] jobs = released.endArray().toBytes();
        if (count > 0) out.emit("unique.released", command.key(), command.key(), data(command, jobs));
        out.reply(data(command, jobs));
    }

    private static JsonOut data(ReleaseKey command, byte[] jobs) {
        return JsonOut.object()
                .field("key", command.key())
                .fieldRaw("job_ids", jobs)
                .endObject();
    }
}
