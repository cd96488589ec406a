package io.floodgate.verification.fault;

import static io.floodgate.verification.client.RequestBodies.BATCH;
import static io.floodgate.verification.client.RequestBodies.batch;
import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.FinalJobs;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.client.Service.Return;
import io.floodgate.verification.disk.LossyDisk;
import io.floodgate.verification.history.Damage;
import io.floodgate.verification.history.Damage.Answers;
import io.floodgate.verification.history.FinalState;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** The power of a producer or of a worker goes while no server answers. What it has on its disk must arrive later. */
final class ClientRun implements FaultTrial {
    static final String KEPT = "kept ";
    static final String BEGUN = "begun ";
    static final String ENDED = "ended ";
    static final String TYPE = "fault.job";
    static final int JOBS = 200;

    /** An outcome without an answer is on the disk after 0.2 s; on a busy machine, later. */
    private static final Duration UNTIL_ON_DISK = Duration.ofSeconds(2);

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final FaultPlan plan;
    private final long seed;
    private final FaultSite site;
    private final PrintStream out;
    private final Installation installation;
    private final Path directory;
    private final Path go;
    private final String queue;

    ClientRun(FaultPlan plan, long seed, FaultSite site, PrintStream out) {
        this.plan = plan;
        this.seed = seed;
        this.site = site;
        this.out = out;
        installation = site.installation();
        queue = "r%d-%s".formatted(seed, plan.target());
        directory = site.directory().resolve(queue);
        go = site.directory().resolve(queue + ".go");
    }

    @Override
    public FaultSeen run() throws Exception {
        site.start();
        if (!serve().complete()) throw new IOException("the installation does not serve: see " + site.directory());
        try (LossyDisk disk = LossyDisk.mount(directory);
                Child client = client()) {
            boolean isProducer = plan.target() == FaultTarget.PRODUCER;
            if (plan.disksLie()) disk.lie();
            if (!isProducer) fillAndBegin(client);
            for (Installation.Member member : installation.members())
                member.process().kill();
            if (isProducer) {
                client.start();
                Await.until(
                        "the producer has a job on its disk",
                        FaultSite.PATIENCE,
                        () -> !said(client, KEPT).isEmpty());
            } else Files.createFile(go);
            Await.pause(plan.load());
            long cut = System.currentTimeMillis();
            client.kill();
            out.println("         (%s)"
                    .formatted(new Victim(client, disk, directory)
                            .strike(plan.fault().strike(), new Random(seed))));
            Set<String> kept = isProducer ? said(client, KEPT) : ended(client, cut - UNTIL_ON_DISK.toMillis());
            List<String> begun = lines(client, BEGUN);
            Await.pause(plan.away());
            site.start();
            Return back = serve();
            client.start();
            Damage damage = isProducer ? produced(kept) : worked(kept, begun, client);
            client.kill();
            return new FaultSeen(seed, damage, !kept.isEmpty(), List.of(), back, "", List.of());
        }
    }

    private Return serve() throws InterruptedException {
        return new Service(installation.urls(), queue + "-", plan.partitions(), new Recorder())
                .await(FaultSite.PATIENCE);
    }

    private Child client() {
        boolean isProducer = plan.target() == FaultTarget.PRODUCER;
        Child client = new Child(
                queue,
                List.of(
                        isProducer ? installation.urls().getFirst() : installation.bootstrap(),
                        directory.resolve("journal").toString(),
                        queue,
                        go.toString(),
                        Long.toString(plan.load().toMillis())),
                site.directory(),
                "200m");
        client.run(isProducer ? JournalingProducer.class : JournalingWorker.class);
        return client;
    }

    /** Until the worker has all jobs in hand. */
    private void fillAndBegin(Child worker) throws Exception {
        byte[] job = json("{'type':'%s','args':[],'options':{'queue':'%s'}}", TYPE, queue);
        try (Caller caller = new Caller(installation.urls(), 0, PATIENCE)) {
            caller.ask(BATCH, batch(Collections.nCopies(JOBS, job)));
        }
        worker.start();
        Await.until(
                "the worker has all jobs",
                FaultSite.PATIENCE,
                () -> said(worker, BEGUN).size() == JOBS);
    }

    /** Of jobs that the producer has on its disk, those are lost that do not come. */
    private Damage produced(Set<String> kept) throws Exception {
        try {
            Await.until("all jobs have come", FaultSite.PATIENCE, () -> missing(kept) == 0);
        } catch (TimeoutException never) {
            // The last look says how many.
        }
        return new Damage(new Answers(kept.size(), 0, 0, 0), missing(kept), 0, 0, 0, 0);
    }

    private long missing(Set<String> jobs) throws Exception {
        Map<String, FinalState> states =
                FinalJobs.ask(jobs, installation.urls()).states();
        return states.values().stream().filter(FinalState::isGone).count();
    }

    /** An outcome that is lost makes its job run again. */
    private Damage worked(Set<String> kept, List<String> before, Child worker) throws Exception {
        Set<String> jobs = new HashSet<>(before);
        long unfinished = 0;
        try {
            Await.until("all jobs are completed", FaultSite.PATIENCE, () -> completed(jobs) == jobs.size());
        } catch (TimeoutException never) {
            unfinished = jobs.size() - completed(jobs);
        }
        List<String> again = new ArrayList<>(lines(worker, BEGUN));
        before.forEach(again::remove);
        long forgotten = again.stream().filter(kept::contains).distinct().count();
        return new Damage(new Answers(jobs.size(), kept.size(), 0, 0), 0, forgotten, 0, 0, unfinished);
    }

    private long completed(Set<String> jobs) throws Exception {
        return FinalJobs.ask(jobs, installation.urls()).states().values().stream()
                .filter(end -> end.state().equals("completed"))
                .count();
    }

    private static Set<String> said(Child client, String word) throws IOException {
        return new HashSet<>(lines(client, word));
    }

    /** Those that had ended by then. */
    private static Set<String> ended(Child worker, long by) throws IOException {
        Set<String> ended = new HashSet<>();
        for (String line : lines(worker, ENDED)) {
            String[] parts = line.split(" ", 2);
            if (Long.parseLong(parts[1]) < by) ended.add(parts[0]);
        }
        return ended;
    }

    /** What the client has said with this word. The last line may be half a line. */
    private static List<String> lines(Child client, String word) throws IOException {
        if (!Files.exists(client.log())) return List.of();
        String all = Files.readString(client.log());
        try (Stream<String> lines = all.substring(0, all.lastIndexOf('\n') + 1).lines()) {
            return lines.filter(line -> line.startsWith(word))
                    .map(line -> line.substring(word.length()))
                    .toList();
        }
    }

    @Override
    public void close() {}
}
