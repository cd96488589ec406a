package io.floodgate.verification;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Directories;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What a server takes while nothing happens, and for a caller who has it to himself. */
@Command(
        name = "idle",
        description =
                "Starts a server of its own, leaves it alone, then enqueues one job after the other, and says what processor time it took.",
        mixinStandardHelpOptions = true)
final class IdleBench implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int PARTITIONS = 8;
    /** A new server compiles what it runs often. */
    private static final int WARMUP_JOBS = 20_000;

    @Option(
            names = "--queues",
            paramLabel = "N",
            defaultValue = "20",
            description = "Queues with one job each. Default: ${DEFAULT-VALUE}")
    int queues = 20;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "60",
            description = "How long it is measured. Default: ${DEFAULT-VALUE}")
    long seconds = 60;

    @Option(
            names = "--settle",
            paramLabel = "N",
            defaultValue = "30",
            description = "Seconds of nothing before that. Default: ${DEFAULT-VALUE}")
    long settle = 30;

    @Option(names = "--heap", defaultValue = "1g", description = "Of the server. Default: ${DEFAULT-VALUE}")
    String heap = "1g";

    @Override
    public Integer call() throws Exception {
        Path root = Files.createTempDirectory("floodgate-idle-");
        try (Installation node = Installation.node(root, PARTITIONS, heap)) {
            node.start(PATIENCE);
            if (!new Service(node.urls(), PARTITIONS, new Recorder())
                    .await(PATIENCE)
                    .complete()) throw new IOException("the server did not start, see " + root);
            Child server = node.all(Role.NODE).getFirst();
            try (Caller caller = new Caller(node.urls().getFirst(), Duration.ofSeconds(30))) {
                for (int i = 0; i < queues; i++) enqueue(caller, "idle-" + i);
                System.out.printf(
                        Locale.ROOT, "%d queues with a job each, %d partitions, heap %s%n", queues, PARTITIONS, heap);
                idle(server, "new");
                for (int i = 0; i < WARMUP_JOBS; i++) enqueue(caller, "warm");
                alone(server, caller);
                idle(server, "warm");
            }
        }
        Directories.delete(root);
        return 0;
    }

    private void idle(Child server, String age) {
        Pause.of(Duration.ofSeconds(settle));
        Use before = Use.of(server);
        Pause.of(Duration.ofSeconds(seconds));
        Use use = Use.of(server).since(before);
        System.out.printf(
                Locale.ROOT, "idle, %s: %.2f%% of a core%n", age, 100 * use.processorSeconds() / use.seconds());
    }

    private static void alone(Child server, Caller caller) {
        Use before = Use.of(server);
        long[] took = IntStream.range(0, 10_000)
                .mapToLong(each -> timed(caller))
                .sorted()
                .toArray();
        Use use = Use.of(server).since(before);
        System.out.printf(
                Locale.ROOT,
                "one caller: %.0f µs of processor time for each job, p50 %.2f ms, p99 %.2f ms (%,d jobs in %.0f s)%n",
                1e6 * use.processorSeconds() / took.length,
                took[took.length / 2] / 1e6,
                took[took.length * 99 / 100] / 1e6,
                took.length,
                use.seconds());
    }

    private static long timed(Caller caller) {
        long begun = System.nanoTime();
        try {
            enqueue(caller, "alone");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return System.nanoTime() - begun;
    }

    private static void enqueue(Caller caller, String queue) throws IOException {
        byte[] job = SmallJob.of("idle.job", queue).arg("one").toBytes();
        if (!caller.post(RequestBodies.JOBS, job).isOk()) throw new IOException("a job was rejected");
    }

    private record Use(double seconds, double processorSeconds) {
        static Use of(Child server) {
            return new Use(System.nanoTime() / 1e9, server.processorTime().toMillis() / 1e3);
        }

        Use since(Use before) {
            return new Use(seconds - before.seconds, processorSeconds - before.processorSeconds);
        }
    }
}
