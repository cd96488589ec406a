package io.floodgate.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.JobId;
import io.floodgate.topics.circuit.BreakerSettings;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The partition is out of reach while handlers end: no completion is lost. */
class OutageTest extends WorkerFixture {
    private static final int JOBS = 20;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final CountDownLatch started = new CountDownLatch(JOBS);
    private final CountDownLatch end = new CountDownLatch(1);
    private final Set<JobId> jobs = new HashSet<>();

    @TempDir
    Path directory;

    @Test
    void every_outcome_arrives_once_the_log_is_back() throws Exception {
        // given
        handlersEndInAnOutage(builder);
        assertThat(log.reports).isEmpty();
        // when
        log.comesBack();
        // then
        assertThat(reportedWhileTimePasses()).isEqualTo(jobs);
        until(() -> running() == 0);
        assertThat(log.reports).isEmpty();
    }

    @Test
    void a_log_that_does_not_answer_is_asked_now_and_then_and_nothing_is_claimed_from_it() throws Exception {
        // given
        handlersEndInAnOutage(builder.protection(
                protection -> protection.logBreaker(new BreakerSettings(5, Duration.ofMinutes(1), 1))));
        assertThat(logBreaker()).isEqualTo(2);
        int fetches = log.fetchesInVain();
        // when
        for (int i = 0; i < 10; i++) time.pass(Duration.ofSeconds(5));
        // then no outcome has been sent a second time, and no fetch but one that was on its way
        assertThat(log.reportsInVain()).isLessThanOrEqualTo(JOBS);
        assertThat(log.fetchesInVain() - fetches).isLessThanOrEqualTo(1);
        // and then
        log.comesBack();
        assertThat(reportedWhileTimePasses()).isEqualTo(jobs);
        assertThat(logBreaker()).isZero();
    }

    @Test
    void a_worker_that_is_killed_in_an_outage_leaves_its_outcomes_to_its_successor() throws Exception {
        // given
        builder.grace(Duration.ofMillis(1)).patience(Duration.ofMillis(1));
        Path journal = directory.resolve("killed");
        handlersEndInAnOutage(builder.journal(journal));
        until(() -> written(journal) == JOBS);
        // when it is killed: what is on the disk is all that is left
        Path after = directory.resolve("restarted");
        Files.createDirectories(after);
        Files.copy(journal.resolve(OutcomeJournal.FILE), after.resolve(OutcomeJournal.FILE));
        log.comesBack();
        Worker successor = another("w2").journal(after).start(RetryTiming.of(new ManualAlarms()));
        // then
        Set<JobId> reported = new HashSet<>();
        for (int i = 0; i < JOBS; i++) {
            JobCommand report = log.nextReport();
            assertThat(((Ack) report).claimant().worker()).isEqualTo("w1");
            reported.add(report.job());
        }
        assertThat(reported).isEqualTo(jobs);
        successor.close();
        assertThat(written(after)).isZero();
    }

    @Test
    void a_worker_that_closes_in_an_outage_writes_down_what_it_could_not_report_and_keeps_its_leases()
            throws Exception {
        // given
        builder.grace(Duration.ofMillis(1)).patience(Duration.ofMillis(1));
        Worker worker = handlersEndInAnOutage(builder.journal(directory));
        // when
        worker.close();
        // then
        assertThat(written(directory)).isEqualTo(JOBS);
        assertThat(log.leaves).isEmpty();
        // and then
        log.comesBack();
        another("w2")
                .journal(directory)
                .start(RetryTiming.of(new ManualAlarms()))
                .close();
        assertThat(log.reports).hasSize(JOBS);
    }

    @Test
    void what_no_longer_counts_is_not_kept() throws Exception {
        // given
        builder.grace(Duration.ofMillis(1)).patience(Duration.ofMillis(1));
        handlersEndInAnOutage(builder.journal(directory)).close();
        // when their leases have ended elsewhere
        log.comesBack();
        for (int i = 0; i < JOBS; i++) log.rejects(ErrorCode.CONFLICT);
        another("w2")
                .journal(directory)
                .start(RetryTiming.of(new ManualAlarms()))
                .close();
        // then
        assertThat(written(directory)).isZero();
    }

    @Test
    void without_a_journal_a_worker_that_closes_reports_as_long_as_its_grace_lasts() throws Exception {
        // given
        Worker worker = handlersEndInAnOutage(builder);
        Thread closing = closeInTheBackground(worker);
        // when
        log.comesBack();
        // then
        assertThat(reportedWhileTimePasses()).isEqualTo(jobs);
        closing.join();
        assertThat(log.leaves).hasSize(1);
    }

    @Test
    void without_a_journal_the_jobs_of_a_killed_worker_run_again_when_their_leases_end() throws Exception {
        // given
        builder.grace(Duration.ofMillis(1)).patience(Duration.ofMillis(1));
        handlersEndInAnOutage(builder);
        // when nothing is left of it
        log.comesBackWithout("w1");
        Worker successor = another("w2").handle("a", context -> null).start(RetryTiming.of(new ManualAlarms()));
        for (JobId job : jobs) log.hasAgain(job, "a");
        // then
        Set<JobId> reported = new HashSet<>();
        while (reported.size() < JOBS) {
            Ack report = (Ack) log.nextReport();
            if (report.claimant().equals(new Claimant("w2", report.claimant().lease()))) reported.add(report.job());
        }
        assertThat(reported).isEqualTo(jobs);
        successor.close();
    }

    @Test
    void a_log_in_good_order_costs_no_writing() throws Exception {
        builder.journal(directory).handle("a", context -> null);
        start();
        for (int i = 0; i < JOBS; i++) log.has("a");
        for (int i = 0; i < JOBS; i++) log.nextReport();
        until(() -> Files.size(directory.resolve(OutcomeJournal.FILE)) == 0);
    }

    @Test
    void a_log_that_takes_its_time_has_what_it_may_not_get_written_down() throws Exception {
        // given
        log.neverAnswers();
        builder.journal(directory).handle("a", context -> null);
        start();
        log.has("a");
        log.nextReport();
        assertThat(written(directory)).isZero();
        // when
        time.passOnceSet(OutcomeReport.JOURNAL_AFTER);
        // then
        until(() -> written(directory) == 1);
        log.answersAtLast();
        until(() -> Files.size(directory.resolve(OutcomeJournal.FILE)) == 0);
    }

    @Test
    void a_journal_that_cannot_be_used_is_said_at_the_start() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> another("w2").journal(file).start())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(file.toString());
    }

    private Worker handlersEndInAnOutage(WorkerBuilder building) throws Exception {
        building.meters(meters).concurrency(JOBS).handle("a", context -> {
            started.countDown();
            end.await();
            return "done";
        });
        log.collects();
        for (int i = 0; i < JOBS; i++) jobs.add(log.has("a"));
        Worker worker = start();
        log.nextFetch();
        log.handsOut();
        await(started);
        log.goesOut();
        end.countDown();
        until(() -> succeeded() == JOBS);
        until(() -> logBreaker() == 2);
        return worker;
    }

    private static WorkerBuilder another(String id, FakeLog log) {
        return log.worker().id(id).heartbeat(HEARTBEAT).handle("other", context -> null);
    }

    private WorkerBuilder another(String id) {
        return another(id, log);
    }

    private Set<JobId> reportedWhileTimePasses() throws Exception {
        Set<JobId> reported = new HashSet<>();
        while (reported.size() < JOBS) {
            time.pass(Duration.ofMillis(500));
            JobCommand report = log.reports.poll();
            if (report != null) assertThat(reported.add(report.job())).isTrue();
            Thread.onSpinWait();
        }
        return reported;
    }

    private double succeeded() {
        var counter =
                meters.find("ojs.worker.outcomes").tag("outcome", "succeeded").counter();
        return counter == null ? 0 : counter.count();
    }

    private double logBreaker() {
        var gauge = meters.find("ojs.worker.breaker.state").gauges().stream()
                .filter(breaker -> breaker.getId().getTag("breaker").startsWith("log:"))
                .findFirst();
        return gauge.isEmpty() ? 0 : gauge.get().value();
    }

    private double running() {
        return meters.get("ojs.worker.running").gauge().value();
    }

    /** How many outcomes would be found if the worker were killed now. */
    private int written(Path journal) throws Exception {
        Path copy = Files.createTempDirectory(directory, "copy");
        Path file = journal.resolve(OutcomeJournal.FILE);
        if (Files.exists(file)) Files.copy(file, copy.resolve(OutcomeJournal.FILE));
        try (OutcomeJournal read = OutcomeJournal.open(copy, 1 << 20)) {
            return read.unsent().size();
        }
    }
}
