package io.floodgate.standalone.broker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a segment of a log and finds what the disk has damaged. A flipped bit is repaired: the checksum says which one it
 * was.
 */
final class SegmentCheck implements AutoCloseable {
    /**
     * A part of the file that holds no batch.
     *
     * @param from the first byte
     * @param to the byte behind the last one
     * @param offset the first one that is missing
     */
    record Damage(int from, int to, long offset) {}

    private static final Logger LOG = LoggerFactory.getLogger(SegmentCheck.class);

    // Places in a batch, from its beginning.
    private static final int LENGTH = 8;
    private static final int LENGTH_END = 12;
    private static final int MAGIC = 16;
    private static final int CRC = 17;
    private static final int CHECKED = 21;
    private static final int LAST_OFFSET_DELTA = 23;
    private static final int SMALLEST = 61;

    /** Size up to which a repair is tried: among more bits, one may fit a damage of several by chance. */
    private static final int LARGEST_REPAIRED = 1024 * 1024;

    private static final int CASTAGNOLI = 0x82F63B78;

    private final Path file;
    private final FileChannel channel;
    private final ByteBuffer bytes;
    private final List<Damage> damages = new ArrayList<>();
    /** The offset that the next batch has at least. */
    private long next;
    /** End of the last whole batch. */
    private int end;

    /** @param base the offset from which on it has records */
    SegmentCheck(Path file, long base) throws IOException {
        this.file = file;
        next = base;
        channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
    }

    /** Reads everything, and returns what is damaged with whole batches behind it. */
    List<Damage> run() throws IOException {
        while (end < bytes.capacity()) {
            if (!isBatch(end, next) && !isRepaired()) {
                int behind = batchBehind();
                if (behind < 0) break;
                damages.add(new Damage(end, behind, next));
                end = behind;
            }
            next = nextOffset(end);
            end += size(end);
        }
        return damages;
    }

    /** Returns what is behind the last whole batch: an append that was cut off, or a damage; empty if there is nothing. */
    List<Damage> rest() {
        return end == bytes.capacity() ? List.of() : List.of(new Damage(end, bytes.capacity(), next));
    }

    private boolean isBatch(int at, long least) {
        if (!isWhole(at)) return false;
        if (bytes.getLong(at) < least || bytes.getLong(at) - least > Integer.MAX_VALUE) return false;
        int behind = at + size(at);
        return bytes.getLong(at) == least || !isWhole(behind) || bytes.getLong(behind) >= nextOffset(at);
    }

    private boolean isWhole(int at) {
        return hasSize(at)
                && bytes.get(at + MAGIC) == RecordBatch.MAGIC_VALUE_V2
                && checksum(at, size(at)) == bytes.getInt(at + CRC);
    }

    private boolean hasSize(int at) {
        if (bytes.capacity() - at < SMALLEST) return false;
        int size = size(at);
        return size >= SMALLEST && size <= bytes.capacity() - at;
    }

    private int size(int at) {
        return LENGTH_END + bytes.getInt(at + LENGTH);
    }

    private long nextOffset(int at) {
        return bytes.getLong(at) + bytes.getInt(at + LAST_OFFSET_DELTA) + 1;
    }

    private int checksum(int at, int size) {
        CRC32C sum = new CRC32C();
        sum.update(bytes.slice(at + CHECKED, size - CHECKED));
        return (int) sum.getValue();
    }

    private int batchBehind() {
        for (int at = end + 1; at <= bytes.capacity() - SMALLEST; at++) {
            if (bytes.get(at + MAGIC) != RecordBatch.MAGIC_VALUE_V2) continue;
            long offset = bytes.getLong(at);
            if (offset >= next && offset - next <= Integer.MAX_VALUE && isWhole(at)) return at;
        }
        return -1;
    }

    // Repairs

    private boolean isRepaired() throws IOException {
        long bit = flippedBit();
        if (bit < 0) return false;
        int place = end + (int) (bit / 8);
        byte right = (byte) (bytes.get(place) ^ 1 << bit % 8);
        channel.write(ByteBuffer.wrap(new byte[] {right}), place);
        channel.force(false);
        LOG.warn(
                "A bit was flipped in byte {} of {} (offset {}). The checksum says which one: it is repaired.",
                place,
                file,
                next);
        return true;
    }

    /** Returns the bit of the batch that makes it right; -1 if there is none. */
    private long flippedBit() {
        if (bytes.capacity() - end < SMALLEST) return -1;
        if (isWhole(end)) {
            long wrong = bytes.getLong(end) ^ next;
            return Long.bitCount(wrong) == 1 ? bigEndian(0, Long.SIZE, Long.numberOfTrailingZeros(wrong)) : -1;
        }
        for (int bit = 0; bit < Integer.SIZE; bit++)
            if (isRight(bigEndian(LENGTH, Integer.SIZE, bit))) return bigEndian(LENGTH, Integer.SIZE, bit);
        for (int bit = 0; bit < Byte.SIZE; bit++) if (isRight(MAGIC * 8L + bit)) return MAGIC * 8L + bit;
        if (!hasSize(end) || size(end) > LARGEST_REPAIRED) return -1;
        int wrong = checksum(end, size(end)) ^ bytes.getInt(end + CRC);
        long bit = Integer.bitCount(wrong) == 1
                ? bigEndian(CRC, Integer.SIZE, Integer.numberOfTrailingZeros(wrong))
                : checkedBit(wrong);
        return bit >= 0 && isRight(bit) ? bit : -1;
    }

    private static long bigEndian(int field, int size, int bit) {
        return field * 8L + (size - 8 - bit / 8 * 8) + bit % 8;
    }

    /** The checksum is linear: each bit changes it in a way of its own, which only depends on how many bits follow. */
    private long checkedBit(int wrong) {
        int change = CASTAGNOLI;
        for (long bit = size(end) * 8L - 1; bit >= CHECKED * 8L; bit--) {
            if (change == wrong) return bit;
            change = change >>> 1 ^ ((change & 1) == 0 ? 0 : CASTAGNOLI);
        }
        return -1;
    }

    /** Returns whether the batch is one, down to its last record, with this bit flipped. */
    private boolean isRight(long bit) {
        int place = (int) (bit / 8);
        int length = bytes.getInt(end + LENGTH);
        if (place >= LENGTH && place < LENGTH_END) length ^= 1 << ((LENGTH_END - 1 - place) * 8L + bit % 8);
        int size = LENGTH_END + length;
        if (size < SMALLEST || size > Math.min(LARGEST_REPAIRED, bytes.capacity() - end)) return false;
        byte[] batch = new byte[size];
        bytes.get(end, batch);
        batch[place] ^= (byte) (1 << bit % 8);
        try {
            for (RecordBatch read :
                    MemoryRecords.readableRecords(ByteBuffer.wrap(batch)).batches()) {
                read.ensureValid();
                for (Record each : read) each.ensureValid();
                return read.sizeInBytes() == size && read.magic() == RecordBatch.MAGIC_VALUE_V2;
            }
        } catch (KafkaException | IllegalArgumentException another) {
            // It was more than this bit.
        }
        return false;
    }

    // What cannot be repaired

    /** Leaves the damages out. Offsets may be missing in a log, and Kafka makes the indexes again. Returns a copy of what was there. */
    Path leaveOut(List<Damage> damaged) throws IOException {
        Path copy = Path.of(file + ".damaged");
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        Path shorter = Path.of(file + ".shorter");
        try (FileChannel out = FileChannel.open(
                shorter, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            int from = 0;
            for (Damage each : damaged) {
                write(out, from, each.from);
                from = each.to;
            }
            write(out, from, bytes.capacity());
            out.force(true);
        }
        for (String index : List.of(".index", ".timeindex", ".txnindex"))
            Files.deleteIfExists(Path.of(file.toString().replaceAll("\\.log$", index)));
        Utils.atomicMoveWithFallback(shorter, file);
        return copy;
    }

    private void write(FileChannel out, int from, int to) throws IOException {
        ByteBuffer part = bytes.slice(from, to - from);
        while (part.hasRemaining()) out.write(part);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
