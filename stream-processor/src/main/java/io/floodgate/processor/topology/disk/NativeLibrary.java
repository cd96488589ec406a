package io.floodgate.processor.topology.disk;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RocksDB's native library, beside the stores. By itself RocksDB unpacks it into the directory for temporary files at every
 * start, which takes its time, and where it stays if the process is killed: fifteen megabytes each time.
 */
final class NativeLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);

    /** Name of the library in RocksDB's archive, and the name for which RocksDB looks in a directory. */
    private static final String PACKED = Environment.getJniLibraryFileName("rocksdb");

    private static final String UNPACKED = Environment.getJniLibraryFileName("rocksdbjni");

    private static boolean loaded;

    private NativeLibrary() {}

    /** Loads the library as {@link #loadFrom}, unless it is loaded already. */
    static synchronized void loadOnceFrom(Path directory) {
        if (loaded) return;
        loadFrom(directory);
        loaded = true;
    }

    /** Loads it from there, where it is unpacked if need be. */
    static void loadFrom(Path directory) {
        try {
            Files.createDirectories(directory);
            unpack(directory.resolve(UNPACKED));
            RocksDB.loadLibrary(List.of(directory.toAbsolutePath().toString()));
        } catch (IOException | UnsatisfiedLinkError e) {
            // Nothing may be executed there, say.
            LOG.info("RocksDB's library cannot be loaded from {} ({}); it is unpacked again.", directory, e.toString());
            RocksDB.loadLibrary();
        }
    }

    static void unpack(Path file) throws IOException {
        URL packed = RocksDB.class.getClassLoader().getResource(PACKED);
        if (packed == null) throw new IOException("there is no " + PACKED);
        URLConnection connection = packed.openConnection();
        if (connection instanceof JarURLConnection archive
                && Files.exists(file)
                && archive.getJarEntry().getCrc() == checksum(file)) return;
        // Another process may be about to load it.
        Path complete = Files.createTempFile(file.toAbsolutePath().getParent(), "unpacking", null);
        try {
            try (InputStream in = connection.getInputStream()) {
                Files.copy(in, complete, StandardCopyOption.REPLACE_EXISTING);
            }
            Files.move(complete, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(complete);
        }
    }

    private static long checksum(Path file) throws IOException {
        CRC32 sum = new CRC32();
        try (InputStream in = new CheckedInputStream(Files.newInputStream(file), sum)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return sum.getValue();
    }
}
