package io.floodgate.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.floodgate.topics.OwnDirectory;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.JobCommand;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Outcomes that their partitions have not taken yet, in a file: those of a worker that ended before, to be sent by this one, and its
 * own. What {@link #write} has returned for survives {@code kill -9}. What is answered is only marked: to report it again
 * does no harm. The file is emptied whenever nothing is left in it, rewritten when most of it is done with, and never larger
 * than it may be.
 */
final class OutcomeJournal implements AutoCloseable {
    static final String FILE = "completions.journal";
    private static final String LOCK = "completions.lock";
    static final String TORN = FILE + ".torn";
    private static final String NEXT = "completions.journal.new";
    private static final Logger LOG = LoggerFactory.getLogger(OutcomeJournal.class);

    private final Path directory;
    private final long maxBytes;
    private final FileChannel locked;
    /**
     * A lock, and no monitor: while a monitor is held, a virtual thread that waits for the disk keeps its carrier in
     * Java 21.
     */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<Long, JournalEntry> unsent = new LinkedHashMap<>();
    private FileChannel file;
    private long unsentBytes;
    private long lastNumber;
    /** The disk has failed: what it has of the file is not known. */
    private boolean doubtful;

    private OutcomeJournal(Path directory, long maxBytes, FileChannel locked, FileChannel file) {
        this.directory = directory;
        this.maxBytes = maxBytes;
        this.locked = locked;
        this.file = file;
    }

    /**
     * Opens the journal of a directory, and makes both if need be.
     *
     * @throws IOException if the directory cannot be used, or another worker uses it
     */
    static OutcomeJournal open(Path directory, long maxBytes) throws IOException {
        OwnDirectory.create(directory);
        FileChannel locked = lock(directory.resolve(LOCK));
        try {
            FileChannel file = FileChannel.open(directory.resolve(FILE), CREATE, READ, WRITE);
            OutcomeJournal journal = new OutcomeJournal(directory, maxBytes, locked, file);
            journal.load();
            return journal;
        } catch (IOException | RuntimeException failure) {
            locked.close();
            throw failure;
        }
    }

    private static FileChannel lock(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, CREATE, WRITE);
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException ours) {
            lock = null;
        }
        if (lock != null) return channel;
        channel.close();
        throw new IOException(
                "The journal %s is in use: give every worker a directory of its own.".formatted(path.getParent()));
    }

    private void load() throws IOException {
        byte[] all = Files.readAllBytes(directory.resolve(FILE));
        int sound = 0;
        for (int position = 0; position < all.length; ) {
            JournalEntry entry = JournalEntry.readFrom(all, position);
            if (entry == null) {
                position++;
                continue;
            }
            if (position > sound) reportDamage(sound, position);
            position += entry.bytes();
            sound = position;
            lastNumber = Math.max(lastNumber, entry.number());
            if (entry.isDone()) forget(entry.number());
            else keep(entry);
        }
        if (sound < all.length)
            LOG.warn(
                    "The last {} bytes of {} are no whole entry, as after a kill, and are left out. A copy of the file is in {}.",
                    all.length - sound,
                    directory.resolve(FILE),
                    copy());
        rewrite();
    }

    /** Entries stand behind it: no kill does that, but a disk. */
    private void reportDamage(int from, int to) throws IOException {
        LOG.error(
                "Bytes {} to {} of {} are damaged. The outcomes in them are lost, and their jobs run again; all others are kept. A copy of the file is in {}.",
                from,
                to,
                directory.resolve(FILE),
                copy());
    }

    private Path copy() throws IOException {
        Path copy = directory.resolve(TORN);
        Files.copy(directory.resolve(FILE), copy, StandardCopyOption.REPLACE_EXISTING);
        return copy;
    }

    /** Returns the reports that an earlier worker could not send, in their order. */
    Map<Long, JobCommand> unsent() {
        lock.lock();
        try {
            Map<Long, JobCommand> commands = new LinkedHashMap<>();
            for (JournalEntry entry : List.copyOf(unsent.values()))
                entry.command().ifPresentOrElse(command -> commands.put(entry.number(), command), () -> {
                    LOG.error("Entry {} of {} is no report, and is left out.", entry.number(), directory);
                    forget(entry.number());
                });
            return commands;
        } finally {
            lock.unlock();
        }
    }

    /** Keeps a report; its number, or nothing if there is no room for it. */
    OptionalLong write(JobCommand command) throws IOException {
        CommandCodec.Encoded encoded = CommandCodec.encode(command);
        lock.lock();
        try {
            JournalEntry entry =
                    JournalEntry.unsent(lastNumber + 1, encoded.op().getBytes(UTF_8), encoded.value());
            if (unsentBytes + entry.bytes() > maxBytes) return OptionalLong.empty();
            if (doubtful || file.size() + entry.bytes() > maxBytes) rewrite();
            append(entry);
            doubtful = true;
            file.force(false);
            doubtful = false;
            lastNumber = entry.number();
            keep(entry);
            return OptionalLong.of(entry.number());
        } finally {
            lock.unlock();
        }
    }

    /** The partition has answered. */
    void done(long number) throws IOException {
        lock.lock();
        try {
            if (!forget(number)) return;
            if (unsent.isEmpty()) file.truncate(0);
            else append(JournalEntry.done(number));
        } finally {
            lock.unlock();
        }
    }

    private void append(JournalEntry entry) throws IOException {
        long end = file.size();
        try {
            entry.writeTo(file, end);
        } catch (IOException failure) {
            // Half an entry would hide those that are written after it.
            file.truncate(end);
            throw failure;
        }
    }

    /** The file again, with nothing but what is unsent. */
    private void rewrite() throws IOException {
        Path next = directory.resolve(NEXT);
        Files.deleteIfExists(next);
        FileChannel fresh = FileChannel.open(next, CREATE, READ, WRITE);
        try {
            long end = 0;
            for (JournalEntry entry : unsent.values()) {
                entry.writeTo(fresh, end);
                end += entry.bytes();
            }
            fresh.force(true);
            Files.move(next, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failure) {
            fresh.close();
            Files.deleteIfExists(next);
            throw failure;
        }
        file.close();
        file = fresh;
        OwnDirectory.sync(directory);
        doubtful = false;
    }

    private void keep(JournalEntry entry) {
        unsent.put(entry.number(), entry);
        unsentBytes += entry.bytes();
    }

    private boolean forget(long number) {
        JournalEntry entry = unsent.remove(number);
        if (entry != null) unsentBytes -= entry.bytes();
        return entry != null;
    }

    double saturation() {
        lock.lock();
        try {
            return (double) unsentBytes / maxBytes;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            file.close();
            locked.close();
        } finally {
            lock.unlock();
        }
    }
}
