package io.floodgate.bench.run;

import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.MeasuredWindow;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Samples;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Very many producers that wait at one queue: what they cost while they do, whether each is answered when its time is up,
 * and whether all come in once the bound is gone.
 */
public final class BlockedRun {
    /** How far an answer may be from the time-out. */
    static final Duration TOLERANCE = Duration.ofMillis(100);

    /** What works beside those who wait. */
    private static final int OTHERS = 8;

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int CREATED = 201;
    private static final MeasuredWindow ALWAYS = new MeasuredWindow(Long.MIN_VALUE / 2, Long.MAX_VALUE / 2);

    private final Settings settings;
    private final int many;
    private final Duration timeout;

    public BlockedRun(Settings settings, int producers, Duration timeout) {
        this.settings = settings;
        this.many = producers;
        this.timeout = timeout;
    }

    public List<Measurement> run() throws Exception {
        settings.prepare();
        Settings rest = settings.withoutReset();
        JobBodies jobs = settings.jobs("-blocked");
        List<Measurement> found = new ArrayList<>();
        try (BoundedQueue queue = new BoundedQueue(settings, jobs.queue())) {
            queue.bound(1, 0, "block");
            try (var first = settings.connect()) {
                var unused = first.post(EnqueueRun.PATH, jobs.json(0), CREATED);
            }
            found.addAll(others(rest, "no producer waits"));
            timeOut(rest, jobs, queue, found);
            found.add(letIn(rest, jobs, queue));
        }
        return found;
    }

    /** Whole lives of jobs in another queue, step by step. */
    private static List<Measurement> others(Settings settings, String when) throws Exception {
        return LifecycleRun.run(settings, OTHERS, 1).stream()
                .map(each -> named("%s, %s".formatted(each.name(), when), each.how(), each))
                .toList();
    }

    private void timeOut(Settings settings, JobBodies jobs, BoundedQueue queue, List<Measurement> found)
            throws Exception {
        String before = memory();
        try (PatientProducers producers = PatientProducers.start(settings, jobs, many, timeout)) {
            queue.await("blocked", many);
            String meanwhile = memory();
            found.addAll(others(settings, "%,d wait".formatted(many)));
            List<PatientProducers.Answered> answers = producers.answers();
            Errors errors = producers.errors();
            Samples late = new Samples(ALWAYS);
            Samples inLog = new Samples(ALWAYS);
            for (PatientProducers.Answered answer : answers) {
                long off = answer.after().minus(timeout).toNanos();
                late.add(0, Math.abs(off), 1);
                answer.waited()
                        .ifPresent(waited ->
                                inLog.add(0, waited.minus(timeout).abs().toNanos(), 1));
                if (answer.status() != TOO_MANY_REQUESTS)
                    errors.add("status", "a producer was answered with %d".formatted(answer.status()));
                else if (Math.abs(off) > TOLERANCE.toNanos())
                    errors.add(off < 0 ? "early" : "late", "an answer came %d ms off".formatted(off / 1_000_000));
            }
            String how =
                    "%,d producers at a full queue for %d s, up to %,d of whom come in a second; latency is how far an answer is from the time-out; server memory before %s, while they wait %s, afterwards %s"
                            .formatted(many, timeout.toSeconds(), PatientProducers.COMING, before, meanwhile, memory());
            found.add(measurement("blocked: timed out", how, answers.size(), late, errors));
            found.add(measurement(
                    "blocked: timed out, by the partition",
                    "the same by the partition's clock, from the wait of the producer to its rejection",
                    answers.size(),
                    inLog,
                    new Errors()));
        }
    }

    private Measurement letIn(Settings settings, JobBodies jobs, BoundedQueue queue) throws Exception {
        try (PatientProducers producers = PatientProducers.start(settings, jobs, many, timeout)) {
            queue.await("blocked", many);
            long removed = System.nanoTime();
            queue.bound(0, 0, "block");
            List<PatientProducers.Answered> answers = producers.answers();
            Errors errors = producers.errors();
            Samples samples = new Samples(ALWAYS);
            for (PatientProducers.Answered answer : answers) {
                samples.add(removed, answer.at(), 1);
                if (answer.status() != CREATED)
                    errors.add("status", "a producer was answered with %d".formatted(answer.status()));
            }
            queue.await("depth", many + 1L);
            return measurement(
                    "blocked: let in",
                    "%,d producers wait, and the bound is removed; latency counts from there".formatted(many),
                    answers.size(),
                    samples,
                    errors);
        }
    }

    private String memory() {
        OptionalLong pid = settings.server();
        return pid.isEmpty() ? "unknown (--pid)" : ProcessMemory.of(pid.getAsLong());
    }

    private static Measurement measurement(String name, String how, int units, Samples samples, Errors errors)
            throws IOException {
        var micros = Samples.merge(List.of(samples));
        MeasuredWindow window = new MeasuredWindow(0, Math.max(1, micros.getMaxValue() * 1_000));
        return new Measurement(name, how, "producers", units, window, micros, Optional.empty(), errors);
    }

    private static Measurement named(String name, String how, Measurement found) {
        return new Measurement(
                name, how, found.unit(), found.units(), found.window(), found.micros(), found.server(), found.errors());
    }
}
