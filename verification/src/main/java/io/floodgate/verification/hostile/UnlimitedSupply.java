package io.floodgate.verification.hostile;

import static io.floodgate.verification.client.RequestBodies.ACK;
import static io.floodgate.verification.client.RequestBodies.BATCH;
import static io.floodgate.verification.client.RequestBodies.FETCH;
import static io.floodgate.verification.client.RequestBodies.ack;
import static io.floodgate.verification.client.RequestBodies.batch;
import static io.floodgate.verification.client.RequestBodies.fetch;
import static io.floodgate.verification.client.RequestBodies.job;
import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.topics.Routing;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Swarm;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** A job of high priority whose limit another partition knows must not wait for all jobs that need no permit. */
final class UnlimitedSupply {
    private static final int QUEUES = 4;
    private static final int SUPPLY = 200;
    private static final Duration BETWEEN_FETCHES = Duration.ofSeconds(1);
    private static final Duration AFTER_A_FETCH = Duration.ofMillis(250);
    private static final long WITHIN_MS = 1_000;
    /** A permit takes longer than a fetch waits for it where everything is slow: then it is there for the next one. */
    private static final int MOST_FETCHES = 3;

    private final String worker;
    private final String queue;
    private final String key;
    private final Caller caller;
    private final Target target;
    private long nextFetch;

    private UnlimitedSupply(int number, Caller caller, Target target) {
        worker = "supplied-" + number;
        queue = target.queueIn(number, "supplied");
        key = keyElsewhere(target.partitionOf(queue), target);
        this.caller = caller;
        this.target = target;
    }

    static void run(Target target) throws Exception {
        AtomicLong longest = new AtomicLong();
        Swarm.run(QUEUES, number -> {
            try (Caller caller = target.caller()) {
                UnlimitedSupply supply = new UnlimitedSupply(number, caller, target);
                caller.ask(BATCH, batch(Collections.nCopies(SUPPLY, job(supply.queue, 10))));
                for (int round = 0; round < target.scaled(20, 3); round++)
                    longest.accumulateAndGet(supply.startUrgentJob(), Math::max);
            }
        });
        target.note("started after %d ms at most".formatted(longest.get()));
    }

    private static String keyElsewhere(int partition, Target target) {
        Routing routing = new Routing(target.plan().partitions());
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "remote-" + i)
                .filter(each -> routing.ofLimit(each).partition() != partition)
                .skip(partition)
                .findFirst()
                .orElseThrow();
    }

    /** Returns after how many milliseconds it has started. */
    private long startUrgentJob() throws Exception {
        nextFetch = System.nanoTime();
        fetchOne();
        Await.pause(AFTER_A_FETCH);
        String id = target.enqueue(
                caller,
                json(
                        "{'type':'a.b','args':[],'options':{'queue':'%s','priority':10,'rate_limit':{'key':'%s','concurrency':1}}}",
                        queue, key));
        long stored = System.currentTimeMillis();
        JsonNode started = MissingNode.getInstance();
        long late = 0;
        for (int i = 0; i < MOST_FETCHES && !started.path("id").asString("").equals(id); i++) {
            late = awaitNextFetch();
            started = fetchOne();
        }
        if (!started.path("id").asString("").equals(id)) {
            target.complain("%s: %d fetches got jobs without a limit before the urgent one with the key %s"
                    .formatted(queue, MOST_FETCHES, key));
            return 0;
        }
        long startedAt =
                Instant.parse(started.required("started_at").stringValue()).toEpochMilli();
        long took = startedAt - stored - late;
        target.complainUnless(took <= WITHIN_MS || target.isShort(), "%s: started after %d ms".formatted(queue, took));
        return took;
    }

    /** Returns how many milliseconds too late it is: on a busy machine, that is not the server's doing. */
    private long awaitNextFetch() throws InterruptedException {
        nextFetch += BETWEEN_FETCHES.toNanos();
        Duration left = Duration.ofNanos(nextFetch - System.nanoTime());
        if (left.isPositive()) Await.pause(left);
        return Math.max(0, Duration.ofNanos(System.nanoTime() - nextFetch).toMillis());
    }

    private JsonNode fetchOne() throws IOException {
        JsonNode job = caller.ask(FETCH, fetch(queue, worker, 1, 0)).at("/jobs/0");
        if (!job.isMissingNode()) caller.ask(ACK, ack(job.required("id").stringValue(), "done"));
        return job;
    }
}
