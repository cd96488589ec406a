package io.floodgate.verification.hostile;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.client.Swarm;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * The same request by HTTP, with another body each time. Jobs that are answered have to be there after the attack.
 *
 * @param bodies by the number of the request
 * @param extent whether another request follows, asked before each
 * @param between how long each caller waits after an answer
 * @param allowed how it may be answered
 */
record RequestSender(
        String path,
        Function<Target, IntFunction<byte[]>> bodies,
        int callers,
        Function<Target, BooleanSupplier> extent,
        Duration between,
        Predicate<Heard> allowed)
        implements AttackStep {
    static final Predicate<Heard> ANYTHING = heard -> true;
    static final Predicate<Heard> OK = Heard::isOk;
    static final Predicate<Heard> UNAVAILABLE = Heard::isHonestlyUnavailable;
    static final Predicate<Heard> REJECTED = heard -> heard.status() >= 400 && heard.status() < 500;

    static Predicate<Heard> status(int... statuses) {
        return heard -> Arrays.stream(statuses).anyMatch(each -> each == heard.status());
    }

    static RequestSender post(String path, Function<Target, IntFunction<byte[]>> bodies) {
        return new RequestSender(path, bodies, 1, times(target -> 1), Duration.ZERO, OK);
    }

    /** Of one body, that is made once. */
    static RequestSender postSame(String path, Function<Target, byte[]> body) {
        return post(path, target -> {
            byte[] same = body.apply(target);
            return number -> same;
        });
    }

    RequestSender times(int full, int brief) {
        return new RequestSender(path, bodies, callers, times(target -> target.scaled(full, brief)), between, allowed);
    }

    private static Function<Target, BooleanSupplier> times(Function<Target, Integer> count) {
        return target -> {
            AtomicInteger left = new AtomicInteger(count.apply(target));
            return () -> left.getAndDecrement() > 0;
        };
    }

    /** Sends for this number of seconds, scaled for the target. */
    RequestSender during(int full, int brief) {
        Function<Target, BooleanSupplier> time = target -> {
            long end = System.nanoTime() + target.scaled(full, brief) * 1_000_000_000L;
            return () -> System.nanoTime() < end;
        };
        return new RequestSender(path, bodies, callers, time, between, allowed);
    }

    RequestSender by(int number) {
        return new RequestSender(path, bodies, number, extent, between, allowed);
    }

    RequestSender every(Duration pause) {
        return new RequestSender(path, bodies, callers, extent, pause, allowed);
    }

    RequestSender answered(Predicate<Heard> as) {
        return new RequestSender(path, bodies, callers, extent, between, as);
    }

    @Override
    public void run(Target target) throws Exception {
        IntFunction<byte[]> body = bodies.apply(target);
        BooleanSupplier more = extent.apply(target);
        AtomicInteger sent = new AtomicInteger();
        AtomicInteger accepted = new AtomicInteger();
        Swarm.run(callers, number -> {
            try (Caller caller = target.caller()) {
                while (more.getAsBoolean() && target.isAlive()) {
                    Heard heard = caller.post(path, body.apply(sent.getAndIncrement()));
                    target.complainUnless(allowed.test(heard), "%s was answered %s".formatted(path, heard.shown()));
                    if (heard.isOk()) accepted.incrementAndGet();
                    if (heard.isOk()) target.answered(heard);
                    Pause.of(between);
                }
            }
        });
        if (sent.get() > 1) target.note("%s: %,d of %,d accepted".formatted(path, accepted.get(), sent.get()));
    }
}
