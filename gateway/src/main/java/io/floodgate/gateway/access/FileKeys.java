package io.floodgate.gateway.access;

import io.floodgate.gateway.file.FileWatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/** The keys of a file as it is now: two keys of one name are valid side by side, and one that is taken out is no more. */
public final class FileKeys implements Supplier<KeyRing>, AutoCloseable {
    private final KeyFile file;
    private final FileWatch watch;
    private volatile KeyRing ring;

    private FileKeys(KeyFile file, KeyRing ring) {
        this.file = file;
        this.ring = ring;
        watch = FileWatch.start("keys", List.of(file.path()), this::read);
    }

    /** Throws if they cannot be read: a gateway without its keys must not start. */
    public static FileKeys of(Path path) {
        KeyFile file = new KeyFile(path);
        try {
            return new FileKeys(file, file.read());
        } catch (KeyFile.Unreadable unreadable) {
            throw new IllegalStateException(unreadable.getMessage(), unreadable);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the keys in " + path, e);
        }
    }

    private void read() throws IOException, KeyFile.Unreadable {
        ring = file.read();
    }

    @Override
    public KeyRing get() {
        return ring;
    }

    @Override
    public void close() {
        watch.close();
    }
}
