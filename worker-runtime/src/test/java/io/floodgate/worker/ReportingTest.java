package io.floodgate.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.command.ErrorCode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReportingTest extends WorkerFixture {
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(5);

    @Test
    void an_ack_is_repeated_until_it_is_answered() throws Exception {
        // given
        log.answersWithSilence();
        log.refuses(ErrorCode.BACKEND_UNAVAILABLE);
        builder.heartbeat(Duration.ofDays(1)).concurrency(1).handle("a", context -> null);
        // when
        log.has("a");
        start();
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
        log.has("a");
        start();
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
        log.has("a");
        start();
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
    void a_refused_ack_is_not_repeated_but_counted() throws Exception {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        log.refuses(ErrorCode.CONFLICT);
        builder.meters(meters).concurrency(1).handle("a", context -> null);
        log.has("a");
        start();
        log.nextFetch();
        log.nextReport();
        assertThat(log.nextFetch().count()).isEqualTo(1);
        assertThat(log.reports).isEmpty();
        assertThat(refused(meters, ErrorCode.CONFLICT)).isEqualTo(1);
    }

    private static double refused(SimpleMeterRegistry meters, ErrorCode code) {
        return meters.get("ojs.worker.reports.refused")
                .tag("code", code.wire())
                .counter()
                .count();
    }

    @Test
    void an_ack_that_the_logs_own_failure_refused_is_repeated() throws Exception {
        log.refuses(ErrorCode.INTERNAL_ERROR);
        log.refuses(ErrorCode.MEMORY_FULL);
        builder.heartbeat(Duration.ofDays(1)).concurrency(1).handle("a", context -> null);
        log.has("a");
        start();
        log.nextFetch();
        var first = log.nextReport();
        for (int i = 0; i < 2; i++) {
            time.passOnceSet(LONGEST_BACKOFF);
            assertThat(log.nextReport()).isEqualTo(first);
        }
        log.nextFetch();
    }

    @Test
    void a_log_that_fails_again_and_again_does_not_keep_the_permit_for_ever() throws Exception {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        for (int i = 0; i < Report.MOST_INTERNAL_ERRORS; i++) log.refuses(ErrorCode.INTERNAL_ERROR);
        builder.meters(meters)
                .protection(protection -> protection.completionBuffer(1))
                .heartbeat(Duration.ofDays(1))
                .concurrency(1)
                .handle("a", context -> null);
        log.has("a");
        start();
        log.nextFetch();
        log.nextReport();
        for (int i = 1; i < Report.MOST_INTERNAL_ERRORS; i++) {
            assertThat(log.fetches).isEmpty();
            time.passOnceSet(LONGEST_BACKOFF);
            log.nextReport();
        }
        log.nextFetch();
        assertThat(refused(meters, ErrorCode.INTERNAL_ERROR)).isEqualTo(1);
    }
}
