package io.floodgate.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.JobId;
import io.floodgate.topics.circuit.BreakerSettings;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Ack;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What must hold for any mix of handlers, seeded. */
class ManyJobsTest extends WorkerFixture {
    private static final int JOBS = 2_000;
    private static final int PERMITS = 7;

    @Test
    void every_job_is_reported_once_as_it_ended_and_no_more_run_than_there_are_permits() throws Exception {
        // given
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        builder.concurrency(PERMITS).handle("good", context -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            LockSupport.parkNanos(1); // lets others in, if anything would
            running.decrementAndGet();
            return null;
        });
        builder.protection(protection -> protection.typeBreaker(BreakerSettings.never()))
                .handle("bad", context -> {
                    throw new IllegalStateException("no");
                });
        Random random = new Random(42);
        Map<JobId, Boolean> good = new HashMap<>();
        start();
        // when
        for (int i = 0; i < JOBS; i++) {
            boolean isGood = random.nextInt(4) > 0;
            good.put(log.has(isGood ? "good" : "bad"), isGood);
        }
        // then
        Set<JobId> reported = new HashSet<>();
        for (int i = 0; i < JOBS; i++) {
            JobCommand report = log.nextReport();
            assertThat(reported.add(report.job())).isTrue();
            assertThat(report instanceof Ack).isEqualTo(good.get(report.job()));
        }
        assertThat(log.reports).isEmpty();
        assertThat(most.get()).isBetween(1, PERMITS);
    }
}
