package io.floodgate.verification.hostile;

import io.floodgate.topics.Routing;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.RequestBodies;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.client.Swarm;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Installation.Layout;
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
import tools.jackson.databind.JsonNode;

/** The server under attack, and what was seen of it. */
final class Target implements AutoCloseable {
    /** That of the canary: attacks are on the same one. */
    private static final int PARTITION = 0;

    private static final Duration PATIENCE_WITH_ONE_REQUEST = Duration.ofSeconds(60);

    private final HostileRun.Plan plan;
    private final Path directory;
    private final Installation installation;
    private final List<LogFile> logs;
    private final Ledger ledger = new Ledger();
    private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());
    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());
    private final Service service;
    private final Canary canary;

    Target(HostileRun.Plan plan, Path directory, int processors) throws IOException {
        this.plan = plan;
        this.directory = directory;
        Layout layout = processors == 0
                ? Layout.node(directory, plan.partitions())
                        .options(List.of("--retention-completed", Ledger.RETENTION.toString()))
                : new Layout(directory, plan.partitions(), 1, processors, 1);
        installation = layout.heap("1g").make();
        logs = installation.members().stream()
                .map(member -> new LogFile(member.process().log()))
                .toList();
        service = new Service(installation.urls(), plan.partitions(), new Recorder());
        canary = new Canary(url(), queue("canary"), ledger);
    }

    /** Starts what is not running, and waits until a job goes round in every partition. */
    void start() throws Exception {
        canary.ignore();
        installation.start(plan.readyWithin());
        awaitService();
        if (!plan.isShort()) warmUp();
        canary.listen();
    }

    /** Honest traffic until the code that serves it is compiled: an attack meets a server that has been at work. */
    private void warmUp() throws Exception {
        Swarm.run(4, number -> {
            JobRound round = new JobRound(queue("warm"), "warm-" + number, ledger);
            try (Caller caller = caller()) {
                for (int i = 0; i < 2_500; i++) {
                    var unused = round.go(caller, () -> 4, false);
                }
            }
        });
        ledger.forget();
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
    void killAndRestart() throws IOException, InterruptedException, TimeoutException {
        canary.ignore();
        server().kill();
        long begun = System.nanoTime();
        server().start();
        awaitService();
        note("back %.1f s after kill -9".formatted((System.nanoTime() - begun) / 1e9));
        listenSoon();
    }

    /** After the attack has started again what it stopped. */
    void awaitService(String what) throws InterruptedException, TimeoutException {
        long begun = System.nanoTime();
        awaitService();
        note("%s: back after %.1f s".formatted(what, (System.nanoTime() - begun) / 1e9));
        listenSoon();
    }

    /** While something is done to the server that interrupts its service. */
    void whileCanaryIsSilent(AttackStep step) throws Exception {
        canary.ignore();
        try {
            step.run(this);
        } finally {
            canary.listen();
        }
    }

    /** Time for the canary to notice. */
    void listen(int seconds) throws InterruptedException {
        Await.pause(Duration.ofSeconds(seconds));
        if (!isAlive()) throw new IllegalStateException("the process died: " + server().log());
    }

    void complain(String what) {
        complaints.add(what);
    }

    void complainUnless(boolean holds, String what) {
        if (!holds) complain(what);
    }

    /** A figure for the report. */
    void note(String figure) {
        notes.add(figure);
    }

    /** A part of an attack has ended: its own figures of the canary. */
    void endPhase(String name) {
        note(name + ": " + canary.phase().figures());
    }

    /** Begins again, with data elsewhere, and the process behind this command. */
    void moveTo(Path data, List<String> wrapper) throws IOException, InterruptedException, TimeoutException {
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
    void checkPromises() throws Exception {
        ledger.broken(url()).forEach(this::complain);
        ledger.forget();
    }

    /** The server has given its word for the job, or the first of the jobs, in this answer. */
    void answered(Heard heard) {
        JsonNode job = heard.body().at("/job/id");
        JsonNode id = job.isString() ? job : heard.body().at("/jobs/0/id");
        if (id.isString()) ledger.answered(id.stringValue());
    }

    /** Returns the id of a job that must be accepted. */
    String enqueue(Caller caller, byte[] job) throws IOException {
        String id = caller.ask(RequestBodies.JOBS, job).at("/job/id").stringValue();
        ledger.answered(id);
        return id;
    }

    Caller caller() {
        return new Caller(url(), PATIENCE_WITH_ONE_REQUEST);
    }

    /** In which state a job is. */
    String state(String id) {
        try (Caller caller = caller()) {
            return caller.get("/ojs/v1/jobs/" + id).body().at("/job/state").asString("unknown");
        }
    }

    void expectState(String id, String state, String what) {
        String is = state(id);
        complainUnless(is.equals(state), "%s: the job is %s".formatted(what, is));
    }

    KafkaSender kafka() {
        return new KafkaSender(installation.bootstrap());
    }

    /** @param more settings of its producer */
    KafkaSender kafka(Map<String, Object> more) {
        return new KafkaSender(installation.bootstrap(), more);
    }

    Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", installation.bootstrap(), "enable.metrics.push", false));
    }

    /** The whole answer to a GET; empty if there is none. */
    String text(String path) {
        try (RawConnection connection = RawConnection.open(this)) {
            String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            return connection.send(request).readFor(PATIENCE_WITH_ONE_REQUEST);
        } catch (IOException unreachable) {
            return "";
        }
    }

    /** Whichever of the two the form of the run asks for. */
    int scaled(int full, int brief) {
        return plan.isShort() ? brief : full;
    }

    boolean isShort() {
        return plan.isShort();
    }

    HostileRun.Plan plan() {
        return plan;
    }

    Path directory() {
        return directory;
    }

    Installation installation() {
        return installation;
    }

    Child server() {
        List<Child> nodes = installation.all(Role.NODE);
        return nodes.isEmpty() ? installation.all(Role.PROCESSOR).getFirst() : nodes.getFirst();
    }

    boolean isAlive() {
        return installation.dead().isEmpty();
    }

    String url() {
        return installation.urls().getFirst();
    }

    int port() {
        return URI.create(url()).getPort();
    }

    int partition() {
        return PARTITION;
    }

    /** The name of a queue in the attacked partition. */
    String queue(String name) {
        return queueIn(PARTITION, name);
    }

    /** And of one in another partition. */
    String queueElsewhere(String name) {
        return queueIn(PARTITION + 1, name);
    }

    int partitionOf(String queue) {
        return new Routing(plan.partitions()).ofQueue(queue).partition();
    }

    String queueIn(int partition, String name) {
        Routing routing = new Routing(plan.partitions());
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> name + "-" + i)
                .filter(each -> routing.ofQueue(each).partition() == partition % plan.partitions())
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
    List<String> newLogLines() throws IOException {
        List<String> lines = new ArrayList<>();
        for (LogFile log : logs) lines.addAll(log.more());
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
