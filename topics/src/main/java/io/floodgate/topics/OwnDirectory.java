package io.floodgate.topics;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;

/** Directories in which jobs are kept: no other user of this machine can read what is in them. */
public final class OwnDirectory {
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
}
