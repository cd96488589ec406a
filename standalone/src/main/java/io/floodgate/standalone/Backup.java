package io.floodgate.standalone;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.ObjectMapper;

/**
 * A portable backup (OJS disaster recovery §9.4): {@code {"ojs_backup":{…,"contents":{"jobs":[…],"cron_schedules":[…],
 * "dead_letter":[…]}}}}. It is read and written job by job.
 */
final class Backup {
    static final String ROOT = "ojs_backup";
    static final String CONTENTS = "contents";
    static final String JOBS = "jobs";
    static final String SCHEDULES = "cron_schedules";
    static final String DEAD_LETTERS = "dead_letter";
    static final String VERSION = "1.0.0";
    static final String WORKFLOW = "workflow_id";

    /** What a server shows of a job and that no producer sends; it would be kept as fields of the producer's own. */
    private static final Set<String> SHOWN = Set.of(
            "dead_letter", "dead_letter_queue", "lease_expires_at", "limited_by", "progress", "unique_key", "waiting");

    private static final ObjectMapper JSON = new ObjectMapper();

    private Backup() {}

    /** Takes what is in a backup, in the order in which it is there. */
    interface Contents {
        /** @param list {@link #JOBS}, {@link #SCHEDULES} or {@link #DEAD_LETTERS} */
        void take(String list, byte[] json);
    }

    /**
     * Reads a backup; other members than its contents are passed over.
     *
     * @return what keeps the rest of it from being read; null at its end
     */
    static @Nullable String read(InputStream in, Contents contents) {
        try (JsonParser parser = JSON.createParser(in)) {
            if (!enters(parser, ROOT) || !enters(parser, CONTENTS))
                throw new CommandErrors.Rejection("this is no backup: it has no '%s.%s'".formatted(ROOT, CONTENTS));
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String list = parser.currentName();
                if (parser.nextToken() != JsonToken.START_ARRAY) parser.skipChildren();
                else while (parser.nextToken() != JsonToken.END_ARRAY) contents.take(list, copy(parser));
            }
            // What is cut off within the file ends otherwise.
            while (parser.nextToken() != null) parser.skipChildren();
            return null;
        } catch (JacksonException malformed) {
            return malformed.getOriginalMessage();
        }
    }

    /** Goes to the object of this name in the object that begins next, or in which the parser is. */
    private static boolean enters(JsonParser parser, String name) {
        if (parser.currentToken() == null && parser.nextToken() != JsonToken.START_OBJECT) return false;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean isIt = parser.currentName().equals(name);
            boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
            if (isIt) return isObject;
            parser.skipChildren();
        }
        return false;
    }

    /** The value at which the parser is. Numbers keep all their digits, which a tree would not do. */
    private static byte[] copy(JsonParser parser) {
        JsonOut out = new JsonOut();
        int depth = 0;
        for (JsonToken token = parser.currentToken(); ; token = parser.nextToken()) {
            switch (token) {
                case START_OBJECT -> out.beginObject();
                case END_OBJECT -> out.endObject();
                case START_ARRAY -> out.beginArray();
                case END_ARRAY -> out.endArray();
                case PROPERTY_NAME -> out.name(parser.currentName());
                case VALUE_STRING -> out.value(parser.getString());
                default -> out.raw(parser.getString().getBytes(StandardCharsets.UTF_8));
            }
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            if (depth == 0) return out.toBytes();
        }
    }

    static @Nullable Members members(byte[] json) {
        try {
            return Members.of(json);
        } catch (MalformedJson malformed) {
            return null;
        }
    }

    /** The object of this name in an answer; null if there is none. */
    static @Nullable Members object(byte[] answer, String name) {
        Members body = members(answer);
        return body == null ? null : inside(body, name);
    }

    /** A job as its producer would send it now, with its id. Its attempts begin again: no producer can say how many there were. */
    static byte[] toEnqueue(Members job) {
        JsonOut out = JsonOut.object(1_024);
        Members letter = inside(job, DEAD_LETTERS);
        String origin = letter == null ? null : letter.text("original_queue");
        for (String name : job.names()) {
            if (SHOWN.contains(name)) continue;
            if (name.equals("queue") && origin != null) out.field(name, origin);
            else job.copy(name, out);
        }
        String state = String.valueOf(job.text("state"));
        if (state.equals("pending")) out.field("pending", true);
        if (state.equals("retryable")) out.optional("scheduled_at", job.text("next_attempt_at"));
        return out.endObject().toBytes();
    }

    private static @Nullable Members inside(Members job, String name) {
        try {
            return job.object(name);
        } catch (MalformedJson malformed) {
            return null;
        }
    }

    /** The message of an error, or all of an answer that has none. */
    static String message(byte[] answer) {
        Members error = object(answer, "error");
        String message = error == null ? null : error.text("message");
        return message == null ? new String(answer, StandardCharsets.UTF_8) : message;
    }
}
