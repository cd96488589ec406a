package io.floodgate.standalone.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.floodgate.standalone.broker.disk.SyncedBroker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What becomes of logs that the disk has damaged. */
class LogCheckTest {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final String SEGMENT = "00000000000000000100.log";

    private final Logger logger = (Logger) LoggerFactory.getLogger(LogCheckTest.class.getPackageName());
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    /** Batches from offset 100 on, of one to three records. */
    private final List<byte[]> batches = List.of(batch(100, "a"), batch(101, "bb", "b"), batch(103, "c", "c", "c"));

    private Path directory;

    @BeforeEach
    void listen() throws IOException {
        logger.setAdditive(false);
        logger.setLevel(Level.WARN);
        logger.addAppender(logged);
        logged.start();
        directory = Files.isWritable(MEMORY)
                ? Files.createTempDirectory(MEMORY, "logs")
                : Files.createTempDirectory("logs");
        Files.createDirectories(directory.resolve("ojs.commands-0"));
        synced(1_000);
    }

    @AfterEach
    void stopListening() throws IOException {
        logger.detachAppender(logged);
        logger.setLevel(null);
        logger.setAdditive(true);
        Utils.delete(directory.toFile());
    }

    @Test
    void whichever_bit_is_flipped_it_is_repaired_and_reported() throws IOException {
        byte[] whole = join(batches);
        int last = whole.length - batches.getLast().length;
        for (int bit = 0; bit < whole.length * 8; bit++) {
            // Replicas alone ask for the epoch. Offsets may be missing in a log, so that the last one may be any.
            if (isIn(12, 16, bit / 8) || (bit / 8 >= last && bit / 8 < last + 8)) continue;
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            write(flipped);

            check(true);

            assertThat(read()).as("bit %d", bit).isEqualTo(whole);
            assertThat(messages())
                    .as("bit %d", bit)
                    .singleElement()
                    .asString()
                    .contains("byte " + bit / 8 + " of " + segment());
        }
    }

    /** @return whether a byte is in this part of one of the batches */
    private boolean isIn(int from, int to, int place) {
        int begin = 0;
        for (byte[] batch : batches) {
            if (place >= begin + from && place < begin + to) return true;
            begin += batch.length;
        }
        return false;
    }

    @Test
    void a_batch_of_which_more_is_damaged_is_left_out_and_those_around_it_are_kept() throws IOException {
        byte[] damaged = join(batches);
        int begin = batches.get(0).length;
        int end = begin + batches.get(1).length;
        Arrays.fill(damaged, begin + 20, begin + 40, (byte) 0);
        write(damaged);
        Files.writeString(index(), "an index");

        check(true);

        assertThat(read()).isEqualTo(join(List.of(batches.get(0), batches.get(2))));
        assertThat(Path.of(segment() + ".damaged")).hasBinaryContent(damaged);
        assertThat(index()).doesNotExist();
        assertThat(messages())
                .singleElement()
                .asString()
                .startsWith("Bytes %d to %d of %s are damaged, from offset 101 on.".formatted(begin, end, segment()));
    }

    @Test
    void what_a_loss_of_power_has_torn_is_left_to_kafka_with_all_behind_it() throws IOException {
        byte[] torn = join(batches);
        int begin = batches.get(0).length;
        Arrays.fill(torn, begin + 20, begin + 40, (byte) 0);
        write(torn);
        synced(101);

        check(true);

        assertThat(read()).isEqualTo(torn);
        assertThat(messages()).isEmpty();
    }

    private void synced(long end) throws IOException {
        Files.writeString(
                directory.resolve(SyncedBroker.SYNCED_ENDS),
                "0\n2\nojs.commands 0 %d\n__cluster_metadata 0 %d\n".formatted(end, end));
    }

    @Test
    void an_append_that_a_kill_cut_off_is_left_to_kafka() throws IOException {
        byte[] whole = join(batches);
        for (int cut = 1; cut < batches.getLast().length; cut++) {
            write(Arrays.copyOf(whole, whole.length - cut));
            check(true);
            assertThat(read()).hasSize(whole.length - cut);
            assertThat(messages()).isEmpty();
        }
    }

    @Test
    void what_was_there_at_a_clean_stop_is_read_unless_it_is_much() throws IOException {
        byte[] damaged = join(batches);
        Arrays.fill(damaged, 20, 40, (byte) 0);
        write(damaged);

        LogCheck.run(directory, false, damaged.length - 1);
        assertThat(read()).isEqualTo(damaged);

        LogCheck.run(directory, false, damaged.length);
        assertThat(read()).isEqualTo(join(batches.subList(1, 3)));
    }

    @Test
    void segments_before_the_recovery_point_are_not_read_after_a_kill() throws IOException {
        byte[] damaged = join(batches);
        Arrays.fill(damaged, 20, 40, (byte) 0);
        write(damaged);
        Path next = directory.resolve("ojs.commands-0").resolve("00000000000000000106.log");
        Files.write(next, batch(106, "d"));
        Files.writeString(directory.resolve("recovery-point-offset-checkpoint"), "0\n1\nojs.commands 0 106\n");

        LogCheck.run(directory, true, 0);

        assertThat(read()).isEqualTo(damaged);
    }

    @Test
    void damaged_metadata_end_the_start_and_stay_as_they_are() throws IOException {
        Path metadata = directory.resolve("__cluster_metadata-0").resolve(SEGMENT);
        Files.createDirectories(metadata.getParent());
        byte[] damaged = join(batches);
        Arrays.fill(damaged, 20, 40, (byte) 0);
        Files.write(metadata, damaged);

        assertThatThrownBy(() -> check(true))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("bytes 0 to %d of %s".formatted(batches.getFirst().length, metadata))
                .hasMessageContaining("back-up.md");
        assertThat(metadata).hasBinaryContent(damaged);
    }

    @Test
    void a_checkpoint_that_cannot_be_read_is_made_again() throws IOException {
        Path epochs = segment().resolveSibling("leader-epoch-checkpoint");
        Path starts = directory.resolve("log-start-offset-checkpoint");
        Files.writeString(epochs, "0\n1\n0 0\n");
        Files.writeString(starts, "0\n0\n");
        Files.writeString(directory.resolve("cleaner-offset-checkpoint"), "");
        check(true);
        assertThat(messages()).isEmpty();

        Files.writeString(epochs, "4\n1\n0 0\n");
        Files.writeString(starts, "0\n2\n");
        check(true);
        assertThat(epochs).doesNotExist();
        assertThat(starts).doesNotExist();
        assertThat(messages()).hasSize(2).allMatch(text -> text.contains("is damaged. It is made again"));
    }

    @Test
    void a_flipped_bit_in_the_id_of_a_topic_is_repaired_by_what_other_partitions_have() throws IOException {
        String right = "version: 0\ntopic_id: yYPcg6yKRlO9kK0cRFbKsA";
        for (int partition = 0; partition < 3; partition++) {
            Path log = directory.resolve("ojs.events-" + partition);
            Files.createDirectories(log);
            Files.writeString(log.resolve("partition.metadata"), partition == 1 ? right.replace("Rl", "Sl") : right);
        }
        check(true);
        Path file = directory.resolve("ojs.events-1").resolve("partition.metadata");
        assertThat(file).hasContent(right);
        assertThat(messages()).singleElement().asString().contains(file.toString());
    }

    @Test
    void damaged_properties_end_the_start_with_what_to_do() throws IOException {
        Path file = directory.resolve("meta.properties");
        Files.writeString(file, "node.id=1\nversion=1\nclusteR.id=jLZ2OQ5IQxK4kZ0nZkTzvQ\n");
        assertThatThrownBy(() -> check(false))
                .hasMessageContaining(file + " is damaged (cluster.id was not found.). Restore this file");
    }

    private void check(boolean wasKilled) {
        logged.list.clear();
        LogCheck.run(directory, wasKilled);
    }

    private List<String> messages() {
        return logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private Path segment() {
        return directory.resolve("ojs.commands-0").resolve(SEGMENT);
    }

    private Path index() {
        return directory.resolve("ojs.commands-0").resolve(SEGMENT.replace(".log", ".index"));
    }

    private void write(byte[] bytes) throws IOException {
        Files.write(segment(), bytes);
    }

    private byte[] read() throws IOException {
        return Files.readAllBytes(segment());
    }

    private static byte[] join(List<byte[]> batches) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        batches.forEach(all::writeBytes);
        return all.toByteArray();
    }

    private static byte[] batch(long offset, String... values) {
        List<SimpleRecord> records = new ArrayList<>();
        for (String value : values) records.add(new SimpleRecord(1_767_355_200_000L, value.getBytes(UTF_8)));
        ByteBuffer bytes = MemoryRecords.withRecords(
                        RecordBatch.MAGIC_VALUE_V2,
                        offset,
                        Compression.NONE,
                        TimestampType.CREATE_TIME,
                        RecordBatch.NO_PRODUCER_ID,
                        RecordBatch.NO_PRODUCER_EPOCH,
                        RecordBatch.NO_SEQUENCE,
                        0,
                        false,
                        records.toArray(SimpleRecord[]::new))
                .buffer();
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return copy;
    }
}
