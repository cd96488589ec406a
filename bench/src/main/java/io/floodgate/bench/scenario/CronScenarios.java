package io.floodgate.bench.scenario;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.LoadSteps;
import io.floodgate.bench.load.Part;
import io.floodgate.topics.json.JsonOut;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Schedules: how late their jobs are, from when they are due. */
final class CronScenarios {
    private static final int QUEUES = 8;
    private static final int LIST = 500;
    private static final int FETCH = 100;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    /** The time before schedules are due at once: they have to be registered by then. */
    private static final Duration BEFORE = Duration.ofSeconds(10);

    private static final Duration FOR_EACH = Duration.ofMillis(4);
    /** Other enqueues meanwhile. */
    private static final LoadShape OTHERS = LoadShape.of(20, 1).atRate(400);
    /** Each queue is looked at 50 times a second: more often would delay what is measured. */
    private static final LoadShape LOOKS = LoadShape.of(QUEUES, 1).atRate(QUEUES * 50);

    private final Session session;
    private final List<String> queues;
    private final int count;

    private CronScenarios(Session session) {
        this.session = session;
        count = session.shape().count();
        queues = IntStream.range(0, QUEUES)
                .mapToObj(i -> session.queue("-cron-" + i))
                .toList();
    }

    /** Schedules that are each due once a minute, in all of its seconds, and workers that wait. */
    static void spread(Session session) throws Exception {
        CronScenarios cron = new CronScenarios(session);
        cron.register(cron.count, number -> "%d * * * * *".formatted(number % 60));
        Duration measured = session.measured().compareTo(MINUTE) < 0 ? MINUTE : session.measured();
        Session workers = session.with(LoadShape.of(QUEUES, 1)).lasting(session.warmup(), measured);
        try {
            workers.measure(workers.part(
                    "cron: once a minute",
                    "jobs",
                    (worker, due, steps) -> finish(worker, cron.queues.get(worker.number()), steps)));
        } finally {
            cron.register(0, number -> "");
        }
    }

    /** Acks jobs one by one. A job is available by the clock of the brokers, and in hand by that of this process. */
    private static int finish(HttpWorker worker, String queue, LoadSteps steps) throws IOException {
        List<HttpWorker.Fetched> fetched = worker.fetch(List.of(queue), FETCH, Duration.ofSeconds(1));
        Instant now = Instant.now();
        long at = System.nanoTime();
        for (HttpWorker.Fetched job : fetched) {
            Instant due = Instant.parse(job.json().at("/meta/cron_scheduled_at").asString());
            Instant enqueued = Instant.parse(job.json().path("enqueued_at").asString());
            long from = at - Duration.between(due, now).toNanos();
            steps.took("available", from, from + Duration.between(due, enqueued).toNanos());
            steps.took("in hand", from, at);
            worker.ack(job);
        }
        return fetched.size();
    }

    /** Schedules that are due in the same second: until their queues have their jobs, and other enqueues meanwhile. */
    static void burst(Session session) throws Exception {
        new CronScenarios(session).burst();
    }

    private void burst() throws Exception {
        Instant due = Instant.ofEpochSecond(
                Instant.now().plus(BEFORE).plus(FOR_EACH.multipliedBy(count)).getEpochSecond());
        ZonedDateTime time = due.atZone(ZoneOffset.UTC);
        String expression = "%d %d %d * * *".formatted(time.getSecond(), time.getMinute(), time.getHour());
        register(count, number -> expression);
        Duration rest = Duration.between(Instant.now(), due);
        if (rest.isNegative()) throw new IOException("%,d schedules could not be registered in time".formatted(count));
        Load.waitUntil(System.nanoTime() + rest.toNanos());
        long zero = System.nanoTime();
        AtomicLong placed = new AtomicLong();
        int[] seen = new int[QUEUES];
        Part looks = session.with(LOOKS).part("cron: all in the same second", "jobs", (worker, asked, steps) -> {
            int number = worker.number();
            int more = new MeasuredQueue(worker.connection(), queues.get(number)).jobs("available") - seen[number];
            for (int i = 0; i < more; i++) steps.took("placed", zero);
            seen[number] += more;
            placed.addAndGet(more);
            return more;
        });
        Part others = HttpScenarios.enqueueing(
                session.with(OTHERS), "cron: other enqueues meanwhile", session.jobs("-beside"));
        session.until(() -> placed.get() >= count || System.nanoTime() - zero > MINUTE.toNanos(), looks, others);
        register(0, number -> "");
        if (placed.get() < count)
            throw new IOException("only %,d of %,d jobs are there a minute later".formatted(placed.get(), count));
    }

    /** Registers this many schedules, some hundred by each request; 0 removes all. */
    private void register(int schedules, IntFunction<String> expression) throws IOException {
        try (HttpConnection connection = session.connect()) {
            for (int list = 0; list * LIST < count; list++) {
                JsonOut out = new JsonOut()
                        .beginObject()
                        .field("managed_by", "%s-%d".formatted(session.queue(""), list))
                        .name("crons")
                        .beginArray();
                for (int number = list * LIST; number < Math.min(schedules, (list + 1) * LIST); number++)
                    out.raw(schedule(number, expression.apply(number)));
                var unused = connection.put(
                        "/ojs/v1/cron", out.endArray().endObject().toBytes());
            }
        }
    }

    private byte[] schedule(int number, String expression) {
        String queue = queues.get(number % QUEUES);
        return new JsonOut()
                .beginObject()
                .field("name", "%s-%d".formatted(session.queue(""), number))
                .field("expression", expression)
                .field("overlap_policy", "allow")
                .fieldRaw("job_template", new JobBodies(queue).json(number))
                .endObject()
                .toBytes();
    }
}
