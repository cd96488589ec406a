package io.floodgate.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeaseTest extends WorkerFixture {
    @Test
    void a_worker_registers_with_its_first_heartbeat() throws Exception {
        start();
        var beat = log.nextBeat();
        assertThat(beat.worker()).isEqualTo("w1");
        assertThat(new String(beat.about(), StandardCharsets.UTF_8))
                .contains("\"queues\":[\"default\"]", "\"concurrency\":2", "\"state\":\"running\"");
    }

    @Test
    void a_handler_whose_lease_is_lost_is_interrupted_and_its_result_discarded() throws Exception {
        // given
        CountDownLatch started = new CountDownLatch(1);
        BlockingQueue<Boolean> live = new LinkedBlockingQueue<>();
        builder.handle("a", context -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                live.add(context.isLive());
            }
            return "too late";
        });
        var id = startWith("a");
        await(started);
        log.nextFetch();
        log.nextFetch();
        // when
        log.takesBack(id);
        time.passOnceSet(HEARTBEAT);
        // then
        assertThat(FakeLog.next(live)).isFalse();
        log.endsParkedFetches();
        passPause();
        log.nextFetch();
        assertThat(log.reports).isEmpty();
    }

    @Test
    void a_handler_whose_job_was_cancelled_is_interrupted_and_counted_as_such() throws Exception {
        // given
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        builder.meters(meters).handle("a", context -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            return null;
        });
        var id = startWith("a");
        await(started);
        // when
        log.cancels(id);
        time.passOnceSet(HEARTBEAT);
        // then
        await(interrupted);
        until(() -> {
            Counter cancelled = meters.find("ojs.worker.outcomes")
                    .tag("outcome", "cancelled")
                    .counter();
            return cancelled != null && cancelled.count() == 1;
        });
        assertThat(log.reports).isEmpty();
    }

    @Test
    void a_handler_can_tell_a_cancelled_job_from_a_lost_lease() throws Exception {
        // given
        CountDownLatch started = new CountDownLatch(2);
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        builder.handle("a", context -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                seen.add(context.job().id() + " " + context.isLive() + " " + context.isCancelled());
            }
            return null;
        });
        var cancelled = log.has("a");
        var lost = startWith("a");
        await(started);
        // when
        log.cancels(cancelled);
        log.takesBack(lost);
        time.passOnceSet(HEARTBEAT);
        // then
        assertThat(List.of(FakeLog.next(seen), FakeLog.next(seen)))
                .containsExactlyInAnyOrder(cancelled + " false true", lost + " false false");
    }

    @Test
    void a_heartbeat_names_all_jobs_that_it_has_and_says_so() throws Exception {
        // given
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        builder.handle("a", context -> {
            started.countDown();
            end.await();
            return null;
        });
        var id = startWith("a");
        await(started);
        log.nextBeat();
        log.extensions.clear();
        // when
        time.passOnceSet(HEARTBEAT);
        // then
        Extend extend = FakeLog.next(log.extensions);
        assertThat(extend.jobs()).containsExactly(id);
        assertThat(extend.complete()).isTrue();
        end.countDown();
    }

    @Test
    void a_job_that_comes_back_under_a_new_lease_ends_its_old_run() throws Exception {
        // given
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        builder.handle("a", context -> {
            if (context.job().attempt() == 2) return "second";
            started.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            return "first";
        });
        var id = startWith("a");
        await(started);
        // when
        log.hasAgain(id, "a");
        // then
        await(interrupted);
        var ack = (Ack) log.nextReport();
        assertThat(ack.claimant().lease()).isEqualTo(102);
        assertThat(log.reports).isEmpty();
    }

    @Test
    void a_handler_whose_lease_is_prolonged_goes_on() throws Exception {
        // given
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(1);
        builder.handle("a", context -> {
            started.countDown();
            end.await();
            return context.isLive();
        });
        startWith("a");
        await(started);
        log.nextBeat();
        // when
        time.passOnceSet(HEARTBEAT);
        log.nextBeat();
        time.passOnceSet(HEARTBEAT);
        log.nextBeat();
        end.countDown();
        // then
        var ack = (Ack) log.nextReport();
        assertThat(new String(ack.result(), StandardCharsets.UTF_8)).isEqualTo("true");
    }

    @Test
    void a_quiet_worker_claims_nothing_until_it_is_directed_to_run_again() throws Exception {
        // given
        start();
        log.nextFetch();
        log.directs("quiet");
        passHeartbeat();
        passHeartbeat(); // once its alarm is set, the answer to the one before has been obeyed
        // then
        FakeLog.next(log.withdrawn);
        // when
        log.has("a");
        passHeartbeat();
        assertThat(log.fetches).isEmpty();
        log.directs("running");
        passHeartbeat();
        // then
        log.nextFetch();
    }

    @Test
    void a_worker_that_is_directed_to_terminate_closes() throws Exception {
        // given
        Worker worker = start();
        log.nextFetch();
        // when
        log.directs("terminate");
        passHeartbeat();
        // then
        worker.closed().get(20, TimeUnit.SECONDS);
        assertThat(log.leaves).hasSize(1);
    }

    private void passHeartbeat() throws InterruptedException {
        log.beats.clear();
        time.passOnceSet(HEARTBEAT);
        log.nextBeat();
    }
}
