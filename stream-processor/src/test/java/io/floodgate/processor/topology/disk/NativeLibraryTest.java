package io.floodgate.processor.topology.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

class NativeLibraryTest {
    private static final FileTime EARLIER = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void unpack() throws IOException {
        file = directory.resolve("library");
        NativeLibrary.unpack(file);
    }

    @Test
    void is_unpacked_and_nothing_else_is_left() throws IOException {
        assertThat(Files.size(file)).isGreaterThan(1_000_000);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void is_unpacked_once() throws IOException {
        Files.setLastModifiedTime(file, EARLIER);
        NativeLibrary.unpack(file);
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(EARLIER);
    }

    @Test
    void is_unpacked_again_if_it_is_another_one_or_damaged() throws IOException {
        byte[] good = Files.readAllBytes(file);
        byte[] bad = good.clone();
        bad[bad.length / 2]++;
        Files.write(file, bad);
        NativeLibrary.unpack(file);
        assertThat(Files.readAllBytes(file)).isEqualTo(good);
    }

    @Test
    void is_found_in_another_way_where_it_cannot_be_unpacked() throws RocksDBException {
        NativeLibrary.loadFrom(file.resolve("inside-a-file"));
        try (Database database = Database.open(directory.resolve("stores"), List.of())) {
            assertThat(database.store("store")).isNotNull();
        }
    }
}
