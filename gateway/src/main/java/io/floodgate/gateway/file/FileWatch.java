package io.floodgate.gateway.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every second whether files are still what they were. Notices of the file system are not relied on: mounted
 * secrets are links that are turned, and some file systems tell nothing.
 */
public final class FileWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(1);

    /** Takes what the files say now. Whatever it throws, what was there before stays in force. */
    public interface Taking {
        void take() throws Exception;
    }

    private final String what;
    private final List<Path> files;
    private final Taking taking;
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("floodgate-files").factory());
    private String seen;

    private FileWatch(String what, List<Path> files, Taking taking) {
        this.what = what;
        this.files = files;
        this.taking = taking;
        seen = print();
    }

    /**
     * Takes what the files say before it returns: they may have changed since they were read for the first time.
     *
     * @param what they hold, for the partition
     */
    public static FileWatch start(String what, List<Path> files, Taking taking) {
        FileWatch watch = new FileWatch(what, files, taking);
        watch.take();
        var unused = watch.looking.scheduleWithFixedDelay(
                watch::look, EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
        return watch;
    }

    private void look() {
        String now = print();
        if (now.equals(seen)) return;
        seen = now;
        if (take()) LOG.info("The {} in {} have changed, and are in force.", what, files);
    }

    private boolean take() {
        try {
            taking.take();
            return true;
        } catch (Exception unusable) {
            LOG.error(
                    "The {} in {} have changed, and cannot be used: {}. Those from before stay in force.",
                    what,
                    files,
                    unusable.toString());
            return false;
        }
    }

    /** Differs when a file does: what a link leads to counts, as do size and time. */
    private String print() {
        StringBuilder print = new StringBuilder();
        for (Path file : files) {
            try {
                BasicFileAttributes about = Files.readAttributes(file, BasicFileAttributes.class);
                print.append(about.lastModifiedTime()).append('/').append(about.size());
                print.append('/').append(about.fileKey()).append(' ');
            } catch (IOException gone) {
                print.append("none ");
            }
        }
        return print.toString();
    }

    @Override
    public void close() {
        looking.shutdownNow();
    }
}
