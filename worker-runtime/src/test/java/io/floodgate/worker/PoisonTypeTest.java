package io.floodgate.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.WantedJobs;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A type of jobs that keeps failing rests; the others go on. */
class PoisonTypeTest extends WorkerFixture {
    private static final Duration REST = Duration.ofSeconds(30);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final AtomicBoolean ill = new AtomicBoolean(true);
    private final AtomicInteger poisoned = new AtomicInteger();

    @BeforeEach
    void handlers() {
        builder.meters(meters)
                .concurrency(1)
                .heartbeat(Duration.ofDays(1))
                .handle("poison", context -> {
                    poisoned.incrementAndGet();
                    if (ill.get()) throw new IllegalStateException("no");
                    return null;
                })
                .handle("good", context -> null);
    }

    @Test
    void five_failures_in_a_row_open_the_breaker_of_their_type_only() throws Exception {
        start();
        for (int i = 0; i < 5; i++)
            assertThat(nackOf(log.has("poison")).requeue()).isFalse();
        assertThat(state("poison")).isEqualTo(2);
        // when
        for (int i = 0; i < 10; i++) {
            Nack back = nackOf(log.has("poison"));
            // then
            assertThat(back.requeue()).isTrue();
            assertThat(back.error().code()).isEqualTo("breaker_open");
            assertThat(back.delay()).isEqualTo(REST);
            assertThat(reportOf(log.has("good"))).isInstanceOf(Ack.class);
        }
        assertThat(poisoned).hasValue(5);
        assertThat(state("good")).isZero();
    }

    @Test
    void after_the_rest_one_job_is_tried_and_after_two_successes_all_are() throws Exception {
        // given
        start();
        for (int i = 0; i < 5; i++) nackOf(log.has("poison"));
        // when it has not healed
        time.pass(REST);
        assertThat(state("poison")).isEqualTo(1);
        assertThat(nackOf(log.has("poison")).requeue()).isFalse();
        // then
        assertThat(state("poison")).isEqualTo(2);
        assertThat(nackOf(log.has("poison")).requeue()).isTrue();
        // and when it has
        ill.set(false);
        time.pass(REST);
        assertThat(reportOf(log.has("poison"))).isInstanceOf(Ack.class);
        assertThat(state("poison")).isEqualTo(1);
        assertThat(reportOf(log.has("poison"))).isInstanceOf(Ack.class);
        assertThat(state("poison")).isZero();
    }

    @Test
    void a_type_that_rests_is_not_claimed_and_others_are() throws Exception {
        // given
        start();
        for (int i = 0; i < 5; i++) nackOf(log.has("poison"));
        // when
        assertThat(reportOf(log.has("good"))).isInstanceOf(Ack.class);
        log.fetches.clear();
        assertThat(reportOf(log.has("good"))).isInstanceOf(Ack.class);
        // then
        assertThat(log.fetches.take().types()).isEqualTo(WantedJobs.only(List.of("good", "other")));
        // and when it has rested
        time.pass(REST);
        assertThat(reportOf(log.has("good"))).isInstanceOf(Ack.class);
        log.fetches.clear();
        assertThat(reportOf(log.has("good"))).isInstanceOf(Ack.class);
        assertThat(log.fetches.take().types()).isEqualTo(WantedJobs.only(List.of("good", "other", "poison")));
    }

    @Test
    void no_fetch_outlasts_the_rest_of_a_type_that_it_leaves_out() throws Exception {
        builder.park(Duration.ofMinutes(5));
        start();
        for (int i = 0; i < 5; i++) nackOf(log.has("poison"));
        assertThat(reportOf(log.has("good"))).isInstanceOf(Ack.class);
        log.fetches.clear();
        assertThat(reportOf(log.has("good"))).isInstanceOf(Ack.class);
        assertThat(log.fetches.take().maxWait()).isLessThanOrEqualTo(REST);
    }

    @Test
    void while_one_job_is_tried_no_other_of_its_type_is_claimed() throws Exception {
        // given
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch tried = new CountDownLatch(1);
        builder.concurrency(10)
                .protection(p -> p.handlerTimeout(Duration.ofDays(1)))
                .handle("down", context -> {
                    if (context.job().attempt() == 1) throw new IllegalStateException("no");
                    tried.countDown();
                    hangs.await();
                    return null;
                });
        start();
        for (int i = 0; i < 5; i++)
            assertThat(nackOf(log.has("down")).requeue()).isFalse();
        until(() -> !parkedFetch().types().have("down"));
        log.heedsTypes();
        for (int i = 0; i < 100; i++) log.has("down", 2);
        // when it has rested, and the one that is tried hangs as the downstream does
        time.pass(REST);
        comeBackForMore();
        await(tried);
        // then
        for (int i = 0; i < 3; i++) {
            assertThat(parkedFetch().types().have("down")).isFalse();
            comeBackForMore();
        }
        assertThat(log.reports).isEmpty();
        assertThat(log.handedOut()).isEqualTo(5 + 1);
        // and when it ends well
        hangs.countDown();
        for (int i = 0; i < 100; i++) assertThat(log.nextReport()).isInstanceOf(Ack.class);
    }

    @Test
    void when_all_types_rest_nothing_is_asked_for() throws Exception {
        // given
        WorkerBuilder single = log.worker()
                .meters(meters)
                .heartbeat(Duration.ofDays(1))
                .handle("down", context -> {
                    throw new IllegalStateException("no");
                });
        log.heedsTypes();
        try (Worker worker = single.start(RetryTiming.of(time))) {
            for (int i = 0; i < 5; i++) nackOf(log.has("down"));
            until(() -> rejections() > 0);
            log.fetches.clear();
            // when
            log.has("down");
            time.pass(REST.minusSeconds(1));
            // then
            assertThat(log.reports).isEmpty();
            assertThat(log.fetches).isEmpty();
            time.pass(Duration.ofSeconds(1));
            until(() -> {
                time.pass(Duration.ofMillis(1));
                return !log.reports.isEmpty();
            });
        }
    }

    private double rejections() {
        var counter = meters.find("ojs.worker.claim.rejections")
                .tag("reason", "type_breaker")
                .counter();
        return counter == null ? 0 : counter.count();
    }

    private Fetch parkedFetch() throws Exception {
        until(() -> log.parked().isPresent());
        return log.parked().orElseThrow();
    }

    /** What is parked ends without jobs, and the next fetch comes. */
    private void comeBackForMore() throws Exception {
        parkedFetch();
        int before = log.handedOut();
        log.endsParkedFetches();
        passPause();
        until(() -> log.handedOut() > before || log.parked().isPresent());
    }

    @Test
    void a_handler_that_finds_its_jobs_wrong_works_as_it_should() throws Exception {
        builder.handle("strict", context -> {
            throw JobFailure.permanent("BadAddress", "no such address");
        });
        start();
        for (int i = 0; i < 20; i++)
            assertThat(nackOf(log.has("strict")).requeue()).isFalse();
        assertThat(state("strict")).isZero();
    }

    @Test
    void a_key_that_is_to_be_left_alone_says_nothing_against_its_type() throws Exception {
        builder.handle("limited", context -> {
            throw JobFailure.of("TooManyRequests", "429").rateLimitUntil(Instant.parse("2030-01-01T00:00:00Z"));
        });
        start();
        for (int i = 0; i < 20; i++)
            assertThat(nackOf(log.has("limited")).requeue()).isFalse();
        assertThat(state("limited")).isZero();
    }

    @Test
    void a_failure_that_may_pass_counts_as_one() throws Exception {
        builder.handle("down", context -> {
            throw JobFailure.of("SmtpDown", "connection refused").retryable(true);
        });
        start();
        for (int i = 0; i < 5; i++) nackOf(log.has("down"));
        assertThat(state("down")).isEqualTo(2);
    }

    private Nack nackOf(JobId job) throws InterruptedException {
        return (Nack) reportOf(job);
    }

    private JobCommand reportOf(JobId job) throws InterruptedException {
        JobCommand report = log.nextReport();
        // A fetch that is withdrawn as it gets the job gives it back, and the partition hands it out again.
        while (report instanceof Nack back && back.error().code().equals("fetch_abandoned")) {
            log.hasAgain(job);
            report = log.nextReport();
        }
        assertThat(report.job()).isEqualTo(job);
        return report;
    }

    private double state(String type) {
        return meters.get("ojs.worker.breaker.state")
                .tag("breaker", "type:" + type)
                .gauge()
                .value();
    }
}
