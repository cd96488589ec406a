package io.floodgate.verification.workflow;

import static io.floodgate.verification.client.RequestBodies.ACK;
import static io.floodgate.verification.client.RequestBodies.FETCH;
import static io.floodgate.verification.client.RequestBodies.NACK;
import static io.floodgate.verification.client.RequestBodies.fetch;
import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Crew;
import io.floodgate.verification.client.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;

/** Producers of workflows, and workers that run their steps. Both know for certain only what was answered. */
final class WorkflowLoad implements AutoCloseable {
    private static final Duration REQUEST = Duration.ofSeconds(10);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);
    private static final int RECENT = 300;
    private static final int PRODUCERS = 6;
    private static final int WORKERS = 12;
    private static final int LONGEST_WITHOUT_SIGNAL_MS = 3_000;
    private static final int TRIES = 100;
    private static final int COUNT = 10;
    private static final int WAIT_MS = 500;
    private static final int CONFLICT = 409;
    private static final String PATH = "/ojs/v1/workflows";

    private final List<String> urls;
    private final List<String> bounded;
    private final List<String> queues;
    private final long seed;
    private final Duration pause;
    private final Map<String, PlannedWorkflow> planned = new ConcurrentHashMap<>();
    /** Created for certain, rejected for certain, and what may have become either. */
    private final Set<String> stored = ConcurrentHashMap.newKeySet();

    private final Set<String> rejected = ConcurrentHashMap.newKeySet();
    private final Set<String> unclear = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<String> unfinished = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> newest = new ConcurrentLinkedQueue<>();
    /** When the signal of a workflow was sent for the first time. */
    private final Map<String, Instant> signalled = new ConcurrentHashMap<>();

    private final AtomicLong runs = new AtomicLong();
    private final Crew producers = new Crew();
    private final Crew workers = new Crew();
    /** Steps that have failed before. */
    private final Set<String> failed = ConcurrentHashMap.newKeySet();
    /** Jobs whose completion was answered. */
    private final Set<String> acked = ConcurrentHashMap.newKeySet();
    /** Those of them that were handed out again. */
    private final Set<String> repeated = ConcurrentHashMap.newKeySet();

    private volatile boolean healing;

    /**
     * @param bounded queues of small workflows
     * @param others queues that workers fetch from, too
     * @param perSecond workflows that are created, at most
     */
    WorkflowLoad(List<String> urls, List<String> bounded, List<String> others, int perSecond, long seed) {
        this.urls = urls;
        this.bounded = bounded;
        this.seed = seed;
        queues = new ArrayList<>(bounded);
        queues.addAll(others);
        pause = Duration.ofSeconds(PRODUCERS).dividedBy(perSecond);
        for (int i = 0; i < PRODUCERS; i++) addProducer(i);
        for (int i = 0; i < WORKERS; i++) addWorker(i);
    }

    Map<String, PlannedWorkflow> planned() {
        return planned;
    }

    Set<String> stored() {
        return stored;
    }

    Set<String> rejected() {
        return rejected;
    }

    Set<String> unclear() {
        return unclear;
    }

    Set<String> acked() {
        return acked;
    }

    Set<String> repeated() {
        return repeated;
    }

    /** From now on, no job fails that has failed before. */
    void heal() {
        healing = true;
    }

    long runs() {
        return runs.get();
    }

    /** Those that had not ended when they were last looked at. */
    ConcurrentLinkedQueue<String> unfinished() {
        return unfinished;
    }

    /** The newest of them. */
    List<String> recent() {
        return newest.stream().toList();
    }

    static String makeId(String queue, Random random) {
        return JobId.make(Slot.of(queue), System.currentTimeMillis(), random.nextLong())
                .toString();
    }

    private void addProducer(int number) {
        Random random = new Random(seed + number);
        Caller caller = new Caller(urls, number, REQUEST);
        producers.add("producer-" + number, caller, () -> {
            String home = bounded.get(random.nextInt(bounded.size()));
            String id = makeId(home, random);
            PlannedWorkflow workflow = PlannedWorkflow.any(id, bounded, random);
            boolean isEarly = random.nextInt(3) == 0;
            if (workflow.isAwaited() && isEarly) signal(id, caller);
            create(workflow, caller);
            // It comes when the step waits, or has not yet begun, or its time is just over; and sometimes twice.
            if (workflow.isAwaited() && !(isEarly && random.nextBoolean())) {
                Pause.of(Duration.ofMillis(random.nextInt(LONGEST_WITHOUT_SIGNAL_MS)));
                signal(id, caller);
            }
            if (stored.contains(id)) newest.add(id);
            if (newest.size() > RECENT) newest.poll();
            Pause.of(pause);
        });
    }

    /** Again until it is known to be there. */
    private void signal(String id, Caller caller) {
        signalled.putIfAbsent(id, Instant.now());
        byte[] signal = json("{'event':'%s','key':'%s'}", PlannedWorkflow.SIGNAL, id);
        for (int i = 0; i < TRIES && !caller.post("/ojs/v1/signals", signal).isOk(); i++) Pause.of(BETWEEN_TRIES);
    }

    Map<String, Instant> signalled() {
        return signalled;
    }

    /** Again until something certain is known. */
    void create(PlannedWorkflow workflow, Caller caller) {
        planned.put(workflow.id(), workflow);
        byte[] body = workflow.body();
        boolean isFirst = true;
        for (int i = 0; i < TRIES; i++) {
            Heard heard = caller.post(PATH, body);
            if (heard.isOk()) {
                stored.add(workflow.id());
                unfinished.add(workflow.id());
                return;
            }
            if (heard.status() >= 400 && heard.status() < 500) {
                if (isFirst && heard.status() != CONFLICT) rejected.add(workflow.id());
                else unclear.add(workflow.id());
                return;
            }
            isFirst &= heard.isHonestlyUnavailable()
                    && heard.body().at("/error/details/outcome").asString("").equals("not_executed");
            Pause.of(BETWEEN_TRIES);
        }
        unclear.add(workflow.id());
    }

    private void addWorker(int number) {
        byte[] fetch = fetch(queues, "worker-" + number, COUNT, WAIT_MS);
        Random random = new Random(seed - number);
        Caller caller = new Caller(urls, number, REQUEST);
        workers.add("worker-" + number, caller, () -> {
            Heard heard = caller.post(FETCH, fetch);
            if (!heard.isOk()) Pause.of(BETWEEN_TRIES);
            else for (JsonNode job : heard.body().required("jobs")) report(job, number, caller, random);
        });
    }

    /** What is to fail does so at first, and then every other time until all is healed. */
    private void report(JsonNode job, int number, Caller caller, Random random) {
        String id = job.required("id").stringValue();
        if (acked.contains(id)) repeated.add(id);
        boolean fails = job.required("args").path(0).asString("").equals("fail")
                && (failed.add(job.path("workflow_id") + "/" + job.path("workflow_step"))
                        || (!healing && random.nextBoolean()));
        byte[] report = json(
                "{'job_id':'%s','worker_id':'worker-%d',"
                        + (fails
                                ? "'error':{'code':'handler_error','message':'It fails on purpose.'}}"
                                : "'result':%2$d}"),
                id,
                number);
        for (int i = 0; i < TRIES; i++) {
            Heard heard = caller.post(fails ? NACK : ACK, report);
            if (heard.isOk() && !fails) acked.add(id);
            if (heard.status() != 0 && heard.status() < 500) break;
            Pause.of(BETWEEN_TRIES);
        }
        runs.incrementAndGet();
    }

    void stopProducing() throws InterruptedException {
        producers.close();
    }

    @Override
    public void close() throws InterruptedException {
        stopProducing();
        workers.close();
    }
}
