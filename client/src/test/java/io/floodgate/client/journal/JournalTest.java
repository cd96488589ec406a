package io.floodgate.client.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What is on disk after whatever may have happened. */
final class JournalTest {
    private static final int SMALL = 200;

    @TempDir
    Path directory;

    private final Logger logger = (Logger) LoggerFactory.getLogger(Journal.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeEach
    void listen() {
        logged.start();
        logger.addAppender(logged);
        logger.setLevel(Level.WARN);
        logger.setAdditive(false);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(logged);
        logger.setLevel(null);
        logger.setAdditive(true);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keeps_what_is_not_done_in_the_order_it_came(boolean sync) throws IOException {
        try (Journal journal = Journal.open(directory, sync)) {
            journal.add(job("a"));
            long second = journal.add(job("b"));
            journal.add(job("c"));
            journal.done(List.of(second));
        }

        assertThat(found()).containsExactly("a", "c");
    }

    @Test
    void numbers_go_on_after_a_restart() throws IOException {
        long before;
        try (Journal journal = Journal.open(directory, false)) {
            before = journal.add(job("a"));
            journal.done(List.of(before));
        }

        try (Journal journal = Journal.open(directory, false)) {
            assertThat(journal.add(job("b"))).isGreaterThan(before);
        }
        assertThat(found()).containsExactly("b");
    }

    @Test
    void wherever_a_file_is_cut_what_was_whole_is_there() throws IOException {
        List<Long> ends = new ArrayList<>();
        try (Journal journal = Journal.open(directory, false)) {
            for (String job : List.of("a", "bb", "ccc")) {
                journal.add(job(job));
                ends.add(Files.size(files().getLast()));
            }
        }
        byte[] whole = Files.readAllBytes(files().getLast());
        Path file = files().getLast();

        for (int length = 0; length <= whole.length; length++) {
            for (Path other : files()) Files.delete(other);
            Files.write(file, java.util.Arrays.copyOf(whole, length));
            int cut = length;
            long complete = ends.stream().filter(end -> end <= cut).count();

            assertThat(found()).as("cut at %d", length).hasSize((int) complete);
        }
    }

    @Test
    void a_job_added_after_a_torn_one_is_kept() throws IOException {
        try (Journal journal = Journal.open(directory, false)) {
            journal.add(job("a"));
            journal.add(job("b"));
        }
        Path file = files().getLast();
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 1));
        try (Journal journal = Journal.open(directory, false)) {
            journal.add(job("c"));
        }

        assertThat(found()).containsExactly("a", "c");
        assertThat(Files.readAllBytes(Path.of(file + ".torn"))).hasSize(whole.length - 1);
    }

    @Test
    void whichever_bit_is_flipped_only_its_record_is_lost_and_its_place_is_reported() throws IOException {
        try (Journal journal = Journal.open(directory, false)) {
            journal.add(job("a"));
            long over = journal.add(job("over"));
            journal.done(List.of(over));
            journal.add(job("b"));
            journal.add(job("c"));
        }
        Path file = files().getLast();
        byte[] whole = Files.readAllBytes(file);

        for (int bit = 0; bit < 8 * whole.length; bit++) {
            for (Path other : files()) Files.delete(other);
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file, flipped);

            logged.list.clear();
            List<String> found = found();
            assertThat(found).as("bit %d", bit).isSubsetOf("a", "over", "b", "c");
            List<String> missing = new ArrayList<>(List.of("a", "b", "c"));
            missing.removeAll(found);
            assertThat(missing.size() + (found.contains("over") ? 1 : 0))
                    .as("records lost by bit %d", bit)
                    .isLessThanOrEqualTo(1);
            assertThat(logged.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .as("bit %d", bit)
                    .anyMatch(text -> text.contains(file.toString()));
            assertThat(Files.readAllBytes(Path.of(file + ".torn"))).isEqualTo(flipped);
        }
    }

    @Test
    void zeros_at_the_end_are_no_records_and_an_empty_file_is_no_damage() throws IOException {
        try (Journal journal = Journal.open(directory, false)) {
            journal.add(job("a"));
        }
        Path file = files().getLast();
        byte[] whole = Files.readAllBytes(file);
        for (Path other : files()) Files.delete(other);
        Files.write(file, java.util.Arrays.copyOf(whole, whole.length + 4096));
        assertThat(found()).containsExactly("a");

        Files.write(file, new byte[0]);
        logged.list.clear();
        assertThat(found()).isEmpty();
        assertThat(logged.list).isEmpty();
    }

    @Test
    void a_job_that_is_damaged_before_it_is_moved_is_reported_and_not_written_again() throws IOException {
        try (Journal journal = Journal.open(directory, false, SMALL)) {
            journal.add(job("damaged"));
            journal.add(job("patient"));
            Path file = files().getFirst();
            byte[] bytes = Files.readAllBytes(file);
            bytes[Segment.HEAD]++;
            Files.write(file, bytes);
            for (int i = 0; i < 1_000; i++) journal.done(List.of(journal.add(job("job " + i))));

            assertThat(logged.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .singleElement()
                    .asString()
                    .contains("Bytes 0 to 24 of " + file);
        }
        assertThat(found()).containsExactly("patient");
    }

    @Test
    void files_go_when_all_in_them_is_done() throws IOException {
        try (Journal journal = Journal.open(directory, false, SMALL)) {
            for (int i = 0; i < 1_000; i++) journal.done(List.of(journal.add(job("job " + i))));

            assertThat(files()).hasSizeLessThan(3);
        }
        assertThat(found()).isEmpty();
    }

    @Test
    void a_job_that_waits_for_long_does_not_keep_everything_behind_it() throws IOException {
        try (Journal journal = Journal.open(directory, false, SMALL)) {
            journal.add(job("patient"));
            for (int i = 0; i < 1_000; i++) journal.done(List.of(journal.add(job("job " + i))));

            assertThat(files()).hasSizeLessThan(10);
        }
        assertThat(found()).containsExactly("patient");
    }

    @Test
    void is_what_a_map_would_be_over_many_restarts() throws IOException {
        Random random = new Random(7);
        TreeMap<Long, String> model = new TreeMap<>();
        for (int life = 0; life < 30; life++) {
            try (Journal journal = Journal.open(directory, false, SMALL)) {
                assertThat(journal.takeFound().stream().map(JournalTest::text))
                        .containsExactlyElementsOf(model.values());
                for (int step = 0; step < 100; step++) {
                    String job = "job %d.%d".formatted(life, step);
                    if (random.nextInt(20) > 0 && (model.size() < 3 || random.nextInt(2) == 0))
                        model.put(journal.add(job(job)), job);
                    List<Long> over = model.keySet().stream()
                            .filter(each -> random.nextInt(4) == 0)
                            .toList();
                    journal.done(over);
                    over.forEach(model::remove);
                }
            }
        }
    }

    @Test
    void belongs_to_one_at_a_time() {
        try (Journal first = Journal.open(directory, false)) {
            assertThat(first.takeFound()).isEmpty();
            assertThatThrownBy(() -> Journal.open(directory, false)).isInstanceOf(UncheckedIOException.class);
        }
        Journal.open(directory, false).close();
    }

    @Test
    void after_the_disk_has_failed_nothing_more_is_entrusted_to_that_file() throws IOException {
        List<RandomAccessFile> synced = new ArrayList<>();
        boolean[] fails = {false};
        Segment.Disk disk = file -> {
            synced.add(file);
            if (fails[0]) throw new IOException("I/O error");
        };
        try (Journal journal = Journal.open(directory, true, 1_000, disk)) {
            journal.add(job("a"));
            fails[0] = true;
            assertThatThrownBy(() -> journal.add(job("b"))).hasMessage("I/O error");
            fails[0] = false;
            journal.add(job("c"));

            assertThat(synced.getLast()).as("the file of c").isNotSameAs(synced.getFirst());
        }
        assertThat(found()).as("b was told to have failed").containsExactly("a", "c");
    }

    @Test
    void what_is_too_large_is_rejected() {
        try (Journal journal = Journal.open(directory, false)) {
            assertThatThrownBy(() -> journal.add(new byte[Segment.MOST_BYTES + 1]))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("too large");
        }
    }

    @Test
    void an_interrupted_thread_closes_nothing() throws IOException {
        try (Journal journal = Journal.open(directory, true)) {
            Thread.currentThread().interrupt();
            journal.add(job("a"));
            assertThat(Thread.interrupted()).isTrue();
            journal.add(job("b"));
        }

        assertThat(found()).containsExactly("a", "b");
    }

    private List<String> found() {
        try (Journal journal = Journal.open(directory, false)) {
            return journal.takeFound().stream().map(JournalTest::text).toList();
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> file.toString().endsWith(".journal"))
                    .sorted()
                    .toList();
        }
    }

    private static byte[] job(String text) {
        return text.getBytes(UTF_8);
    }

    private static String text(Journal.Kept kept) {
        return new String(kept.job(), UTF_8);
    }
}
