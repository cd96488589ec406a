package io.floodgate.gateway.overload;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.Buffers;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.PartitionCircuits;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Traffic;
import io.floodgate.topics.command.Rejection;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Keeps too much from being begun, so that what has begun is finished: the server as a whole, and each partition, have a
 * {@link LevelHysteresis}, and before each partition there is a {@link AdmissionQueue}. What reports finished work passes all of it.
 */
public final class Overload {
    /**
     * Time for which a rejection is held back. Else a client that retries at once, on many connections, would take all
     * processors.
     */
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final OverloadSettings settings;
    private final List<Signal> signals;
    private final Map<String, ReportedLevels> steps = new ConcurrentHashMap<>();
    private final Traffic traffic;
    private final LongSupplier nanos;
    private final Map<PartitionId, PartitionAdmission> doors = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> rejected = new ConcurrentHashMap<>();

    /** @param nanos a clock like {@code System.nanoTime()} */
    public Overload(OverloadSettings settings, List<Signal> signals, Traffic traffic, LongSupplier nanos) {
        this.settings = settings;
        this.signals = List.copyOf(signals);
        this.traffic = traffic;
        this.nanos = nanos;
    }

    public OverloadSettings settings() {
        return settings;
    }

    /** Returns why the server as a whole rejects such a request, if it does. */
    public Optional<Rejection> reject(Importance importance) {
        if (importance == Importance.ALWAYS) return Optional.empty();
        for (Signal one : signals) {
            double saturation = one.saturation().getAsDouble();
            Level level = level(one, saturation);
            if (level.rejects(importance))
                return Optional.of(rejected(Rejected.full(
                        one.name(),
                        one.words(),
                        saturation,
                        level,
                        one.seconds().getAsLong())));
        }
        return Optional.empty();
    }

    /** Returns why a partition rejects the commands of such a request, if it does. */
    Optional<Rejection> reject(PartitionId log, Importance importance) {
        PartitionAdmission door = door(log);
        Level level = door.level();
        return level.rejects(importance) ? Optional.of(isBehind(door, level)) : Optional.empty();
    }

    private Rejection isBehind(PartitionAdmission door, Level level) {
        return rejected(Rejected.full(
                "log", "partition " + door.log() + " is behind,", door.saturation(), level, door.seconds()));
    }

    /** Sends the commands of such requests only to logs that have room for them. */
    public CommandClient guard(CommandClient client, Importance importance) {
        return importance == Importance.ALWAYS ? client : new GuardedClient(client, this, importance);
    }

    private Level level(Signal one, double saturation) {
        return steps.computeIfAbsent(
                        one.name(), name -> new ReportedLevels("The server's " + name, settings.thresholds(one), nanos))
                .look(saturation);
    }

    private static Rejection rejected(Rejection rejection) {
        LockSupport.parkNanos(MOMENT.toNanos());
        return rejection;
    }

    /** The right to send new jobs to a partition. */
    public static final class Pass implements AutoCloseable {
        private final AdmissionQueue line;
        private final AdmissionQueue.Place place;
        private final AtomicBoolean closed = new AtomicBoolean();
        private boolean answered;

        private Pass(AdmissionQueue line, AdmissionQueue.Place place) {
            this.line = line;
            this.place = place;
        }

        /** The partition has answered: how long it took says how busy it is. */
        public void answered() {
            answered = true;
        }

        /** Closes after this time, if not before: by then the partition has a command that it keeps for long. */
        public void closeIn(Duration time) {
            CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS, Runnable::run)
                    .execute(this::close);
        }

        @Override
        public void close() {
            if (!closed.compareAndSet(false, true)) return;
            if (answered) line.answered(place);
            else line.withdraw(place);
        }
    }

    /**
     * Waits, not for long, until a partition can take commands with new jobs of this weight.
     *
     * @param who has sent them: those take turns
     * @param part a tenant or a queue: those of one sender take turns within its own
     */
    public Pass enter(PartitionId log, String who, String part, int weight) throws RejectedException {
        AdmissionQueue.Source source = new AdmissionQueue.Source(who, part);
        PartitionAdmission door = door(log);
        Level level = door.level();
        if (level.rejects(Importance.NEW_JOBS)) throw new RejectedException(isBehind(door, level));
        AdmissionQueue line = door.line();
        if (settings.line().mostBefore() == 0) return new Pass(line, AdmissionQueue.Place.NONE);
        Optional<AdmissionQueue.Place> place = await(line, source, line.enter(source, weight));
        if (place.isEmpty())
            throw new RejectedException(rejected(Rejected.sentAway(part, Channels.seconds(line.saturation()))));
        return new Pass(line, place.get());
    }

    private Optional<AdmissionQueue.Place> await(
            AdmissionQueue line, AdmissionQueue.Source source, CompletableFuture<Optional<AdmissionQueue.Place>> turn) {
        try {
            return turn.get(settings.line().longestWait().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException waitedInVain) {
            line.leave(source, turn);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            line.leave(source, turn);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a turn cannot fail", e);
        }
        return Optional.empty();
    }

    private PartitionAdmission door(PartitionId log) {
        return doors.computeIfAbsent(
                log,
                id -> new PartitionAdmission(
                        id,
                        settings,
                        traffic.latencyTracker(id),
                        traffic.circuits().of(id),
                        nanos));
    }

    /** Looks at everything, so that operators are warned even without requests. */
    public void look() {
        for (Signal one : signals) level(one, one.saturation().getAsDouble());
        doors.values().forEach(PartitionAdmission::level);
    }

    /** Returns the levels of the whole server and of each partition, where they are not normal. */
    public SortedMap<String, Level> levels() {
        SortedMap<String, Level> found = new TreeMap<>();
        for (Signal one : signals)
            found.put(one.name(), level(one, one.saturation().getAsDouble()));
        for (PartitionAdmission door : doors.values()) found.put(door.log().toString(), door.level());
        found.values().removeIf(level -> level == Level.NORMAL);
        return found;
    }

    public PartitionCircuits circuits() {
        return traffic.circuits();
    }

    Buffers buffers() {
        return traffic.buffers();
    }

    public List<Signal> signals() {
        return signals;
    }

    Collection<PartitionAdmission> doors() {
        return doors.values();
    }

    /** Counts a request that was answered with 503, unless its outcome is unknown: then it was not rejected. */
    public void answeredUnavailable(byte[] body) {
        Rejected.cause(body)
                .ifPresent(cause ->
                        rejected.computeIfAbsent(cause, c -> new LongAdder()).increment());
    }

    /** Requests that were rejected, by what was missing. */
    Map<String, LongAdder> rejected() {
        return rejected;
    }
}
