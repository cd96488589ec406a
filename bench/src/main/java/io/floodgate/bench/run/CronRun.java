package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.http.HttpResponse;
import io.floodgate.bench.http.UnexpectedStatus;
import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.MeasuredWindow;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Samples;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.Fetching;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/** Schedules: how late their jobs are, from when they are due. */
public final class CronRun {
    private static final int QUEUES = 8;
    private static final int LIST = 500;
    private static final int REGISTRARS = 4;
    private static final int FETCH = 100;
    /** To look is a request as well: more often would delay what is measured. */
    private static final Duration LOOK = Duration.ofMillis(20);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Registering takes this long at most. */
    private static final Duration FOR_EACH = Duration.ofMillis(4);

    private static final Duration BEFORE = Duration.ofSeconds(10);

    /** How often a job is enqueued beside those of schedules, by each of its callers. */
    private static final Duration OTHERS = Duration.ofMillis(50);

    private static final int CALLERS = 20;

    private final Settings settings;
    private final JobBodies jobs;
    private final List<String> queues = new ArrayList<>();
    private int registered;

    /** @param name tells the measurements of a run apart */
    public CronRun(Settings settings, String name) {
        this.settings = settings;
        jobs = settings.jobs("-beside-" + name);
        for (int i = 0; i < QUEUES; i++)
            queues.add(settings.jobs("-cron-%s-%d".formatted(name, i)).queue());
    }

    // ---- over a minute

    /**
     * Schedules that are each due once a minute, in all of its seconds, and workers that wait: until a job is available, by the
     * clock of the brokers, and until it is in hand.
     */
    public List<Measurement> spread(int schedules) throws Exception {
        settings.prepare();
        register(schedules, number -> "%d * * * * *".formatted(number % 60));
        Instant begin = Instant.now().plus(settings.warmup());
        Instant end = begin.plus(later(settings.measured(), Duration.ofMinutes(1)));
        long zero = System.nanoTime() - Duration.between(begin, Instant.now()).toNanos();
        MeasuredWindow window =
                new MeasuredWindow(zero, zero + Duration.between(begin, end).toNanos());
        Samples available = new Samples(window);
        Samples inHand = new Samples(window);
        try (CommandClient client = PartitionTarget.open(settings, QUEUES * FETCH)) {
            Crew.work(QUEUES, worker -> {
                while (!window.isOver(System.nanoTime()))
                    fetch(client, queues.get(worker), worker, begin, zero, available, inHand);
            });
        }
        unregister();
        String how = "%,d schedules, each due once a minute; workers that wait".formatted(schedules);
        return List.of(
                measurement("cron: until the job is available", how, available, window),
                measurement("cron: until the job is in hand", how, inHand, window));
    }

    private static Duration later(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private static void fetch(
            CommandClient client, String queue, int number, Instant begin, long zero, Samples available, Samples inHand)
            throws Exception {
        String worker = "bench-cron-" + number;
        Fetch fetch = new Fetch(List.of(queue), FETCH, worker, null, Duration.ofSeconds(1));
        List<byte[]> handed = new Fetching(client, PartitionTarget.PATIENCE).fetch(fetch);
        long now = System.nanoTime();
        for (byte[] json : handed) {
            JsonNode job = Json.tree(json);
            Instant due =
                    Instant.parse(job.path("meta").path("cron_scheduled_at").asString());
            long from = zero + Duration.between(begin, due).toNanos();
            Instant enqueued = Instant.parse(job.path("enqueued_at").asString());
            available.add(from, from + Duration.between(due, enqueued).toNanos(), 1);
            inHand.add(from, now, 1);
            JobId id = JobId.parse(job.required("id").stringValue()).orElseThrow();
            Ack ack = new Ack(id, new Claimant(worker, job.required("lease").longValue()), null);
            PartitionTarget.check(
                    client.call(client.routing().ofJob(id), id.toString(), ack, PartitionTarget.PATIENCE));
        }
    }

    // ---- all at once

    /** Schedules that are due in the same second: until their queues have their jobs, and other enqueues meanwhile. */
    public List<Measurement> burst(int schedules) throws Exception {
        settings.prepare();
        Instant due = Instant.ofEpochSecond(Instant.now()
                .plus(BEFORE)
                .plus(FOR_EACH.multipliedBy(schedules))
                .getEpochSecond());
        ZonedDateTime time = due.atZone(ZoneOffset.UTC);
        String expression = "%d %d %d * * *".formatted(time.getSecond(), time.getMinute(), time.getHour());
        register(schedules, number -> expression);
        if (Instant.now().plusSeconds(2).isAfter(due))
            throw new IOException("%,d schedules could not be registered in time".formatted(schedules));
        long zero = System.nanoTime() + Duration.between(Instant.now(), due).toNanos();
        MeasuredWindow window = new MeasuredWindow(zero, zero + PATIENCE.toNanos());
        Samples placed = new Samples(window);
        Samples others = new Samples(window);
        AtomicLong all = new AtomicLong();
        AtomicLong last = new AtomicLong(zero);
        Crew.work(QUEUES + CALLERS, caller -> {
            if (caller < QUEUES) count(queues.get(caller), schedules, zero, placed, all, last);
            else enqueue(caller - QUEUES, zero, () -> all.get() == schedules, others);
        });
        unregister();
        MeasuredWindow until = new MeasuredWindow(zero, Math.max(zero + 1, last.get()));
        return List.of(
                measurement(
                        "cron: until the queue has the job",
                        "%,d schedules, all due at the same time; all placed after %,d ms"
                                .formatted(schedules, (last.get() - zero) / 1_000_000),
                        placed,
                        until),
                measurement("cron: other enqueues meanwhile", "POST, open loop, 400/s due", others, until));
    }

    /** Looks again and again how many jobs the queue has. */
    private void count(String queue, int schedules, long zero, Samples placed, AtomicLong all, AtomicLong last)
            throws IOException {
        sleepUntil(zero - Duration.ofMillis(100).toNanos());
        long seen = 0;
        try (HttpConnection connection = settings.connect()) {
            while (all.get() < schedules) {
                long now = available(connection, queue);
                long at = System.nanoTime();
                for (; seen < now; seen++) {
                    placed.add(zero, at, 1);
                    if (all.incrementAndGet() == schedules) last.set(at);
                }
                if (at - zero > PATIENCE.toNanos())
                    throw new IOException("%,d of %,d jobs are there a minute later".formatted(all.get(), schedules));
                LockSupport.parkNanos(LOOK.toNanos());
            }
        }
    }

    /** 0 as well for a queue that has had no job yet. */
    private static long available(HttpConnection connection, String queue) throws IOException {
        String path = "/ojs/v1/queues/" + queue;
        HttpResponse response = connection.get(path);
        return switch (response.status()) {
            case 200 -> Json.tree(response.body()).path("available").asLong();
            case 404 -> 0;
            default -> throw new UnexpectedStatus("GET " + path, response);
        };
    }

    private interface Condition {
        boolean holds();
    }

    private void enqueue(int caller, long zero, Condition over, Samples others) throws IOException {
        try (HttpConnection connection = settings.connect()) {
            long due = zero - Duration.ofSeconds(1).toNanos() + OTHERS.toNanos() * caller / CALLERS;
            for (long number = caller * 1_000_000L; !over.holds(); number++, due += OTHERS.toNanos()) {
                sleepUntil(due);
                var unused = connection.post(EnqueueRun.PATH, jobs.json(number), 201);
                others.add(due, System.nanoTime(), 1);
            }
        }
    }

    private static void sleepUntil(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) LockSupport.parkNanos(left);
    }

    // ---- schedules

    private interface Expression {
        String of(int number);
    }

    private String manager(int number) {
        return settings.queue() + "-" + number;
    }

    private void register(int schedules, Expression expression) throws Exception {
        int lists = (schedules + LIST - 1) / LIST;
        Crew.work(REGISTRARS, registrar -> {
            try (HttpConnection connection = settings.connect()) {
                for (int list = registrar; list < lists; list += REGISTRARS)
                    put(connection, list, Math.min(schedules, (list + 1) * LIST), expression);
            }
        });
        registered = lists;
    }

    private void put(HttpConnection connection, int list, int end, Expression expression) throws IOException {
        JsonOut out = new JsonOut()
                .beginObject()
                .field("managed_by", manager(list))
                .name("crons")
                .beginArray();
        for (int number = list * LIST; number < end; number++)
            out.beginObject()
                    .field("name", "%s-%d".formatted(settings.queue(), number))
                    .field("expression", expression.of(number))
                    .field("overlap_policy", "allow")
                    .name("job_template")
                    .beginObject()
                    .field("type", JobBodies.TYPE)
                    .fieldRaw("args", Json.bytes(Json.tree(jobs.json(number)).required("args")))
                    .name("options")
                    .beginObject()
                    .field("queue", queues.get(number % QUEUES))
                    .endObject()
                    .endObject()
                    .endObject();
        var unused = connection.put("/ojs/v1/cron", out.endArray().endObject().toBytes());
    }

    private void unregister() throws IOException {
        try (HttpConnection connection = settings.connect()) {
            for (int list = 0; list < registered; list++) put(connection, list, 0, number -> "");
        }
    }

    private static Measurement measurement(String name, String how, Samples samples, MeasuredWindow window) {
        return new Measurement(
                name,
                how,
                "jobs",
                samples.units(),
                window,
                Samples.merge(List.of(samples)),
                Optional.empty(),
                new Errors());
    }
}
