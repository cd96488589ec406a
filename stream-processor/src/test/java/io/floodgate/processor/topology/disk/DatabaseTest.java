package io.floodgate.processor.topology.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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
        try (Database database = Database.open(directory, names(stores))) {
            for (int round = 0; round < 30; round++) for (String name : names(stores)) put(database, name, round);
            assertThat(tables()).isEmpty();
        }
    }

    @Test
    void a_store_is_made_together_with_its_neighbours_and_the_others_later() throws RocksDBException {
        try (Database database = Database.open(directory, names(400))) {
            put(database, "store-200", 1);
            assertThat(database.stores())
                    .containsExactlyElementsOf(
                            names(384).subList(192, 384).stream().sorted().toList());
            put(database, "store-399", 1);
            assertThat(database.stores()).hasSize(192 + 16);
            put(database, "store-0", 1);
            assertThat(database.stores()).hasSize(400);
            put(database, "unexpected", 1);
            assertThat(database.stores()).hasSize(401);
        }
        try (Database again = Database.open(directory, names(400))) {
            assertThat(again.get(again.store("store-200"), key(1))).isEqualTo(VALUE);
            again.drop(names(399));
            assertThat(again.stores()).containsExactly("store-399", "unexpected");
            assertThat(again.get(again.store("store-200"), key(1))).isNull();
            assertThat(again.get(again.store("unexpected"), key(1))).isEqualTo(VALUE);
        }
    }

    private static List<String> names(int stores) {
        return IntStream.range(0, stores).mapToObj(i -> "store-" + i).toList();
    }

    private static byte[] key(int number) {
        return ("key-" + number).getBytes(UTF_8);
    }

    private static void put(Database database, String store, int key) throws RocksDBException {
        try (WriteBatch batch = new WriteBatch()) {
            batch.put(database.store(store), key(key), VALUE);
            database.write(batch);
        }
    }

    private List<Path> tables() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".sst")).toList();
        }
    }
}
