package io.floodgate.verification.hostile;

import static io.floodgate.verification.client.RequestBodies.BATCH;
import static io.floodgate.verification.client.RequestBodies.FETCH;
import static io.floodgate.verification.client.RequestBodies.HEARTBEAT;
import static io.floodgate.verification.client.RequestBodies.JOBS;
import static io.floodgate.verification.client.RequestBodies.batch;
import static io.floodgate.verification.client.RequestBodies.fetch;
import static io.floodgate.verification.client.RequestBodies.job;
import static io.floodgate.verification.client.RequestBodies.json;
import static io.floodgate.verification.client.RequestBodies.text;
import static io.floodgate.verification.hostile.Attack.Trait.ALONE;
import static io.floodgate.verification.hostile.Attack.Trait.NO_TRACES;
import static io.floodgate.verification.hostile.Attack.Trait.REPEATED;
import static io.floodgate.verification.hostile.Attack.attack;
import static io.floodgate.verification.hostile.AttackStep.listen;
import static io.floodgate.verification.hostile.AttackStep.records;
import static io.floodgate.verification.hostile.RequestSender.ANYTHING;
import static io.floodgate.verification.hostile.RequestSender.OK;
import static io.floodgate.verification.hostile.RequestSender.REJECTED;
import static io.floodgate.verification.hostile.RequestSender.UNAVAILABLE;
import static io.floodgate.verification.hostile.RequestSender.post;
import static io.floodgate.verification.hostile.RequestSender.postSame;
import static io.floodgate.verification.hostile.RequestSender.status;
import static java.util.Collections.nCopies;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Slot;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.client.Swarm;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What clients do that send well-formed requests. */
final class HttpAttacks {
    private static final int TOO_MANY = 429;
    private static final int LOST_JOBS = 10_000;
    private static final Duration LEASES_BACK_WITHIN = Duration.ofSeconds(90);

    private HttpAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack(
                        "http-oddities",
                        "HTTP/1.0, Connection: close, chunks that end oddly, two lengths: one answer each, and the right one",
                        Set.of(NO_TRACES, REPEATED),
                        OddRequests::ofProxies),
                attack(
                        "cross-site",
                        "requests as foreign pages send them: without a content type, with another host, with an origin",
                        Set.of(NO_TRACES, REPEATED),
                        OddRequests::ofForeignPages),
                attack(
                        "poison-requests",
                        "requests with identifiers of 500 KB, numbers beyond all range, control characters, depth",
                        Set.of(REPEATED),
                        PoisonRequests::send,
                        PoisonRequests::neighboursAreServed),
                attack(
                        "large-worker-ids",
                        "fetches with distinct worker ids of 1 MB",
                        Set.of(REPEATED),
                        post(FETCH, target -> i -> fetch(target.queue("ids"), text(1_000_000), 1, 0))
                                .times(1_200, 100)
                                .by(4)
                                .answered(REJECTED.or(UNAVAILABLE))),
                attack(
                        "many-worker-ids",
                        "fetches that name another worker each time",
                        post(FETCH, target -> i -> fetch(target.queue("ids"), "worker-number-" + i, 1, 0))
                                .times(200_000, 3_000)
                                .by(16)
                                .answered(ANYTHING)),
                // What a job says of its retries is read and written with every step, and must not be long.
                attack(
                        "long-error-types",
                        "jobs whose retry policies name error types of 1 MB, by HTTP and by Kafka; then they are listed and leased",
                        post(JOBS, target -> i -> longErrorTypes(target, i % 2 == 0))
                                .times(600, 60)
                                .answered(status(422)),
                        records(target -> Stream.generate(() -> longErrorTypes(target, true))
                                .limit(target.scaled(600, 60))
                                .map(job -> new KafkaSender.Draft(target.partition(), job))),
                        HttpAttacks::listErrorTypes,
                        post(FETCH, target -> i -> fetch(target.queue("error-types"), "hoarder", 8, 0))
                                .times(4, 4)
                                .answered(ANYTHING),
                        listen(10, 3)),
                // Jobs that are unique in a state they are not in share a key, and all of its rows are one record.
                attack(
                        "one-unique-key",
                        "8 connections that enqueue jobs of one unique key, which counts cancelled jobs only",
                        postSame(
                                        JOBS,
                                        target -> json(
                                                "{'type':'a','queue':'%s','args':[],'unique':{'keys':['type','queue'],'states':['cancelled']}}",
                                                target.queue("one-key")))
                                .during(40, 5)
                                .by(8)
                                .answered(OK.or(status(TOO_MANY)).or(UNAVAILABLE))),
                // Kills a server that keeps a record for as long as something small that came with it.
                attack(
                        "large-batches",
                        "batches of 20 MB, one after the other, until twice the size of the heap was sent",
                        postSame(BATCH, target -> batch(nCopies(25, job(target.queue("large"), 800_000))))
                                .times(100, 15)
                                .answered(OK.or(UNAVAILABLE)),
                        postSame(FETCH, target -> fetch(target.queue("large"), "large", 5, 0))),
                // Kills a server that remembers a little of every job.
                attack(
                        "ordinary-traffic",
                        "jobs enqueued, fetched and acked, with payloads and results from 1 KB to 1 MB; kill -9 in the midst",
                        OrdinaryTraffic::run),
                attack(
                        "many-queues",
                        "40 batches of 10,000 jobs, each job in a queue of its own",
                        Set.of(ALONE),
                        post(BATCH, target -> HttpAttacks::inQueuesOfTheirOwn)
                                .times(40, 4)
                                .answered(OK.or(status(TOO_MANY)).or(UNAVAILABLE))),
                attack(
                        "foreign-limits",
                        "clients of one queue, by API key and by its topic, stop the rate-limit keys of other queues",
                        Set.of(REPEATED),
                        ForeignLimits::run),
                attack(
                        "foreign-workers",
                        "with the key of one queue: heartbeats, acks, nacks and deregistration in the name of another key's worker, then silence",
                        Set.of(ALONE),
                        ForeignWorkers::run,
                        listen(10, 3)),
                attack(
                        "unlimited-supply",
                        "workers that fetch a job a second from queues full of unlimited jobs: a job of high priority with a free limit in another partition starts within a second",
                        Set.of(NO_TRACES),
                        UnlimitedSupply::run),
                attack(
                        "many-limit-keys",
                        "60,000 jobs in another partition, each with a rate-limit key of its own that leads to the attacked one",
                        Set.of(ALONE),
                        post(BATCH, HttpAttacks::withKeysOfTheAttacked)
                                .times(30, 2)
                                .answered(OK.or(UNAVAILABLE)),
                        listen(30, 5),
                        postSame(JOBS, target -> job(target.queue("victim"), 10))),
                parkedFetches(800, 900),
                parkedFetches(5_000, 100),
                // Each topic takes memory of the broker: what is accepted must start again.
                attack(
                        "explicit-queues",
                        "queues are made with topics of their own until no more are taken",
                        Set.of(ALONE),
                        HttpAttacks::makeQueuesUntilFull),
                // Everything that the worker had comes back at once.
                attack(
                        "lost-worker",
                        "a worker with 100,000 leases that falls silent",
                        Set.of(ALONE),
                        postSame(BATCH, target -> batch(nCopies(LOST_JOBS, job(target.queue("lost"), 10))))
                                .times(10, 1),
                        postSame(FETCH, target -> fetch(target.queue("lost"), "lost-worker", 100, 0))
                                .times(1_000, 100),
                        postSame(HEARTBEAT, target -> json("{'worker_id':'lost-worker','active_jobs':[]}")),
                        HttpAttacks::leasesComeBack));
    }

    /** Jobs whose ids belong to other partitions than their queues: each takes messages between the two. */
    static AttackStep claims() {
        return post(JOBS, target -> i -> {
                    int partitions = target.plan().partitions();
                    Slot slot = new Slot(i % partitions, 0);
                    return json(
                            "{'type':'hostile.claim','args':[],'id':'%s','queue':'%s'}",
                            jobId(slot), target.queueIn(i / partitions % partitions, "claims"));
                })
                .times(64, 64);
    }

    static JobId jobId(Slot slot) {
        return JobId.make(
                slot, System.currentTimeMillis(), ThreadLocalRandom.current().nextLong());
    }

    private static byte[] longErrorTypes(Target target, boolean one) {
        return json(
                "{'type':'a','args':[],'queue':'%s','retry':{'non_retryable_errors':['x%s']}}",
                target.queue("error-types"), one ? "x".repeat(1_000_000) : "\",\"y".repeat(200_000));
    }

    private static void listErrorTypes(Target target) {
        try (Caller caller = target.caller()) {
            for (int i = 0; i < 4; i++) {
                var unused = caller.get("/ojs/v1/jobs?limit=100&offset=100&queue=" + target.queue("error-types"));
            }
        }
    }

    private static byte[] inQueuesOfTheirOwn(int number) {
        return batch(IntStream.range(0, 10_000)
                .mapToObj(i -> job("many-%d-%d".formatted(number, i), 4))
                .toList());
    }

    /** The key of a rate limit decides which partition remembers it, and clients choose their keys. */
    private static IntFunction<byte[]> withKeysOfTheAttacked(Target target) {
        Routing routing = new Routing(target.plan().partitions());
        String queue = target.queueElsewhere("keys");
        return number -> batch(IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "k-%d-%d".formatted(number, i))
                .filter(key -> routing.ofLimit(key).partition() == target.partition())
                .limit(2_000)
                .map(key -> json(
                        "{'type':'a.b','args':[],'queue':'%s','rate_limit':{'key':'%s','concurrency':1}}", queue, key))
                .toList());
    }

    private static void makeQueuesUntilFull(Target target) {
        boolean full = false;
        int made = 0;
        try (Caller caller = target.caller()) {
            for (; made < target.scaled(6_000, 100) && !full && target.isAlive(); made++) {
                Heard heard = caller.post("/ojs/v1/queues", json("{'name':'made-%d'}", made));
                full = heard.status() == TOO_MANY;
                target.complainUnless(heard.isOk() || full, "a queue was answered " + heard.shown());
            }
        }
        target.complainUnless(full || target.isShort(), "%,d queues with topics, and no end".formatted(made));
        target.note("%,d queues".formatted(made));
    }

    private static void leasesComeBack(Target target) throws InterruptedException, TimeoutException {
        String stats = "/ojs/v1/queues/%s/stats".formatted(target.queue("lost"));
        int jobs = target.scaled(10 * LOST_JOBS, LOST_JOBS);
        long begun = System.nanoTime();
        try (Caller caller = target.caller()) {
            Await.until(
                    "the jobs of a worker that fell silent are there for others",
                    LEASES_BACK_WITHIN,
                    () -> caller.get(stats).body().at("/stats/available").longValue(0) >= jobs);
        }
        target.note("%,d leases back after %.1f s".formatted(jobs, (System.nanoTime() - begun) / 1e9));
    }

    /** All are served at the same moment: by one command, whose replies are as large as all the jobs. */
    private static Attack parkedFetches(int count, int kilobytes) {
        return attack(
                "parked-fetches-%dk".formatted(kilobytes),
                "%,d parked fetches on a paused queue with as many jobs of %d KB, and resume"
                        .formatted(count, kilobytes),
                Set.of(ALONE),
                target -> command(target, "pause"),
                post(JOBS, target -> i -> job(target.queue("parked"), kilobytes * 1_000))
                        .times(count, count / 8)
                        .by(4)
                        .answered(ANYTHING),
                target -> parkAndResume(target, target.scaled(count, count / 8)));
    }

    private static void parkAndResume(Target target, int count) throws Exception {
        AtomicInteger served = new AtomicInteger();
        Thread resume = Thread.startVirtualThread(() -> {
            Pause.of(Duration.ofMillis(2_000 + 2L * count));
            command(target, "resume");
        });
        Swarm.run(count, number -> {
            try (Caller caller = target.caller()) {
                Heard heard = caller.post(FETCH, fetch(target.queue("parked"), "parked-" + number, 1, 60_000));
                if (heard.isOk() && !heard.body().path("jobs").isEmpty()) served.incrementAndGet();
            }
        });
        resume.join();
        target.complainUnless(served.get() > 0, "no fetch was served");
        target.note("%,d of %,d fetches served".formatted(served.get(), count));
    }

    private static void command(Target target, String command) {
        try (Caller caller = target.caller()) {
            Heard heard = caller.post("/ojs/v1/queues/%s/%s".formatted(target.queue("parked"), command), json("{}"));
            target.complainUnless(heard.isOk(), "%s was answered %s".formatted(command, heard.shown()));
        }
    }
}
