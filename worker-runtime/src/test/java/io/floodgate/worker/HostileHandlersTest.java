package io.floodgate.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.JobId;
import io.floodgate.topics.circuit.BreakerSettings;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Nack;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A thousand handlers that do what handlers should not: permits and claims are exact throughout. */
class HostileHandlersTest extends WorkerFixture {
    private static final int OF_EACH = 200;
    private static final int PERMITS = 50;
    private static final List<String> TYPES = List.of("hangs", "deaf", "throws", "error", "greedy", "good");

    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());

    @Test
    void permits_and_claims_are_exact_and_every_outcome_is_reported_once() throws Exception {
        // given
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        builder.meters(meters)
                .concurrency(PERMITS)
                .protection(protection ->
                        protection.handlerTimeout(Duration.ofMillis(50)).typeBreaker(BreakerSettings.never()));
        hostile("hangs", context -> {
            new CountDownLatch(1).await();
            return null;
        });
        hostile("deaf", context -> {
            goOnWhenInterrupted(Duration.ofMillis(50));
            return "too late";
        });
        hostile("throws", context -> {
            throw new IllegalStateException("no");
        });
        hostile("error", context -> {
            throw new StackOverflowError();
        });
        hostile("greedy", context -> new long[Integer.MAX_VALUE]);
        hostile("good", context -> "fine");
        log.onFetch((fetch, handedOut) -> {
            int unfinished = handedOut - ended.get();
            if (unfinished + fetch.count() > PERMITS)
                wrong.add("%d asked for while %d had not ended".formatted(fetch.count(), unfinished));
        });
        Map<JobId, String> types = new HashMap<>();
        List<String> mixed = new ArrayList<>();
        for (String type : TYPES) mixed.addAll(Collections.nCopies(OF_EACH, type));
        Collections.shuffle(mixed, new Random(11));
        // when
        Worker worker = builder.start();
        for (String type : mixed) types.put(log.has(type), type);
        // then
        Set<JobId> reported = new HashSet<>();
        for (int i = 0; i < mixed.size(); i++) {
            JobCommand report = log.nextReport();
            assertThat(reported.add(report.job())).isTrue();
            assertThat(shown(report)).isEqualTo(expected(types.get(report.job())));
        }
        until(() -> meters.get("ojs.worker.running").gauge().value() == 0);
        assertThat(log.reports).isEmpty();
        assertThat(wrong).isEmpty();
        assertThat(most.get()).isBetween(2, PERMITS);
        assertThat(begun.get()).isEqualTo(mixed.size());
        // and all permits and places are free again
        log.parksNoMore();
        worker.close();
        assertThat(meters.get("ojs.worker.permits.free").gauge().value()).isEqualTo(PERMITS);
        assertThat(saturation(meters, "dispatch")).isZero();
        assertThat(saturation(meters, "completion")).isZero();
    }

    private void hostile(String type, JobHandler handler) {
        builder.handle(type, context -> {
            most.accumulateAndGet(begun.incrementAndGet() - ended.get(), Math::max);
            try {
                return handler.handle(context);
            } finally {
                ended.incrementAndGet();
            }
        });
    }

    /** However late its time is up on a busy machine: it is not done before. */
    private static void goOnWhenInterrupted(Duration time) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        try {
            never.await();
        } catch (InterruptedException e) {
            assertThat(never.await(time.toNanos(), TimeUnit.NANOSECONDS)).isFalse();
        }
    }

    private static String shown(JobCommand report) {
        if (report instanceof Ack) return "ack";
        Nack nack = (Nack) report;
        return nack.error().type() + " " + nack.error().retryable() + " " + nack.requeue();
    }

    private static String expected(String type) {
        return switch (type) {
            case "hangs", "deaf" -> "timeout null false";
            case "throws" -> "IllegalStateException null false";
            case "error" -> "StackOverflowError false false";
            case "greedy" -> "OutOfMemoryError false false";
            default -> "ack";
        };
    }

    private static double saturation(SimpleMeterRegistry meters, String channel) {
        return meters.get("ojs.worker.channel.saturation")
                .tag("channel", channel)
                .gauge()
                .value();
    }
}
