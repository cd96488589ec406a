package io.floodgate.processor.cron;

import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Section;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.ScheduleCodec;
import io.floodgate.topics.cron.SchedulePlan;
import io.floodgate.topics.cron.ScheduleSpec;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The schedules of a partition, in three entries each: the registration, the times at which it is due, and its state;
 * beside them their last outcomes. In memory are their names, what is wanted of each, a timer, and a few of those that
 * were read last.
 */
final class ScheduleStore {
    static final int MOST = 10_000;

    /** Most schedules of callers that are confined to the same queues and tenant, so that some are left for others. */
    static final int MAX_OWNED = MOST / 10;

    private static final Section SPECS = Section.of("schedule-spec");
    private static final Section PLANS = Section.of("schedule-plan");
    private static final Section STATES = Section.of("schedule");
    private static final int MOST_SHOWN = 10;

    /**
     * Members of a schedule that are known without reading it.
     *
     * @param isOver it was deleted, and all its runs have ended
     */
    record Known(
            boolean isPlanned,
            boolean wantsPlan,
            String tzdata,
            Instant planEnd,
            @Nullable Instant wakeAt,
            boolean fails,
            @Nullable ScheduleStanding standing,
            boolean isOver,
            @Nullable String space) {
        /** Returns whether it is not paused, and will not run by itself. */
        boolean isStill() {
            return standing != null && wakeAt == null;
        }

        boolean isOlderThan(String newer) {
            return isPlanned && tzdata.compareTo(newer) < 0;
        }
    }

    private final KeyValues entities;
    private final Timers timers;
    private final Undo undo;
    private final ScheduleHistory history;
    private final LastSpecs specs;
    private final TreeMap<String, Known> known = new TreeMap<>();
    /** Number of plans by the time zone database that they were made with. */
    private final TreeMap<String, Integer> versions = new TreeMap<>();

    /** Managers that register schedules together, by the names of the schedules. */
    private final TreeMap<String, String> managers = new TreeMap<>();

    private int unplanned;

    /** Schedules that want a plan. */
    private final TreeSet<String> wanting = new TreeSet<>();

    /** Schedules whose last runs have all ended without success. */
    private final TreeSet<String> failing = new TreeSet<>();

    /** Schedules that have changed since they were looked at. */
    private final Set<String> changed = new LinkedHashSet<>();

    /** Counts up whenever a plan is wanted that was not wanted before. */
    private long wishes;

    ScheduleStore(PartitionContext context) {
        entities = context.entities();
        timers = context.timers();
        undo = context.undo();
        history = new ScheduleHistory(entities);
        specs = new LastSpecs(undo);
    }

    void load() {
        known.clear();
        specs.clear();
        versions.clear();
        wanting.clear();
        failing.clear();
        unplanned = 0;
        wishes++;
        STATES.scan(entities, (name, value) -> {
            ScheduleState state = ScheduleState.STORED.read(value);
            know(name, known(state));
            if (state.wakeAt != null) timers.set(Timer.schedule(state.wakeAt, name));
            return true;
        });
        managers.clear();
        SPECS.scan(entities, (name, value) -> {
            manage(name, ScheduleCodec.managerOf(value));
            return true;
        });
    }

    private @Nullable String manage(String name, @Nullable String manager) {
        return manager == null ? managers.remove(name) : managers.put(name, manager);
    }

    private void changeManager(String name, @Nullable String manager) {
        String before = manage(name, manager);
        undo.by(() -> manage(name, before));
    }

    private static Known known(ScheduleState state) {
        return new Known(
                state.enabled && !state.tzdata.isEmpty(),
                state.enabled && state.wantsPlan,
                state.tzdata,
                state.planEnd,
                state.wakeAt,
                state.fails(),
                ScheduleStanding.of(state),
                state.deletedAt != null && state.unfinished.isEmpty(),
                Identity.spaceOf(state.by));
    }

    private void know(String name, @Nullable Known now) {
        changed.add(name);
        Known before = now == null ? known.remove(name) : known.put(name, now);
        count(before, -1);
        count(now, 1);
        if (now != null && now.fails) failing.add(name);
        else failing.remove(name);
        if (now == null || !now.wantsPlan) {
            wanting.remove(name);
            return;
        }
        boolean isNew = wanting.add(name);
        if (isNew || before == null || !before.planEnd.equals(now.planEnd)) wishes++;
    }

    private void count(@Nullable Known each, int by) {
        if (each == null) return;
        if (each.isStill()) unplanned += by;
        if (each.isPlanned) versions.merge(each.tzdata, by, (a, b) -> a + b == 0 ? null : (Integer) (a + b));
    }

    private void change(String name, @Nullable Known now) {
        Known before = known.get(name);
        know(name, now);
        undo.by(() -> know(name, before));
    }

    /**
     * Returns why there cannot be one more; null if there can.
     *
     * @param isKnown whether it is one that was deleted, and is kept for its runs
     */
    @Nullable
    Rejection rejectTooMany(@Nullable Identity by, boolean isKnown) {
        String space = Identity.spaceOf(by);
        if (space != null && owned(space) >= MAX_OWNED)
            return Rejection.of(
                    ErrorCode.RATE_LIMITED,
                    "Keys with the same queues and tenant as yours have %d schedules in this partition, which is their share. Delete some first."
                            .formatted(MAX_OWNED));
        if (isKnown || known.size() < MOST || removeOneThatIsOver()) return null;
        return Rejection.of(ErrorCode.RATE_LIMITED, "A partition has %d schedules at most.".formatted(MOST));
    }

    /** Returns the number of schedules of callers that are confined in this way. */
    private long owned(String space) {
        return known.values().stream()
                .filter(each -> !each.isOver && space.equals(each.space))
                .count();
    }

    void writeFailing(JsonOut json) {
        json.beginObject("failing_schedules")
                .field("count", failing.size())
                .field("first", failing.stream().limit(MOST_SHOWN).toList())
                .endObject();
    }

    int unplanned() {
        return unplanned;
    }

    /** Returns whether a plan is wanted, or one was made with an older time zone database than this. */
    boolean isWanting(String tzdata) {
        return !wanting.isEmpty() || hasOlderThan(tzdata);
    }

    private boolean hasOlderThan(String tzdata) {
        return !versions.isEmpty() && versions.firstKey().compareTo(tzdata) < 0;
    }

    /** The names of those that want a plan, or have one that was made with an older time zone database. */
    Collection<String> wanting(String tzdata) {
        if (!hasOlderThan(tzdata)) return wanting;
        return known.entrySet().stream()
                .filter(each -> each.getValue().wantsPlan() || each.getValue().isOlderThan(tzdata))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Takes the schedules that have changed since the last time; null for one that is paused or gone. */
    void takeStandings(BiConsumer<String, @Nullable ScheduleStanding> to) {
        for (String name : changed) {
            Known each = known.get(name);
            to.accept(name, each == null ? null : each.standing);
        }
        changed.clear();
    }

    long wishes() {
        return wishes;
    }

    List<String> names(@Nullable String after) {
        return List.copyOf((after == null ? known : known.tailMap(after, false)).keySet());
    }

    /** Null unless another manager than this one registers it. */
    @Nullable
    Rejection foreignManager(String name, @Nullable String manager) {
        String known = managers.get(name);
        if (manager == null || known == null || known.equals(manager)) return null;
        return Rejection.of(
                        ErrorCode.CONFLICT,
                        "Schedule '%s' belongs to the manager '%s'. Change its 'managed_by' with PATCH, or use another name."
                                .formatted(name, known))
                .with("reason", "managed_by");
    }

    /** The names of those that one manager registers. */
    List<String> namesOf(String manager) {
        List<String> names = new ArrayList<>();
        managers.forEach((name, by) -> {
            if (by.equals(manager)) names.add(name);
        });
        return names;
    }

    @Nullable
    Known known(String name) {
        return known.get(name);
    }

    @Nullable
    ScheduleState state(String name) {
        byte[] stored = entities.get(STATES.key(name));
        return stored == null ? null : ScheduleState.STORED.read(stored);
    }

    /** Null also after it was deleted. */
    @Nullable
    ScheduleState registered(String name) {
        ScheduleState state = state(name);
        return state == null || state.deletedAt != null ? null : state;
    }

    ScheduleSpec spec(String name) {
        ScheduleSpec last = specs.get(name);
        if (last != null) return last;
        byte[] stored = entities.get(SPECS.key(name));
        if (stored == null) throw new IllegalStateException("schedule %s is not stored".formatted(name));
        ScheduleSpec spec = ScheduleCodec.spec(stored);
        specs.add(name, spec, stored.length);
        return spec;
    }

    SchedulePlan plan(String name) {
        byte[] stored = entities.get(PLANS.key(name));
        return stored == null ? SchedulePlan.NONE : StoredPlan.read(stored);
    }

    StoredPlan.Near near(String name, ScheduleState state, Instant now) {
        byte[] stored = entities.get(PLANS.key(name));
        return stored == null ? StoredPlan.Near.NONE : StoredPlan.near(stored, state.consumed, now);
    }

    void put(String name, ScheduleState state) {
        cancel(name);
        if (state.wakeAt != null) timers.set(Timer.schedule(state.wakeAt, name));
        entities.put(STATES.key(name), ScheduleState.STORED.write(state));
        Known now = known(state);
        if (!now.equals(known.get(name))) change(name, now);
    }

    void put(String name, ScheduleSpec spec) {
        JsonOut out = JsonOut.object();
        ScheduleCodec.write(spec, out);
        entities.put(SPECS.key(name), out.endObject().toBytes());
        specs.forget(name);
        changeManager(name, spec.managedBy());
    }

    void put(String name, SchedulePlan plan) {
        entities.put(PLANS.key(name), StoredPlan.write(plan));
    }

    ScheduleHistory history() {
        return history;
    }

    /** Keeps only the runs and the history of a deleted schedule. */
    void retire(String name, ScheduleState state) {
        entities.delete(PLANS.key(name));
        changeManager(name, null);
        put(name, state);
    }

    /** Forgets a deleted schedule, or keeps it for longer if a run has not ended. */
    void forget(String name, ScheduleState state, Instant orAt) {
        if (state.unfinished.isEmpty()) {
            remove(name);
            return;
        }
        state.wakeAt = orAt;
        put(name, state);
    }

    /** Removes a schedule that is over, for another name. */
    boolean removeOneThatIsOver() {
        for (Map.Entry<String, Known> each : known.entrySet())
            if (each.getValue().isOver) {
                remove(each.getKey());
                return true;
            }
        return false;
    }

    void remove(String name) {
        cancel(name);
        ScheduleState state = state(name);
        if (state != null) history.remove(name, state);
        for (Section section : List.of(SPECS, PLANS, STATES)) entities.delete(section.key(name));
        specs.forget(name);
        changeManager(name, null);
        change(name, null);
    }

    private void cancel(String name) {
        Known before = known.get(name);
        if (before != null && before.wakeAt != null) timers.cancel(Timer.schedule(before.wakeAt, name));
    }

    boolean removeSome(int most) {
        List<String> some = new ArrayList<>(known.keySet());
        some.stream().limit(most).forEach(this::remove);
        return some.size() < most;
    }
}
