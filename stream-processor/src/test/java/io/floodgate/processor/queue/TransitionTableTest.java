package io.floodgate.processor.queue;

import static io.floodgate.topics.JobState.ACTIVE;
import static io.floodgate.topics.JobState.AVAILABLE;
import static io.floodgate.topics.JobState.CANCELLED;
import static io.floodgate.topics.JobState.COMPLETED;
import static io.floodgate.topics.JobState.DISCARDED;
import static io.floodgate.topics.JobState.PENDING;
import static io.floodgate.topics.JobState.RETRYABLE;
import static io.floodgate.topics.JobState.SCHEDULED;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Commands.Job;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** OJS core §6.3 as a table: every state and every operation. The same table, for people, is in docs/reference/state-machine.md. */
class TransitionTableTest extends Commands {
    private static final JobState[] STATES = {
        SCHEDULED, AVAILABLE, PENDING, ACTIVE, RETRYABLE, COMPLETED, CANCELLED, DISCARDED
    };

    private static final Duration SOON = ofSeconds(10);
    private static final Duration NOT_IN_THIS_TEST = ofDays(90);

    /** What is done to the job, and what becomes of it: a state, or one of the words below. */
    private record Row(String operation, Supplier<Ask> ask, List<String> outcomes) {}

    /** Executed, and the state is the same. */
    private static final String SAME = "✓";
    /** Rejected with this code; nothing changes. */
    private static final String CONFLICT = "conflict";
    /** Not meant for a job in this state: executed without touching it. */
    private static final String UNTOUCHED = "–";
    /** Removed, and unknown from then on. */
    private static final String GONE = "gone";

    private static Row row(String operation, Supplier<Ask> ask, String outcomes) {
        return new Row(operation, ask, Arrays.asList(outcomes.strip().split(" +")));
    }

    // @formatter:off
    private static final List<Row> COMMANDS = List.of(
            //                                                     scheduled  available  pending    active     retryable
            //  completed  cancelled  discarded
            row(
                    "fetch",
                    () -> fetch().lease(SOON),
                    "–          active     –          –          –          –          –          –"),
            row(
                    "ack",
                    () -> ack("j"),
                    "conflict   conflict   conflict   completed  conflict   conflict   conflict   conflict"),
            row(
                    "nack",
                    () -> nack("j"),
                    "conflict   conflict   conflict   retryable  conflict   conflict   conflict   conflict"),
            row(
                    "nack, not retryable",
                    () -> nack("j").retryable(false),
                    "conflict   conflict   conflict   discarded  conflict   conflict   conflict   conflict"),
            row(
                    "nack, requeue",
                    () -> nack("j").requeue(),
                    "conflict   conflict   conflict   available  conflict   conflict   conflict   conflict"),
            row(
                    "nack, requeue with a delay",
                    () -> nack("j").requeueIn(SOON),
                    "conflict   conflict   conflict   retryable  conflict   conflict   conflict   conflict"),
            row(
                    "extend",
                    () -> extend(null, SOON, "j"),
                    "–          –          –          ✓          –          –          –          –"),
            row(
                    "progress",
                    () -> progress("j", 0.5),
                    "conflict   conflict   conflict   ✓          conflict   conflict   conflict   conflict"),
            row(
                    "cancel",
                    () -> cancel("j"),
                    "cancelled  cancelled  cancelled  cancelled  cancelled  conflict   conflict   conflict"),
            row(
                    "activate",
                    () -> activate("j"),
                    "conflict   conflict   available  conflict   conflict   conflict   conflict   conflict"),
            row(
                    "get-job",
                    () -> getJob("j"),
                    "–          –          –          –          –          –          –          –"),
            row(
                    "retry-dead",
                    () -> retryDead("j"),
                    "conflict   conflict   conflict   conflict   conflict   conflict   conflict   available"),
            row(
                    "delete-dead",
                    () -> deleteDead("j"),
                    "conflict   conflict   conflict   conflict   conflict   conflict   conflict   gone"),
            row(
                    "retry-job",
                    () -> retryJob("j"),
                    "conflict   conflict   conflict   conflict   available  conflict   available  available"),
            row(
                    "delete-job",
                    () -> deleteJob("j"),
                    "conflict   conflict   conflict   conflict   conflict   gone       gone       gone"),
            row(
                    "set-priority",
                    () -> setPriority("j", 7),
                    "✓          ✓          ✓          ✓          ✓          conflict   conflict   conflict"));

    private static final List<Row> TIMERS = List.of(
            row(
                    "`scheduled_at` or the next attempt is due",
                    () -> tick(),
                    "available  –   –          –          available  –          –          –"),
            row(
                    "the lease ends",
                    () -> tick(),
                    "–          –          –          available  –          –          –          –"),
            row(
                    "the run takes too long",
                    () -> tick(),
                    "–          –          –          retryable  –          –          –          –"),
            row(
                    "`expires_at` is due",
                    () -> tick(),
                    "discarded  discarded  discarded  –          discarded  –          –          –"),
            row(
                    "its retention is over",
                    () -> tick(),
                    "–          –          –          –          –          gone       gone       gone"));
    // @formatter:on

    /** When the job wakes by itself, and for which reasons not in this test. */
    private record Timing(Duration delay, Duration lease, Duration timeout, Duration ttl) {
        private static final Timing NONE =
                new Timing(NOT_IN_THIS_TEST, NOT_IN_THIS_TEST, NOT_IN_THIS_TEST, NOT_IN_THIS_TEST);

        private Job job() {
            return enqueue("j")
                    .retry("{'initial_interval_ms':%d,'jitter':false}".formatted(delay.toMillis()))
                    .timeout(timeout)
                    .ttl(ttl);
        }
    }

    /** A partition with a job in that state. */
    private static TestPartition logWith(JobState state, Timing timing) {
        TestPartition log = new TestPartition();
        switch (state) {
            case SCHEDULED -> log.receives(timing.job().delay(timing.delay));
            case AVAILABLE -> log.receives(timing.job());
            case PENDING -> log.receives(timing.job().pending());
            case ACTIVE -> log.receives(timing.job(), fetch().lease(timing.lease));
            case RETRYABLE -> log.receives(timing.job(), fetch(), nack("j"));
            case COMPLETED -> log.receives(timing.job(), fetch(), ack("j"));
            case CANCELLED -> log.receives(timing.job(), cancel("j"));
            case DISCARDED -> log.receives(timing.job(), fetch(), nack("j").retryable(false));
        }
        log.job("j").is(state.wire());
        return log;
    }

    @TestFactory
    Stream<DynamicTest> every_command_in_every_state() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Row row : COMMANDS) {
            for (int i = 0; i < STATES.length; i++) {
                JobState state = STATES[i];
                String outcome = row.outcomes.get(i);
                tests.add(DynamicTest.dynamicTest(
                        "%s of a job that is %s: %s".formatted(row.operation, state.wire(), outcome),
                        () -> check(row, state, outcome)));
            }
        }
        return tests.stream();
    }

    private static void check(Row row, JobState state, String outcome) {
        // given
        TestPartition log = logWith(state, Timing.NONE);
        Map<String, String> before = log.state().entriesButPosition();
        // when
        log.receives(row.ask.get());
        // then
        switch (outcome) {
            case CONFLICT -> {
                log.emits().rejects(ErrorCode.CONFLICT).with("current_state", state.wire());
                assertThat(log.state().entriesButPosition()).isEqualTo(before);
            }
            case UNTOUCHED -> {
                log.emits().replies();
                assertThat(log.state().entriesButPosition()).isEqualTo(before);
            }
            case SAME -> log.job("j").is(state.wire());
            case GONE -> assertThat(log.knows("j")).isFalse();
            default -> log.job("j").is(outcome);
        }
    }

    @TestFactory
    Stream<DynamicTest> every_timer_in_every_state() {
        Duration far = NOT_IN_THIS_TEST;
        List<DynamicTest> tests = new ArrayList<>();
        for (int i = 0; i < STATES.length; i++) {
            tests.add(timer(0, i, new Timing(SOON, far, far, far), SOON));
            tests.add(timer(1, i, new Timing(far, SOON, far, far), SOON));
            tests.add(timer(2, i, new Timing(far, far, SOON, far), SOON));
            tests.add(timer(3, i, new Timing(far, far, far, SOON), SOON));
            tests.add(timer(4, i, Timing.NONE, ofDays(30)));
        }
        return tests.stream();
    }

    private static DynamicTest timer(int number, int state, Timing timing, Duration time) {
        Row row = TIMERS.get(number);
        String outcome = row.outcomes.get(state);
        return DynamicTest.dynamicTest(
                "%s for a job that is %s: %s".formatted(row.operation, STATES[state].wire(), outcome), () -> {
                    TestPartition log = logWith(STATES[state], timing);
                    Map<String, String> before = log.state().entriesButPosition();
                    log.after(time);
                    switch (outcome) {
                        case UNTOUCHED ->
                            assertThat(log.state().entriesButPosition()).isEqualTo(before);
                        case GONE -> assertThat(log.knows("j")).isFalse();
                        default -> log.job("j").is(outcome);
                    }
                });
    }

    @Test
    void the_initial_state_is_for_the_job_to_say() {
        TestPartition log = new TestPartition();
        log.receives(
                enqueue("plain"),
                enqueue("later").delay(ofSeconds(1)),
                enqueue("staged").pending());
        log.receives(enqueue("both").pending().delay(ofSeconds(1)));
        log.job("plain").is("available");
        log.job("later").is("scheduled");
        log.job("staged").is("pending");
        log.job("both").is("pending");
    }

    @Test
    void an_exhausted_job_is_discarded_by_whatever_ends_its_run() {
        TestPartition log = new TestPartition();
        log.receives(enqueue("lost").maxAttempts(1), fetch().lease(SOON));
        log.receives(enqueue("slow").maxAttempts(1).timeout(SOON), fetch());
        log.receives(enqueue("broken").maxAttempts(1), fetch(), nack("broken"));
        log.after(SOON);
        for (String job : List.of("lost", "slow", "broken")) log.job(job).is("discarded");
    }

    @Test
    void the_document_shows_the_same_table() throws IOException {
        String document = Files.readString(Path.of("..", "docs", "reference", "state-machine.md"));
        for (List<Row> rows : List.of(COMMANDS, TIMERS)) assertThat(document).contains(table(rows));
    }

    private static String table(List<Row> rows) {
        StringBuilder table = new StringBuilder("| |");
        for (JobState state : STATES)
            table.append(' ').append(state.name().toLowerCase(Locale.ROOT)).append(" |");
        table.append("\n|---|").append("---|".repeat(STATES.length)).append('\n');
        for (Row row : rows)
            table.append("| ")
                    .append(row.operation)
                    .append(" | ")
                    .append(String.join(" | ", row.outcomes))
                    .append(" |\n");
        return table.toString();
    }

    /** Prints the tables as they belong into the document. */
    public static void main(String[] args) {
        System.out.print(table(COMMANDS));
        System.out.println();
        System.out.print(table(TIMERS));
    }
}
