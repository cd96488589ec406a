package io.floodgate.topics.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.floodgate.topics.json.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several commands in one record: what waited for the same partition while a request to Kafka was under way, or messages of
 * another partition. Each is executed and answered by itself, as if it had a record of its own.
 *
 * <p>Before each command stands a line, {@code <op> <bytes> <reply-to> <by>}, with {@code -} for what it does not have, and
 * after it a line feed.
 */
public final class CommandBatch {
    /** The operation of such a record. */
    public static final String OP = "command-batch";

    /** It is executed as a whole, while others wait. */
    public static final int MOST_COMMANDS = 500;

    /** So is its size bounded. */
    public static final int MOST_BYTES = 1024 * 1024;

    private static final String NONE = "-";
    private static final int FIELDS = 4;

    /** A command of a batch, as a record would have it. */
    public record Part(
            String op,
            byte[] value,
            @Nullable ReplyTo replyTo,
            @Nullable String by) {}

    private CommandBatch() {}

    public static CommandCodec.Encoded encode(List<Part> parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(
                parts.stream().mapToInt(part -> part.value.length + 64).sum());
        for (Part part : parts) {
            String line = part.op
                    + ' '
                    + part.value.length
                    + ' '
                    + (part.replyTo == null ? NONE : part.replyTo)
                    + ' '
                    + (part.by == null ? NONE : part.by)
                    + '\n';
            out.writeBytes(line.getBytes(ISO_8859_1));
            out.writeBytes(part.value);
            out.write('\n');
        }
        return new CommandCodec.Encoded(OP, out.toByteArray());
    }

    /** The reverse. What is no batch is rejected as a whole. */
    public static List<Part> decode(byte[] value) throws UnreadableCommand {
        if (value.length > MOST_BYTES) throw unreadable();
        List<Part> parts = new ArrayList<>();
        for (int at = 0; at < value.length; ) {
            int end = Bytes.find(value, at, value.length, '\n');
            if (end == value.length) throw unreadable();
            String[] line = new String(value, at, end - at, ISO_8859_1).split(" ", FIELDS);
            if (line.length != FIELDS) throw unreadable();
            int from = end + 1;
            int to = from + length(line[1], value.length - from);
            if (value[to] != '\n' || parts.size() == MOST_COMMANDS) throw unreadable();
            parts.add(part(line, Arrays.copyOfRange(value, from, to)));
            at = to + 1;
        }
        if (parts.isEmpty()) throw unreadable();
        return parts;
    }

    /** Leaves room for the line feed. */
    private static int length(String text, int left) throws UnreadableCommand {
        try {
            int length = Integer.parseInt(text);
            if (length >= 0 && length < left) return length;
        } catch (NumberFormatException nonsense) {
            // Rejected like all else that makes no sense.
        }
        throw unreadable();
    }

    /** What changes by which rules the partition is executed stands alone. */
    private static Part part(String[] line, byte[] value) throws UnreadableCommand {
        String op = line[0];
        if (op.equals(OP) || op.equals("upgrade")) throw unreadable();
        return new Part(op, value, replyTo(line[2]), line[3].equals(NONE) ? null : line[3]);
    }

    private static @Nullable ReplyTo replyTo(String text) throws UnreadableCommand {
        if (text.equals(NONE)) return null;
        try {
            return ReplyTo.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw unreadable();
        }
    }

    static UnreadableCommand unreadable() {
        return new UnreadableCommand(
                "The command batch cannot be read: before each command there must be a line '<op> <bytes> <reply-to> <by>', and a line feed after it; 1 to %d commands, none of them a batch or an upgrade, and %d bytes at most."
                        .formatted(MOST_COMMANDS, MOST_BYTES));
    }
}
