package io.floodgate.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.Nack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.slf4j.LoggerFactory;

class OutcomeJournalTest {
    private static final long LARGE = 1024 * 1024;

    @TempDir(factory = InMemory.class)
    Path directory;

    private final Logger logger = (Logger) LoggerFactory.getLogger(OutcomeJournal.class);
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

    @Test
    void what_was_written_is_there_after_a_restart_in_its_order() throws Exception {
        Nack nack = new Nack(id(2), new Claimant("w1", 5L), ErrorReport.of("oops", "ü"), false);
        try (OutcomeJournal journal = open()) {
            journal.write(ack(1, "1"));
            journal.write(nack);
        }
        try (OutcomeJournal journal = open()) {
            List<JobCommand> left = List.copyOf(journal.unsent().values());
            assertThat(left).hasSize(2);
            assertThat(shown(left.get(0))).isEqualTo(shown(ack(1, "1")));
            assertThat(((Nack) left.get(1)).claimant()).isEqualTo(nack.claimant());
            assertThat(((Nack) left.get(1)).error().message()).isEqualTo("ü");
        }
    }

    @Test
    void what_was_answered_is_not_sent_again() throws Exception {
        try (OutcomeJournal journal = open()) {
            long first = journal.write(ack(1, "1")).orElseThrow();
            journal.write(ack(2, "2"));
            journal.done(first);
        }
        try (OutcomeJournal journal = open()) {
            assertThat(journal.unsent().values()).extracting(JobCommand::job).containsExactly(id(2));
            long second = journal.unsent().keySet().iterator().next();
            journal.done(second);
            assertThat(Files.size(file())).isZero();
        }
    }

    @Test
    void wherever_it_is_torn_all_that_was_written_before_is_there() throws Exception {
        // given
        List<Long> ends = new ArrayList<>();
        try (OutcomeJournal journal = open()) {
            for (int i = 0; i < 4; i++) {
                journal.write(ack(i, "\"result\""));
                ends.add(Files.size(file()));
            }
        }
        byte[] whole = Files.readAllBytes(file());
        for (int cut = 0; cut <= whole.length; cut++) {
            // when
            Files.write(file(), Arrays.copyOf(whole, cut));
            long expected = within(ends, cut);
            try (OutcomeJournal journal = open()) {
                assertThat(journal.unsent()).as("cut at %d", cut).hasSize((int) expected);
                // then what comes after is found, too
                journal.write(ack(9, "9"));
            }
            try (OutcomeJournal journal = open()) {
                assertThat(journal.unsent()).as("cut at %d", cut).hasSize((int) expected + 1);
            }
        }
    }

    @Test
    void whichever_bit_is_flipped_only_its_entry_is_lost_and_its_place_is_reported() throws Exception {
        byte[] whole;
        try (OutcomeJournal journal = open()) {
            journal.write(ack(1, "1"));
            long answered = journal.write(ack(2, "2")).orElseThrow();
            journal.done(answered);
            journal.write(ack(3, "3"));
            journal.write(ack(4, "4"));
            whole = Files.readAllBytes(file());
        }
        for (int bit = 0; bit < 8 * whole.length; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file(), flipped);
            logged.list.clear();
            try (OutcomeJournal journal = open()) {
                List<JobId> left =
                        journal.unsent().values().stream().map(JobCommand::job).toList();
                assertThat(left).as("bit %d", bit).isSubsetOf(id(1), id(2), id(3), id(4));
                long kept = left.stream().filter(job -> !job.equals(id(2))).count();
                assertThat(3 - kept + (left.contains(id(2)) ? 1 : 0))
                        .as("entries lost by bit %d", bit)
                        .isLessThanOrEqualTo(1);
                assertThat(logged.list)
                        .extracting(ILoggingEvent::getFormattedMessage)
                        .as("bit %d", bit)
                        .anyMatch(text -> text.contains(file().toString()));
            }
        }
    }

    @Test
    void random_bytes_in_the_file_do_no_harm() throws Exception {
        byte[] whole;
        try (OutcomeJournal journal = open()) {
            journal.write(ack(1, "1"));
            journal.write(ack(2, "2"));
            whole = Files.readAllBytes(file());
        }
        Random random = new Random(7);
        for (int i = 0; i < 300; i++) {
            byte[] broken = whole.clone();
            int at = random.nextInt(broken.length);
            broken[at] ^= (byte) (1 + random.nextInt(255));
            Files.write(file(), broken);
            try (OutcomeJournal journal = open()) {
                assertThat(journal.unsent().values())
                        .extracting(JobCommand::job)
                        .containsExactly(id(at < whole.length / 2 ? 2 : 1));
            }
        }
    }

    @Test
    void what_is_damaged_is_left_out_and_a_copy_is_kept() throws Exception {
        try (OutcomeJournal journal = open()) {
            journal.write(ack(1, "1"));
            journal.write(ack(2, "2"));
            journal.write(ack(3, "3"));
        }
        byte[] broken = Files.readAllBytes(file());
        broken[broken.length / 2]++;
        Files.write(file(), broken);
        try (OutcomeJournal journal = open()) {
            assertThat(journal.unsent()).hasSize(2);
        }
        assertThat(Files.readAllBytes(directory.resolve(OutcomeJournal.TORN))).isEqualTo(broken);
    }

    @Test
    void it_takes_no_more_than_it_may_and_says_so() throws Exception {
        try (OutcomeJournal journal = OutcomeJournal.open(directory, 1_000)) {
            int taken = 0;
            while (journal.write(ack(taken, "1")).isPresent()) taken++;
            assertThat(taken).isBetween(2, 20);
            assertThat(Files.size(file())).isLessThanOrEqualTo(1_000);
            assertThat(journal.saturation()).isBetween(0.8, 1.0);
        }
    }

    @Test
    void what_is_done_with_takes_no_room_for_long() throws Exception {
        try (OutcomeJournal journal = OutcomeJournal.open(directory, 1_000)) {
            journal.write(ack(0, "1"));
            for (int i = 1; i < 500; i++) {
                long number = journal.write(ack(i, "1")).orElseThrow();
                journal.done(number);
                assertThat(Files.size(file())).isLessThanOrEqualTo(1_100);
            }
            assertThat(journal.unsent().values()).extracting(JobCommand::job).containsExactly(id(0));
        }
        try (OutcomeJournal journal = open()) {
            assertThat(journal.unsent().values()).extracting(JobCommand::job).containsExactly(id(0));
        }
    }

    @Test
    void two_workers_cannot_share_one() throws Exception {
        try (OutcomeJournal first = open()) {
            assertThat(first.unsent()).isEmpty();
            assertThatThrownBy(this::open)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a directory of its own");
        }
        open().close();
    }

    /** A directory in memory, where there is one: opening a journal waits for the disk several times. */
    static final class InMemory implements TempDirFactory {
        private static final Path MEMORY = Path.of("/dev/shm");

        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            return Files.isWritable(MEMORY)
                    ? Files.createTempDirectory(MEMORY, "journal")
                    : Files.createTempDirectory("journal");
        }
    }

    private static long within(List<Long> ends, int cut) {
        return ends.stream().filter(end -> end <= cut).count();
    }

    private OutcomeJournal open() throws IOException {
        return OutcomeJournal.open(directory, LARGE);
    }

    private Path file() {
        return directory.resolve(OutcomeJournal.FILE);
    }

    private static Ack ack(int number, String result) {
        return new Ack(id(number), new Claimant("w1", 5L), result.getBytes(UTF_8));
    }

    private static JobId id(int number) {
        return JobId.make(Slot.of("default"), 1, number);
    }

    private static String shown(JobCommand command) {
        Ack ack = (Ack) command;
        return ack.job() + " " + ack.claimant() + " " + new String(ack.result(), UTF_8);
    }
}
