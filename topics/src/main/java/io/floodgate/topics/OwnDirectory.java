package io.floodgate.topics;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Directories in which jobs are kept: no other user of this machine can read what is in them. */
public final class OwnDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(OwnDirectory.class);

    private OwnDirectory() {}

    /** Makes it if need be, for the user of this process only. One that is there stays as it is. */
    public static void create(Path directory) throws IOException {
        if (Files.isDirectory(directory)) return;
        Path parent = directory.toAbsolutePath().getParent();
        if (parent == null) {
            Files.createDirectories(directory);
            return;
        }
        Files.createDirectories(parent);
        make(directory, parent);
        // A name is on the disk when the directory that has it is.
        for (Path above = parent; above != null; above = above.getParent()) sync(above);
    }

    private static void make(Path directory, Path parent) throws IOException {
        FileStore store = Files.getFileStore(parent);
        try {
            if (store.supportsFileAttributeView(PosixFileAttributeView.class))
                Files.createDirectory(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            else Files.createDirectory(directory);
        } catch (FileAlreadyExistsException another) {
            // Another process was quicker, or it is something else: then this says so.
            Files.createDirectories(directory);
        }
    }

    /** Writes the names in a directory to the disk. Where that cannot be asked for, it need not be. */
    public static void sync(Path directory) {
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        } catch (IOException notHere) {
            LOG.debug("The names in {} cannot be written to the disk.", directory, notHere);
        }
    }
}
