package io.floodgate.verification.limits;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.topics.Routing;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Role;
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
    private static final int BATCH = 200;
    private static final int WAIT_MS = 1_000;

    private final LimitsPlan plan;
    private final Path directory;
    private final PrintStream out;
    private final List<String> queues;
    private final StartsSeen seen = new StartsSeen();
    private volatile boolean over;

    LimitsRun(LimitsPlan plan, Path directory, PrintStream out) {
        this.plan = plan;
        this.directory = directory;
        this.out = out;
        queues = Service.queues(plan.partitions()).stream()
                .limit(plan.queues())
                .map(probe -> probe.replace("probe", "limits"))
                .toList();
    }

    LimitsReport run() throws Exception {
        try (Installation installation = installation()) {
            installation.start(PATIENCE);
            if (!new Service(installation.urls(), plan.partitions(), new Recorder())
                    .await(PATIENCE)
                    .complete()) throw new IllegalStateException("not every partition serves");
            return load(installation);
        }
    }

    private Installation installation() {
        return plan.processors() == 0
                ? Installation.node(directory, plan.partitions(), "1g")
                : Installation.apart(directory, plan.partitions(), plan.processors(), 1);
    }

    private LimitsReport load(Installation installation) throws Exception {
        List<Thread> threads = new ArrayList<>();
        topUp(installation, Math.max(2, plan.length().toMillis() / 4_000.0));
        threads.add(Thread.ofPlatform().start(() -> keepWaiting(installation)));
        long begun = System.nanoTime();
        long warm = System.currentTimeMillis() + plan.warmUp().toMillis();
        for (int i = 0; i < plan.workers(); i++) {
            int number = i;
            threads.add(Thread.ofPlatform().start(() -> work(installation, number)));
        }
        for (int i = 1; i <= plan.kills(); i++) {
            awaitShare(begun, i / (plan.kills() + 1.0));
            Child victim = victim(installation, i);
            victim.kill();
            victim.start();
            out.printf("killed %s, started again%n", victim.name());
        }
        awaitShare(begun, 1);
        over = true;
        long end = System.currentTimeMillis();
        for (Thread thread : threads) thread.join();
        LimitsReport report = new LimitsReport(plan.kills() == 0, seen.ages(warm), warm, end);
        Routing routing = new Routing(plan.partitions());
        for (LimitedKey key : plan.keys()) {
            boolean onePartition =
                    plan.queues() == 1 && routing.ofQueue(queues.get(0)).equals(routing.ofLimit(key.name()));
            long[] starts = seen.starts(key.name());
            long[] counted = Arrays.stream(starts).filter(at -> at <= end).toArray();
            report.add(key, onePartition, counted);
        }
        return report;
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

    /** As many more jobs each time as can start meanwhile, and a few. */
    private void keepWaiting(Installation installation) {
        long begun = System.nanoTime();
        for (int round = 1; !over; round++) {
            Pause.of(Duration.ofNanos(Math.max(1_000_000, begun + round * TOP_UP_MS * 1_000_000 - System.nanoTime())));
            if (!over) topUp(installation, 1.05 * TOP_UP_MS / 1_000);
        }
    }

    private void topUp(Installation installation, double seconds) {
        try (Caller caller = new Caller(installation.urls(), 0, REQUEST)) {
            Map<String, List<byte[]>> jobs = new HashMap<>();
            for (LimitedKey key : plan.keys()) {
                long more = (long) Math.ceil(key.startsPerSecond() * seconds);
                for (long i = 0; i < more; i++) {
                    int queue = i % 3 == 0 ? (int) (i / 3) : plan.keys().indexOf(key);
                    jobs.computeIfAbsent(queues.get(queue % queues.size()), name -> new ArrayList<>())
                            .add(job(key, queues.get(queue % queues.size())));
                }
            }
            for (List<byte[]> ofQueue : jobs.values()) enqueue(ofQueue, caller);
        }
    }

    private void enqueue(List<byte[]> jobs, Caller caller) {
        for (int from = 0; from < jobs.size(); from += BATCH) {
            JsonOut body = new JsonOut().beginObject().name("jobs").beginArray();
            for (byte[] job : jobs.subList(from, Math.min(jobs.size(), from + BATCH))) body.raw(job);
            byte[] bytes = body.endArray().endObject().toBytes();
            // What is sent twice because its answer was lost only waits longer.
            while (!caller.post("/ojs/v1/jobs/batch", bytes).isOk() && !over) Pause.of(BETWEEN_TRIES);
        }
    }

    private byte[] job(LimitedKey key, String queue) {
        JsonOut json = SmallJob.of("limits.test", queue).arg(key.name()).options();
        json.name("rate_limit").beginObject().field("key", key.name());
        key.allowance().write(json);
        return SmallJob.end(json.endObject());
    }

    private void work(Installation installation, int number) {
        List<String> order = new ArrayList<>(queues);
        Collections.rotate(order, number);
        byte[] fetch = new JsonOut()
                .beginObject()
                .field("queues", order)
                .field("count", plan.count())
                .field("wait_ms", WAIT_MS)
                .field("worker_id", "worker-" + number)
                .endObject()
                .toBytes();
        try (Caller caller = new Caller(installation.urls(), 0, REQUEST)) {
            while (!over) {
                Heard heard = caller.post("/ojs/v1/workers/fetch", fetch);
                if (heard.isOk()) handle(heard.body().required("jobs"), number, caller);
                else Pause.of(BETWEEN_TRIES);
            }
        }
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
            byte[] ack = new JsonOut()
                    .beginObject()
                    .field("job_id", job.required("id").stringValue())
                    .field("worker_id", "worker-" + number)
                    .endObject()
                    .toBytes();
            caller.post("/ojs/v1/workers/ack", ack);
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
