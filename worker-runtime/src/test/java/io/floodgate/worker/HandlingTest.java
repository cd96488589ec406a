package io.floodgate.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.Nack;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HandlingTest extends WorkerFixture {
    @Test
    void a_result_is_acked_under_the_lease_of_its_run() throws Exception {
        // given
        builder.handle("sum", context -> Map.of("first", context.args().get(0)));
        // when
        var id = startWith("sum");
        // then
        Ack ack = (Ack) log.nextReport();
        assertThat(ack.job()).isEqualTo(id);
        assertThat(ack.claimant()).isEqualTo(new Claimant("w1", 101L));
        assertThat(new String(ack.result(), StandardCharsets.UTF_8)).isEqualTo("{\"first\":1}");
    }

    @Test
    void a_handler_without_a_result_acks_without_one() throws Exception {
        builder.handle("quiet", context -> null);
        startWith("quiet");
        assertThat(((Ack) log.nextReport()).result()).isNull();
    }

    @Test
    void an_exception_becomes_a_failure_that_names_its_class() throws Exception {
        // given
        builder.handle("bad", context -> {
            throw new IllegalStateException("no luck");
        });
        // when
        startWith("bad");
        // then
        Nack nack = (Nack) log.nextReport();
        assertThat(nack.requeue()).isFalse();
        assertThat(nack.error().type()).isEqualTo("IllegalStateException");
        assertThat(nack.error().code()).isEqualTo("handler_error");
        assertThat(nack.error().message()).isEqualTo("no luck");
        assertThat(nack.error().retryable()).isNull();
        assertThat(details(nack)).contains("\"error_class\":\"java.lang.IllegalStateException\"");
    }

    @Test
    void an_exception_of_a_class_without_a_name_is_named_after_what_it_extends() throws Exception {
        builder.handle("bad", context -> {
            throw new IllegalStateException("no luck") {
                private static final long serialVersionUID = 1L;
            };
        });
        startWith("bad");
        assertThat(((Nack) log.nextReport()).error().type()).isEqualTo("IllegalStateException");
    }

    @Test
    void an_error_of_the_virtual_machine_is_permanent_for_no_client_knows_how_far_the_handler_came() throws Exception {
        builder.handle("bad", context -> {
            throw new StackOverflowError();
        });
        startWith("bad");
        Nack nack = (Nack) log.nextReport();
        assertThat(nack.error().type()).isEqualTo("StackOverflowError");
        assertThat(nack.error().retryable()).isFalse();
    }

    @Test
    void an_error_is_left_to_the_retry_policy_if_the_worker_says_so() throws Exception {
        builder.protection(Protection::errorsRetryable).handle("bad", context -> {
            throw new StackOverflowError();
        });
        startWith("bad");
        assertThat(((Nack) log.nextReport()).error().retryable()).isNull();
    }

    @Test
    void a_handler_that_another_client_interrupts_fails_for_good() throws Exception {
        builder.handle("bad", context -> {
            Thread.currentThread().interrupt();
            throw new InterruptedException("by a stranger");
        });
        startWith("bad");
        Nack nack = (Nack) log.nextReport();
        assertThat(nack.error().type()).isEqualTo("InterruptedException");
        assertThat(nack.error().retryable()).isFalse();
    }

    @Test
    void a_handler_whose_error_cannot_even_be_described_fails_for_good() throws Exception {
        // given
        class Indescribable extends Error {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new OutOfMemoryError("nothing left for a message, either");
            }
        }
        builder.handle("bad", context -> {
            throw new Indescribable();
        });
        // when
        startWith("bad");
        // then
        Nack nack = (Nack) log.nextReport();
        assertThat(nack.error().type()).isEqualTo("handler_killed");
        assertThat(nack.error().retryable()).isFalse();
        assertThat(log.nextFetch().count()).isEqualTo(2);
    }

    @Test
    void a_job_whose_handler_cannot_be_started_is_given_back_untried() throws Exception {
        // given
        builder.threads(task -> new Thread(task) {
            @Override
            public void start() {
                throw new OutOfMemoryError("unable to create native thread");
            }
        });
        builder.concurrency(1).handle("a", context -> "never");
        // when
        startWith("a");
        // then
        Nack nack = (Nack) log.nextReport();
        assertThat(nack.requeue()).isTrue();
        assertThat(nack.delay()).isPositive();
        log.nextFetch();
        assertThat(log.nextFetch().count()).isEqualTo(1);
    }

    @Test
    void a_thread_that_cannot_even_be_made_ends_nothing_but_its_own_run() throws Exception {
        // given
        AtomicInteger made = new AtomicInteger();
        builder.threads(task -> {
            if (made.incrementAndGet() <= 2) throw new OutOfMemoryError("for a moment");
            return Thread.ofVirtual().unstarted(task);
        });
        builder.concurrency(3).handle("a", context -> "done");
        log.collects();
        for (int i = 0; i < 3; i++) log.has("a");
        // when
        start();
        log.nextFetch();
        log.handsOut();
        // then
        List<JobCommand> reports = List.of(log.nextReport(), log.nextReport(), log.nextReport());
        assertThat(reports).filteredOn(Ack.class::isInstance).hasSize(1);
        assertThat(reports)
                .filteredOn(report -> report instanceof Nack nack && nack.requeue())
                .hasSize(2);
        // and their permits are free again
        while (log.nextFetch().count() < 3) {
            log.endsParkedFetches();
            passPause();
        }
    }

    @Test
    void a_handler_of_a_job_that_says_nothing_may_run_for_as_long_as_the_worker_says() throws Exception {
        // given
        CountDownLatch started = new CountDownLatch(1);
        builder.protection(protection -> protection.handlerTimeout(Duration.ofSeconds(3)))
                .heartbeat(Duration.ofDays(1))
                .handle("slow", context -> {
                    started.countDown();
                    new CountDownLatch(1).await();
                    return null;
                });
        startWith("slow");
        await(started);
        // when
        time.passOnceSet(Duration.ofSeconds(3));
        // then
        Nack nack = (Nack) log.nextReport();
        assertThat(nack.error().type()).isEqualTo("timeout");
        assertThat(nack.requeue()).isFalse();
    }

    @Test
    void a_handler_decides_by_a_job_failure_what_is_reported() throws Exception {
        // given
        builder.handle("card", context -> {
            throw JobFailure.permanent("CardDeclined", "insufficient funds")
                    .code("declined")
                    .with("bank", "b1");
        });
        // when
        startWith("card");
        // then
        Nack nack = (Nack) log.nextReport();
        assertThat(nack.error().type()).isEqualTo("CardDeclined");
        assertThat(nack.error().code()).isEqualTo("declined");
        assertThat(nack.error().retryable()).isFalse();
        assertThat(details(nack)).isEqualTo("{\"bank\":\"b1\"}");
    }

    @Test
    void a_job_that_this_worker_does_not_handle_is_given_back_untried() throws Exception {
        log.has("unheard.of");
        start();
        Nack nack = (Nack) log.nextReport();
        assertThat(nack.requeue()).isTrue();
        assertThat(nack.delay()).isPositive();
        assertThat(nack.error().code()).isEqualTo("handler_not_found");
    }

    @Test
    void a_worker_without_handlers_does_not_start() {
        assertThatThrownBy(() -> log.worker().start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("handler");
    }

    @Test
    void a_handler_says_until_when_its_key_is_to_be_left_alone() throws Exception {
        Instant until = Instant.parse("2030-01-01T00:00:00Z");
        builder.handle("a", context -> {
            throw JobFailure.of("TooManyRequests", "429").rateLimitUntil(until).with("status", 429);
        });
        startWith("a");
        Nack nack = (Nack) log.nextReport();
        assertThat(nack.error().rateLimitUntil()).isEqualTo(until);
        assertThat(nack.error().retryable()).isNull();
    }

    @Test
    void what_a_handler_says_counts_even_if_its_details_cannot_be_written() throws Exception {
        builder.handle("a", context -> {
            throw JobFailure.of("Down", "x".repeat(10_000_000))
                    .retryable(true)
                    .with("unwritable", new Object())
                    .with("large", "x".repeat(100_000));
        });
        startWith("a");
        Nack nack = (Nack) log.nextReport();
        assertThat(nack.error().type()).isEqualTo("Down");
        assertThat(nack.error().retryable()).isTrue();
        assertThat(nack.error().message()).hasSizeLessThanOrEqualTo(ErrorReport.MAX_MESSAGE_CHARS);
        assertThat(nack.error().details()).hasSizeLessThanOrEqualTo(ErrorReport.MAX_DETAILS_BYTES);
    }

    @Test
    void a_result_that_cannot_be_written_does_not_make_the_work_run_again() throws Exception {
        builder.handle("charge", context -> {
            Map<String, Object> cyclic = new HashMap<>();
            cyclic.put("self", cyclic);
            return cyclic;
        });
        startWith("charge");
        Nack nack = (Nack) log.nextReport();
        assertThat(nack.error().code()).isEqualTo("result_unwritable");
        assertThat(nack.error().retryable()).isFalse();
    }

    @Test
    void a_result_that_is_too_large_is_a_failure() throws Exception {
        builder.handle("large", context -> "x".repeat(Handling.MAX_RESULT_BYTES));
        startWith("large");
        assertThat(((Nack) log.nextReport()).error().type()).isEqualTo("result_too_large");
    }

    @Test
    void a_handler_that_takes_too_long_is_interrupted_and_reported_as_timed_out() throws Exception {
        // given
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        builder.handle("slow", context -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            return "too late";
        });
        log.has("slow", "\"timeout_ms\":1000");
        start();
        await(started);
        // when
        time.passOnceSet(Duration.ofSeconds(1));
        // then
        assertThat(((Nack) log.nextReport()).error().type()).isEqualTo("timeout");
        await(interrupted);
        assertThat(log.nextFetch().count()).isEqualTo(2);
        assertThat(log.reports).isEmpty();
    }

    @Test
    void a_permit_stays_taken_while_a_timed_out_handler_goes_on() throws Exception {
        // given
        CountDownLatch deaf = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(1);
        builder.concurrency(2).handle("deaf", context -> {
            started.countDown();
            while (deaf.getCount() > 0) awaitDeaf(deaf);
            return null;
        });
        log.has("deaf", "\"timeout_ms\":1000");
        start();
        await(started);
        assertThat(log.nextFetch().count()).isEqualTo(2);
        assertThat(log.nextFetch().count()).isEqualTo(1);
        // when
        time.passOnceSet(Duration.ofSeconds(1));
        log.nextReport();
        log.endsParkedFetches();
        passPause();
        // then
        assertThat(log.nextFetch().count()).isEqualTo(1);
        deaf.countDown();
    }

    @Test
    void a_job_that_cannot_be_read_fails_for_good_and_the_others_run() throws Exception {
        // given
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        builder.meters(meters).concurrency(4).handle("a", context -> "done");
        JobId unreadable = JobId.make(Slot.of("default"), 7, 7);
        log.collects();
        log.hasSomething("{\"id\":\"%s\",\"type\":\"a\",\"queue\":\"default\",\"lease\":55,\"args\":[1e99999999999]}"
                .formatted(unreadable));
        log.hasSomething("{\"id\":1}");
        JobId sound = log.has("a");
        // when
        start();
        log.nextFetch();
        log.handsOut();
        // then
        Nack nack = (Nack) log.nextReport();
        assertThat(nack.job()).isEqualTo(unreadable);
        assertThat(nack.claimant()).isEqualTo(new Claimant("w1", 55L));
        assertThat(nack.error().retryable()).isFalse();
        assertThat(nack.error().code()).isEqualTo("job_unreadable");
        assertThat(log.nextReport().job()).isEqualTo(sound);
        assertThat(meters.get("ojs.worker.jobs.unreadable").counter().count()).isEqualTo(2);
        // and their permits are free again
        while (log.nextFetch().count() < 4) {
            log.endsParkedFetches();
            passPause();
        }
    }

    @Test
    void numbers_beyond_what_java_counts_with_reach_the_handler_digit_by_digit() throws Exception {
        builder.handle("a", context -> context.args());
        log.hasSomething("{\"id\":\"%s\",\"type\":\"a\",\"queue\":\"default\",\"lease\":55,\"args\":%s}"
                .formatted(
                        JobId.make(Slot.of("default"), 7, 7),
                        "[123456789012345678901234567890,1.00000000000000000000001,1e-400,1e400]"));
        start();
        Ack ack = (Ack) log.nextReport();
        assertThat(new String(ack.result(), StandardCharsets.UTF_8))
                .isEqualTo("[123456789012345678901234567890,1.00000000000000000000001,1E-400,1E+400]");
    }

    private static void awaitDeaf(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            // that is what deaf means
        }
    }

    private static String details(Nack nack) {
        return new String(nack.error().details(), StandardCharsets.UTF_8);
    }
}
