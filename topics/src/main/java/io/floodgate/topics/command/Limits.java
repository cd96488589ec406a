package io.floodgate.topics.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.JobCommand.Progress;
import io.floodgate.topics.command.JobCommand.RetryDead;
import io.floodgate.topics.command.LimitCommand.CountLimited;
import io.floodgate.topics.command.LimitCommand.ListLimits;
import io.floodgate.topics.command.LogCommand.Acknowledge;
import io.floodgate.topics.command.LogCommand.Extend;
import io.floodgate.topics.command.LogCommand.ListDead;
import io.floodgate.topics.command.LogCommand.ListSetAside;
import io.floodgate.topics.command.LogCommand.Withdraw;
import io.floodgate.topics.command.QueueCommand.CheckIds;
import io.floodgate.topics.command.QueueCommand.CheckRoom;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.CountRefused;
import io.floodgate.topics.command.QueueCommand.CreateQueue;
import io.floodgate.topics.command.QueueCommand.Decline;
import io.floodgate.topics.command.QueueCommand.DeleteQueue;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import io.floodgate.topics.command.QueueCommand.UseKey;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.json.Excerpt;
import io.floodgate.topics.limit.RateLimit;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How large what clients send may be. Whatever is kept, answered or announced is far smaller than a record, so that no
 * input, however it came in, can make one that Kafka refuses.
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
    /** What one step of a log can store without anybody having to wait for it: larger batches come in parts. */
    public static final int JOBS_OF_A_PART = 500;

    public static final int BYTES_OF_A_PART = 1024 * 1024;
    public static final int PARTS_OF_A_BATCH = 1_000;
    public static final int ABOUT_BYTES = 16 * 1024;
    /** A larger one would not fit into a reply together with its job. */
    public static final int RESULT_BYTES = 2 * 1024 * 1024;

    /** Of any command on something that is there already: the largest is an ack, with its result. */
    public static final int COMMAND_BYTES = RESULT_BYTES + 64 * 1024;

    /** For room in a queue. */
    public static final Duration LONGEST_WAIT = Duration.ofHours(1);

    /** Of a job that is given back: whoever cannot run it for longer leaves it to others. */
    public static final Duration LONGEST_DELAY = Duration.ofHours(1);

    public static final int CURSOR_CHARS = 255;
    public static final int MOST_PRIORITY = 100;

    /** So much of what was sent is said again in a refusal, an event or a log line. */
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

    /** Before it is read: that alone would take a log a while. Batches and their parts have limits of their own. */
    static void checkSize(String op, int bytes) throws UnreadableCommand {
        boolean mayBeLarge = switch (op) {
            case "batch-waiting",
                    "hold-batch",
                    "hold-room",
                    "check-room",
                    "check-ids",
                    "forward",
                    "prepare",
                    "prepared",
                    "transfer",
                    "move-jobs" -> true;
            default -> false;
        };
        if (!mayBeLarge && bytes > COMMAND_BYTES)
            throw new UnreadableCommand(
                    "The command has %d bytes; at most %d are accepted.".formatted(bytes, COMMAND_BYTES));
    }

    /** Throws for a command that is larger than anything sensible. Messages between logs are small if these are. */
    public static void check(Command command) throws UnreadableCommand {
        switch (command) {
            case Fetch c -> {
                queues(c.queues());
                name("worker_id", c.worker());
                types(c.types());
            }
            case Watch c -> {
                queues(c.queues());
                types(c.types());
            }
            case Decline c -> queues(c.queues());
            case Patient c -> {
                if (c.maxWait().compareTo(LONGEST_WAIT) > 0)
                    throw new UnreadableCommand("'wait_ms' is more than %d.".formatted(LONGEST_WAIT.toMillis()));
                if (c instanceof QueueCommand.HoldRoom room) RoomCodec.check(room.demands());
            }
            case HoldBatch c -> most("jobs", c.jobs().size(), JOBS_OF_A_PART);
            case CountRefused c -> {
                name("job_type", c.type());
                name("tenant_id", c.tenant());
            }
            case UseKey c -> {
                if (!c.offered().matches("[0-9a-f]{%d}".formatted(2 * SignedRequest.KEY_BYTES)))
                    throw new UnreadableCommand(
                            "'key' must have %d bytes, as hexadecimal digits.".formatted(SignedRequest.KEY_BYTES));
            }
            case CheckRoom c -> RoomCodec.check(List.of(c.demand()));
            case CheckIds c -> most("job_ids", c.ids().size(), JOBS_OF_A_BATCH);
            case Forward c -> {
                name("queue", c.queue());
                name("topic_id", c.inlet().topicId());
                if (c.maxWait() != null && c.maxWait().compareTo(LONGEST_WAIT) > 0)
                    throw new UnreadableCommand("'wait_ms' is more than %d.".formatted(LONGEST_WAIT.toMillis()));
                if (c.request() != null) {
                    chars("by", c.request().by(), SignedRequest.BY_CHARS);
                    name("reply_to", c.request().replyTo().requester());
                    name("signature", c.request().signature());
                }
                if ((c.job() == null) == (c.wrong() == null))
                    throw new UnreadableCommand("Either 'job' or 'refusal' is there.");
            }
            case EndHold c -> most("parts", c.parts().size(), PARTS_OF_A_BATCH);
            case Extend c -> {
                name("worker_id", c.worker());
                most("job_ids", c.jobs().size(), JOBS_OF_A_HEARTBEAT);
            }
            case ConfigureQueue c -> ConfigLimits.check(c);
            case CreateQueue c -> ConfigLimits.check(new ConfigureQueue(c.queue(), c.config(), Set.of()));
            case DeleteQueue c -> name("target_queue", c.target());
            case Withdraw c -> {
                name("requester", c.requester());
                most("correlations", c.correlations().size(), WITHDRAWN);
            }
            case Beat c -> {
                name("worker_id", c.worker());
                bytes("about", c.about(), ABOUT_BYTES);
            }
            case WorkerCommand c -> name("worker_id", c.worker());
            case Ack c -> claimant(c.claimant());
            case Nack c -> {
                claimant(c.claimant());
                if (c.delay().compareTo(LONGEST_DELAY) > 0)
                    throw new UnreadableCommand("'delay_ms' is more than %d.".formatted(LONGEST_DELAY.toMillis()));
            }
            case Progress c -> {
                claimant(c.claimant());
                c.report().check();
            }
            case RetryDead c -> {
                name("override.queue", c.changes().queue());
                ConfigLimits.retry("override.retry", c.changes().retry());
            }
            case ListDead c -> {
                name("queue", c.queue());
                chars("after", c.after(), CURSOR_CHARS);
            }
            case AdminCommand c -> AdminCodec.check(c);
            case ListSetAside c -> chars("after", c.after(), CURSOR_CHARS);
            case Acknowledge c -> name("code", c.code());
            case ListLimits c -> chars("after", c.after(), RateLimit.NAME_CHARS);
            case CountLimited c -> {
                most("keys", c.keys().size(), CountLimited.MOST_KEYS);
                for (String key : c.keys()) chars("keys", key, RateLimit.NAME_CHARS);
            }
            default -> {}
        }
    }

    private static void claimant(Claimant claimant) throws UnreadableCommand {
        name("worker_id", claimant.worker());
    }

    private static void queues(List<String> queues) throws UnreadableCommand {
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

    private static void types(JobTypes types) throws UnreadableCommand {
        String field = types.excluded() ? "exclude_types" : "types";
        most(field, types.names().size(), JobTypes.MOST);
        for (String type : types.names()) name(field, type);
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
