package io.floodgate.verification.limits;

import static io.floodgate.verification.client.RequestBodies.ACK;
import static io.floodgate.verification.client.RequestBodies.BATCH;
import static io.floodgate.verification.client.RequestBodies.FETCH;
import static io.floodgate.verification.client.RequestBodies.batch;
import static io.floodgate.verification.client.RequestBodies.fetch;
import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.topics.Routing;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Crew;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.crash.CrashReport;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Installation.Layout;
import io.floodgate.verification.process.Role;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/**
 * Keeps jobs of several keys with rate limits waiting in several queues, lets workers fetch from all of them, and judges by
 * the answers alone when jobs have started. A third of a key's jobs is spread over all queues, the rest is in one of them.
 */
final class LimitsRun {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration REQUEST = Duration.ofSeconds(15);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);
    private static final long TOP_UP_MS = 500;
    private static final int LARGEST_BATCH = 200;
    private static final int WAIT_MS = 1_000;

    /**
     * What a run of the limits test does.
     *
     * @param queues over how many queues, each in a partition of its own as far as there are enough, the jobs of a key are spread
     * @param workers threads that fetch from all queues at once
     * @param count jobs that a fetch asks for
     * @param acks whether workers ack; without, a run shows starts alone
     * @param warmUp from the beginning; limits have to hold in it, what is delivered and how soon is judged afterwards
     * @param length with the warm-up
     * @param processors 0 for everything in one process
     * @param kills of processors, or of the one process
     */
    record Plan(
            List<LimitedKey> keys,
            int queues,
            int workers,
            int count,
            boolean acks,
            Duration warmUp,
            Duration length,
            int partitions,
            int processors,
            int kills) {}

    private final Plan plan;
    private final Path directory;
    private final PrintStream out;
    private final List<String> queues;
    private final StartsSeen seen = new StartsSeen();
    private final Crew crew = new Crew();

    LimitsRun(Plan plan, Path directory, PrintStream out) {
        this.plan = plan;
        this.directory = directory;
        this.out = out;
        queues = Service.queues("limits", plan.partitions()).stream()
                .limit(plan.queues())
                .toList();
    }

    CrashReport run() throws Exception {
        try (Installation installation = installation()) {
            installation.start(PATIENCE);
            if (!new Service(installation.urls(), plan.partitions(), new Recorder())
                    .await(PATIENCE)
                    .complete()) throw new IllegalStateException("not every partition serves");
            return load(installation);
        }
    }

    private Installation installation() throws IOException {
        Layout layout = plan.processors() == 0
                ? Layout.node(directory, plan.partitions()).heap("1g")
                : new Layout(directory, plan.partitions(), 1, plan.processors(), 1);
        return layout.make();
    }

    private CrashReport load(Installation installation) throws Exception {
        Caller caller = new Caller(installation.urls(), 0, REQUEST);
        topUp(caller, Math.max(2, plan.length().toMillis() / 4_000.0));
        long begun = System.nanoTime();
        AtomicInteger round = new AtomicInteger();
        // As many more jobs each time as can start meanwhile, and a few.
        crew.add("top-up", caller, () -> {
            long next = begun + round.incrementAndGet() * TOP_UP_MS * 1_000_000;
            Pause.of(Duration.ofNanos(Math.max(1_000_000, next - System.nanoTime())));
            if (!crew.isClosed()) topUp(caller, 1.05 * TOP_UP_MS / 1_000);
        });
        long warm = System.currentTimeMillis() + plan.warmUp().toMillis();
        for (int i = 0; i < plan.workers(); i++) addWorker(installation, i);
        for (int i = 1; i <= plan.kills(); i++) {
            awaitShare(begun, i / (plan.kills() + 1.0));
            Child victim = victim(installation, i);
            victim.kill();
            victim.start();
            out.printf("killed %s, started again%n", victim.name());
        }
        awaitShare(begun, 1);
        long end = System.currentTimeMillis();
        crew.close();
        LimitsReport report = new LimitsReport(out);
        Routing routing = new Routing(plan.partitions());
        for (LimitedKey key : plan.keys()) {
            boolean onePartition =
                    plan.queues() == 1 && routing.ofQueue(queues.get(0)).equals(routing.ofLimit(key.name()));
            long[] starts = seen.starts(key.name());
            long[] counted = Arrays.stream(starts).filter(at -> at <= end).toArray();
            report.add(key, onePartition, counted, warm, end);
        }
        return report.end(plan.kills() == 0, seen.ages(warm));
    }

    private static Child victim(Installation installation, int number) {
        List<Child> processors = installation.all(Role.PROCESSOR);
        return processors.isEmpty() ? installation.all(Role.NODE).get(0) : processors.get(number % processors.size());
    }

    private void awaitShare(long begun, double share) throws Exception {
        long at = begun + (long) (plan.length().toNanos() * share);
        Duration left = Duration.ofNanos(at - System.nanoTime());
        if (left.isPositive()) Await.pause(left);
    }

    private void topUp(Caller caller, double seconds) {
        Map<String, List<byte[]>> jobs = new HashMap<>();
        for (LimitedKey key : plan.keys()) {
            long more = (long) Math.ceil(key.startsPerSecond() * seconds);
            for (long i = 0; i < more; i++) {
                int number = i % 3 == 0 ? (int) (i / 3) : plan.keys().indexOf(key);
                String queue = queues.get(number % queues.size());
                jobs.computeIfAbsent(queue, name -> new ArrayList<>()).add(job(key, queue));
            }
        }
        for (List<byte[]> ofQueue : jobs.values()) enqueue(ofQueue, caller);
    }

    private void enqueue(List<byte[]> jobs, Caller caller) {
        for (int from = 0; from < jobs.size(); from += LARGEST_BATCH) {
            byte[] bytes = batch(jobs.subList(from, Math.min(jobs.size(), from + LARGEST_BATCH)));
            // What is sent twice because its answer was lost only waits longer.
            while (!caller.post(BATCH, bytes).isOk() && !crew.isClosed()) Pause.of(BETWEEN_TRIES);
        }
    }

    private byte[] job(LimitedKey key, String queue) {
        JsonOut limit = new JsonOut().beginObject().field("key", key.name());
        key.allowance().write(limit);
        return json(
                "{'type':'limits.test','args':['%s'],'options':{'queue':'%s','rate_limit':%s}}",
                key.name(), queue, limit.endObject());
    }

    private void addWorker(Installation installation, int number) {
        List<String> order = new ArrayList<>(queues);
        Collections.rotate(order, number);
        byte[] fetch = fetch(order, "worker-" + number, plan.count(), WAIT_MS);
        Caller caller = new Caller(installation.urls(), 0, REQUEST);
        crew.add("worker-" + number, caller, () -> {
            Heard heard = caller.post(FETCH, fetch);
            if (heard.isOk()) handle(heard.body().required("jobs"), number, caller);
            else Pause.of(BETWEEN_TRIES);
        });
    }

    private void handle(JsonNode jobs, int number, Caller caller) {
        jobs.forEach(seen::add);
        if (!plan.acks()) return;
        // What others wait for to end comes first.
        List<JsonNode> order = new ArrayList<>();
        jobs.forEach(order::add);
        order.sort(Comparator.comparing((JsonNode job) -> workOf(key(job))).reversed());
        if (!order.isEmpty() && workOf(key(order.get(0))).isPositive()) Pause.of(workOf(key(order.get(0))));
        for (JsonNode job : order) {
            byte[] ack = json(
                    "{'job_id':'%s','worker_id':'worker-%d'}",
                    job.required("id").stringValue(), number);
            caller.post(ACK, ack);
        }
    }

    private static String key(JsonNode job) {
        return job.required("args").required(0).stringValue();
    }

    private Duration workOf(String name) {
        return plan.keys().stream()
                .filter(key -> key.name().equals(name))
                .map(LimitedKey::work)
                .findFirst()
                .orElse(Duration.ZERO);
    }
}
