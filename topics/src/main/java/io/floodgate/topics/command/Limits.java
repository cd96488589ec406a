package io.floodgate.topics.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.json.Excerpt;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How large what clients send may be. Whatever is kept, answered or announced is far smaller than a record, so that no
 * input, however it came in, can make one that Kafka rejects.
 */
public final class Limits {
    /** The name of a worker, or of a requester of replies. */
    public static final int NAME_CHARS = 255;

    public static final int OP_BYTES = 64;
    public static final int QUEUES_OF_A_FETCH = 1_000;
    public static final int QUEUE_BYTES_OF_A_FETCH = 64 * 1024;
    public static final int JOBS_OF_A_HEARTBEAT = 10_000;
    public static final int WITHDRAWN = 10_000;
    public static final int JOBS_OF_A_BATCH = 10_000;
    public static final int BYTES_OF_A_BATCH = 24 * 1024 * 1024;
    /** What one step of a partition can store without a noticeable wait of others: larger batches come in parts. */
    public static final int JOBS_OF_A_PART = 500;

    public static final int BYTES_OF_A_PART = 1024 * 1024;
    public static final int PARTS_OF_A_BATCH = 1_000;
    public static final int ABOUT_BYTES = 16 * 1024;
    /** A larger one would not fit into a reply together with its job. */
    public static final int RESULT_BYTES = 2 * 1024 * 1024;

    /** Of any command on something that is there already: the largest is an ack, with its result. */
    public static final int COMMAND_BYTES = RESULT_BYTES + 64 * 1024;

    /** For room in a queue. */
    static final long LONGEST_WAIT_MS = 3_600_000;

    public static final Duration LONGEST_WAIT = Duration.ofMillis(LONGEST_WAIT_MS);

    /** Of a job that is given back: a worker that cannot run it for longer leaves it to others. */
    static final long LONGEST_DELAY_MS = 3_600_000;

    public static final Duration LONGEST_DELAY = Duration.ofMillis(LONGEST_DELAY_MS);

    public static final int CURSOR_CHARS = 255;
    public static final int MOST_PRIORITY = 100;

    /** So much of what was sent is said again in a rejection, an event or a log line. */
    public static final int ECHO_CHARS = Excerpt.CHARS;

    private Limits() {}

    /** What can be said again of something that a client sent: as much as a reader needs to recognise it. */
    public static String echo(String input) {
        return Excerpt.of(input);
    }

    /** The text, or its beginning with a mark that there was more. */
    public static String cut(String text, int most) {
        return Excerpt.of(text, most);
    }

    /** What a log line can say of something that a client sent: on one line, whatever it was. */
    public static String printable(String input) {
        String cut = echo(input);
        StringBuilder out = new StringBuilder(cut.length());
        for (int i = 0; i < cut.length(); i++) {
            char c = cut.charAt(i);
            // Control characters, and those that some viewers take for a line's end or for a change of direction.
            boolean plain = !Character.isISOControl(c)
                    && c != 0x2028
                    && c != 0x2029
                    && Character.getType(c) != Character.FORMAT;
            if (plain) out.append(c);
            else out.append(String.format(java.util.Locale.ROOT, "\\u%04x", (int) c));
        }
        return out.toString();
    }

    static void wait(Patient command) throws UnreadableCommand {
        wait(command.maxWait());
    }

    static void wait(@Nullable Duration maxWait) throws UnreadableCommand {
        if (maxWait != null && maxWait.compareTo(LONGEST_WAIT) > 0)
            throw new UnreadableCommand("'wait_ms' is more than %d.".formatted(LONGEST_WAIT.toMillis()));
    }

    static void queues(List<String> queues) throws UnreadableCommand {
        most("queues", queues.size(), QUEUES_OF_A_FETCH);
        long bytes = 0;
        for (String queue : queues) {
            // A name that no queue can have has no jobs either; only its length could do harm.
            name("queue", queue);
            bytes += queue.getBytes(UTF_8).length;
        }
        if (bytes > QUEUE_BYTES_OF_A_FETCH)
            throw new UnreadableCommand("The names in 'queues' have %d bytes; at most %d are accepted."
                    .formatted(bytes, QUEUE_BYTES_OF_A_FETCH));
    }

    /** Each queue of the fetch has a place for each tenant. */
    static void tenants(WantedJobs types, int queues) throws UnreadableCommand {
        most("tenants", types.tenants().size(), WantedJobs.MOST);
        for (String tenant : types.tenants()) {
            name("tenants", tenant);
            if (tenant.isEmpty()) throw new UnreadableCommand("The member 'tenants' has an empty name.");
        }
        most("tenants for each queue", types.tenants().size() * queues, WantedJobs.MOST_TENANTS_AND_QUEUES);
    }

    static void types(WantedJobs types) throws UnreadableCommand {
        String field = types.excluded() ? "exclude_types" : "types";
        most(field, types.names().size(), WantedJobs.MOST);
        for (String type : types.names()) name(field, type);
        most("accept_versions", types.versions().size(), WantedJobs.MOST);
        for (String type : types.versions().keySet()) name("accept_versions", type);
    }

    static void name(String field, @Nullable String value) throws UnreadableCommand {
        chars(field, value, NAME_CHARS);
    }

    static void chars(String field, @Nullable String value, int most) throws UnreadableCommand {
        if (value != null && value.length() > most)
            throw new UnreadableCommand(
                    "'%s' has %d characters; at most %d are accepted.".formatted(field, value.length(), most));
    }

    static void bytes(String field, byte @Nullable [] value, int most) throws UnreadableCommand {
        if (value != null && value.length > most)
            throw new UnreadableCommand(
                    "'%s' has %d bytes; at most %d are accepted.".formatted(field, value.length, most));
    }

    static void most(String field, int size, int most) throws UnreadableCommand {
        if (size > most)
            throw new UnreadableCommand("'%s' has %d elements; at most %d are accepted.".formatted(field, size, most));
    }
}
