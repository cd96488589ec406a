package io.floodgate.verification.hostile;

import static io.floodgate.verification.client.RequestBodies.BATCH;
import static io.floodgate.verification.client.RequestBodies.FETCH;
import static io.floodgate.verification.client.RequestBodies.JOBS;
import static io.floodgate.verification.client.RequestBodies.batch;
import static io.floodgate.verification.client.RequestBodies.fetch;
import static io.floodgate.verification.client.RequestBodies.job;
import static io.floodgate.verification.client.RequestBodies.json;
import static io.floodgate.verification.hostile.Attack.Trait.ALONE;
import static io.floodgate.verification.hostile.Attack.Trait.NO_TRACES;
import static io.floodgate.verification.hostile.Attack.attack;
import static io.floodgate.verification.hostile.AttackStep.listen;
import static io.floodgate.verification.hostile.AttackStep.phase;
import static io.floodgate.verification.hostile.ConnectionSender.flood;
import static io.floodgate.verification.hostile.ConnectionSender.hold;
import static io.floodgate.verification.hostile.RawConnection.get;
import static io.floodgate.verification.hostile.RawConnection.head;
import static io.floodgate.verification.hostile.RequestSender.ANYTHING;
import static io.floodgate.verification.hostile.RequestSender.post;
import static io.floodgate.verification.hostile.RequestSender.postSame;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What clients do that hold many connections, or send on them what an HTTP client would not. */
final class ConnectionAttacks {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String EVENTS =
            "GET /ojs/v1/events/stream HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
    private static final int QUEUES = 1_000;
    private static final int VICTIMS = 20;
    private static final int HALF_OF_GRAPH = 316;

    private ConnectionAttacks() {}

    static List<Attack> all() {
        return List.of(
                // Exhausts a server that allocates memory for announced lengths.
                attack(
                        "announced-lengths",
                        "1,000 connections that announce a fetch of 1.1 MB and send one byte",
                        Set.of(NO_TRACES),
                        hold(
                                2_000,
                                1_000,
                                (connection, i) ->
                                        connection.send(head(FETCH, 1_100_000)).send("{"),
                                listen(40, 6))),
                attack(
                        "trickling-senders",
                        "16 connections that announce 25 MB and send a byte a second, while others enqueue 100 KB",
                        Set.of(NO_TRACES),
                        flood(
                                16,
                                16,
                                ConnectionAttacks::announceAndTrickle,
                                post(JOBS, target -> i -> job(target.queue("medium"), 100_000))
                                        .times(30, 5)
                                        .every(SECOND))),
                // RequestSender without a key yet must not take what others need.
                attack(
                        "endless-heads",
                        "9,000 connections whose first line, or headers, are 32 KB long and never end",
                        Set.of(NO_TRACES),
                        hold(9_000, 600, ConnectionAttacks::sendEndlessHead, listen(30, 5))),
                attack(
                        "slow-readers",
                        "2,000 connections that ask for a job of 900 KB and never read it",
                        Set.of(NO_TRACES),
                        ConnectionAttacks::readSlowly),
                attack(
                        "event-streams",
                        "2,000 event streams that never read, while jobs come in",
                        Set.of(NO_TRACES),
                        hold(
                                2_000,
                                2_000,
                                (connection, i) -> connection.send(EVENTS),
                                post(JOBS, target -> i -> job(target.queue("streamed"), 1_000))
                                        .during(90, 8)
                                        .answered(ANYTHING))),
                // Waiting costs memory, too.
                attack(
                                "parked-queues",
                                "8,000 connections, each waiting at 1,000 queues of its own",
                                Set.of(ALONE),
                                hold(
                                        8_000,
                                        500,
                                        (connection, i) ->
                                                send(connection, fetch(names("parked-" + i), "w" + i, 1, 60_000)),
                                        listen(40, 5)))
                        .rejectingRounds(50),
                attack(
                        "wide-fetches",
                        "150 fetches that wait at 1,000 queues of one partition, and 100 that ask at 1,000 again and again",
                        Set.of(ALONE),
                        ConnectionAttacks::waitAtManyQueues),
                attack(
                        "workflow-graphs",
                        "8 connections that ask for the layout of workflows of 632 steps and 99,856 dependencies",
                        Set.of(ALONE),
                        ConnectionAttacks::readGraphs,
                        phase("layouts")),
                // Looking for what is not there takes a partition longer than anything else.
                attack(
                        "searches",
                        "200 connections that search 100,000 jobs for a type that there is not",
                        Set.of(ALONE),
                        post(
                                        BATCH,
                                        target -> i -> batch(
                                                Collections.nCopies(1_000, job(target.queueIn(i, "searched"), 4))))
                                .times(100, 5),
                        flood(
                                200,
                                50,
                                (connection, i) -> connection.exchange(get("/ojs/v1/jobs?type=none.such"), new byte[0]),
                                listen(60, 10))),
                // Turns before a partition go round those who send, not round whom they say they send for.
                attack(
                        "invented-tenants",
                        "5,500 connections that enqueue, each request for another tenant",
                        Set.of(ALONE),
                        ConnectionAttacks::inventTenants));
    }

    /** Until the connection is cut off, as it should be sooner or later. */
    private static void announceAndTrickle(RawConnection connection, int number) throws IOException {
        connection.send(head(BATCH, 25_000_000));
        while (true) {
            Pause.of(SECOND);
            connection.send(" ");
        }
    }

    private static void sendEndlessHead(RawConnection connection, int number) throws IOException {
        connection.send(number % 2 == 0 ? "A" : "GET /ready HTTP/1.1\r\nHost: localhost\r\nX: ");
        for (int piece = 0; piece < 8; piece++) connection.send("A".repeat(4_000));
    }

    /** Answers that clients do not read take memory. */
    private static void readSlowly(Target target) throws Exception {
        String id;
        try (Caller caller = target.caller()) {
            id = target.enqueue(caller, job(target.queue("slow"), 900_000));
        }
        hold(2_000, 200, (connection, i) -> connection.send(get("/ojs/v1/jobs/" + id)), listen(40, 5))
                .run(target);
    }

    private static void inventTenants(Target target) throws Exception {
        byte[] job = job(target.queue("flooded"), 10);
        AtomicLong tenants = new AtomicLong();
        String head = "POST " + JOBS
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " + job.length
                + "\r\nX-OJS-Tenant: t";
        flood(
                        5_500,
                        300,
                        (connection, i) -> connection.exchange(head + tenants.incrementAndGet() + "\r\n\r\n", job),
                        listen(60, 10))
                .run(target);
        target.note("%,d tenants".formatted(tenants.get()));
    }

    /** A graph can have as many dependencies as the square of its steps, and each look at it shows them. */
    private static void readGraphs(Target target) throws Exception {
        List<String> made = new ArrayList<>();
        String first =
                IntStream.range(0, HALF_OF_GRAPH).mapToObj("'a%d'"::formatted).collect(Collectors.joining(","));
        String steps = IntStream.range(0, 2 * HALF_OF_GRAPH)
                .mapToObj(i -> "{'id':'%s%d','type':'a','queue':'%s','args':[],'depends_on':[%s]}"
                        .formatted(
                                i < HALF_OF_GRAPH ? "a" : "b",
                                i % HALF_OF_GRAPH,
                                target.queue("graphs"),
                                i < HALF_OF_GRAPH ? "" : first))
                .collect(Collectors.joining(","));
        byte[] workflow = json("{'name':'graph','steps':[" + steps + "]}");
        try (Caller caller = target.caller()) {
            for (int i = 0; i < 4; i++)
                made.add(caller.ask("/ojs/v1/workflows", workflow)
                        .at("/workflow/id")
                        .stringValue());
        }
        target.endPhase("creation");
        ConnectionSender.Talk read = (connection, i) -> connection.exchange(
                get("/ojs/v1/workflows/%s?layout=true".formatted(made.get(i % made.size()))), new byte[0]);
        flood(8, 8, read, listen(40, 5)).run(target);
    }

    /** One caller that waits at, and asks for, as many queues as it can name. */
    private static void waitAtManyQueues(Target target) throws Exception {
        byte[] waiting = fetch(
                IntStream.iterate(0, i -> i + 1)
                        .mapToObj("parked-%d"::formatted)
                        .filter(name -> target.partitionOf(name) == target.partition())
                        .limit(QUEUES)
                        .toList(),
                "parked",
                1,
                60_000);
        byte[] asking = fetch(names("asked"), "asker", 1, 0);
        AttackStep flood = flood(
                100,
                20,
                (connection, i) -> connection.exchange(head(FETCH, asking.length), asking),
                ConnectionAttacks::victimIsServed,
                listen(30, 5),
                phase("asking"),
                // Each with one job, which is soon handed out; the queue stays.
                postSame(
                        BATCH,
                        same -> batch(names("asked").stream()
                                .map(queue -> job(queue, 10))
                                .toList())),
                listen(30, 5),
                phase("asking queues that exist"));
        hold(150, 150, (connection, i) -> send(connection, waiting), phase("waiting"), flood)
                .run(target);
    }

    private static void send(RawConnection connection, byte[] fetch) throws IOException {
        connection.send(head(FETCH, fetch.length)).send(fetch);
    }

    private static List<String> names(String prefix) {
        return IntStream.range(0, QUEUES).mapToObj(i -> prefix + "-" + i).toList();
    }

    /** Its worker would wait, and its jobs are there. */
    private static void victimIsServed(Target target) {
        String queue = target.queue("victim");
        int handedOut = 0;
        try (Caller caller = target.caller()) {
            for (int i = 0; i < VICTIMS; i++) {
                Heard stored = caller.post(JOBS, job(queue, 10));
                if (stored.isOk()) target.answered(stored);
                handedOut += caller.post(FETCH, fetch(queue, "victim", 1, 5_000))
                        .body()
                        .path("jobs")
                        .size();
            }
        }
        target.complainUnless(
                handedOut >= VICTIMS - 1, "a worker that waits got %d of %d jobs".formatted(handedOut, VICTIMS));
    }
}
