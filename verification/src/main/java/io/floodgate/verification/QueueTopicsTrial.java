package io.floodgate.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.topics.Topics;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Swarm;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Directories;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Queues with topics of their own: made, fed by Kafka clients while processes are killed, emptied, deleted, made again. */
@Command(
        name = "queue-topics",
        description = {
            "Makes queues with topics of their own in an installation of its own, feeds them while it is killed,",
            "and looks whether every record came in once. Exit code 0 if so, and no other caller was delayed for long meanwhile."
        },
        mixinStandardHelpOptions = true)
final class QueueTopicsTrial implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration ONE_REQUEST = Duration.ofSeconds(20);
    private static final int PARTITIONS = 8;
    private static final int WARM_UP = 500;
    private static final int CALLERS = 4;
    private static final int QUEUES_OF_A_FETCH = 50;
    private static final int FETCHED = 50;
    private static final Duration LONGEST_STALL = Duration.ofSeconds(1);

    @Option(names = "--queues", defaultValue = "100", description = "Default: ${DEFAULT-VALUE}")
    int queues = 100;

    @Option(names = "--records", defaultValue = "200", description = "To each topic. Default: ${DEFAULT-VALUE}")
    int records = 200;

    @Option(names = "--kills", defaultValue = "6", description = "Default: ${DEFAULT-VALUE}")
    int kills = 6;

    @Option(names = "--seed", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}")
    long seed = 1;

    @Option(names = "--heap", defaultValue = "768m", description = "Of each process. Default: ${DEFAULT-VALUE}")
    String heap = "768m";

    /** By record, the jobs that it has become. */
    private final Map<String, Set<String>> cameIn = new ConcurrentHashMap<>();

    private final AtomicInteger problems = new AtomicInteger();

    @Override
    public Integer call() throws Exception {
        Path root = Files.createTempDirectory("floodgate-queue-topics-");
        try (Installation all = Installation.apart(root, PARTITIONS, 2, 2, heap)) {
            all.start(PATIENCE);
            Service service = new Service(all.urls(), PARTITIONS, new Recorder());
            check("every partition is served", service.await(PATIENCE).complete());
            trial(all, service);
        }
        boolean passed = problems.get() == 0;
        if (passed) Directories.delete(root);
        System.out.println(passed ? "Everything holds." : "BROKEN; logs in " + root);
        return passed ? 0 : 1;
    }

    private void trial(Installation all, Service service) throws Exception {
        say("%d queues, %d records to each, %d kills, seed %d", queues, records, kills, seed);
        warmUp(all);
        idle(all, "without queues");
        undisturbed(all, "while queues are made", () -> make(all));
        idle(all, "with the queues");
        long begun = System.nanoTime();
        killed(all, service, () -> feed(all));
        say("all records written and come in after %.1f s", (System.nanoTime() - begun) / 1e9);
        judge();
        undisturbed(all, "while queues are deleted", () -> delete(all));
        cameIn.clear();
        undisturbed(all, "while they are made again and used", () -> {
            make(all);
            feedOnce(all);
        });
    }

    // ---- what is done

    private interface Doing {
        void run() throws Exception;
    }

    private void make(Installation all) throws Exception {
        AtomicLong longest = new AtomicLong();
        long begun = System.nanoTime();
        each(all, (caller, queue) -> {
            long asked = System.nanoTime();
            Heard heard = caller.post("/ojs/v1/queues", ("{\"name\":\"" + queue + "\"}").getBytes(UTF_8));
            longest.accumulateAndGet(System.nanoTime() - asked, Math::max);
            if (heard.status() != 201) throw new IOException("queue not made: " + heard.shown());
        });
        say("made in %.1f s, the longest request took %.0f ms", (System.nanoTime() - begun) / 1e9, longest.get() / 1e6);
    }

    private void delete(Installation all) throws Exception {
        each(all, (caller, queue) -> {
            Heard heard = caller.call("DELETE", "/ojs/v1/queues/" + queue + "?strategy=discard", new byte[0]);
            if (heard.status() != 202) throw new IOException("queue not deleted: " + heard.shown());
        });
    }

    private static void warmUp(Installation all) {
        try (Caller caller = new Caller(all.urls(), 0, ONE_REQUEST)) {
            for (int i = 0; i < WARM_UP; i++) round(caller);
        }
    }

    private interface OnQueue {
        void run(Caller caller, String queue) throws IOException;
    }

    private void each(Installation all, OnQueue task) throws Exception {
        AtomicInteger next = new AtomicInteger();
        Swarm.run(CALLERS, number -> {
            try (Caller caller = new Caller(all.urls(), number, ONE_REQUEST)) {
                for (int i = next.getAndIncrement(); i < queues; i = next.getAndIncrement()) task.run(caller, name(i));
            }
        });
    }

    private static String name(int queue) {
        return "trial-" + queue;
    }

    private void feed(Installation all) throws Exception {
        fed(all, records);
    }

    private void feedOnce(Installation all) throws Exception {
        fed(all, 1);
        judge(1);
    }

    private void fed(Installation all, int each) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread writer = Thread.ofPlatform().start(() -> write(all.bootstrap(), each));
        Thread stop = Thread.ofPlatform().start(() -> {
            try {
                Await.until("everything has come in", PATIENCE, () -> cameIn.size() >= queues * each);
            } catch (InterruptedException | TimeoutException late) {
                check("everything comes in: " + late.getMessage(), false);
            }
            over.set(true);
        });
        Swarm.run(CALLERS, number -> work(all, number, over));
        writer.join();
        stop.join();
    }

    private void write(String bootstrap, int each) {
        Map<String, Object> config = Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap,
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                (int) PATIENCE.toMillis(),
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                PATIENCE.toMillis());
        try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int record = 0; record < each; record++) {
                for (int queue = 0; queue < queues; queue++) {
                    byte[] job = ("{\"type\":\"trial\",\"args\":[" + record + "]}").getBytes(UTF_8);
                    var unused =
                            producer.send(new ProducerRecord<>(Topics.ingress(name(queue)), job), (done, failure) -> {
                                if (failure != null) check("Kafka takes every record: " + failure, false);
                            });
                }
            }
            producer.flush();
        }
    }

    private void work(Installation all, int number, AtomicBoolean over) {
        try (Caller caller = new Caller(all.urls(), number, ONE_REQUEST)) {
            while (!over.get()) {
                for (int first = 0; first < queues && !over.get(); first += QUEUES_OF_A_FETCH)
                    fetch(caller, number, first);
            }
        }
    }

    private void fetch(Caller caller, int number, int first) {
        List<String> some = new ArrayList<>();
        for (int i = first; i < Math.min(queues, first + QUEUES_OF_A_FETCH); i++) some.add(name(i));
        Heard heard = caller.post(RequestBodies.FETCH, fetch(some, number));
        for (JsonNode job : heard.body().path("jobs")) {
            String id = job.path("id").stringValue("");
            String record =
                    job.path("queue").stringValue("") + "/" + job.path("args").path(0);
            cameIn.computeIfAbsent(record, key -> ConcurrentHashMap.newKeySet()).add(id);
            caller.post(RequestBodies.ACK, RequestBodies.ack(id, "done"));
        }
        if (!heard.isOk()) Pause.of(Duration.ofMillis(100));
    }

    /** With leases that end soon: an answer may be lost with its gateway. */
    private static byte[] fetch(List<String> queues, int number) {
        return new JsonOut()
                .beginObject()
                .field("queues", queues)
                .field("count", FETCHED)
                .field("worker_id", "trial-" + number)
                .field("visibility_timeout_ms", 5_000)
                .field("wait_ms", 20)
                .endObject()
                .toBytes();
    }

    // ---- how it is judged

    private void judge() {
        judge(records);
    }

    private void judge(int each) {
        long twice = cameIn.values().stream().filter(ids -> ids.size() > 1).count();
        check(
                "every record comes in: %d of %d".formatted(cameIn.size(), queues * each),
                cameIn.size() == queues * each);
        check("none comes in twice: %d did".formatted(twice), twice == 0);
    }

    private void killed(Installation all, Service service, Doing doing) throws Exception {
        Random chance = new Random(seed);
        AtomicBoolean over = new AtomicBoolean();
        Thread killer = Thread.ofPlatform().start(() -> {
            List<Child> victims = new ArrayList<>(all.all(Role.PROCESSOR));
            victims.addAll(all.all(Role.GATEWAY));
            victims.addAll(all.all(Role.BROKER));
            try {
                for (int i = 0; i < kills && !over.get(); i++) {
                    Pause.of(Duration.ofMillis(500 + chance.nextInt(3_000)));
                    Child victim = victims.get(chance.nextInt(victims.size()));
                    say("kill -9 of %s", victim.name());
                    victim.kill();
                    victim.start();
                    service.await(PATIENCE);
                }
            } catch (IOException | InterruptedException failed) {
                check("it can be started again: " + failed, false);
            }
        });
        doing.run();
        over.set(true);
        killer.join();
    }

    /** Jobs of another client, and how long the longest of them took. */
    private void undisturbed(Installation all, String when, Doing doing) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong longest = new AtomicLong();
        AtomicInteger rounds = new AtomicInteger();
        Thread canary = Thread.ofPlatform().start(() -> {
            try (Caller caller = new Caller(all.urls(), 0, ONE_REQUEST)) {
                while (!over.get()) {
                    long begun = System.nanoTime();
                    boolean served = round(caller);
                    if (!served) check("the canary is served", false);
                    longest.accumulateAndGet(System.nanoTime() - begun, Math::max);
                    rounds.incrementAndGet();
                    Pause.of(Duration.ofMillis(20));
                }
            }
        });
        doing.run();
        over.set(true);
        canary.join();
        say("%s: %d rounds of another client, the longest %.0f ms", when, rounds.get(), longest.get() / 1e6);
        check("no round takes longer than " + LONGEST_STALL, longest.get() <= LONGEST_STALL.toNanos());
    }

    private static boolean round(Caller caller) {
        if (!caller.post(
                        RequestBodies.JOBS,
                        SmallJob.of("canary", "canary").arg(1).toBytes())
                .isOk()) return false;
        Heard heard = caller.post(RequestBodies.FETCH, RequestBodies.fetch(List.of("canary"), "canary", 1, 1_000));
        String id = heard.body().path("jobs").path(0).path("id").stringValue("");
        return caller.post(RequestBodies.ACK, RequestBodies.ack(id, "done")).isOk();
    }

    private void idle(Installation all, String when) {
        Duration before = all.processorTime();
        long begun = System.nanoTime();
        Pause.of(Duration.ofSeconds(10));
        double seconds = (System.nanoTime() - begun) / 1e9;
        double used = all.processorTime().minus(before).toMillis() / 1e3;
        say("idle %s: %.1f%% of a core, all five processes together", when, 100 * used / seconds);
    }

    private static void say(String format, Object... arguments) {
        System.out.printf(Locale.ROOT, "  " + format + "%n", arguments);
    }

    private void check(String what, boolean holds) {
        if (!holds) problems.incrementAndGet();
        if (!holds) System.out.println("  BROKEN: " + what);
    }
}
