package io.floodgate.verification.source;

import static io.floodgate.verification.client.RequestBodies.ACK;
import static io.floodgate.verification.client.RequestBodies.FETCH;
import static io.floodgate.verification.client.RequestBodies.ack;
import static io.floodgate.verification.client.RequestBodies.bounded;
import static io.floodgate.verification.client.RequestBodies.bytes;
import static io.floodgate.verification.client.RequestBodies.fetchFor;
import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Crew;
import io.floodgate.verification.client.EventTopic;
import io.floodgate.verification.client.KafkaTopics;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.crash.CrashReport.Claim;
import io.floodgate.verification.crash.SideLoad;
import io.floodgate.verification.process.Installation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import tools.jackson.databind.JsonNode;

/**
 * A topic that knows nothing of jobs, written to as fast as its source reads it or faster, a source from it into a small queue that
 * blocks, and workers. One record in a hundred is no JSON.
 */
public final class SourceLoad implements SideLoad {
    private static final String SOURCES = "/ojs/v1/admin/sources/";
    private static final Duration ONE_REQUEST = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration UNTIL_ALL_ENDED = Duration.ofMinutes(5);
    /** An answer with jobs may be lost with the gateway that is killed. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    private static final Duration BETWEEN_RECORDS = Duration.ofMillis(20);
    private static final Duration BETWEEN_FETCHES = Duration.ofMillis(50);
    private static final int PARTITIONS = 6;
    private static final int KEYS = 50;
    private static final int BOUND = 200;
    private static final int WORKERS = 3;
    private static final int MOST_JOBS = 20;
    private static final int UNREADABLE_OF = 100;

    private final List<String> urls;
    private final String bootstrap;
    private final String name;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Crew producers = new Crew();
    private final Crew workers = new Crew();
    private final AtomicInteger number = new AtomicInteger();
    private final Set<Integer> tried = ConcurrentHashMap.newKeySet();
    private final Set<Integer> written = ConcurrentHashMap.newKeySet();
    private final Set<Integer> unreadable = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> records = new ConcurrentHashMap<>();

    private SourceLoad(Installation installation, String name) {
        urls = installation.urls();
        bootstrap = installation.bootstrap();
        this.name = name;
        producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrap,
                        "enable.metrics.push",
                        false,
                        "max.block.ms",
                        120_000,
                        "retry.backoff.ms",
                        500),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    public static Optional<SideLoad> begin(Installation installation, long seed)
            throws InterruptedException, TimeoutException {
        SourceLoad load = new SourceLoad(installation, "crash-source-" + seed);
        load.makeTopics();
        try (Caller caller = load.caller(0)) {
            byte[] config = bounded("block", "max_depth", BOUND);
            Await.until(
                    "the queue of the source has a bound",
                    PATIENCE,
                    () -> caller.call("PUT", "/ojs/v1/queues/%s/config".formatted(load.name), config)
                            .isOk());
            Await.until(
                    "the source is there",
                    PATIENCE,
                    () -> caller.call(
                                    "PUT",
                                    SOURCES + load.name,
                                    json(
                                            "{'topic':'%s','queue':'%s','dead_letter_topic':'%s','job':{'type':'crash.record',"
                                                    + "'args':['$.value.n']}}",
                                            load.name, load.name, load.deadLetters()))
                            .isOk());
        }
        load.produce();
        for (int i = 0; i < WORKERS; i++) load.addWorker(i);
        Await.until("jobs come from the source", PATIENCE, () -> !load.records.isEmpty());
        return Optional.of(load);
    }

    private String deadLetters() {
        return name + "-rejected";
    }

    private Caller caller(int number) {
        return new Caller(urls, number, ONE_REQUEST);
    }

    private void makeTopics() throws InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(
                            new NewTopic(name, Optional.of(PARTITIONS), Optional.empty()),
                            new NewTopic(deadLetters(), Optional.of(1), Optional.empty())))
                    .all()
                    .get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("the topics of the source cannot be made", failed);
        }
    }

    private void produce() {
        producers.add("source-producer", new Crew.Member() {
            @Override
            public void once() {
                write(number.getAndIncrement());
                Pause.of(BETWEEN_RECORDS);
            }

            @Override
            public void close() {
                producer.close(Duration.ofMinutes(2));
            }
        });
    }

    private void write(int record) {
        boolean isReadable = record % UNREADABLE_OF != UNREADABLE_OF - 1;
        if (isReadable) tried.add(record);
        byte[] key = bytes("key-%d".formatted(record % KEYS));
        byte[] value = isReadable ? json("{'n':%d}", record) : bytes("no json %d".formatted(record));
        var unused = producer.send(new ProducerRecord<>(name, key, value), (metadata, failure) -> {
            if (failure == null) (isReadable ? written : unreadable).add(record);
        });
    }

    private void addWorker(int number) {
        String worker = "%s-worker-%d".formatted(name, number);
        Caller caller = caller(number);
        byte[] fetch = fetchFor(LEASE.toMillis(), name, worker, MOST_JOBS);
        workers.add(worker, caller, () -> {
            for (JsonNode job : caller.post(FETCH, fetch).body().path("jobs")) {
                String id = job.path("id").asString();
                records.put(id, job.at("/args/0").asInt(-1));
                var unused = caller.post(ACK, ack(id, job.path("lease").asLong()));
            }
            Pause.of(BETWEEN_FETCHES);
        });
    }

    /** Writes no more, and waits until all that was written has come in and ended. */
    @Override
    public void stop() throws InterruptedException, TimeoutException {
        producers.close();
        try (workers;
                Caller caller = caller(0)) {
            Await.until("all records of the source are jobs that have ended", UNTIL_ALL_ENDED, () -> {
                Heard source = caller.get(SOURCES + name);
                Heard queue = caller.get("/ojs/v1/queues/" + name + "/stats");
                return source.isOk()
                        && source.body().path("state").asString("").equals("reading")
                        && source.body().path("lag").asLong(-1) == 0
                        && queue.isOk()
                        && queue.body().at("/available").asLong(0) == 0
                        && queue.body().at("/active").asLong(0) == 0
                        && records.values().containsAll(written);
            });
        }
    }

    @Override
    public boolean owns(String queue) {
        return queue.equals(name);
    }

    @Override
    public List<Claim> claims(EventTopic events, Duration mostLate) {
        List<String> jobs = new ArrayList<>();
        List<String> twice = new ArrayList<>();
        List<String> over = new ArrayList<>();
        Set<String> completed = ConcurrentHashMap.newKeySet();
        events.read(name::equals, (queue, event) -> {
            String job = event.at("/data/job_id").asString("");
            switch (event.path("type").asString()) {
                case "job.enqueued" -> {
                    jobs.add(job);
                    if (jobs.size() - completed.size() > BOUND) over.add("job %s is one too many".formatted(job));
                }
                case "job.completed" -> {
                    if (!completed.add(job)) twice.add(job);
                }
                default -> {}
            }
        });
        SourceJudge judge = new SourceJudge(written, tried, jobs, records, KEYS);
        return List.of(
                new Claim("each record of a source that was acknowledged is a job", judge.lost()),
                new Claim("no record of a source is two jobs", judge.doubled()),
                new Claim("no job of a source is of no record", judge.invented()),
                new Claim("the records of a key come in in order", judge.disorder()),
                new Claim("a job of a source is completed once", twice),
                new Claim("the queue of a source never has more jobs than its bound", over),
                new Claim(
                        "each record of a source that can be no job is among the dead letters: %d"
                                .formatted(unreadable.size()),
                        notKept()),
                new Claim(
                        "enough came from the source to go wrong: %,d records".formatted(written.size()),
                        written.size() > 10 * BOUND ? List.of() : List.of("hardly anything came")));
    }

    private List<String> notKept() {
        Set<Integer> missing = ConcurrentHashMap.newKeySet();
        missing.addAll(unreadable);
        try (KafkaTopics topics = new KafkaTopics(bootstrap)) {
            topics.read(
                    deadLetters(),
                    record -> missing.remove(Integer.parseInt(
                            new String(record.value(), StandardCharsets.UTF_8).substring("no json ".length()))));
        }
        return missing.stream().map("record %d is not there"::formatted).toList();
    }

    @Override
    public void close() throws InterruptedException {
        producers.close();
        workers.close();
    }
}
