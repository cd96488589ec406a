package io.floodgate.verification.hostile;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.http.HttpTarget;
import io.floodgate.topics.Routing;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Role;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;

/** The server under attack, and what was seen of it. */
public final class Target implements AutoCloseable {
    /** The canary's log: attacks are on the same one. */
    private static final int LOG = 0;

    private static final Duration PATIENCE_WITH_ONE_REQUEST = Duration.ofSeconds(60);

    private final HostilePlan plan;
    private final Path directory;
    private final Installation installation;
    private final List<PartitionWatch> logs;
    private final Ledger ledger = new Ledger();
    private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());
    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());
    private final Service service;
    private final Canary canary;

    Target(HostilePlan plan, Path directory, int processors) {
        this.plan = plan;
        this.directory = directory;
        installation = processors == 0
                ? Installation.node(
                        directory, plan.partitions(), plan.heap(), "--retention-completed", Ledger.RETENTION.toString())
                : Installation.apart(directory, plan.partitions(), processors, 1, plan.heap());
        logs = installation.members().stream()
                .map(member -> new PartitionWatch(member.process().log()))
                .toList();
        service = new Service(installation.urls(), plan.partitions(), new Recorder());
        canary = new Canary(url(), queue("canary"), ledger);
    }

    /** Starts what is not running, and waits until a job goes round in every log. */
    void start() throws Exception {
        canary.ignore();
        installation.start(plan.readyWithin());
        awaitService();
        if (!plan.isShort()) WarmUp.run(url(), queue("warm"));
        canary.listen();
    }

    private void awaitService() throws InterruptedException, TimeoutException {
        if (!service.await(plan.readyWithin()).complete())
            throw new TimeoutException("not ready within %d s of its start%s"
                    .formatted(
                            plan.readyWithin().toSeconds(),
                            isAlive() ? "" : "; the process has ended with " + server().exitCode()));
    }

    /** New code is slow until it is compiled: that is no fault of the attack. */
    private void listenSoon() throws InterruptedException {
        Await.pause(Duration.ofSeconds(plan.isShort() ? 2 : 5));
        canary.listen();
    }

    /** In the midst of whatever is going on. */
    public void killAndRestart() throws IOException, InterruptedException, TimeoutException {
        canary.ignore();
        server().kill();
        long begun = System.nanoTime();
        server().start();
        awaitService();
        note("back %.1f s after kill -9".formatted((System.nanoTime() - begun) / 1e9));
        listenSoon();
    }

    /** After the attack has started again what it stopped. */
    public void awaitService(String what) throws InterruptedException, TimeoutException {
        long begun = System.nanoTime();
        awaitService();
        note("%s: back after %.1f s".formatted(what, (System.nanoTime() - begun) / 1e9));
        listenSoon();
    }

    /** While something is done to the server that interrupts its service. */
    public void whileCanaryIsSilent(Doing doing) throws Exception {
        canary.ignore();
        try {
            doing.run();
        } finally {
            canary.listen();
        }
    }

    /** What an attack does for a while. */
    @FunctionalInterface
    public interface Doing {
        void run() throws Exception;
    }

    public void complain(String what) {
        complaints.add(what);
    }

    public void complainUnless(boolean holds, String what) {
        if (!holds) complain(what);
    }

    /** A figure for the report. */
    public void note(String figure) {
        notes.add(figure);
    }

    /** A part of an attack has ended: its own figures of the canary. */
    public void endPhase(String name) {
        note(name + ": " + canary.phase().figures());
    }

    /** Begins again, with data elsewhere, and the process behind this command. */
    public void moveTo(Path data, List<String> wrapper) throws IOException, InterruptedException, TimeoutException {
        canary.ignore();
        server().kill();
        server().wrapIn(wrapper);
        server().replace(directory.resolve("data").toString(), data.toString());
        ledger.forget();
        server().start();
        awaitService();
        listenSoon();
    }

    /** Now already, while what it stands on is still there. */
    public void checkPromises() throws InterruptedException, IOException {
        ledger.broken(url()).forEach(this::complain);
        ledger.forget();
    }

    /** The server has given its word for this job. */
    public void answered(String id) {
        ledger.answered(id);
    }

    /** Its outcome was taken. */
    public void completed(String id) {
        ledger.completed(id);
    }

    public Caller caller() {
        return new Caller(url(), PATIENCE_WITH_ONE_REQUEST);
    }

    /** In which state a job is. */
    public String state(String id) {
        try (Caller caller = caller()) {
            return caller.get("/ojs/v1/jobs/" + id).body().at("/job/state").asString("unknown");
        }
    }

    public KafkaSender kafka() {
        return new KafkaSender(installation.bootstrap());
    }

    /** @param more settings of its producer */
    public KafkaSender kafka(Map<String, Object> more) {
        return new KafkaSender(installation.bootstrap(), more);
    }

    public Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", installation.bootstrap(), "enable.metrics.push", false));
    }

    /** Whether an operator who looks at {@code /ready} and {@code /metrics} can see this word. */
    public boolean shows(String word) {
        HttpTarget gateway = HttpTarget.parse(url());
        try (HttpConnection connection = new HttpConnection(gateway, PATIENCE_WITH_ONE_REQUEST)) {
            return connection.get("/ready").text().contains(word)
                    || connection.get("/metrics").text().contains(word);
        } catch (IOException unreachable) {
            return false;
        }
    }

    /** Whichever the form of the run asks for. */
    public int scaled(int full, int brief) {
        return plan.isShort() ? brief : full;
    }

    public boolean isShort() {
        return plan.isShort();
    }

    public HostilePlan plan() {
        return plan;
    }

    public Path directory() {
        return directory;
    }

    public Installation installation() {
        return installation;
    }

    public Child server() {
        List<Child> nodes = installation.all(Role.NODE);
        return nodes.isEmpty() ? installation.all(Role.PROCESSOR).getFirst() : nodes.getFirst();
    }

    public boolean isAlive() {
        return installation.dead().isEmpty();
    }

    public String url() {
        return installation.urls().getFirst();
    }

    public int port() {
        return URI.create(url()).getPort();
    }

    public int partition() {
        return LOG;
    }

    /** The name of a queue in the attacked log. */
    public String queue(String name) {
        return queueIn(LOG, name);
    }

    /** And of one in another. */
    public String queueElsewhere(String name) {
        return queueIn(LOG + 1, name);
    }

    public int partitionOf(String queue) {
        return new Routing(plan.partitions()).ofQueue(queue).partition();
    }

    public String queueIn(int log, String name) {
        Routing routing = new Routing(plan.partitions());
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> name + "-" + i)
                .filter(each -> routing.ofQueue(each).partition() == log % plan.partitions())
                .findFirst()
                .orElseThrow();
    }

    Canary canary() {
        return canary;
    }

    Ledger ledger() {
        return ledger;
    }

    /** What all processes have said since the last time. */
    public List<String> newLogLines() throws IOException {
        List<String> lines = new ArrayList<>();
        for (PartitionWatch log : logs) lines.addAll(log.more());
        return lines;
    }

    List<String> takeComplaints() {
        return take(complaints);
    }

    /** What a repeated attack notes each time is said once. */
    List<String> takeNotes() {
        return take(notes).stream().distinct().toList();
    }

    private static List<String> take(List<String> some) {
        synchronized (some) {
            List<String> taken = List.copyOf(some);
            some.clear();
            return taken;
        }
    }

    @Override
    public void close() {
        canary.close();
        installation.close();
    }
}
