package io.floodgate.verification.sink;

import static io.floodgate.verification.client.RequestBodies.ACK;
import static io.floodgate.verification.client.RequestBodies.FETCH;
import static io.floodgate.verification.client.RequestBodies.ack;
import static io.floodgate.verification.client.RequestBodies.fetchFor;
import static io.floodgate.verification.client.RequestBodies.json;
import static java.nio.charset.StandardCharsets.UTF_8;

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
import io.floodgate.verification.sink.SinkJudge.Outcome;
import io.floodgate.verification.sink.SinkJudge.Written;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.header.Headers;
import tools.jackson.databind.JsonNode;

/** A queue with producers and workers, and a sink that writes all outcomes of its jobs. Some fail, once or for good, and some are cancelled. */
public final class SinkLoad implements SideLoad {
    private static final String SINKS = "/ojs/v1/admin/sinks/";
    private static final Map<String, String> KINDS = Map.of(
            "job.completed", "completed",
            "job.failed", "failed",
            "job.discarded", "discarded",
            "job.cancelled", "cancelled");

    private static final Duration ONE_REQUEST = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration UNTIL_ALL_ENDED = Duration.ofMinutes(5);
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration BETWEEN_JOBS = Duration.ofMillis(20);
    private static final Duration BETWEEN_FETCHES = Duration.ofMillis(50);
    private static final int PARTITIONS = 6;
    private static final int PRODUCERS = 2;
    private static final int WORKERS = 3;
    private static final int MOST_JOBS = 20;
    private static final int ENOUGH = 500;
    /** Of each ten jobs, one fails for good, one fails once, and one is cancelled. */
    private static final int KINDS_OF_JOBS = 10;

    private final List<String> urls;
    private final String bootstrap;
    private final String name;
    private final Crew crew = new Crew();
    private final Crew workers = new Crew();
    private final AtomicInteger number = new AtomicInteger();
    private final Map<String, String> args = new ConcurrentHashMap<>();

    private SinkLoad(Installation installation, String name) {
        urls = installation.urls();
        bootstrap = installation.bootstrap();
        this.name = name;
    }

    public static Optional<SideLoad> begin(Installation installation, long seed)
            throws InterruptedException, TimeoutException {
        SinkLoad load = new SinkLoad(installation, "crash-sink-" + seed);
        load.makeTopic();
        try (Caller caller = load.caller(0)) {
            byte[] sink = json(
                    "{'topic':'%s','queues':['%s'],'outcomes':['completed','failed','discarded','cancelled'],"
                            + "'record':{'key':'$.id','value':'$.args','headers':{'event':'$.event.id','outcome':'$.outcome'}}}",
                    load.name, load.name);
            Await.until(
                    "the sink is there",
                    PATIENCE,
                    () -> caller.call("PUT", SINKS + load.name, sink).isOk());
            Await.until(
                    "the sink writes",
                    PATIENCE,
                    () -> load.state(caller).path("state").asString("").equals("writing"));
        }
        for (int i = 0; i < PRODUCERS; i++) load.addProducer(i);
        for (int i = 0; i < WORKERS; i++) load.addWorker(i);
        return Optional.of(load);
    }

    private JsonNode state(Caller caller) {
        return caller.get(SINKS + name).body();
    }

    private Caller caller(int caller) {
        return new Caller(urls, caller, ONE_REQUEST);
    }

    private void makeTopic() throws InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic(name, Optional.of(PARTITIONS), Optional.empty())))
                    .all()
                    .get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("the topic of the sink cannot be made", failed);
        }
    }

    private void addProducer(int producer) {
        Caller caller = caller(producer);
        crew.add(name + "-producer-" + producer, caller, () -> {
            int next = number.getAndIncrement();
            Heard taken = caller.post(
                    "/ojs/v1/jobs",
                    json(
                            "{'type':'crash.outcome','queue':'%s','args':[%d],'retry':{'max_attempts':2,'initial_interval':'PT0.1S'}}",
                            name, next));
            String id = taken.body().at("/job/id").asString("");
            if (taken.isOk() && !id.isEmpty()) {
                args.put(id, "[%d]".formatted(next));
                if (next % KINDS_OF_JOBS == 2) {
                    var unused = caller.call("DELETE", "/ojs/v1/jobs/" + id, new byte[0]);
                }
            }
            Pause.of(BETWEEN_JOBS);
        });
    }

    private void addWorker(int worker) {
        Caller caller = caller(worker);
        byte[] fetch = fetchFor(LEASE.toMillis(), name, name + "-worker-" + worker, MOST_JOBS);
        workers.add(name + "-worker-" + worker, caller, () -> {
            for (JsonNode job : caller.post(FETCH, fetch).body().path("jobs")) end(caller, job);
            Pause.of(BETWEEN_FETCHES);
        });
    }

    private static void end(Caller caller, JsonNode job) {
        String id = job.path("id").asString();
        int kind = job.at("/args/0").asInt() % KINDS_OF_JOBS;
        boolean fails = kind == 0 || (kind == 1 && job.path("attempt").asInt() == 1);
        var unused = fails
                ? caller.post(
                        "/ojs/v1/workers/nack",
                        json("{'job_id':'%s','error':{'type':'crash','message':'as planned'}}", id))
                : caller.post(ACK, ack(id, job.path("lease").asLong()));
    }

    /** Enqueues no more, and waits until all jobs have ended and all outcomes are written. */
    @Override
    public void stop() throws InterruptedException, TimeoutException {
        crew.close();
        try (workers;
                Caller caller = caller(0)) {
            Await.until("all outcomes are written", UNTIL_ALL_ENDED, () -> {
                JsonNode queue = caller.get("/ojs/v1/queues/" + name + "/stats").body();
                // Unless it says so, it is not known to be empty.
                return queue.at("/available").asLong(1) == 0
                        && queue.at("/active").asLong(1) == 0
                        && queue.at("/retryable").asLong(0) == 0
                        && isWritten(caller);
            });
        }
    }

    /** The ordinary load has ended, too: there are no other events. */
    private boolean isWritten(Caller caller) {
        JsonNode sink = state(caller);
        return sink.path("state").asString("").equals("writing")
                && sink.path("lag").asLong(-1) == 0;
    }

    @Override
    public boolean owns(String queue) {
        return queue.equals(name);
    }

    @Override
    public List<Claim> claims(EventTopic events, Duration mostLate) {
        List<Outcome> outcomes = new ArrayList<>();
        events.read(name::equals, (queue, event) -> {
            String kind = KINDS.get(event.path("type").asString());
            if (kind != null)
                outcomes.add(new Outcome(
                        event.path("id").asString(), event.at("/data/job_id").asString(), kind));
        });
        SinkJudge judge = new SinkJudge(outcomes, written(), args);
        long kinds = outcomes.stream().map(Outcome::kind).distinct().count();
        return List.of(
                new Claim("each outcome is a record of the sink's topic", judge.lost()),
                new Claim("no outcome is two committed records", judge.doubled()),
                new Claim("no record of a sink is of no outcome", judge.invented()),
                new Claim("the outcomes of a job are in order", judge.disorder()),
                new Claim("a record of a sink has the arguments of its job", judge.wrong()),
                new Claim(
                        "enough was written to go wrong: %,d outcomes of %d kinds".formatted(outcomes.size(), kinds),
                        outcomes.size() > ENOUGH && kinds == KINDS.size() ? List.of() : List.of("hardly anything")));
    }

    private List<Written> written() {
        List<Written> written = new ArrayList<>();
        try (KafkaTopics topics = new KafkaTopics(bootstrap)) {
            topics.read(
                    name,
                    record -> written.add(new Written(
                            new Outcome(
                                    header(record.headers(), "event"),
                                    new String(record.key(), UTF_8),
                                    header(record.headers(), "outcome")),
                            new String(record.value(), UTF_8))));
        }
        return written;
    }

    private static String header(Headers headers, String header) {
        return new String(headers.lastHeader(header).value(), UTF_8);
    }

    @Override
    public void close() throws InterruptedException {
        crew.close();
        workers.close();
    }
}
