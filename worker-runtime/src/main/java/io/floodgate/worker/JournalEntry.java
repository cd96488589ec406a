package io.floodgate.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.UnreadableCommand;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A line of a {@link OutcomeJournal}: a report, or, without one, that the report of this number is done.
 *
 * <pre>
 * bytes of the body (4) │ CRC-32C of the body (4) │ number (8) │ length of op (2) │ op │ value
 *                                                 └──────────────── body ────────────────────┘
 * </pre>
 */
record JournalEntry(long number, byte[] op, byte[] value) {
    private static final int HEAD = 2 * Integer.BYTES;
    private static final int FIXED = Long.BYTES + Short.BYTES;
    private static final int LARGEST_BODY = FIXED + Limits.OP_BYTES + Limits.COMMAND_BYTES;
    private static final byte[] NOTHING = {};

    static JournalEntry unsent(long number, byte[] op, byte[] value) {
        return new JournalEntry(number, op, value);
    }

    static JournalEntry done(long number) {
        return new JournalEntry(number, NOTHING, NOTHING);
    }

    boolean isDone() {
        return op.length == 0;
    }

    int bytes() {
        return HEAD + body();
    }

    private int body() {
        return FIXED + op.length + value.length;
    }

    /** The report; nothing if this is none. */
    Optional<JobCommand> command() {
        try {
            Command command = CommandCodec.decode(new String(op, UTF_8), value);
            return command instanceof JobCommand report ? Optional.of(report) : Optional.empty();
        } catch (UnreadableCommand unreadable) {
            return Optional.empty();
        }
    }

    void writeTo(FileChannel file, long position) throws IOException {
        byte[] entry = new byte[bytes()];
        ByteBuffer bytes = ByteBuffer.wrap(entry);
        bytes.putInt(body()).putInt(0).putLong(number).putShort((short) op.length);
        bytes.put(op).put(value);
        bytes.putInt(Integer.BYTES, checksum(entry, HEAD, body()));
        bytes.flip();
        long at = position;
        while (bytes.hasRemaining()) at += file.write(bytes, at);
    }

    /** Reads the entry that begins there; null if none does, or it is not whole. */
    static @Nullable JournalEntry readFrom(byte[] file, int position) {
        if (file.length - position < HEAD + FIXED) return null;
        ByteBuffer bytes = ByteBuffer.wrap(file, position, file.length - position);
        int body = bytes.getInt();
        int checksum = bytes.getInt();
        if (body < FIXED || body > Math.min(LARGEST_BODY, bytes.remaining())) return null;
        if (checksum(file, position + HEAD, body) != checksum) return null;
        bytes.limit(bytes.position() + body);
        long number = bytes.getLong();
        int opLength = bytes.getShort();
        if (opLength < 0 || opLength > bytes.remaining()) return null;
        byte[] op = new byte[opLength];
        bytes.get(op);
        byte[] value = new byte[bytes.remaining()];
        bytes.get(value);
        return new JournalEntry(number, op, value);
    }

    private static int checksum(byte[] from, int position, int length) {
        CRC32C sum = new CRC32C();
        sum.update(from, position, length);
        return (int) sum.getValue();
    }
}
