package io.floodgate.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.circuit.BreakerSettings;
import io.floodgate.topics.command.ErrorCode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportingTest extends WorkerFixture {
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(5);

    @TempDir
    Path directory;

    @Test
    void an_ack_is_repeated_until_it_is_answered() throws Exception {
        // given
        log.answersWithSilence();
        log.rejects(ErrorCode.BACKEND_UNAVAILABLE);
        builder.heartbeat(Duration.ofDays(1)).concurrency(1).handle("a", context -> null);
        // when
        startWith("a");
        var first = log.nextReport();
        time.passOnceSet(LONGEST_BACKOFF);
        var second = log.nextReport();
        time.passOnceSet(LONGEST_BACKOFF);
        var third = log.nextReport();
        // then
        assertThat(second).isEqualTo(first);
        assertThat(third).isEqualTo(first);
    }

    @Test
    void the_permit_is_free_before_the_outcome_is_sent() throws Exception {
        // given
        log.answersWithSilence();
        builder.heartbeat(Duration.ofDays(1)).concurrency(1).handle("a", context -> null);
        startWith("a");
        log.nextFetch();
        log.nextReport();
        // then
        assertThat(log.nextFetch().count()).isEqualTo(1);
        time.passOnceSet(LONGEST_BACKOFF);
        log.nextReport();
    }

    @Test
    void no_job_is_claimed_whose_outcome_would_have_no_place() throws Exception {
        // given
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        log.answersWithSilence();
        builder.meters(meters)
                .protection(protection -> protection.completionBuffer(1))
                .heartbeat(Duration.ofDays(1))
                .concurrency(3)
                .handle("a", context -> null);
        startWith("a");
        assertThat(log.nextFetch().count()).isEqualTo(1);
        log.nextReport();
        assertThat(log.fetches).isEmpty();
        assertThat(meters.get("ojs.worker.channel.saturation")
                        .tag("channel", "completion")
                        .gauge()
                        .value())
                .isEqualTo(1);
        // when
        time.passOnceSet(LONGEST_BACKOFF);
        log.nextReport();
        // then
        assertThat(log.nextFetch().count()).isEqualTo(1);
    }

    @Test
    void a_rejected_ack_is_not_repeated_but_counted() throws Exception {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        log.rejects(ErrorCode.CONFLICT);
        builder.meters(meters).concurrency(1).handle("a", context -> null);
        startWith("a");
        log.nextFetch();
        log.nextReport();
        assertThat(log.nextFetch().count()).isEqualTo(1);
        until(() -> rejected(meters, ErrorCode.CONFLICT) == 1);
        assertThat(log.reports).isEmpty();
    }

    private static double rejected(SimpleMeterRegistry meters, ErrorCode code) {
        Counter counter = meters.find("ojs.worker.reports.rejected")
                .tag("code", code.wire())
                .counter();
        return counter == null ? 0 : counter.count();
    }

    @Test
    void an_ack_that_the_logs_own_failure_rejected_is_repeated() throws Exception {
        log.rejects(ErrorCode.INTERNAL_ERROR);
        log.rejects(ErrorCode.MEMORY_FULL);
        builder.heartbeat(Duration.ofDays(1)).concurrency(1).handle("a", context -> null);
        startWith("a");
        log.nextFetch();
        var first = log.nextReport();
        for (int i = 0; i < 2; i++) {
            time.passOnceSet(LONGEST_BACKOFF);
            assertThat(log.nextReport()).isEqualTo(first);
        }
        log.nextFetch();
    }

    @Test
    void an_outcome_is_never_dropped_however_often_the_log_fails() throws Exception {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        for (int i = 0; i < 100; i++) log.rejects(ErrorCode.INTERNAL_ERROR);
        builder.meters(meters)
                .journal(directory)
                .heartbeat(Duration.ofDays(1))
                .concurrency(1)
                .handle("a", context -> null);
        startWith("a");
        log.nextFetch();
        var first = log.nextReport();
        for (int i = 0; i < 100; i++) {
            until(() -> {
                time.pass(Duration.ofMillis(100));
                return !log.reports.isEmpty();
            });
            assertThat(log.nextReport()).isEqualTo(first);
        }
        until(() -> running(meters) == 0);
        assertThat(log.reports).isEmpty();
        assertThat(meters.find("ojs.worker.reports.rejected").counter()).isNull();
    }

    @Test
    void what_fails_in_the_worker_itself_does_not_keep_an_outcome_from_being_reported_later() throws Exception {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        log.answersWithSilence();
        builder.meters(meters).heartbeat(Duration.ofDays(1)).concurrency(1).handle("a", context -> null);
        startWith("a");
        log.nextFetch();
        var first = log.nextReport();
        // when
        log.throwsInstead(new OutOfMemoryError("for a moment"));
        time.passOnceSet(LONGEST_BACKOFF);
        // then
        until(() -> {
            time.pass(Duration.ofMillis(100));
            return !log.reports.isEmpty();
        });
        assertThat(log.nextReport()).isEqualTo(first);
        until(() -> running(meters) == 0);
    }

    @Test
    void those_that_wait_for_a_log_to_be_tried_look_the_more_seldom_the_longer_they_wait() throws Exception {
        // given: outcomes that wait for a silent log, and one of them on its way to find out
        int jobs = 50;
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        CountDownLatch started = new CountDownLatch(jobs);
        CountDownLatch end = new CountDownLatch(1);
        builder.meters(meters)
                .heartbeat(Duration.ofDays(1))
                .concurrency(jobs + 1)
                .protection(protection -> protection.logBreaker(new BreakerSettings(1, Duration.ofSeconds(2), 1)))
                .handle("first", context -> null)
                .handle("a", context -> {
                    started.countDown();
                    end.await();
                    return null;
                });
        log.answersWithSilence();
        log.neverAnswers();
        start();
        for (int i = 0; i < jobs; i++) log.has("a");
        await(started);
        log.has("first");
        log.nextReport();
        until(() -> logBreaker(meters) == 2);
        end.countDown();
        until(() -> succeeded(meters) == jobs + 1 && time.pending() > jobs);
        time.pass(Duration.ofSeconds(2));
        log.nextReport();
        // when
        int before = time.set();
        for (int i = 0; i < 100; i++) {
            time.pass(Duration.ofMillis(50));
            until(() -> time.pending() >= jobs);
        }
        // then: in 5 s each has looked a few times, not a hundred
        assertThat(time.set() - before).isLessThan(20 * jobs);
        log.answersAtLast();
        until(() -> {
            time.pass(Duration.ofMillis(100));
            return log.reports.size() == jobs;
        });
    }

    private static double logBreaker(SimpleMeterRegistry meters) {
        return meters.find("ojs.worker.breaker.state").gauges().stream()
                .filter(breaker -> breaker.getId().getTag("breaker").startsWith("log:"))
                .mapToDouble(Gauge::value)
                .findFirst()
                .orElse(0);
    }

    private static double succeeded(SimpleMeterRegistry meters) {
        var counter =
                meters.find("ojs.worker.outcomes").tag("outcome", "succeeded").counter();
        return counter == null ? 0 : counter.count();
    }

    private static double running(SimpleMeterRegistry meters) {
        return meters.get("ojs.worker.running").gauge().value();
    }
}
