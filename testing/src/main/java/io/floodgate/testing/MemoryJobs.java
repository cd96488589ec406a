package io.floodgate.testing;

import io.floodgate.standalone.MemoryPartition;
import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.codec.CodecChain;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Cancel;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.workflow.UnreadableWorkflow;
import io.floodgate.topics.workflow.WorkflowId;
import io.floodgate.topics.workflow.WorkflowJson;
import io.floodgate.topics.workflow.WorkflowPlan;
import io.floodgate.topics.workflow.WorkflowReader;
import io.floodgate.worker.DirectWorker;
import io.floodgate.worker.RunMiddleware;
import io.floodgate.worker.WorkerBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The jobs of an {@link InMemoryFloodgate}, and the threads of its callers in which they run. */
final class MemoryJobs {
    /** No heartbeats: a handler that moves the clock keeps its job until the job's time-out. */
    private static final Duration LEASE = Duration.ofDays(365);

    private static final Set<String> WAITING = Set.of("scheduled", "retryable");

    private final WorkerBuilder handlers = DirectWorker.builder();
    private final DirectWorker worker = new DirectWorker(handlers, this::send);
    private final DirectWorker withoutRetries = new DirectWorker(handlers, command -> send(last(command)));
    private final ThreadLocal<Boolean> running = ThreadLocal.withInitial(() -> false);
    /** Jobs that were fetched before their turn, by id. */
    private final Map<String, byte[]> fetched = new ConcurrentHashMap<>();
    /** Each job as it was seen last, by id. */
    private final Map<String, JsonNode> jobs = new LinkedHashMap<>();
    /** Arguments that are encoded in the job, by its id. */
    private final Map<String, JsonNode> args = new HashMap<>();

    private final Set<String> queues = Collections.synchronizedSet(new LinkedHashSet<>());
    private final Set<String> performed = ConcurrentHashMap.newKeySet();
    private final List<JsonNode> events = new ArrayList<>();
    private MemoryPartition partition = new MemoryPartition(this::happened);
    private volatile Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    private volatile boolean inline;

    MemoryJobs(RunMiddleware outermost) {
        handlers.middleware(chain -> chain.add("floodgate-testing", outermost));
    }

    WorkerBuilder handlers() {
        return handlers;
    }

    boolean handles(JsonNode job) {
        return worker.types().contains(job.path("type").asString(""));
    }

    void inline(boolean value) {
        inline = value;
    }

    Instant now() {
        return now;
    }

    synchronized void moveTo(Instant time) {
        if (time.isBefore(now) && !jobs.isEmpty())
            throw new IllegalArgumentException(
                    "The time cannot go back from %s to %s: there are jobs. Clear them before.".formatted(now, time));
        if (time.isBefore(now)) partition = new MemoryPartition(this::happened);
        all(); // a job whose retention ends is kept as it was
        now = time;
        partition.passTo(time);
    }

    synchronized void clear() {
        partition = new MemoryPartition(this::happened);
        Stream.of(jobs, args, fetched).forEach(Map::clear);
        queues.clear();
        performed.clear();
        events.clear();
    }

    private synchronized Reply send(Command command) {
        return partition.execute(command, now);
    }

    private void happened(byte[] envelope) {
        JsonNode event = Json.tree(envelope);
        events.add(event);
        String id = event.at("/data/job_id").stringValue("");
        if (id.isEmpty()) return;
        jobs.putIfAbsent(id, event.path("data"));
        queues.add(queue(event.path("data")));
    }

    synchronized List<JsonNode> events() {
        return List.copyOf(events);
    }

    synchronized List<JsonNode> all() {
        for (String id : List.copyOf(jobs.keySet())) look(id).ifPresent(job -> jobs.put(id, job));
        return List.copyOf(jobs.values());
    }

    synchronized Optional<JsonNode> find(String id) {
        JsonNode seen = jobs.get(id);
        return seen == null ? Optional.empty() : Optional.of(look(id).orElse(seen));
    }

    /** Returns the job without its errors on the first line of the reply, and these. */
    private Optional<JsonNode> look(String id) {
        if (!(send(new GetJob(parsed(id))) instanceof Reply.Done done)) return Optional.empty();
        ObjectNode job = (ObjectNode) Json.tree(done.lines().getFirst());
        if (done.lines().size() > 1)
            job.setAll((ObjectNode) Json.tree(done.lines().get(1)));
        if (args.containsKey(id)) job.set("args", args.get(id));
        return Optional.of(job);
    }

    private static JobId parsed(String id) {
        return JobId.parse(id).orElseThrow(() -> new IllegalArgumentException("'%s' is no id of a job".formatted(id)));
    }

    boolean wasPerformed(JsonNode job) {
        return performed.contains(id(job));
    }

    boolean cancel(String id) {
        return send(new Cancel(parsed(id))) instanceof Reply.Done;
    }

    String workflow(Object definition) {
        WorkflowPlan plan;
        try {
            plan = WorkflowReader.read(Json.MAPPER.writeValueAsBytes(definition));
        } catch (UnreadableWorkflow unreadable) {
            throw new IllegalArgumentException(unreadable.rejection().message());
        }
        ThreadLocalRandom chance = ThreadLocalRandom.current();
        WorkflowId id = plan.id() == null
                ? WorkflowId.of(JobId.make(Slot.of(plan.firstQueue()), now.toEpochMilli(), chance.nextLong()))
                : plan.id();
        Reply reply = send(new CreateWorkflow(WorkflowJson.write(plan.withId(id)), Duration.ZERO));
        if (reply instanceof Reply.Rejected rejected)
            throw new IllegalArgumentException(rejected.rejection().message());
        if (inline) runNow(List.of(), true);
        return id.toString();
    }

    // running

    /** Takes the jobs of producers. */
    Reply enqueue(Patient command, CodecChain codecs) {
        boolean runsNow = inline;
        List<String> ids = new ArrayList<>();
        for (byte[] json : sent(command)) {
            JsonNode job = Json.tree(json);
            if (runsNow) mustHandle(job);
            ids.add(id(job));
            JsonNode plain = DirectWorker.args(job, codecs);
            if (!plain.equals(job.path("args"))) decoded(id(job), plain);
        }
        Reply reply = send(runsNow ? undelayed(command) : command);
        if (runsNow && reply instanceof Reply.Done) runNow(ids, true);
        return reply;
    }

    private synchronized void decoded(String id, JsonNode plain) {
        args.put(id, plain);
    }

    private void mustHandle(JsonNode job) {
        if (!handles(job))
            throw new IllegalStateException(
                    "There is no handler for jobs of type '%s', to run one at once: there are handlers for %s."
                            .formatted(job.path("type").asString(""), worker.types()));
    }

    /** Runs a job that was enqueued, unless it has run. */
    void runNow(String id) {
        if (performed.contains(id)) return;
        find(id).ifPresent(this::mustHandle);
        runNow(List.of(id), false);
        if (!performed.contains(id))
            throw new IllegalStateException(
                    "The worker does not take this job: its versions or its tenants are others. " + find(id));
    }

    /**
     * Runs jobs without retries, and throws what they throw. A handler that enqueues jobs gets here again for these.
     *
     * @param others whether all that is available runs afterwards: the next steps of workflows, for instance
     */
    private void runNow(List<String> ids, boolean others) {
        boolean outermost = !running.get();
        try {
            for (String id : ids) {
                byte[] job = claim(id);
                if (job != null) runOrThrow(job);
            }
            if (outermost) giveBack();
            if (outermost && others) for (byte[] job = fetch(null); job != null; job = fetch(null)) runOrThrow(job);
        } finally {
            if (outermost) giveBack();
        }
    }

    private void runOrThrow(byte[] job) {
        Throwable failure = run(withoutRetries, job);
        if (failure != null) throwUnchecked(failure);
    }

    /** The caller gets what the handler has thrown, also if its methods do not declare it. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void throwUnchecked(Throwable failure) throws E {
        throw (E) failure;
    }

    private @Nullable Throwable run(DirectWorker by, byte[] job) {
        boolean nested = running.get();
        running.set(true);
        performed.add(id(Json.tree(job)));
        try {
            return by.run(job);
        } finally {
            running.set(nested);
        }
    }

    int drain(Drain what) {
        long begin = System.nanoTime();
        int done = 0;
        while (done < what.maxJobs()) {
            byte[] job = fetch(what.queue());
            if (job == null && what.withScheduled() && passToNext(what.queue())) continue;
            if (job == null) break;
            if (System.nanoTime() - begin >= what.timeout().toNanos()) throw endless(what, done, job);
            Throwable failure = run(worker, job);
            done++;
            if (failure instanceof AssertionError error) throw error;
        }
        return done;
    }

    private AssertionError endless(Drain what, int done, byte[] json) {
        JsonNode next = Json.tree(json);
        fetched.put(id(next), json);
        giveBack();
        return new AssertionError("After %s and %d jobs, there are still jobs to drain: the next one is of type '%s'."
                .formatted(what.timeout(), done, next.path("type").asString("")));
    }

    /** Moves the clock to the next thing that is due, if jobs wait for their time. */
    private synchronized boolean passToNext(@Nullable String queue) {
        Instant next = partition.nextTimer();
        boolean waiting = all().stream()
                .anyMatch(job -> WAITING.contains(job.path("state").asString(""))
                        && handles(job)
                        && (queue == null || queue.equals(queue(job))));
        if (next == null || !waiting) return false;
        moveTo(next.isBefore(now) ? now : next);
        return true;
    }

    /** Returns the next job for a worker; null if there is none. */
    private byte @Nullable [] fetch(@Nullable String queue) {
        List<String> from = queue == null ? List.copyOf(queues) : List.of(queue);
        if (from.isEmpty()) return null;
        for (WantedJobs wanted : worker.wanted()) {
            Reply reply = send(new Fetch(from, 1, null, LEASE, Duration.ZERO, wanted));
            List<byte[]> lines = reply instanceof Reply.Done done ? done.lines() : List.of();
            if (!lines.isEmpty()) return lines.getFirst();
        }
        return null;
    }

    /** Fetches this very job; null if it is not available. */
    private byte @Nullable [] claim(String id) {
        byte[] early = fetched.remove(id);
        String queue = find(id).map(MemoryJobs::queue).orElse(null);
        if (early != null || queue == null) return early;
        for (byte[] job = fetch(queue); job != null; job = fetch(queue)) {
            String found = id(Json.tree(job));
            if (found.equals(id)) return job;
            fetched.put(found, job);
        }
        return null;
    }

    private void giveBack() {
        for (String id : Set.copyOf(fetched.keySet())) {
            if (fetched.remove(id) == null) continue; // another thread runs it
            send(Nack.giveBack(
                    parsed(id), Claimant.UNNAMED, ErrorReport.of("not_run", "It was not its turn."), Duration.ZERO));
        }
    }

    private static List<byte[]> sent(Patient command) {
        return switch (command) {
            case Enqueue one -> List.of(one.job());
            case EnqueueBatch all -> all.jobs();
            default -> throw new IllegalArgumentException("producers do not send " + command);
        };
    }

    private static Patient undelayed(Patient command) {
        List<byte[]> jobs = sent(command).stream().map(MemoryJobs::undelayed).toList();
        return command instanceof Enqueue one
                ? new Enqueue(jobs.getFirst(), one.madeId())
                : new EnqueueBatch(jobs, ((EnqueueBatch) command).madeIds());
    }

    private static byte[] undelayed(byte[] json) {
        ObjectNode job = (ObjectNode) Json.tree(json);
        job.remove("scheduled_at");
        return Json.MAPPER.writeValueAsBytes(job);
    }

    /** A failure after which there is no other attempt. */
    private static JobCommand last(JobCommand command) {
        if (!(command instanceof Nack nack) || nack.requeue()) return command;
        ErrorReport error = nack.error();
        return new Nack(
                nack.job(),
                nack.claimant(),
                new ErrorReport(error.type(), error.code(), error.message(), false, error.details()),
                false);
    }

    private static String id(JsonNode job) {
        return job.path("id").asString("");
    }

    private static String queue(JsonNode job) {
        return job.path("queue").asString("");
    }
}
