package io.floodgate.topics.schema;

import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.Failing;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.SchemaCommand;
import io.floodgate.topics.command.SchemaCommand.ChangedSchemas;
import io.floodgate.topics.command.SchemaCommand.Changes;
import io.floodgate.topics.command.SchemaCommand.Registered;
import io.floodgate.topics.command.SchemaCommand.Revision;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.json.MemberWalk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copy of the registry by which a process checks jobs. It asks the registry for changes once a second while there are
 * jobs, and not at all while there are none; the first job after a pause asks before it is checked. While the registry does
 * not answer, jobs are checked by the copy as it is.
 */
public final class SchemaCatalog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaCatalog.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);
    /** How long a job waits for the registry, if the copy is old. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Duration OLD = PERIOD.multipliedBy(2);
    private static final int MOST_REPLIES = 100;
    /** Bytes of the schemas that are ready to be checked against: beyond, all are made ready again when they are needed. */
    private static final long READY_BYTES = 1024 * 1024;

    private final LongSupplier nanos;
    private final Failing failures = new Failing();
    private final ReentrantLock asking = new ReentrantLock();
    private final Map<Long, JobSchema> ready = new ConcurrentHashMap<>();
    private final AtomicLong readyBytes = new AtomicLong();
    private volatile @Nullable CommandClient client;
    private volatile @Nullable ScheduledExecutorService timer;
    private volatile SchemaIndex index = SchemaIndex.EMPTY;
    private volatile boolean isLoaded;
    private volatile boolean isWanted;
    private volatile long changedAt;
    private volatile long triedAt;

    /** @param nanos a clock like {@code System.nanoTime()} */
    public SchemaCatalog(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Follows the registry from now on. Before, there are no schemas. */
    public SchemaCatalog follow(CommandClient registry) {
        triedAt = nanos.getAsLong() - OLD.toNanos();
        changedAt = triedAt;
        index = SchemaIndex.EMPTY;
        isLoaded = false;
        forgetReady();
        client = registry;
        return this;
    }

    /** Asks for changes in the background. */
    public SchemaCatalog start() {
        ScheduledExecutorService made = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("floodgate-schemas").daemon().factory());
        timer = made;
        var unused =
                made.scheduleWithFixedDelay(this::look, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
        return this;
    }

    @Override
    public void close() {
        ScheduledExecutorService started = timer;
        if (started != null) started.shutdownNow();
    }

    private void look() {
        if (!isWanted) return;
        isWanted = false;
        tryToRefresh();
    }

    /** Returns the copy after a look into the registry: it has all that was registered before. */
    public SchemaIndex refreshed(Duration patience) throws CommandFailed, RejectedException {
        CommandClient registry = client;
        if (registry == null) return index;
        asking.lock();
        try {
            triedAt = nanos.getAsLong();
            SchemaIndex next = index;
            boolean isWhole = false;
            for (int reply = 0; reply < MOST_REPLIES; reply++) {
                List<byte[]> lines = ask(registry, next.revision(), patience);
                Changes changes = ReplyLines.read(Changes.class, lines.getFirst());
                List<Registered> added = new ArrayList<>();
                for (byte[] line : lines.subList(1, lines.size())) added.add(ReplyLines.read(Registered.class, line));
                if (changes.isWhole() || !changes.upTo().equals(next.revision()))
                    next = (changes.isWhole() ? SchemaIndex.EMPTY : next).with(added, changes.upTo());
                isWhole |= changes.isWhole();
                if (changes.more()) continue;
                index = next;
                // Revisions of another epoch may stand for other schemas.
                if (isWhole) forgetReady();
                changedAt = triedAt;
                isLoaded = true;
                failures.ended();
                return next;
            }
            throw new NoReply("the registry of schemas changes faster than it can be read");
        } finally {
            asking.unlock();
        }
    }

    private static List<byte[]> ask(CommandClient registry, Revision seen, Duration patience)
            throws CommandFailed, RejectedException {
        Reply reply = Replies.await(
                registry.send(registry.routing().ofSchemas(), SchemaCommand.KEY, new ChangedSchemas(seen), patience));
        if (reply instanceof Reply.Rejected rejected) throw new RejectedException(rejected.rejection());
        return ((Reply.Done) reply).lines();
    }

    private void forgetReady() {
        ready.clear();
        readyBytes.set(0);
    }

    private void tryToRefresh() {
        try {
            refreshed(PATIENCE);
        } catch (CommandFailed | RejectedException | RuntimeException failure) {
            if (failures.isNews(failure.getClass().getSimpleName()))
                LOG.warn(
                        "The registry of schemas does not answer ({}); {}",
                        failure.getMessage(),
                        isLoaded
                                ? "jobs are checked by what it said last."
                                : "jobs that must be checked are rejected until it does.");
        }
    }

    /** Whether jobs can be checked: asks the registry, unless it has answered before. */
    public boolean isReady() {
        current();
        return isLoaded();
    }

    /** Whether the registry has answered once. */
    public boolean isLoaded() {
        return isLoaded || client == null;
    }

    /** Returns for how long the registry has not answered, in seconds; zero while nothing is asked of it. */
    public double ageSeconds() {
        if (client == null || !isWanted) return 0;
        return Math.max(0, nanos.getAsLong() - changedAt) / 1e9;
    }

    private SchemaIndex current() {
        if (client == null) return index;
        isWanted = true;
        long now = nanos.getAsLong();
        if (now - changedAt < OLD.toNanos() && isLoaded) return index;
        // One caller asks; the others go on with what there is, if there is something.
        if (isLoaded && asking.isLocked()) return index;
        asking.lock();
        try {
            if (nanos.getAsLong() - triedAt >= PERIOD.toNanos()) tryToRefresh();
        } finally {
            asking.unlock();
        }
        return index;
    }

    /** Checks a job by the schema that it names, else by that of its type and version. Empty if it passes, or has none. */
    public Optional<Misfit> check(Envelope job) {
        SchemaIndex schemas = current();
        if (isLoaded() && schemas.isEmpty()) return Optional.empty();
        String name = null;
        byte[] args = null;
        MemberWalk members = new MemberWalk(job.members());
        while (members.next()) {
            if (members.nameIs("schema") && members.isText()) name = members.text();
            else if (members.nameIs("args")) args = members.raw();
        }
        if (!isLoaded())
            return Optional.of(new Misfit(
                    Misfit.Kind.UNCHECKED,
                    name != null,
                    "The registry of schemas has not answered yet, so that arguments cannot be checked.",
                    name == null ? job.type() : name,
                    List.of()));
        Registered schema = name == null ? schemas.of(job.type(), job.version()) : schemas.named(name, job.version());
        if (schema == null && name != null)
            return Optional.of(new Misfit(
                    Misfit.Kind.UNREGISTERED,
                    true,
                    "The job names the schema '%s', which is not registered.".formatted(Limits.echo(name)),
                    Limits.echo(name),
                    List.of()));
        if (schema == null || args == null) return Optional.empty();
        return check(schema, args, name != null);
    }

    private Optional<Misfit> check(Registered schema, byte[] args, boolean isNamed) {
        List<JobSchema.Fault> faults;
        try {
            faults = ready(schema).faults(args);
        } catch (UnreadableSchema unreadable) {
            if (failures.isNews(schema.uri()))
                LOG.warn("Jobs are not checked by the schema {}: {}", schema.uri(), unreadable.getMessage());
            return Optional.empty();
        }
        if (faults.isEmpty()) return Optional.empty();
        return Optional.of(new Misfit(
                Misfit.Kind.FAULTY,
                isNamed,
                "The arguments of the job do not match the schema of %s@%s: %s"
                        .formatted(schema.type(), schema.version(), faults.getFirst()),
                schema.uri(),
                faults));
    }

    private JobSchema ready(Registered schema) throws UnreadableSchema {
        JobSchema made = ready.get(schema.revision());
        if (made != null) return made;
        made = JobSchema.of(schema.schema());
        if (readyBytes.addAndGet(schema.schema().length) > READY_BYTES) {
            forgetReady();
            readyBytes.addAndGet(schema.schema().length);
        }
        ready.put(schema.revision(), made);
        return made;
    }
}
