package io.floodgate.bench.scenario;

import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.Part;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Workflows over HTTP, and plain jobs beside them that are enqueued, fetched and acked by the same requests. */
final class WorkflowScenarios {
    private static final String WORKFLOWS = "/ojs/v1/workflows";
    private static final String CHAIN = "{\"type\":\"chain\",\"steps\":";
    private static final LoadShape ONE = LoadShape.of(1, 1);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** The time after which a fetch surely waits in its partition. */
    private static final Duration UNTIL_PARKED = Duration.ofMillis(5);

    private static final int STEPS = 10;
    private static final int AT_ONCE = 10;
    private static final PartitionId ONE_PARTITION = new PartitionId(0);

    private final Session session;
    private final PlacedNames queues;
    private final boolean isAcross;
    private final String where;
    private final AtomicLong arrived = new AtomicLong();

    private WorkflowScenarios(Session session, Routing routing, boolean isAcross) {
        this.session = session;
        queues = new PlacedNames(routing);
        this.isAcross = isAcross;
        where = isAcross ? "across partitions" : "in one partition";
    }

    static void measure(Session session) throws Exception {
        Routing routing = session.routing();
        for (boolean isAcross : new boolean[] {false, true})
            new WorkflowScenarios(session, routing, isAcross).measure();
    }

    /** Creates chains that do not go on, since no worker fetches their jobs, to look at memory, disk and restarts with them. */
    static void unfinished(Session session) throws Exception {
        byte[] chain = json(CHAIN, List.of(session.queue("-unfinished")), STEPS);
        AtomicInteger next = new AtomicInteger();
        int count = session.shape().count();
        session.until(
                () -> next.get() >= count, session.part("workflows created", "workflows", (worker, due, steps) -> {
                    if (next.getAndIncrement() >= count) return 0;
                    worker.send(WORKFLOWS, chain, 201);
                    return 1;
                }));
    }

    private void measure() throws Exception {
        nextStep();
        List<String> ten = queues("-ten");
        byte[] chain = chain(ten, STEPS);
        session.measure(session.with(ONE).part("chain of 10 " + where, "chains", (worker, due, steps) -> {
            worker.send(WORKFLOWS, chain, 201);
            worker.finish(ten, STEPS, 1, PATIENCE);
            return 1;
        }));
        session.measure(rate("plain jobs ", Session.BATCHES, "{\"jobs\":"));
        session.measure(rate("steps ", WORKFLOWS, CHAIN));
    }

    /** Measures from the sending of an ack to the next step in the answer of a fetch that waits. */
    private void nextStep() throws Exception {
        List<String> two = queues("-next");
        byte[] chain = chain(two, 2);
        try (HttpWorker second = session.worker(1);
                ExecutorService parked = Executors.newSingleThreadExecutor()) {
            session.measure(session.with(ONE).part("next step " + where, "steps", (first, due, steps) -> {
                first.send(WORKFLOWS, chain, 201);
                var step = first.fetch(List.of(two.getFirst()), 1, PATIENCE).getFirst();
                Future<HttpWorker.Fetched> next = parked.submit(() -> {
                    var job = second.fetch(List.of(two.getLast()), 1, PATIENCE).getFirst();
                    arrived.set(System.nanoTime());
                    return job;
                });
                Load.waitUntil(System.nanoTime() + UNTIL_PARKED.toNanos());
                long acked = System.nanoTime();
                first.ack(step);
                second.ack(next.get());
                steps.took("from the ack", acked, arrived.get());
                return 1;
            }));
        }
    }

    /** Returns callers that create ten of these at once, and finish their jobs. */
    private Part rate(String name, String path, String json) {
        List<List<String>> all = IntStream.range(0, session.shape().callers())
                .mapToObj(caller -> queues("-%s-%d".formatted(name.strip().replace(' ', '-'), caller)))
                .toList();
        return session.part(name + where, "jobs", (worker, due, steps) -> {
            List<String> own = all.get(worker.number());
            byte[] body = json(json, own, STEPS);
            for (int i = 0; i < AT_ONCE; i++) worker.send(path, body, 201);
            worker.finish(own, AT_ONCE * STEPS, AT_ONCE, PATIENCE);
            return AT_ONCE * STEPS;
        });
    }

    /** Returns two queues. The first ones are all in one partition, or anywhere. */
    private List<String> queues(String suffix) {
        String start = session.queue(suffix);
        return queues.two(isAcross ? start : queues.in(ONE_PARTITION, start), isAcross);
    }

    private static byte[] chain(List<String> queues, int length) {
        return json(CHAIN, queues, length);
    }

    /** Returns what begins like this, with an array of small jobs. */
    private static byte[] json(String start, List<String> queues, int length) {
        String jobs = IntStream.range(0, length)
                .mapToObj(i -> "{\"type\":\"bench.step\",\"args\":[%d],\"options\":{\"queue\":\"%s\"}}"
                        .formatted(i, queues.get(i % queues.size())))
                .collect(Collectors.joining(","));
        return (start + "[" + jobs + "]}").getBytes(StandardCharsets.UTF_8);
    }
}
