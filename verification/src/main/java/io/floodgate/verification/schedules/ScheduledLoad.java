package io.floodgate.verification.schedules;

import static io.floodgate.verification.client.RequestBodies.ACK;
import static io.floodgate.verification.client.RequestBodies.FETCH;
import static io.floodgate.verification.client.RequestBodies.ack;
import static io.floodgate.verification.client.RequestBodies.fetchFor;
import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Crew;
import io.floodgate.verification.client.EventTopic;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.crash.CrashReport.Claim;
import io.floodgate.verification.crash.SideLoad;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.schedules.ScheduleCourse.JobStep;
import io.floodgate.verification.schedules.ScheduleCourse.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Schedules that are due every second, and workers for their jobs, whatever happens to the server. */
public final class ScheduledLoad implements SideLoad {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration ONE_REQUEST = Duration.ofSeconds(15);
    private static final Duration BETWEEN_FETCHES = Duration.ofMillis(20);
    /** An answer with jobs may be lost with the gateway that is killed: their leases must end before the run does. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    private static final int SCHEDULES = 8;
    private static final int MOST_JOBS = 50;

    private final List<String> urls;
    private final String prefix;
    private final Map<String, Instant> registered = new LinkedHashMap<>();
    private final Map<String, Instant> paused = new LinkedHashMap<>();
    private final Crew workers = new Crew();

    private ScheduledLoad(List<String> urls, String prefix) {
        this.urls = List.copyOf(urls);
        this.prefix = prefix;
    }

    public static Optional<SideLoad> begin(Installation installation, long seed)
            throws InterruptedException, TimeoutException {
        return Optional.of(start(installation.urls(), "scheduled-%d".formatted(seed)));
    }

    /** @param prefix of the names of schedules and queues */
    private static ScheduledLoad start(List<String> urls, String prefix) throws InterruptedException, TimeoutException {
        ScheduledLoad load = new ScheduledLoad(urls, prefix);
        try (Caller caller = load.caller(0)) {
            for (int i = 0; i < SCHEDULES; i++) load.register(caller, i);
        }
        for (int i = 0; i < SCHEDULES; i++) load.addWorker(i);
        return load;
    }

    private Caller caller(int number) {
        return new Caller(urls, number, ONE_REQUEST);
    }

    private String name(int number) {
        return prefix + "-" + number;
    }

    /** Each has a queue of its own, so that what is in the queue is of the schedule. */
    private String queue(int number) {
        return prefix + "-queue-" + number;
    }

    private static boolean overlaps(int number) {
        return number % 2 == 0;
    }

    private static String catchUp(int number) {
        return List.of("latest", "all", "none").get(number % 3);
    }

    private void register(Caller caller, int number) throws InterruptedException, TimeoutException {
        byte[] body = json(
                "{'name':'%s','expression':'* * * * * *','overlap_policy':'%s','catch_up':'%s','type':'crash.scheduled',"
                        + "'options':{'queue':'%s'}}",
                name(number), overlaps(number) ? "allow" : "skip", catchUp(number), queue(number));
        // Once more, if there was no answer: the same again changes nothing.
        Await.until("schedule %s is registered".formatted(name(number)), PATIENCE, () -> {
            Heard heard = caller.post("/ojs/v1/cron", body);
            if (!heard.isOk()) return false;
            registered.put(
                    name(number),
                    Instant.parse(heard.body().at("/cron/created_at").asString()));
            return true;
        });
    }

    private void addWorker(int number) {
        String worker = queue(number) + "-worker";
        Caller caller = caller(number);
        byte[] fetch = fetchFor(LEASE.toMillis(), queue(number), worker, MOST_JOBS);
        workers.add(worker, caller, () -> {
            for (JsonNode job : caller.post(FETCH, fetch).body().path("jobs")) {
                var unused = caller.post(
                        ACK, ack(job.path("id").asString(), job.path("lease").asLong()));
            }
            Pause.of(BETWEEN_FETCHES);
        });
    }

    /** Pauses them, and waits until every job has ended. */
    @Override
    public void stop() throws InterruptedException, TimeoutException {
        try (workers;
                Caller caller = caller(0)) {
            for (int i = 0; i < SCHEDULES; i++) {
                String path = "/ojs/v1/cron/" + name(i);
                String name = name(i);
                Await.until("schedule %s is paused".formatted(name), PATIENCE, () -> {
                    Heard heard = caller.post(path + "/pause", json("{}"));
                    if (!heard.isOk()) return false;
                    paused.put(
                            name,
                            Instant.parse(heard.body().at("/cron/paused_since").asString()));
                    return true;
                });
            }
            for (int i = 0; i < SCHEDULES; i++) {
                String path = "/ojs/v1/cron/" + name(i);
                Await.until("the runs of schedule %s have ended".formatted(name(i)), PATIENCE, () -> {
                    Heard heard = caller.get(path);
                    return heard.isOk() && heard.body().at("/cron/running").isEmpty();
                });
            }
        }
    }

    @Override
    public boolean owns(String queue) {
        return queue.startsWith(prefix + "-queue-");
    }

    @Override
    public List<Claim> claims(EventTopic events, Duration mostLate) {
        List<ScheduleCourse> courses = courses(events);
        long triggered = courses.stream()
                .flatMap(course -> course.outcomes().stream())
                .filter(outcome -> outcome.job() != null)
                .count();
        return List.of(
                claim("each occurrence of a schedule has exactly one outcome", courses, OccurrenceJudge::outcomes),
                claim("no run of a schedule is made twice, and none is lost", courses, OccurrenceJudge::runs),
                claim("no runs overlap that must not", courses, OccurrenceJudge::overlaps),
                claim(lateness(courses, mostLate), courses, course -> OccurrenceJudge.lateness(course, mostLate)),
                new Claim(
                        "enough was run to go wrong: %,d runs".formatted(triggered),
                        triggered >= SCHEDULES ? List.of() : List.of("hardly anything was run")));
    }

    private static String lateness(List<ScheduleCourse> courses, Duration mostLate) {
        long[] millis = courses.stream()
                .flatMap(course -> course.outcomes().stream())
                .mapToLong(outcome -> outcome.lateness().toMillis())
                .sorted()
                .toArray();
        if (millis.length == 0) return "no outcome is late";
        return "no outcome is later than %.1f s: half of them %,d ms, 99%% of them %,d ms, all of them %,d ms at most"
                .formatted(
                        mostLate.toMillis() / 1e3,
                        millis[millis.length / 2],
                        millis[(int) (millis.length * 0.99)],
                        millis[millis.length - 1]);
    }

    private static Claim claim(
            String claim, List<ScheduleCourse> courses, Function<ScheduleCourse, List<String>> judge) {
        return new Claim(
                claim,
                courses.stream().flatMap(course -> judge.apply(course).stream()).toList());
    }

    private List<ScheduleCourse> courses(EventTopic events) {
        Map<String, List<JsonNode>> byKey = new LinkedHashMap<>();
        events.read(
                key -> owns(key) || key.startsWith("cron:" + prefix),
                (key, envelope) ->
                        byKey.computeIfAbsent(key, each -> new ArrayList<>()).add(envelope));
        List<ScheduleCourse> courses = new ArrayList<>();
        for (int i = 0; i < SCHEDULES; i++) {
            String name = name(i);
            courses.add(new ScheduleCourse(
                    name,
                    overlaps(i),
                    registered.getOrDefault(name, Instant.EPOCH),
                    paused.getOrDefault(name, Instant.EPOCH),
                    outcomes(byKey.getOrDefault("cron:" + name, List.of())),
                    steps(byKey.getOrDefault(queue(i), List.of()))));
        }
        return courses;
    }

    private static List<Outcome> outcomes(List<JsonNode> events) {
        List<Outcome> outcomes = new ArrayList<>();
        for (JsonNode event : events) {
            JsonNode data = event.path("data");
            Instant occurrence = Instant.parse(data.path("scheduled_time").asString());
            Instant decided = Instant.parse(event.path("time").asString());
            if (event.path("type").asString().equals("cron.triggered"))
                outcomes.add(new Outcome(occurrence, data.path("job_id").asString(), null, 1, decided));
            else
                outcomes.add(new Outcome(
                        occurrence,
                        null,
                        data.path("reason").asString(),
                        data.path("count").asInt(1),
                        decided));
        }
        return outcomes;
    }

    private static List<JobStep> steps(List<JsonNode> events) {
        List<JobStep> steps = new ArrayList<>();
        for (JsonNode event : events) {
            JsonNode job = event.path("data").path("job_id");
            JsonNode state = event.path("data").path("state");
            if (job.isString() && state.isString()) steps.add(new JobStep(job.asString(), state.asString()));
        }
        return steps;
    }

    @Override
    public void close() throws InterruptedException {
        workers.close();
    }
}
