package io.floodgate.client.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs on disk until they are done: an append-only log in files that are deleted from the oldest on, once nothing in them is
 * wanted any more. What {@link #add} has returned survives the death of the process; with {@code sync}, that of the machine.
 * A record that a job is done is not forced to the disk: if it is lost, the job is merely sent again.
 */
public final class Journal implements AutoCloseable {
    /** A job on disk, by the number it was given; numbers grow. */
    public record Kept(long sequence, byte[] job) {}

    private record Place(Segment segment, long position, int bytes) {}

    private record InFile(long position, byte[] payload) {}

    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
    private static final long SEGMENT_BYTES = 8L * 1024 * 1024;
    /** Ratio of bytes on disk to wanted bytes from which the oldest file's jobs are moved to the end. */
    private static final int MOST_WASTE = 3;

    private final Path directory;
    private final boolean sync;
    private final long segmentBytes;
    private final Segment.Disk disk;
    private final FileLock owned;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Segment> segments = new ArrayDeque<>();
    private final SortedMap<Long, Place> places = new TreeMap<>();
    private final SortedMap<Long, byte[]> found = new TreeMap<>();
    private long next;
    private long wantedBytes;

    private Journal(Path directory, boolean sync, long segmentBytes, Segment.Disk disk) throws IOException {
        this.directory = directory;
        this.sync = sync;
        this.segmentBytes = segmentBytes;
        this.disk = disk;
        Files.createDirectories(directory);
        owned = own(directory);
        for (long number : numbers(directory)) load(number);
        dropUnwanted();
        roll();
    }

    /** @param sync whether what is added is to survive the machine, too */
    public static Journal open(Path directory, boolean sync) {
        return open(directory, sync, SEGMENT_BYTES);
    }

    static Journal open(Path directory, boolean sync, long segmentBytes) {
        return open(directory, sync, segmentBytes, Segment.Disk.OF_THE_SYSTEM);
    }

    static Journal open(Path directory, boolean sync, long segmentBytes, Segment.Disk disk) {
        try {
            return new Journal(directory, sync, segmentBytes, disk);
        } catch (IOException failure) {
            throw new UncheckedIOException("The buffer in %s cannot be opened".formatted(directory), failure);
        }
    }

    private static FileLock own(Path directory) throws IOException {
        FileChannel channel =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) return lock;
        } catch (OverlappingFileLockException ours) {
            // Another producer in this process.
        }
        channel.close();
        throw new IOException("another producer is using it; give each a directory of its own");
    }

    private static List<Long> numbers(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(Segment::numberOf)
                    .filter(number -> number >= 0)
                    .sorted()
                    .toList();
        }
    }

    private void load(long number) throws IOException {
        SortedMap<Long, InFile> jobs = new TreeMap<>();
        Segment segment = Segment.open(directory, number, (kind, sequence, position, payload) -> {
            next = Math.max(next, sequence + 1);
            switch (kind) {
                case JOB -> jobs.put(sequence, new InFile(position, payload));
                case DONE -> {
                    jobs.remove(sequence);
                    found.remove(sequence);
                    forget(sequence);
                }
            }
        });
        jobs.forEach((sequence, job) -> {
            found.put(sequence, job.payload());
            put(sequence, new Place(segment, job.position(), job.payload().length));
        });
        segments.addLast(segment);
        for (Segment.Damage damage : segment.damages()) reportDamage(segment, damage.from(), damage.to());
        long torn = segment.torn();
        if (torn > 0) cutTorn(segment, torn);
    }

    private void put(long sequence, Place place) {
        forget(sequence);
        places.put(sequence, place);
        place.segment().want(1);
        wantedBytes += place.bytes();
    }

    private void forget(long sequence) {
        Place place = places.remove(sequence);
        if (place == null) return;
        place.segment().want(-1);
        wantedBytes -= place.bytes();
    }

    /** The last write of a killed process, which it never confirmed. */
    private void cutTorn(Segment segment, long torn) throws IOException {
        LOG.warn(
                "{} ends with {} bytes that are no whole record: as after a kill, if it is the last file. A copy is in {}.",
                segment.path(),
                torn,
                copy(segment));
        segment.cutTorn();
    }

    /** Records stand behind it: no kill does that, but a disk. */
    private void reportDamage(Segment segment, long from, long to) throws IOException {
        LOG.error(
                "Bytes {} to {} of {} are damaged. The jobs in them are lost from this file; all others are kept. A copy is in {}.",
                from,
                to,
                segment.path(),
                copy(segment));
    }

    private static Path copy(Segment segment) throws IOException {
        Path copy = Path.of(segment.path() + ".torn");
        Files.copy(segment.path(), copy, StandardCopyOption.REPLACE_EXISTING);
        return copy;
    }

    /** Returns the jobs that were there when the journal was opened, oldest first; only the first time. */
    public List<Kept> takeFound() {
        lock.lock();
        try {
            List<Kept> kept = found.entrySet().stream()
                    .map(each -> new Kept(each.getKey(), each.getValue()))
                    .toList();
            found.clear();
            return kept;
        } finally {
            lock.unlock();
        }
    }

    /** Returns its number once it is kept. */
    public long add(byte[] job) throws IOException {
        if (job.length > Segment.MOST_BYTES)
            throw new IOException("a job of %d bytes is too large for the buffer".formatted(job.length));
        long sequence;
        Segment segment;
        long end;
        lock.lock();
        try {
            rollIfNeeded();
            sequence = next++;
            segment = last();
            append(sequence, job);
            end = segment.bytes();
        } finally {
            lock.unlock();
        }
        if (sync) forceOrTakeBack(segment, end, sequence);
        return sequence;
    }

    /** A caller gets an error for a job that the disk did not take; the job must not be sent after a restart all the same. */
    private void forceOrTakeBack(Segment segment, long end, long sequence) throws IOException {
        try {
            segment.force(end);
        } catch (IOException failure) {
            try {
                done(List.of(sequence));
            } catch (IOException another) {
                failure.addSuppressed(another);
            }
            throw failure;
        }
    }

    private void append(long sequence, byte[] job) throws IOException {
        Segment segment = last();
        long position = segment.append(Segment.record(Segment.Kind.JOB, sequence, job));
        put(sequence, new Place(segment, position, job.length));
    }

    /** Notes jobs as done: they are not found any more when the journal is opened again. */
    public void done(Collection<Long> sequences) throws IOException {
        if (sequences.isEmpty()) return;
        lock.lock();
        try {
            byte[] records = new byte[sequences.size() * Segment.HEAD];
            int at = 0;
            for (long sequence : sequences) {
                System.arraycopy(
                        Segment.record(Segment.Kind.DONE, sequence, new byte[0]), 0, records, at, Segment.HEAD);
                at += Segment.HEAD;
                forget(sequence);
            }
            rollIfNeeded();
            last().append(records);
            dropUnwanted();
        } finally {
            lock.unlock();
        }
    }

    /** A record of a job that is done stands behind the job, so that it is not needed longer than that: oldest first. */
    private void dropUnwanted() throws IOException {
        while (segments.size() > 1 && !segments.getFirst().isWanted())
            segments.removeFirst().delete();
    }

    private void rollIfNeeded() throws IOException {
        if (last().bytes() >= segmentBytes || last().isDamaged()) roll();
    }

    private void roll() throws IOException {
        Segment last = segments.peekLast();
        // In a damaged file, whatever is not on the disk was reported as lost.
        if (last != null && sync && !last.isDamaged()) last.force(last.bytes());
        segments.addLast(Segment.create(directory, last == null ? 0 : last.number() + 1, disk));
        if (sync) forceDirectory();
        long bytes = segments.stream().mapToLong(Segment::bytes).sum();
        if (bytes > MOST_WASTE * (wantedBytes + segmentBytes)) moveOldest();
    }

    /**
     * Forces the directory, so that a new file is found after the machine has died; where directories cannot be forced,
     * they need not be.
     */
    private void forceDirectory() {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException notHere) {
            LOG.debug("{} cannot be forced to the disk.", directory, notHere);
        }
    }

    /** A job that waits for long must not keep everything behind it on the disk. */
    private void moveOldest() throws IOException {
        Segment oldest = segments.getFirst();
        for (Map.Entry<Long, Place> each : List.copyOf(places.entrySet()))
            if (each.getValue().segment() == oldest) move(each.getKey(), each.getValue());
        if (sync) last().force(last().bytes());
        dropUnwanted();
    }

    private void move(long sequence, Place place) throws IOException {
        byte[] job = place.segment().payload(place.position(), place.bytes());
        if (job != null) append(sequence, job);
        else {
            reportDamage(place.segment(), place.position(), place.position() + Segment.HEAD + place.bytes());
            forget(sequence);
        }
    }

    private Segment last() {
        return segments.getLast();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            for (Segment segment : segments) segment.close();
            owned.channel().close();
        } catch (IOException failure) {
            LOG.warn("The buffer in {} could not be closed; what is in it is kept.", directory, failure);
        } finally {
            lock.unlock();
        }
    }
}
