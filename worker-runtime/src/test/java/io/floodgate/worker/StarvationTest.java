package io.floodgate.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Nack;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Jobs that were claimed and whose handlers do not begin, for others have the processor to themselves. */
class StarvationTest extends WorkerFixture {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final CountDownLatch dispatched = new CountDownLatch(1);
    private final CountDownLatch processor = new CountDownLatch(1);

    @Test
    void is_counted_and_the_time_out_of_the_handler_begins_with_the_handler() throws Exception {
        // given
        starvingWorker();
        startWith("a");
        await(dispatched);
        assertThat(waiting()).isPositive();
        log.nextBeat();
        // when
        time.passOnceSet(HEARTBEAT);
        log.nextBeat();
        assertThat(starved()).isZero();
        time.passOnceSet(HEARTBEAT);
        log.nextBeat();
        // then
        assertThat(starved()).isEqualTo(1);
        time.pass(Duration.ofMinutes(1));
        processor.countDown();
        assertThat(log.nextReport()).isInstanceOf(Ack.class);
        assertThat(waiting()).isZero();
    }

    @Test
    void a_job_whose_handler_has_not_begun_when_the_worker_closes_is_given_back_untried() throws Exception {
        // given
        starvingWorker();
        builder.grace(Duration.ofMillis(1));
        log.has("a", "\"on_worker_lost\":\"discard\"");
        Worker worker = start();
        await(dispatched);
        // when
        Thread closing = closeInTheBackground(worker);
        // then
        var nack = (Nack) log.nextReport();
        assertThat(nack.requeue()).isTrue();
        processor.countDown();
        closing.join();
    }

    private void starvingWorker() {
        builder.meters(meters)
                .threads(task -> Thread.ofVirtual().unstarted(() -> {
                    dispatched.countDown();
                    try {
                        processor.await();
                    } catch (InterruptedException ended) {
                        // the run sees by itself that it is over
                    }
                    task.run();
                }))
                .handle("a", context -> null);
    }

    private double waiting() {
        return meters.get("ojs.worker.channel.saturation")
                .tag("channel", "dispatch")
                .gauge()
                .value();
    }

    private double starved() {
        return meters.get("ojs.worker.dispatch.starved").counter().count();
    }
}
