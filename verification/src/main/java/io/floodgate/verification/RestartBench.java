package io.floodgate.verification;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.http.HttpTarget;
import io.floodgate.bench.job.SmallJob;
import io.floodgate.topics.Routing;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Swarm;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Directories;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Ports;
import io.floodgate.verification.process.Role;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** How long a server is away after {@code kill -9}, with so much behind it. */
@Command(
        name = "restart",
        description =
                "Fills a server of its own, kills it with SIGKILL, starts it again, and says how long it was away.",
        mixinStandardHelpOptions = true)
final class RestartBench implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration ONE_REQUEST = Duration.ofSeconds(60);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(5);
    private static final int PARTITIONS = 8;
    private static final int BATCH = 1_000;
    private static final int MOST_FETCHED = 100;
    private static final String RESTORED = "floodgate_processor_restored_total";

    @Option(
            names = "--finished",
            paramLabel = "N",
            defaultValue = "5000",
            description = "Jobs that are over. Default: ${DEFAULT-VALUE}")
    long finished = 5_000;

    @Option(
            names = "--live",
            paramLabel = "M",
            defaultValue = "5000",
            description = "Jobs that wait. Default: ${DEFAULT-VALUE}")
    long live = 5_000;

    @Option(
            names = "--times",
            paramLabel = "N",
            defaultValue = "3",
            description = "How often it is killed. Default: ${DEFAULT-VALUE}")
    int times = 3;

    @Option(names = "--heap", defaultValue = "1g", description = "Of the server. Default: ${DEFAULT-VALUE}")
    String heap = "1g";

    @Override
    public Integer call() throws Exception {
        Path root = Files.createTempDirectory("floodgate-restart-");
        boolean complete = true;
        try (Installation node = Installation.node(root, PARTITIONS, heap)) {
            Service service = new Service(node.urls(), PARTITIONS, new Recorder());
            node.start(PATIENCE);
            complete = service.await(PATIENCE).complete();
            fill(node);
            System.out.printf(
                    Locale.ROOT,
                    "%,d finished and %,d live jobs, heap %s. Seconds from the start of the process to%n%n%8s %8s %8s %8s %8s %8s   records read back%n",
                    finished,
                    live,
                    heap,
                    "broker",
                    "HTTP",
                    "enqueue",
                    "/ready",
                    "all partitions",
                    "CPU");
            Child process = node.all(Role.NODE).getFirst();
            for (int i = 0; i < times; i++) {
                process.kill();
                process.start();
                System.out.println(phases(node, process, service));
            }
        }
        Directories.delete(root);
        return complete ? 0 : 1;
    }

    private static String phases(Installation node, Child process, Service service) throws Exception {
        long begun = System.nanoTime();
        String url = node.urls().getFirst();
        int broker =
                Integer.parseInt(node.bootstrap().substring(node.bootstrap().indexOf(':') + 1));
        int http = URI.create(url).getPort();
        double listens = until(begun, process, () -> Ports.listens(broker));
        double serves = until(begun, process, () -> Ports.listens(http));
        double enqueues;
        double ready;
        try (Caller caller = new Caller(url, Duration.ofSeconds(2));
                HttpConnection probe = new HttpConnection(HttpTarget.parse(url), Duration.ofSeconds(2))) {
            byte[] job = SmallJob.of("restart.first", "first").arg("one").toBytes();
            enqueues = until(
                    begun, process, () -> caller.post(RequestBodies.JOBS, job).isOk());
            ready = until(begun, process, () -> probe.get("/ready").status() == 200);
        }
        boolean complete = service.await(PATIENCE).complete();
        double all = seconds(begun);
        return String.format(
                Locale.ROOT,
                "%8.2f %8.2f %8.2f %8.2f %8.2f %8.2f   %,17d%s",
                listens,
                serves,
                enqueues,
                ready,
                all,
                process.processorTime().toMillis() / 1e3,
                restored(url),
                complete ? "" : "  some partitions never came back");
    }

    /** From changelogs: what the stores on the disk do not have yet. */
    private static long restored(String url) throws IOException {
        try (HttpConnection connection = new HttpConnection(HttpTarget.parse(url), ONE_REQUEST)) {
            return connection
                    .get("/metrics")
                    .text()
                    .lines()
                    .filter(line -> line.startsWith(RESTORED))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        }
    }

    /** Something that may be true by now. */
    private interface Look {
        boolean isTrue() throws IOException;
    }

    private static double until(long begun, Child process, Look look) {
        while (process.isAlive() && seconds(begun) < PATIENCE.toSeconds()) {
            try {
                if (look.isTrue()) return seconds(begun);
            } catch (IOException notYet) {
                // that is a no
            }
            Pause.of(BETWEEN_TRIES);
        }
        throw new IllegalStateException("the process does not come back");
    }

    private static double seconds(long begun) {
        return (System.nanoTime() - begun) / 1e9;
    }

    /** Finished ones first, in the queues of all logs. */
    private void fill(Installation node) throws Exception {
        List<String> queues = queues();
        AtomicLong left = new AtomicLong(finished);
        AtomicLong missing = new AtomicLong(live);
        try (KafkaSender kafka = new KafkaSender(node.bootstrap())) {
            onEach(node, queues, (caller, log) -> {
                for (long next = left.getAndAdd(-BATCH); next > 0; next = left.getAndAdd(-BATCH))
                    finish(caller, kafka, log, queues.get(log), (int) Math.min(BATCH, next));
            });
            kafka.flush();
        }
        onEach(node, queues, (caller, log) -> {
            for (long next = missing.getAndAdd(-BATCH); next > 0; next = missing.getAndAdd(-BATCH))
                enqueue(caller, queues.get(log), (int) Math.min(BATCH, next));
        });
    }

    /** What one caller does in one log. */
    private interface Filling {
        void run(Caller caller, int log) throws IOException;
    }

    private static void onEach(Installation node, List<String> queues, Filling filling) throws Exception {
        Swarm.run(queues.size(), log -> {
            try (Caller caller = new Caller(node.urls().getFirst(), ONE_REQUEST)) {
                filling.run(caller, log);
            }
        });
    }

    private static List<String> queues() {
        Routing routing = new Routing(PARTITIONS);
        List<String> queues = new ArrayList<>();
        for (int i = 0; queues.size() < PARTITIONS; i++)
            if (routing.ofQueue("filled-" + i).partition() == queues.size()) queues.add("filled-" + i);
        return queues;
    }

    /** Acks as records: they need no answers, and millions of requests would take hours. */
    private static void finish(Caller caller, KafkaSender kafka, int log, String queue, int jobs) throws IOException {
        enqueue(caller, queue, jobs);
        for (int done = 0; done < jobs; ) {
            Heard fetched = ask(
                    caller,
                    RequestBodies.FETCH,
                    RequestBodies.fetch(List.of(queue), "filler-" + queue, MOST_FETCHED, 0));
            for (JsonNode job : fetched.body().path("jobs")) {
                byte[] ack = RequestBodies.ack(job.required("id").stringValue(), "done");
                kafka.send(new KafkaSender.Draft(log, ack).with("ojs-op", "ack"));
                done++;
            }
            if (fetched.body().path("jobs").isEmpty()) return;
        }
    }

    private static void enqueue(Caller caller, String queue, int jobs) throws IOException {
        List<byte[]> batch = new ArrayList<>();
        for (int i = 0; i < jobs; i++)
            batch.add(SmallJob.of("restart.job", queue).arg(i).toBytes());
        ask(caller, RequestBodies.BATCH, RequestBodies.batch(batch));
    }

    private static Heard ask(Caller caller, String path, byte[] body) throws IOException {
        Heard heard = caller.post(path, body);
        for (int tries = 1; !heard.isOk() && tries < 20; tries++) {
            Pause.of(Duration.ofMillis(200));
            heard = caller.post(path, body);
        }
        if (!heard.isOk()) throw new IOException("%s was answered %s".formatted(path, heard.shown()));
        return heard;
    }
}
