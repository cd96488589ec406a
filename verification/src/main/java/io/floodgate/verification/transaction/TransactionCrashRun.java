package io.floodgate.verification.transaction;

import static io.floodgate.verification.client.RequestBodies.BATCH;
import static io.floodgate.verification.client.RequestBodies.batch;
import static io.floodgate.verification.client.RequestBodies.json;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.EventTopic;
import io.floodgate.verification.client.KafkaTopics;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.crash.CrashReport;
import io.floodgate.verification.crash.CrashReport.Claim;
import io.floodgate.verification.crash.Findings;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Installation.Layout;
import io.floodgate.verification.process.Role;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import tools.jackson.databind.JsonNode;

/**
 * Workers in processes of their own, which produce two records for each job in a transaction, while they are killed, or frozen for longer
 * than their leases last, and processors are killed. Then {@link TransactionJudge} compares what is committed with how jobs ended.
 */
public final class TransactionCrashRun {
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration FROZEN = LEASE.multipliedBy(2);
    private static final Duration UNTIL_ALL_END = Duration.ofMinutes(15);
    private static final Duration REQUEST = Duration.ofSeconds(30);
    private static final String QUEUE = "crash-produce";
    private static final String TOPIC = "crash-output";
    private static final int WORKERS = 3;
    private static final int CONCURRENCY = 10;
    private static final int IN_A_BATCH = 1_000;
    /** One job of this number has a single attempt. */
    private static final int ONE_ATTEMPT = 10;

    /** @param kills of workers and processors; as many more freeze a worker */
    public record Plan(int kills, Duration between, Layout layout, int jobs, long seed) {}

    private final Plan plan;
    private final PrintStream out;
    private final Random random;
    private final Findings findings;
    private final Set<String> jobs = new HashSet<>();

    public TransactionCrashRun(Plan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
        findings = new Findings(out);
        random = new Random(plan.seed());
    }

    public CrashReport run() throws Exception {
        List<Child> workers = new ArrayList<>();
        try (Installation installation = plan.layout().make()) {
            installation.start(Findings.PATIENCE);
            Service service = new Service(installation.urls(), plan.layout().partitions(), new Recorder());
            if (!service.await(Findings.PATIENCE).complete())
                throw new IllegalStateException("not every partition serves");
            makeTopic(installation.bootstrap());
            try (Caller caller = new Caller(installation.urls(), 0, REQUEST)) {
                enqueue(caller);
                long begun = System.nanoTime();
                for (int i = 0; i < WORKERS; i++) workers.add(worker(installation, i));
                for (Child worker : workers) worker.start();
                strike(installation, service, workers);
                awaitEnd(caller);
                out.printf("all jobs have ended after %d s%n", (System.nanoTime() - begun) / 1_000_000_000);
            }
            for (Child worker : workers) findings.stop(worker);
            findings.dead(installation);
            return findings.report(List.of(), judge(installation.bootstrap()));
        } finally {
            workers.forEach(Child::close);
        }
    }

    private static void makeTopic(String bootstrap) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, Optional.of(ProducingWorker.PARTITIONS), Optional.empty())))
                    .all()
                    .get();
        }
    }

    private void enqueue(Caller caller) throws IOException {
        for (int from = 0; from < plan.jobs(); from += IN_A_BATCH) {
            List<byte[]> some = new ArrayList<>();
            for (int n = from; n < Math.min(from + IN_A_BATCH, plan.jobs()); n++)
                some.add(json(
                        "{'type':'%s','args':[%d],'options':{'queue':'%s','retry':{'max_attempts':%d,'initial_interval':'PT1S'}}}",
                        ProducingWorker.TYPE, n, QUEUE, n % ONE_ATTEMPT == 5 ? 1 : 25));
            for (JsonNode job : caller.ask(BATCH, batch(some)).path("jobs"))
                jobs.add(job.path("id").asString());
        }
        if (jobs.size() != plan.jobs())
            throw new IllegalStateException("%d jobs were enqueued, and %d stored".formatted(plan.jobs(), jobs.size()));
    }

    private Child worker(Installation installation, int number) {
        Child worker = new Child(
                "worker-" + number,
                List.of(
                        installation.bootstrap(),
                        installation.urls().getFirst(),
                        QUEUE,
                        TOPIC,
                        Integer.toString(CONCURRENCY),
                        Long.toString(LEASE.toMillis())),
                plan.layout().directory(),
                "256m");
        worker.run(ProducingWorker.class);
        return worker;
    }

    private void strike(Installation installation, Service service, List<Child> workers) throws Exception {
        List<Child> processors = installation.all(Role.PROCESSOR);
        for (int i = 1; i <= 2 * plan.kills(); i++) {
            Await.pause(plan.between()
                    .dividedBy(2)
                    .plusMillis(random.nextLong(plan.between().toMillis() + 1)));
            int choice = random.nextInt(10);
            Child victim = choice == 0 && !processors.isEmpty()
                    ? processors.get(random.nextInt(processors.size()))
                    : workers.get(random.nextInt(workers.size()));
            boolean freezes = i % 2 == 0 && workers.contains(victim);
            if (freezes) {
                if (victim.freeze(FROZEN).waitFor() != 0)
                    findings.complain("%s was not frozen".formatted(victim.name()));
            } else {
                victim.kill();
                victim.start();
            }
            if (!workers.contains(victim) && !service.await(Findings.PATIENCE).complete())
                findings.complain("service was not back after strike %d".formatted(i));
            findings.say("%d: %s %s".formatted(i, victim.name(), freezes ? "frozen for " + FROZEN : "killed"));
        }
    }

    private void awaitEnd(Caller caller) throws InterruptedException {
        try {
            Await.until("all jobs have ended", UNTIL_ALL_END, () -> left(caller) == 0);
        } catch (TimeoutException stuck) {
            findings.complain("not all jobs have ended within %s of the last strike".formatted(UNTIL_ALL_END));
        }
    }

    private static long left(Caller caller) throws IOException {
        Caller.Heard heard = caller.get("/ojs/v1/queues/%s/stats".formatted(QUEUE));
        if (!heard.isOk()) throw new IOException(heard.shown());
        long left = 0;
        for (String state : List.of("available", "active", "scheduled", "retryable"))
            left += heard.body().path("stats").path(state).asLong(0);
        return left;
    }

    private List<Claim> judge(String bootstrap) {
        TransactionJudge judge = new TransactionJudge();
        new EventTopic(bootstrap)
                .read(
                        QUEUE::equals,
                        (queue, event) -> judge.event(
                                event.path("type").asString(),
                                event.at("/data/job_id").asString("")));
        long[] read = {0};
        try (KafkaTopics topics = new KafkaTopics(bootstrap)) {
            topics.read(TOPIC, record -> {
                judge.record(new String(record.key(), UTF_8), new String(record.value(), UTF_8));
                read[0]++;
            });
        }
        out.printf(
                "%,d jobs: %,d completed, %,d discarded, %,d cancelled; %,d ran more than once; %,d records committed%n",
                jobs.size(),
                judge.ended("job.completed"),
                judge.ended("job.discarded"),
                judge.ended("job.cancelled"),
                judge.ranAgain(),
                read[0]);
        return judge.claims(jobs);
    }
}
