package io.floodgate.processor.topology.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.topology.disk.Changelogs.Changelog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** What becomes of stores when a process starts. */
class CommittedStoresTest {
    private static final Instant NOW = Instant.parse("2026-01-02T12:00:00Z");

    @TempDir
    Path directory;

    private void storeAsOf(Instant asOf) throws RocksDBException {
        try (Database database = Database.open(directory, List.of());
                WriteBatch batch = new WriteBatch()) {
            StorePosition position = new StorePosition(Uuid.ONE_UUID, 7, asOf.toEpochMilli(), 1);
            batch.put(database.store("0_0/jobs"), CommittedStore.POSITION, position.toBytes());
            database.write(batch);
        }
    }

    private List<String> storesAfterAStart() {
        try (Database database = Database.open(directory, List.of())) {
            var unused = new CommittedStores(
                    database,
                    new Transactions(database, () -> {}),
                    changelog -> Optional.empty(),
                    Clock.fixed(NOW, ZoneOffset.UTC));
            return database.stores();
        }
    }

    @Test
    void are_kept_while_their_changelogs_remember_what_was_deleted() throws RocksDBException {
        storeAsOf(NOW.minus(Duration.ofHours(22)));
        assertThat(storesAfterAStart()).containsExactly("0_0/jobs");
    }

    @Test
    void are_dropped_when_a_deletion_may_have_been_forgotten() throws RocksDBException {
        storeAsOf(NOW.minus(Duration.ofHours(24)));
        assertThat(storesAfterAStart()).isEmpty();
    }

    @Test
    void are_begun_again_when_they_cannot_be_read() throws RocksDBException, IOException {
        storeAsOf(NOW);
        Files.writeString(directory.resolve("CURRENT"), "no such manifest\n");
        assertThat(storesAfterAStart()).isEmpty();
        storeAsOf(NOW);
        assertThat(storesAfterAStart()).containsExactly("0_0/jobs");
    }

    @Test
    void are_rejected_to_a_second_process_and_not_harmed() throws RocksDBException {
        storeAsOf(NOW);
        try (Database first = Database.open(directory, List.of())) {
            assertThatThrownBy(() -> Database.open(directory, List.of())).isInstanceOf(IllegalStateException.class);
            assertThat(first.stores()).containsExactly("0_0/jobs");
        }
    }

    @Test
    void a_changelog_is_continued_only_from_what_is_there() {
        Changelog changelog = new Changelog(Uuid.ONE_UUID, 10, 20, 1);
        assertThat(changelog.continues(new StorePosition(Uuid.ONE_UUID, 9, 0, 1)))
                .isTrue();
        assertThat(changelog.continues(new StorePosition(Uuid.ONE_UUID, 19, 0, 1)))
                .isTrue();
        assertThat(changelog.continues(new StorePosition(Uuid.ONE_UUID, 8, 0, 1)))
                .isFalse();
        assertThat(changelog.continues(new StorePosition(Uuid.ONE_UUID, 20, 0, 1)))
                .isFalse();
        assertThat(changelog.continues(new StorePosition(Uuid.ZERO_UUID, 15, 0, 1)))
                .isFalse();
    }

    @Test
    void a_store_that_stands_behind_what_is_known_of_its_changelog_asks_again() {
        TopicPartition partition = new TopicPartition("floodgate-jobs-changelog", 0);
        Changelog before = new Changelog(Uuid.ONE_UUID, 0, 20, 1);
        Changelog now = new Changelog(Uuid.ONE_UUID, 0, 40, 1);
        Changelogs changelogs = new Changelogs() {
            @Override
            public Optional<Changelog> find(TopicPartition ignored) {
                return Optional.of(before);
            }

            @Override
            public Optional<Changelog> findNow(TopicPartition ignored) {
                return Optional.of(now);
            }
        };

        assertThat(changelogs.find(partition, null)).contains(before);
        assertThat(changelogs.find(partition, new StorePosition(Uuid.ONE_UUID, 19, 0, 1)))
                .contains(before);
        assertThat(changelogs.find(partition, new StorePosition(Uuid.ONE_UUID, 20, 0, 1)))
                .contains(now);
        assertThat(changelogs.find(partition, new StorePosition(Uuid.ZERO_UUID, 7, 0, 1)))
                .contains(now);
    }

    @Test
    void a_changelog_that_was_made_again_and_has_less_is_distinguished_from_one_that_goes_on() {
        Changelog made = new Changelog(Uuid.ONE_UUID, 0, 0, 1);
        assertThat(made.isAnother(new StorePosition(Uuid.ZERO_UUID, 7, 0, 1))).isTrue();
        assertThat(made.isAnother(new StorePosition(Uuid.ONE_UUID, 7, 0, 1))).isFalse();
        assertThat(new Changelog(Uuid.ONE_UUID, 0, 8, 1).isAnother(new StorePosition(Uuid.ZERO_UUID, 7, 0, 1)))
                .isFalse();
    }

    @Test
    void a_store_is_up_to_date_only_while_nothing_stands_behind_it() {
        Changelog changelog = new Changelog(Uuid.ONE_UUID, 0, 20, 1);
        assertThat(changelog.endsAt(new StorePosition(Uuid.ONE_UUID, 18, 0, 1))).isTrue();
        assertThat(changelog.endsAt(new StorePosition(Uuid.ONE_UUID, 17, 0, 1))).isFalse();
        assertThat(changelog.endsAt(new StorePosition(Uuid.ZERO_UUID, 18, 0, 1)))
                .isFalse();
    }

    @Test
    void a_position_reads_back_and_nonsense_does_not() {
        StorePosition position = new StorePosition(Uuid.ONE_UUID, 42, 1_767_355_200_000L, 1);
        assertThat(StorePosition.read(position.toBytes())).isEqualTo(position);
        assertThat(StorePosition.read(null)).isNull();
        assertThat(StorePosition.read(new byte[] {1, 2})).isNull();
        assertThat(StorePosition.read(new byte[33])).isNull();
    }
}
