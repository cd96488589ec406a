package io.floodgate.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.command.ErrorCode;
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
    void no_job_is_claimed_for_a_permit_whose_outcome_is_unanswered() throws Exception {
        // given
        log.answersWithSilence();
        builder.heartbeat(Duration.ofDays(1)).concurrency(1).handle("a", context -> null);
        log.has("a");
        start();
        log.nextFetch();
        log.nextReport();
        assertThat(log.fetches).isEmpty();
        // when
        time.passOnceSet(LONGEST_BACKOFF);
        log.nextReport();
        // then
        assertThat(log.nextFetch().count()).isEqualTo(1);
    }

    @Test
    void a_refused_ack_is_not_repeated() throws Exception {
        log.refuses(ErrorCode.CONFLICT);
        builder.concurrency(1).handle("a", context -> null);
        log.has("a");
        start();
        log.nextFetch();
        log.nextReport();
        assertThat(log.nextFetch().count()).isEqualTo(1);
        assertThat(log.reports).isEmpty();
    }
}
