package io.floodgate.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Nack;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ClosingTest extends WorkerFixture {
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    private Object waits(JobContext context) throws InterruptedException {
        started.countDown();
        end.await();
        return "done";
    }

    @Test
    void running_handlers_may_finish_and_are_acked_before_the_worker_leaves() throws Exception {
        // given
        builder.handle("a", this::waits);
        log.has("a");
        Worker worker = start();
        await(started);
        // when
        Thread closing = closeInTheBackground(worker);
        end.countDown();
        closing.join();
        // then
        assertThat(log.nextReport()).isInstanceOf(Ack.class);
        assertThat(log.leaves).hasSize(1);
        assertThat(worker.closed()).isCompleted();
    }

    @Test
    void what_has_not_finished_after_the_grace_period_is_given_back() throws Exception {
        // given
        builder.grace(Duration.ofMillis(1)).handle("a", this::waits);
        log.has("a");
        Worker worker = start();
        await(started);
        // when
        closeInTheBackground(worker).join();
        // then
        Nack nack = (Nack) log.nextReport();
        assertThat(nack.requeue()).isTrue();
        assertThat(log.reports).isEmpty();
        assertThat(log.leaves).hasSize(1);
    }

    @Test
    void a_handler_that_has_begun_a_job_which_must_not_run_twice_fails_it_instead_of_giving_it_back() throws Exception {
        // given
        builder.grace(Duration.ofMillis(1)).handle("a", this::waits);
        log.has("a", "\"on_worker_lost\":\"discard\"");
        Worker worker = start();
        await(started);
        // when
        closeInTheBackground(worker).join();
        // then
        Nack nack = (Nack) log.nextReport();
        assertThat(nack.requeue()).isFalse();
        assertThat(nack.error().type()).isEqualTo("worker_closed");
        assertThat(nack.error().retryable()).isFalse();
    }

    @Test
    void a_fetch_that_waits_is_withdrawn_so_that_it_strands_nothing() throws Exception {
        Worker worker = start();
        var fetch = log.nextFetch();
        worker.close();
        assertThat(log.withdrawn).containsExactly(fetch);
        assertThat(log.leaves).hasSize(1);
    }

    @Test
    void a_job_that_a_fetch_brings_after_the_closing_began_is_given_back_unstarted() throws Exception {
        // given: the fetch is answered at the very moment when it is withdrawn
        builder.handle("a", this::waits);
        log.collects();
        log.has("a");
        Worker worker = start();
        log.nextFetch();
        // when
        worker.close();
        // then
        assertThat(((Nack) log.nextReport()).requeue()).isTrue();
        assertThat(started.getCount()).isEqualTo(1);
    }

    @Test
    void closing_twice_is_closing_once() throws Exception {
        Worker worker = start();
        Thread first = closeInTheBackground(worker);
        worker.close();
        first.join();
        assertThat(log.leaves).hasSize(1);
    }
}
