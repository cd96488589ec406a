package io.floodgate.verification.hostile.attack;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.topics.Routing;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Swarm;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** A job of high priority whose limit another partition knows must not wait for all jobs that need no permit. */
public final class UnlimitedSupply implements Attack {
    private static final int QUEUES = 4;
    private static final int SUPPLY = 200;
    private static final int PRIORITY = 10;
    private static final Duration BETWEEN_FETCHES = Duration.ofSeconds(1);
    private static final Duration AFTER_A_FETCH = Duration.ofMillis(250);
    private static final long WITHIN_MS = 1_000;
    private static final int MOST_FETCHES = 3;

    @Override
    public String name() {
        return "unlimited-supply";
    }

    @Override
    public String what() {
        return "workers that fetch a job a second from queues full of unlimited jobs: a job of high priority with a free limit in another partition starts within a second";
    }

    @Override
    public boolean leavesTraces() {
        return false;
    }

    @Override
    public void run(Target target) throws Exception {
        AtomicLong longest = new AtomicLong();
        Swarm.run(QUEUES, number -> {
            try (Caller caller = target.caller()) {
                new Worker(number, caller, target, longest).run(target.scaled(20, 3));
            }
        });
        target.note("started after %d ms at most".formatted(longest.get()));
    }

    private static final class Worker {
        private final String name;
        private final String queue;
        private final String key;
        private final Caller caller;
        private final Target target;
        private final AtomicLong longest;
        private long nextFetch;

        Worker(int number, Caller caller, Target target, AtomicLong longest) {
            name = "supplied-" + number;
            queue = target.queueIn(number, "supplied");
            key = keyElsewhere(target.partitionOf(queue), target);
            this.caller = caller;
            this.target = target;
            this.longest = longest;
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

        void run(int rounds) throws Exception {
            ask(
                    RequestBodies.BATCH,
                    RequestBodies.batch(Collections.nCopies(
                            SUPPLY, SmallJob.of("a.b", queue).arg("unlimited").toBytes())));
            for (int round = 0; round < rounds; round++) {
                nextFetch = System.nanoTime();
                fetch();
                Await.pause(AFTER_A_FETCH);
                String id = ask(RequestBodies.JOBS, urgent()).at("/job/id").stringValue();
                long stored = System.currentTimeMillis();
                target.answered(id);
                JsonNode started = MissingNode.getInstance();
                long late = 0;
                for (int i = 0;
                        i < MOST_FETCHES && !started.path("id").asString("").equals(id);
                        i++) {
                    late = awaitNextFetch();
                    started = fetch();
                }
                judge(id, started, stored, late);
            }
        }

        /** Returns how many milliseconds too late it is: on a busy machine, that is not the server's doing. */
        private long awaitNextFetch() throws InterruptedException {
            nextFetch += BETWEEN_FETCHES.toNanos();
            Duration left = Duration.ofNanos(nextFetch - System.nanoTime());
            if (left.isPositive()) Await.pause(left);
            return Math.max(0, Duration.ofNanos(System.nanoTime() - nextFetch).toMillis());
        }

        private JsonNode fetch() throws IOException {
            JsonNode job = ask(RequestBodies.FETCH, RequestBodies.fetch(List.of(queue), name, 1, 0))
                    .at("/jobs/0");
            if (!job.isMissingNode())
                ask(RequestBodies.ACK, RequestBodies.ack(job.required("id").stringValue(), "done"));
            return job;
        }

        private byte[] urgent() {
            JsonOut json = SmallJob.of("a.b", queue).arg("urgent").options().field("priority", PRIORITY);
            json.name("rate_limit")
                    .beginObject()
                    .field("key", key)
                    .field("concurrency", 1)
                    .endObject();
            return SmallJob.end(json);
        }

        /** A permit takes longer than a fetch waits for it where everything is slow: then it is there for the next one. */
        private void judge(String id, JsonNode fetched, long stored, long late) {
            if (!fetched.path("id").asString("").equals(id)) {
                target.complain("%s: %d fetches got jobs without a limit before the one of priority %d with the key %s"
                        .formatted(queue, MOST_FETCHES, PRIORITY, key));
                return;
            }
            long started =
                    Instant.parse(fetched.required("started_at").stringValue()).toEpochMilli();
            long took = started - stored - late;
            longest.accumulateAndGet(took, Math::max);
            target.complainUnless(
                    took <= WITHIN_MS || target.isShort(), "%s: started after %d ms".formatted(queue, took));
        }

        private JsonNode ask(String path, byte[] body) throws IOException {
            Heard heard = caller.post(path, body);
            if (!heard.isOk()) throw new IOException("%s was answered %s".formatted(path, heard.shown()));
            return heard.body();
        }
    }
}
