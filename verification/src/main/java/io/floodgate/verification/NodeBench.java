package io.floodgate.verification;

import static io.floodgate.verification.client.RequestBodies.JOBS;
import static io.floodgate.verification.client.RequestBodies.batch;
import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.client.RequestBodies;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Installation.Layout;
import io.floodgate.verification.process.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Utils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measurements of one server that nothing else uses: its starts, its idle time, and a caller that has it alone. */
@Command(
        name = "node",
        description =
                "Fills a server of its own, kills it with SIGKILL and starts it again, then leaves it alone, and then"
                        + " enqueues one job after the other. Prints how long the server was away, and the processor time it took.",
        mixinStandardHelpOptions = true)
final class NodeBench implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration ONE_REQUEST = Duration.ofSeconds(60);
    private static final Duration SETTLE = Duration.ofSeconds(30);
    private static final int PARTITIONS = 8;
    private static final String HEAP = "1g";
    private static final int BATCH = 1_000;
    private static final int ALONE = 10_000;

    @Option(names = "--finished", description = "Finished jobs.")
    int finished = 3_000;

    @Option(names = "--live", description = "Jobs that wait.")
    int live = 3_000;

    @Option(names = "--kills", description = "Number of kills.")
    int kills = 3;

    @Option(names = "--warm-up", description = "Jobs that the caller enqueues before it is measured.")
    int warmUp = 20_000;

    @Option(names = "--seconds", description = "Length of the measurement without load; 0 for none.")
    long seconds = 60;

    @Override
    public Integer call() throws Exception {
        Path root = Files.createTempDirectory("floodgate-node-");
        try (Installation node = Layout.node(root, PARTITIONS).heap(HEAP).make();
                Caller caller = new Caller(node.urls(), 0, ONE_REQUEST)) {
            Service service = new Service(node.urls(), PARTITIONS, new Recorder());
            node.start(PATIENCE);
            boolean complete = service.await(PATIENCE).complete();
            fill(caller);
            System.out.printf("%,d finished and %,d live jobs%n", finished, live);
            Child server = node.all(Role.NODE).getFirst();
            for (int i = 0; i < kills; i++) complete &= restart(server, node, service);
            if (seconds > 0) idle(server);
            for (int i = 0; i < warmUp; i++) enqueue(caller, "alone");
            alone(server, caller);
            if (seconds > 0) idle(server);
            Utils.delete(root.toFile());
            return complete ? 0 : 1;
        }
    }

    private void fill(Caller caller) throws Exception {
        List<String> queues = Service.queues("filled", PARTITIONS);
        for (String queue : queues) {
            enqueue(caller, queue, finished / PARTITIONS);
            byte[] all = json("{'confirm':true,'filter':{'queue':'%s'}}", queue);
            post(caller, "/ojs/v1/admin/jobs/bulk/cancel", all);
            String stats = "/ojs/v1/queues/%s/stats".formatted(queue);
            Await.until(
                    "queue %s is empty".formatted(queue),
                    PATIENCE,
                    () -> caller.get(stats).body().at("/stats/depth").asInt(1) == 0);
        }
        for (String queue : queues) enqueue(caller, queue, live / PARTITIONS);
    }

    private static void enqueue(Caller caller, String queue, int jobs) throws InterruptedException, TimeoutException {
        for (int left = jobs; left > 0; left -= BATCH) {
            List<byte[]> batch = IntStream.range(0, Math.min(left, BATCH))
                    .mapToObj(i -> job(queue, Integer.toString(i)))
                    .toList();
            post(caller, RequestBodies.BATCH, batch(batch));
        }
    }

    private static byte[] job(String queue, String argument) {
        return json("{'type':'node.job','args':['%s'],'options':{'queue':'%s'}}", argument, queue);
    }

    private static void enqueue(Caller caller, String queue) throws InterruptedException, TimeoutException {
        post(caller, JOBS, job(queue, "one"));
    }

    private static void post(Caller caller, String path, byte[] body) throws InterruptedException, TimeoutException {
        Await.until(
                path + " is answered", PATIENCE, () -> caller.post(path, body).isOk());
    }

    /** Returns whether all partitions came back. */
    private static boolean restart(Child server, Installation node, Service service) throws Exception {
        server.kill();
        long begun = System.nanoTime();
        server.start();
        byte[] job = job("first", "one");
        double first;
        try (Caller caller = new Caller(node.urls(), 0, Duration.ofSeconds(2))) {
            while (!caller.post(JOBS, job).isOk() && server.isAlive()) Pause.of(Duration.ofMillis(5));
            first = (System.nanoTime() - begun) / 1e9;
        }
        boolean complete = service.await(PATIENCE).complete();
        System.out.printf(
                "back after kill -9: first enqueue %.2f s, all partitions %.2f s; processor time %.2f s%n",
                first, (System.nanoTime() - begun) / 1e9, server.processorTime().toMillis() / 1e3);
        return complete;
    }

    private void idle(Child server) {
        Pause.of(SETTLE);
        Duration before = server.processorTime();
        Pause.of(Duration.ofSeconds(seconds));
        double used = server.processorTime().minus(before).toMillis() / 1e3;
        System.out.printf("idle: %.2f%% of a core%n", 100 * used / seconds);
    }

    private static void alone(Child server, Caller caller) throws InterruptedException, TimeoutException {
        Duration before = server.processorTime();
        long[] took = new long[ALONE];
        for (int i = 0; i < ALONE; i++) {
            long begun = System.nanoTime();
            enqueue(caller, "alone");
            took[i] = System.nanoTime() - begun;
        }
        double used = server.processorTime().minus(before).toMillis();
        Arrays.sort(took);
        System.out.printf(
                "one caller: %.3f ms of processor time for each job, p50 %.2f ms, p99 %.2f ms%n",
                used / ALONE, took[ALONE / 2] / 1e6, took[ALONE * 99 / 100] / 1e6);
    }
}
