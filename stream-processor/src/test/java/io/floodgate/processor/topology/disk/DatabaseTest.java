package io.floodgate.processor.topology.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** What stores cost when there are many of them. */
class DatabaseTest {
    private static final byte[] VALUE = new byte[400];

    @TempDir
    Path directory;

    /** Three for each of 8, 32 and 64 partitions. */
    @ParameterizedTest
    @ValueSource(ints = {24, 96, 192})
    void little_in_many_stores_stays_in_memory(int stores) throws RocksDBException, IOException {
        try (Database database = Database.open(directory, stores)) {
            for (int round = 0; round < 30; round++)
                for (int i = 0; i < stores; i++) put(database, "store-" + i, round);
            assertThat(tables()).isEmpty();
        }
    }

    private static void put(Database database, String store, int key) throws RocksDBException {
        try (WriteBatch batch = new WriteBatch()) {
            batch.put(database.store(store), ("key-" + key).getBytes(UTF_8), VALUE);
            database.write(batch);
        }
    }

    private List<Path> tables() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".sst")).toList();
        }
    }
}
