package io.floodgate.gateway.overload;

import io.floodgate.topics.LogId;
import io.floodgate.topics.client.Buffers;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.LogCircuits;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.client.Traffic;
import io.floodgate.topics.command.Refusal;
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
 * Keeps too much from being begun, so that what has begun is finished: the server as a whole, and each log, have a
 * {@link Ladder}, and before each log there is a {@link FairLine}. What reports finished work passes all of it.
 */
public final class Overload {
    /**
     * So long a refusal is held back. Whoever tries again at once, on each of many connections, would otherwise have the
     * processors to himself.
     */
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final OverloadSettings settings;
    private final List<Gauged> gauged;
    private final Map<String, ReportedLevels> steps = new ConcurrentHashMap<>();
    private final Traffic traffic;
    private final LongSupplier nanos;
    private final Map<LogId, LogDoor> doors = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> refused = new ConcurrentHashMap<>();

    /** @param nanos a clock like {@code System.nanoTime()} */
    public Overload(OverloadSettings settings, List<Gauged> gauged, Traffic traffic, LongSupplier nanos) {
        this.settings = settings;
        this.gauged = List.copyOf(gauged);
        this.traffic = traffic;
        this.nanos = nanos;
    }

    public OverloadSettings settings() {
        return settings;
    }

    /** Why the server as a whole has no room for such a request, if it has none. */
    public Optional<Refusal> refuse(Importance importance) {
        if (importance == Importance.ALWAYS) return Optional.empty();
        for (Gauged one : gauged) {
            double saturation = one.saturation().getAsDouble();
            Level level = level(one, saturation);
            if (level.refuses(importance))
                return Optional.of(refused(Refused.full(
                        one.name(),
                        one.words(),
                        saturation,
                        level,
                        one.seconds().getAsLong())));
        }
        return Optional.empty();
    }

    /** Why a log has no room for the commands of such a request, if it has none. */
    Optional<Refusal> refuse(LogId log, Importance importance) {
        LogDoor door = door(log);
        Level level = door.level();
        return level.refuses(importance) ? Optional.of(isBehind(door, level)) : Optional.empty();
    }

    private Refusal isBehind(LogDoor door, Level level) {
        return refused(
                Refused.full("log", "log " + door.log() + " is behind,", door.saturation(), level, door.seconds()));
    }

    /** Sends the commands of such requests only to logs that have room for them. */
    public CommandClient guard(CommandClient client, Importance importance) {
        return importance == Importance.ALWAYS ? client : new GuardedClient(client, this, importance);
    }

    private Level level(Gauged one, double saturation) {
        return steps.computeIfAbsent(
                        one.name(), name -> new ReportedLevels("The server's " + name, settings.thresholds(one), nanos))
                .look(saturation);
    }

    private static Refusal refused(Refusal refusal) {
        LockSupport.parkNanos(MOMENT.toNanos());
        return refusal;
    }

    /** The right to send new jobs to a log. */
    public static final class Pass implements AutoCloseable {
        private final FairLine line;
        private final FairLine.Place place;
        private final AtomicBoolean closed = new AtomicBoolean();
        private boolean answered;

        private Pass(FairLine line, FairLine.Place place) {
            this.line = line;
            this.place = place;
        }

        /** The log has answered: how long it took says how busy it is. */
        public void answered() {
            answered = true;
        }

        /** So long from now, if not before: by then the log knows of a command that it keeps for long. */
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
     * Waits, not for long, until a log can take so many commands with new jobs.
     *
     * @param who has sent them: those take turns
     * @param part a tenant or a queue: those of one sender take turns within its own
     */
    public Pass enter(LogId log, String who, String part, int weight) throws RefusedException {
        FairLine.Source source = new FairLine.Source(who, part);
        LogDoor door = door(log);
        Level level = door.level();
        if (level.refuses(Importance.NEW_JOBS)) throw new RefusedException(isBehind(door, level));
        FairLine line = door.line();
        if (settings.line().mostBefore() == 0) return new Pass(line, FairLine.Place.NONE);
        Optional<FairLine.Place> place = await(line, source, line.enter(source, weight));
        if (place.isEmpty())
            throw new RefusedException(refused(Refused.sentAway(part, Channels.seconds(line.saturation()))));
        return new Pass(line, place.get());
    }

    private Optional<FairLine.Place> await(
            FairLine line, FairLine.Source source, CompletableFuture<Optional<FairLine.Place>> turn) {
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

    private LogDoor door(LogId log) {
        return doors.computeIfAbsent(
                log,
                id -> new LogDoor(
                        id, settings, traffic.pulse(id), traffic.circuits().of(id), nanos));
    }

    /** Looks at everything, so that operators hear of it although nobody asks for anything. */
    public void look() {
        for (Gauged one : gauged) level(one, one.saturation().getAsDouble());
        doors.values().forEach(LogDoor::level);
    }

    /** Of the whole server and of each log, where it is not normal. */
    public SortedMap<String, Level> levels() {
        SortedMap<String, Level> found = new TreeMap<>();
        for (Gauged one : gauged)
            found.put(one.name(), level(one, one.saturation().getAsDouble()));
        for (LogDoor door : doors.values()) found.put(door.log().toString(), door.level());
        found.values().removeIf(level -> level == Level.NORMAL);
        return found;
    }

    public LogCircuits circuits() {
        return traffic.circuits();
    }

    Buffers buffers() {
        return traffic.buffers();
    }

    public List<Gauged> gauged() {
        return gauged;
    }

    Collection<LogDoor> doors() {
        return doors.values();
    }

    /** Counts a request that was answered with 503, unless its outcome is unknown: then it was not refused. */
    public void answeredUnavailable(byte[] body) {
        Refused.cause(body)
                .ifPresent(cause ->
                        refused.computeIfAbsent(cause, c -> new LongAdder()).increment());
    }

    /** Requests that were refused, by what was missing. */
    Map<String, LongAdder> refused() {
        return refused;
    }
}
