package io.floodgate.client.journal;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file of the journal: records one behind the other, each with a checksum. What follows the last one that is whole
 * was not acknowledged, unless the disk has damaged it. Files are written by position, and not by a channel, which an interrupt would close.
 */
final class Segment implements AutoCloseable {
    /** Bytes of the checksum, the length, the kind and the number. */
    static final int HEAD = Integer.BYTES + Integer.BYTES + Byte.BYTES + Long.BYTES;

    static final int MOST_BYTES = 4 * 1024 * 1024;

    private static final String SUFFIX = ".journal";

    private final Path path;
    private final long number;
    private final RandomAccessFile file;
    private final Disk disk;
    private final ReentrantLock forcing = new ReentrantLock();
    private volatile long end;
    private long forced;
    /** Bytes that are no records, though records stand behind them. */
    private final List<Damage> damages = new ArrayList<>();

    private volatile boolean damaged;
    /** Jobs in it that are not done. Guarded by the journal. */
    private int wanted;

    private Segment(Path directory, long number, Disk disk) throws IOException {
        this.number = number;
        this.disk = disk;
        path = path(directory, number);
        file = new RandomAccessFile(path.toFile(), "rw");
    }

    enum Kind {
        /** A job that waits. */
        JOB('J'),
        /** The job of this number has been taken over by the server. */
        DONE('D');

        private final byte letter;

        Kind(char letter) {
            this.letter = (byte) letter;
        }

        static @Nullable Kind of(byte letter) {
            for (Kind kind : values()) if (kind.letter == letter) return kind;
            return null;
        }
    }

    /** Gets every record that is whole. */
    interface Reader {
        void read(Kind kind, long sequence, long position, byte[] payload);
    }

    /** A part of the file, from a position up to another one. */
    record Damage(long from, long to) {}

    /** Forces writes to a file onto the disk. */
    interface Disk {
        Disk OF_THE_SYSTEM = file -> file.getFD().sync();

        void sync(RandomAccessFile file) throws IOException;
    }

    static Segment create(Path directory, long number, Disk disk) throws IOException {
        return new Segment(directory, number, disk);
    }

    /** Reads what is whole; nothing is ever appended to it again. */
    static Segment open(Path directory, long number, Reader reader) throws IOException {
        Segment segment = new Segment(directory, number, Disk.OF_THE_SYSTEM);
        segment.end = segment.read(reader);
        return segment;
    }

    static Path path(Path directory, long number) {
        return directory.resolve("%019d%s".formatted(number, SUFFIX));
    }

    /** -1 for other files. */
    static long numberOf(Path file) {
        String name = file.getFileName().toString();
        return name.matches("\\d{19}\\" + SUFFIX)
                ? Long.parseLong(name.substring(0, name.length() - SUFFIX.length()))
                : -1;
    }

    /** Reads what is whole, also behind what is not. */
    private long read(Reader reader) throws IOException {
        byte[] all = Files.readAllBytes(path);
        int sound = 0;
        for (int position = 0; position + HEAD <= all.length; ) {
            int length = lengthAt(all, position);
            Kind kind = length < 0 ? null : Kind.of(all[position + 2 * Integer.BYTES]);
            if (kind == null) {
                position++;
                continue;
            }
            if (position > sound) damages.add(new Damage(sound, position));
            long sequence = ByteBuffer.wrap(all).getLong(position + HEAD - Long.BYTES);
            reader.read(kind, sequence, position, Arrays.copyOfRange(all, position + HEAD, position + HEAD + length));
            position += HEAD + length;
            sound = position;
        }
        return sound;
    }

    /** Returns how long the payload of the record is that begins there; -1 if none does, or it is not whole. */
    private static int lengthAt(byte[] file, int position) {
        int length = ByteBuffer.wrap(file).getInt(position + Integer.BYTES);
        if (length < 0 || length > Math.min(MOST_BYTES, file.length - position - HEAD)) return -1;
        int sum = ByteBuffer.wrap(file).getInt(position);
        return sum == sum(file, position + Integer.BYTES, HEAD - Integer.BYTES + length) ? length : -1;
    }

    /** Returns a record with its checksum in front. */
    static byte[] record(Kind kind, long sequence, byte[] payload) {
        ByteBuffer record = ByteBuffer.allocate(HEAD + payload.length)
                .position(Integer.BYTES)
                .putInt(payload.length)
                .put(kind.letter)
                .putLong(sequence)
                .put(payload);
        return record.putInt(0, sum(record.array(), Integer.BYTES, record.capacity() - Integer.BYTES))
                .array();
    }

    private static int sum(byte[] from, int position, int length) {
        CRC32C sum = new CRC32C();
        sum.update(from, position, length);
        return (int) sum.getValue();
    }

    /** Returns where it begins. What was written in part is cut off. One caller at a time. */
    long append(byte[] records) throws IOException {
        long begin = end;
        file.seek(begin);
        try {
            file.write(records);
        } catch (IOException failure) {
            file.setLength(begin);
            throw failure;
        }
        end = begin + records.length;
        return begin;
    }

    /** Returns the payload of the record that begins there; null if it is damaged by now. */
    byte @Nullable [] payload(long position, int length) throws IOException {
        byte[] record = new byte[HEAD + length];
        file.seek(position);
        file.readFully(record);
        return lengthAt(record, 0) == length ? Arrays.copyOfRange(record, HEAD, record.length) : null;
    }

    /**
     * Forces writes up to this position onto the disk. Callers that come meanwhile are served by the next one. Once the
     * disk has failed, no later success says anything of earlier writes: the system may have dropped them.
     */
    void force(long position) throws IOException {
        forcing.lock();
        try {
            if (forced >= position) return;
            if (damaged) throw new IOException("%s could not be forced to the disk before".formatted(path));
            long written = end;
            disk.sync(file);
            forced = written;
        } catch (IOException failure) {
            damaged = true;
            throw failure;
        } finally {
            forcing.unlock();
        }
    }

    /** Returns whether nothing that is to survive the machine may be written here any more. */
    boolean isDamaged() {
        return damaged;
    }

    void want(int more) {
        wanted += more;
    }

    boolean isWanted() {
        return wanted > 0;
    }

    long number() {
        return number;
    }

    long bytes() {
        return end;
    }

    List<Damage> damages() {
        return damages;
    }

    /** Returns the bytes behind the last whole record. */
    long torn() throws IOException {
        return file.length() - end;
    }

    void cutTorn() throws IOException {
        file.setLength(end);
    }

    Path path() {
        return path;
    }

    void delete() throws IOException {
        close();
        Files.delete(path);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
