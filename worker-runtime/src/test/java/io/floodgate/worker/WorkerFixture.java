package io.floodgate.worker;

import io.floodgate.topics.JobId;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** A worker on a partition in memory, with time that stands still. */
abstract class WorkerFixture {
    static final Duration HEARTBEAT = Duration.ofSeconds(5);
    /** Longer than any pause that comes soon. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    final FakeLog log = new FakeLog();
    final ManualAlarms time = new ManualAlarms();
    final WorkerBuilder builder = log.worker()
            .id("w1")
            .concurrency(2)
            .heartbeat(HEARTBEAT)
            .handle("other", context -> null)
            .grace(Duration.ofSeconds(20));
    private Worker worker;

    Worker start() {
        worker = builder.start(RetryTiming.of(time));
        return worker;
    }

    /** Starts the worker when a job of this type is there. */
    JobId startWith(String type) {
        JobId id = log.has(type);
        start();
        return id;
    }

    @AfterEach
    void close() throws InterruptedException {
        if (worker == null) return;
        closeInTheBackground(worker).join();
    }

    Thread closeInTheBackground(Worker closing) {
        return Thread.startVirtualThread(closing::close);
    }

    /** The pause that follows when something did not work. */
    void passPause() throws InterruptedException {
        time.passOnceSet(PAUSE);
    }

    interface Condition {
        boolean holds() throws Exception;
    }

    static void until(Condition condition) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) throw new AssertionError("nothing happened");
            Thread.onSpinWait();
        }
    }

    static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(20, TimeUnit.SECONDS)) throw new AssertionError("nothing happened");
    }
}
