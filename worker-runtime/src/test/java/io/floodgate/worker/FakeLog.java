package io.floodgate.worker;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Slot;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandRequest;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.JobCommand.Progress;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.command.WorkerCommand.Leave;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One partition in memory that does what the test says: hands jobs to parked fetches, and answers reports as scripted. */
public final class FakeLog implements CommandClient {
    private static final String QUEUE = "default";

    /** One that takes its jobs from here. */
    public WorkerBuilder worker() {
        return new WorkerBuilder(this);
    }

    private record Parked(Fetch fetch, CompletableFuture<Reply> reply) {}

    final BlockingQueue<Fetch> fetches = new LinkedBlockingQueue<>();
    final BlockingQueue<Fetch> withdrawn = new LinkedBlockingQueue<>();
    final BlockingQueue<Extend> extensions = new LinkedBlockingQueue<>();
    final BlockingQueue<JobCommand> reports = new LinkedBlockingQueue<>();
    final BlockingQueue<Progress> progress = new LinkedBlockingQueue<>();
    /** To each report of progress, one for all. */
    CompletableFuture<Reply> progressAnswers = CompletableFuture.completedFuture(done("{}"));

    boolean progressThrows;

    final BlockingQueue<Beat> beats = new LinkedBlockingQueue<>();
    final BlockingQueue<Leave> leaves = new LinkedBlockingQueue<>();

    private final Deque<byte[]> ready = new ArrayDeque<>();
    private final Deque<Parked> parked = new ArrayDeque<>();
    private final Deque<CompletableFuture<Reply>> scripted = new ArrayDeque<>();
    private final Set<JobId> takenBack = new HashSet<>();
    private final Set<JobId> cancelled = new HashSet<>();
    private String directive = "running";
    private final CompletableFuture<Reply> late = new CompletableFuture<>();
    private final AtomicInteger fetchesInVain = new AtomicInteger();
    private final AtomicInteger reportsInVain = new AtomicInteger();
    private boolean parks = true;
    private boolean heedsTypes;
    private @Nullable Error failure;
    private @Nullable Error fetchFailure;
    private @Nullable Error beatFailure;
    private boolean out;
    private String killed = "";
    private BiConsumer<Fetch, Integer> fetchListener = (fetch, handedOut) -> {};
    private int handedOut;
    private boolean collecting;
    private final Map<JobId, String> types = new HashMap<>();
    private int leases;

    @Override
    public Routing routing() {
        return new Routing(1);
    }

    // given

    /** A job that no fetch has brought yet. */
    public JobId has(String type, String... members) {
        return has(type, 1, members);
    }

    public synchronized JobId has(String type, int attempt, String... members) {
        JobId id = JobId.make(Slot.of(QUEUE), 1, leases);
        offer(id, type, attempt, members);
        return id;
    }

    /** Whatever it is, it is handed out like a job. */
    synchronized void hasSomething(String json) {
        ready.add(utf8(json));
        serve();
    }

    /** The job again, which was given back. */
    synchronized void hasAgain(JobId id) {
        offer(id, types.getOrDefault(id, ""), 1);
    }

    /** The job again, under a new lease. */
    synchronized void hasAgain(JobId id, String type) {
        offer(id, type, 2);
    }

    private void offer(JobId id, String type, int attempt, String... members) {
        types.put(id, type);
        JsonOut json = JsonOut.object()
                .field("id", id.toString())
                .field("type", type)
                .field("queue", QUEUE)
                .fieldRaw("args", utf8("[1]"))
                .field("attempt", attempt)
                .field("lease", 101 + leases++);
        for (String member : members) json.members(utf8("{" + member + "}"));
        ready.add(json.endObject().toBytes());
        serve();
    }

    synchronized void directs(String state) {
        directive = state;
    }

    /** The lease of this job has ended. */
    synchronized void takesBack(JobId job) {
        takenBack.add(job);
    }

    /** The job was cancelled while it ran. */
    synchronized void cancels(JobId job) {
        takenBack.add(job);
        cancelled.add(job);
    }

    /** The next report gets no answer. */
    synchronized void answersWithSilence() {
        scripted.add(CompletableFuture.failedFuture(new NoReply("no answer")));
    }

    /** The next report is not answered until {@link #answersAtLast}. */
    synchronized void neverAnswers() {
        scripted.add(late);
    }

    void answersAtLast() {
        late.complete(done("{}"));
    }

    /** The next fetch and the next heartbeat do not leave the worker. */
    synchronized void failsOnceEach(Error error) {
        fetchFailure = error;
        beatFailure = error;
    }

    /** The next report does not leave the worker. */
    synchronized void throwsInstead(Error error) {
        failure = error;
    }

    synchronized void rejects(ErrorCode code) {
        scripted.add(CompletableFuture.completedFuture(new Reply.Rejected(Rejection.of(code, "no"))));
    }

    /** What is parked comes back with nothing, as when its time is up. */
    synchronized void endsParkedFetches() {
        while (!parked.isEmpty()) parked.poll().reply.complete(done(""));
    }

    /** Gets each fetch, and how many jobs were handed out before. */
    synchronized void onFetch(BiConsumer<Fetch, Integer> listener) {
        fetchListener = listener;
    }

    /** From now on no fetch waits. */
    public synchronized void parksNoMore() {
        parks = false;
        endsParkedFetches();
    }

    /** From now on there are no answers, and nothing arrives. */
    synchronized void goesOut() {
        out = true;
        while (!parked.isEmpty()) parked.poll().reply.completeExceptionally(new NoReply("no answer"));
    }

    synchronized void comesBack() {
        out = false;
    }

    /** It comes back, and nothing more comes from this worker, which still runs here. */
    synchronized void comesBackWithout(String worker) {
        killed = worker;
        comesBack();
    }

    /** From now on a fetch is handed nothing but the types that it asks for; before, a job comes as if it had been under way. */
    synchronized void heedsTypes() {
        heedsTypes = true;
    }

    // then

    /** How many fetches were sent during the outage. */
    int fetchesInVain() {
        return fetchesInVain.get();
    }

    /** How many outcomes were sent during the outage. */
    int reportsInVain() {
        return reportsInVain.get();
    }

    /** The fetch that waits, if one does. */
    synchronized Optional<Fetch> parked() {
        return parked.stream().map(Parked::fetch).findFirst();
    }

    synchronized int handedOut() {
        return handedOut;
    }

    public JobCommand nextReport() throws InterruptedException {
        return next(reports);
    }

    Fetch nextFetch() throws InterruptedException {
        return next(fetches);
    }

    Beat nextBeat() throws InterruptedException {
        return next(beats);
    }

    public static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T found = queue.poll(20, TimeUnit.SECONDS);
        if (found == null) throw new AssertionError("nothing came");
        return found;
    }

    // the partition

    @Override
    public synchronized CompletableFuture<Reply> send(CommandRequest request) {
        Command command = request.command();
        if (out || (command instanceof Fetch fetch && killed.equals(fetch.worker()))) {
            if (command instanceof Fetch) fetchesInVain.incrementAndGet();
            if (command instanceof Ack || command instanceof Nack) reportsInVain.incrementAndGet();
            return CompletableFuture.failedFuture(new NoReply("no answer"));
        }
        return switch (command) {
            case Fetch fetch -> {
                Error error = fetchFailure;
                fetchFailure = null;
                if (error != null) throw error;
                fetches.add(fetch);
                fetchListener.accept(fetch, handedOut);
                Parked waiting = new Parked(fetch, new FetchReply());
                parked.add(waiting);
                var unused = waiting.reply.whenComplete((jobs, failure) -> {
                    if (waiting.reply.isCancelled()) withdraw(waiting);
                });
                serve();
                if (!parks) endsParkedFetches();
                yield waiting.reply;
            }
            case Ack ack -> {
                fail();
                reports.add(ack);
                yield answer();
            }
            case Nack nack -> {
                reports.add(nack);
                yield answer();
            }
            case Progress said -> {
                progress.add(said);
                if (progressThrows) throw new IllegalStateException("it does not even leave");
                yield progressAnswers;
            }
            case Extend extend -> {
                extensions.add(extend);
                yield CompletableFuture.completedFuture(extended(extend));
            }
            case Beat beat -> {
                Error error = beatFailure;
                beatFailure = null;
                if (error != null) throw error;
                beats.add(beat);
                yield CompletableFuture.completedFuture(
                        done("{\"state\":\"%s\",\"server_time\":\"2026-01-01T00:00:00.000Z\"}".formatted(directive)));
            }
            case Leave leave -> {
                leaves.add(leave);
                yield CompletableFuture.completedFuture(done("{}"));
            }
            default -> throw new AssertionError("unexpected command " + command);
        };
    }

    /** What was collected is handed out just before a fetch would be withdrawn. */
    private final class FetchReply extends CompletableFuture<Reply> {
        @Override
        public boolean cancel(boolean mayInterrupt) {
            handsOut();
            return super.cancel(mayInterrupt);
        }
    }

    private synchronized void withdraw(Parked waiting) {
        if (parked.remove(waiting)) withdrawn.add(waiting.fetch);
    }

    private void fail() {
        Error error = failure;
        failure = null;
        if (error != null) throw error;
    }

    private CompletableFuture<Reply> answer() {
        var next = scripted.poll();
        return next == null ? CompletableFuture.completedFuture(done("{}")) : next;
    }

    private Reply extended(Extend extend) {
        JsonOut out = JsonOut.object().beginArray("extended");
        for (JobId job : extend.jobs()) if (!takenBack.contains(job)) out.value(job.toString());
        out.endArray().beginArray("cancelled");
        for (JobId job : extend.jobs()) if (cancelled.contains(job)) out.value(job.toString());
        return new Reply.Done(out.endArray()
                .beginArray("elsewhere")
                .endArray()
                .field("server_time", "2026-01-01T00:00:00.000Z")
                .endObject()
                .toBytes());
    }

    /** What comes from now on is handed out together, by {@link #handsOut}, or when a fetch is about to be withdrawn. */
    synchronized void collects() {
        collecting = true;
    }

    synchronized void handsOut() {
        collecting = false;
        serve();
    }

    private void serve() {
        while (!collecting) {
            Optional<Parked> next = parked.stream()
                    .filter(each -> ready.stream().anyMatch(job -> isFor(each, job)))
                    .findFirst();
            if (next.isEmpty()) return;
            Parked first = next.get();
            parked.remove(first);
            first.reply.complete(new Reply.Done(handOut(first)));
        }
    }

    private byte[] handOut(Parked to) {
        JsonOut lines = new JsonOut();
        List<byte[]> jobs = ready.stream()
                .filter(job -> isFor(to, job))
                .limit(to.fetch.count())
                .toList();
        for (byte[] job : jobs) lines.raw(job).newLine();
        ready.removeAll(jobs);
        handedOut += jobs.size();
        return lines.toBytes();
    }

    private boolean isFor(Parked fetch, byte[] job) {
        if (!heedsTypes) return true;
        return fetch.fetch.types().have(Json.tree(job).required("type").stringValue());
    }

    static Reply done(String body) {
        return new Reply.Done(utf8(body));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {}
}
