package io.floodgate.processor.cron;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.own.OwnJobs;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.CronCommand;
import io.floodgate.topics.command.CronCommand.BackfillSchedule;
import io.floodgate.topics.command.CronCommand.DeleteSchedule;
import io.floodgate.topics.command.CronCommand.EnableSchedule;
import io.floodgate.topics.command.CronCommand.GetSchedule;
import io.floodgate.topics.command.CronCommand.KeepSchedules;
import io.floodgate.topics.command.CronCommand.ListSchedules;
import io.floodgate.topics.command.CronCommand.PlanSchedule;
import io.floodgate.topics.command.CronCommand.PutSchedule;
import io.floodgate.topics.command.CronCommand.TriggerSchedule;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.cron.CatchUp;
import io.floodgate.topics.cron.SchedulePlan;
import io.floodgate.topics.cron.ScheduleSpec;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The schedules whose names lead to this partition. Their times are planned outside, and come with commands; here,
 * times are compared. A due occurrence is consumed and decided about in one step, so that none has two outcomes.
 */
public final class Schedules implements Entity {
    /** Lateness up to which a run counts as on time, with {@link CatchUp#NONE}. */
    private static final Duration ON_TIME = Duration.ofMinutes(1);

    private static final int MOST_CAUGHT_UP = 100;
    /** The runs and the history of a deleted schedule are kept for this time, and until its runs have ended. */
    private static final Duration REMEMBERED = Duration.ofDays(1);

    private static final int LIST_BYTES = 512 * 1024;

    private final ScheduleStore store;
    private final ScheduleRuns runs;
    private final SchedulePlans plans;
    private final Backfills backfills;
    private final Routing routing;
    private final Effects out;

    public Schedules(OwnJobs jobs, PartitionContext context) {
        out = context.out();
        routing = context.routing();
        store = new ScheduleStore(context);
        runs = new ScheduleRuns(store, jobs, routing, out);
        plans = new SchedulePlans(store);
        backfills = new Backfills(store, runs, context);
    }

    @Override
    public void register(Handlers handlers) {
        at(handlers, PutSchedule.class, PutSchedule::name, this::put);
        at(handlers, EnableSchedule.class, EnableSchedule::name, this::enable);
        at(handlers, DeleteSchedule.class, DeleteSchedule::name, this::delete);
        at(handlers, GetSchedule.class, GetSchedule::name, this::get);
        at(handlers, TriggerSchedule.class, TriggerSchedule::name, this::trigger);
        at(handlers, BackfillSchedule.class, BackfillSchedule::name, this::backfill);
        at(handlers, PlanSchedule.class, PlanSchedule::name, this::plan);
        handlers.on(ListSchedules.class, this::list);
        handlers.on(KeepSchedules.class, this::keep);
    }

    /** Writes the number of failing schedules, and the first of them. */
    public void writeFailing(JsonOut json) {
        store.writeFailing(json);
    }

    /** A name leads to one partition: what is asked of it elsewhere is passed on. */
    private <C extends CronCommand> void at(
            Handlers handlers, Class<C> type, Function<C, String> name, Consumer<C> rule) {
        handlers.on(type, command -> {
            PartitionId home = CronCommand.home(routing, name.apply(command));
            if (home.equals(out.log())) rule.accept(command);
            else out.pass(home, name.apply(command), command);
        });
    }

    /** The plans that planners are to make, at most {@code most}; without those that {@code unless} holds for. */
    public List<WantedPlan> wantedPlans(String tzdata, int most, BiPredicate<String, Instant> unless) {
        return store.isWanting(tzdata) ? plans.wanted(tzdata, most, unless) : List.of();
    }

    /** Returns whether a plan is to be made. */
    public boolean wantPlans(String tzdata) {
        return store.isWanting(tzdata);
    }

    /** Grows whenever another plan is to be made. */
    public long planWishes() {
        return store.wishes();
    }

    /** Returns the number of schedules that are not paused, and have no time at which they are looked at next. */
    public int unplanned() {
        return store.unplanned();
    }

    /** The standings of schedules that have changed since the last call; null for a schedule that is paused or gone. */
    public void takeStandings(BiConsumer<String, @Nullable ScheduleStanding> to) {
        store.takeStandings(to);
    }

    // ---- what operators do

    private void put(PutSchedule command) {
        String name = command.name();
        ScheduleState before = store.registered(name);
        Rejection rejection = rejection(command, before);
        if (rejection != null) {
            out.reject(rejection);
            return;
        }
        ScheduleState state = before == null ? created(command) : before;
        boolean isChanged = before != null && changes(command, state);
        Boolean enabled = command.enabled();
        if (enabled != null && enabled != state.enabled) {
            isChanged = true;
            enable(name, state, enabled, false, command.plan());
        }
        look(name, state);
        reply(name, state, before == null ? "created" : isChanged ? "changed" : "unchanged");
    }

    private @Nullable Rejection rejection(PutSchedule command, @Nullable ScheduleState before) {
        String name = command.name();
        if (before != null && isHidden(name, before))
            return Rejection.of(ErrorCode.PERMISSION_DENIED, "There is a schedule '%s' already.".formatted(name));
        Rejection full = before == null ? store.rejectTooMany(out.by(), store.known(name) != null) : null;
        if (full != null) return full;
        Long expected = command.expected();
        if (expected == null)
            return before == null
                    ? null
                    : store.foreignManager(name, command.spec().managedBy());
        if (before != null && before.version == expected) return null;
        return Rejection.of(ErrorCode.CONFLICT, "Schedule '%s' was changed meanwhile.".formatted(name))
                .with("reason", "version");
    }

    private ScheduleState created(PutSchedule command) {
        String name = command.name();
        ScheduleState deleted = store.state(name);
        boolean isForeign = deleted != null && isHidden(name, deleted);
        if (isForeign) store.remove(name); // the runs of another owner are none of this schedule
        Instant now = out.wallTime();
        ScheduleState state = deleted == null || isForeign ? new ScheduleState(now) : deleted.again(now);
        state.by = out.by();
        begin(name, command.spec(), state, command.plan());
        return state;
    }

    private boolean changes(PutSchedule command, ScheduleState state) {
        String name = command.name();
        ScheduleSpec before = store.spec(name);
        if (before.equals(command.spec())) return false;
        look(name, state); // what was due by then was due as the schedule was
        state.version++;
        state.by = out.by();
        store.put(name, command.spec());
        if (!before.isDueLike(command.spec())) {
            state.generation++;
            begin(name, command.spec(), state, command.plan());
        }
        return true;
    }

    /** Begins a schedule from now on, whatever was due before. */
    private void begin(String name, ScheduleSpec spec, ScheduleState state, SchedulePlan plan) {
        store.put(name, spec);
        state.anchor = out.wallTime();
        state.consumed = out.wallTime();
        plans.begin(name, state, plan);
    }

    private void enable(EnableSchedule command) {
        ScheduleState state = find(command.name());
        if (state == null) return;
        if (state.enabled != command.enabled())
            enable(command.name(), state, command.enabled(), command.catchUp(), command.plan());
        look(command.name(), state);
        reply(command.name(), state, "changed");
    }

    private void enable(String name, ScheduleState state, boolean enabled, boolean catchUp, SchedulePlan plan) {
        if (!enabled) look(name, state); // what was due by then is not of the pause
        state.version++;
        state.enabled = enabled;
        Instant now = out.wallTime();
        if (!enabled) {
            state.pausedSince = now;
            return;
        }
        ScheduleSpec spec = store.spec(name);
        // All that was due meanwhile has an outcome, too.
        List<Instant> due = Occurrences.of(name, spec, store.near(name, state, now), state, now)
                .due();
        Instant last = due.isEmpty() ? null : due.getLast();
        int skipped = due.size() - (catchUp && !due.isEmpty() ? 1 : 0);
        if (last != null && skipped > 0) runs.skip(name, spec, state, last, "disabled", skipped);
        state.consume(now);
        state.pausedSince = null;
        if (spec.every() == null) state.anchor = now;
        plans.begin(name, state, plan);
        if (catchUp && last != null) runs.run(name, spec, state, last, null);
    }

    private void delete(DeleteSchedule command) {
        ScheduleState state = find(command.name());
        if (state == null) return;
        JsonOut reply = new JsonOut();
        write(command.name(), state, null, reply);
        retire(command.name(), state);
        out.reply(reply);
    }

    private void retire(String name, ScheduleState state) {
        look(name, state); // what is due by now was due before it was deleted
        runs.cancelHeld(name, state);
        state.delete(out.wallTime(), out.now().plus(REMEMBERED));
        store.retire(name, state);
    }

    private void trigger(TriggerSchedule command) {
        ScheduleState state = find(command.name());
        if (state == null) return;
        Rejection rejection = runs.runNow(command.name(), store.spec(command.name()), state, command.force());
        if (rejection != null) out.reject(rejection);
        else store.put(command.name(), state);
    }

    private void backfill(BackfillSchedule command) {
        String name = command.name();
        ScheduleState state = find(name);
        if (state == null) return;
        for (Instant time : command.times())
            if (time.isAfter(out.wallTime())) {
                String message = "Only times of the past can be run by hand: %s is not past.".formatted(time);
                out.reject(Rejection.of(ErrorCode.INVALID_REQUEST, message).with("field", "to"));
                return;
            }
        look(name, state); // what is due by now is not of the past yet
        backfills.begin(name, state, command.times());
    }

    private void keep(KeepSchedules command) {
        Set<String> kept = new TreeSet<>(command.kept());
        List<String> removed = new ArrayList<>();
        for (String name : store.namesOf(command.manager())) {
            ScheduleState state = kept.contains(name) ? null : store.registered(name);
            if (state == null || isHidden(name, state)) continue;
            retire(name, state);
            removed.add(name);
        }
        out.reply(JsonOut.object().field("removed", removed).endObject());
    }

    // ---- what anybody asks

    private void get(GetSchedule command) {
        ScheduleState state = find(command.name());
        if (state == null) return;
        JsonOut reply = new JsonOut();
        write(command.name(), state, command.history() ? store.history().all(command.name(), state) : null, reply);
        out.reply(reply);
    }

    /** Answers with a row for each, as many as go into a reply; the last row says whether there are more. */
    private void list(ListSchedules command) {
        JsonOut reply = new JsonOut();
        int listed = 0;
        boolean more = false;
        for (String name : store.names(command.after())) {
            ScheduleState state = store.registered(name);
            if (state == null || isHidden(name, state)) continue;
            more = listed == command.limit() || reply.length() > LIST_BYTES;
            if (more) break;
            write(name, state, null, reply);
            reply.newLine();
            listed++;
        }
        out.reply(reply.beginObject().field("more", more).endObject());
    }

    /** Rejects the command at hand if there is no such schedule, or none for its sender. */
    private @Nullable ScheduleState find(String name) {
        ScheduleState state = store.registered(name);
        if (state != null && !isHidden(name, state)) return state;
        out.reject(Rejection.notFound("cron", name));
        return null;
    }

    private boolean isHidden(String name, ScheduleState state) {
        Identity by = out.by();
        if (by == null || !by.isConfined()) return false;
        String tenant = state.by == null ? null : state.by.tenant();
        return !by.mayUse(store.spec(name).job().queue())
                || (by.tenant() != null && !by.tenant().equals(tenant));
    }

    private void reply(String name, ScheduleState state, String change) {
        JsonOut reply = new JsonOut();
        write(name, state, null, reply);
        out.reply(reply.newLine().beginObject().field("change", change).endObject());
    }

    private void write(String name, ScheduleState state, @Nullable List<OccurrenceOutcome> history, JsonOut reply) {
        ScheduleSpec spec = store.spec(name);
        Occurrences next = Occurrences.of(name, spec, store.near(name, state, out.wallTime()), state, out.wallTime());
        ScheduleView.write(name, spec, state, next, history, reply);
    }

    // ---- what happens by itself

    private void plan(PlanSchedule command) {
        ScheduleState state = store.registered(command.name());
        if (state == null || !plans.take(command, state)) return;
        look(command.name(), state);
    }

    @Override
    public boolean fire(Timer timer) {
        if (timer.kind() != Timers.Kind.SCHEDULE) return false;
        String name = timer.name();
        ScheduleState state = store.state(name);
        if (state != null && state.deletedAt == null) look(name, state);
        else if (state != null) store.forget(name, state, out.now().plus(REMEMBERED));
        return true;
    }

    /** Decides about what is due, and sets when to look again. */
    private void look(String name, ScheduleState state) {
        ScheduleSpec spec = store.spec(name);
        Instant now = out.wallTime();
        Occurrences found = Occurrences.of(name, spec, store.near(name, state, now), state, now);
        if (state.enabled) {
            for (var gap : found.gaps()) {
                state.consume(gap.at());
                runs.skip(name, spec, state, gap.at(), "dst_skip", gap.skipped());
            }
            if (!found.due().isEmpty()) decide(name, spec, state, found, now);
        }
        Instant wake = state.enabled ? found.wake() : null;
        // A clock that was ahead, and was set back: the partition's time goes on at half the pace until then.
        Duration ahead = Duration.between(now, out.now());
        state.wakeAt = wake == null || ahead.isZero()
                ? wake
                : out.now().plusMillis(Math.max(1, Duration.between(now, wake).toMillis() / 2));
        plans.count(spec, state, found, now);
        store.put(name, state);
    }

    private void decide(String name, ScheduleSpec spec, ScheduleState state, Occurrences found, Instant now) {
        List<Instant> due = found.due();
        CatchUp catchUp = spec.rules().catchUp();
        Duration most = catchUp == CatchUp.NONE ? ON_TIME : spec.rules().catchUpWindow();
        int wanted = catchUp == CatchUp.ALL ? MOST_CAUGHT_UP : 1;
        int first = Math.max(0, due.size() - wanted);
        while (first < due.size() && Duration.between(due.get(first), now).compareTo(most) > 0) first++;
        // Stored in the step that decides: what was due is never looked at again.
        state.consume(due.getLast());
        long missed = found.earlier() + first;
        if (missed > 0)
            runs.skip(name, spec, state, due.get(Math.max(0, first - 1)), "missed", (int) Math.min(missed, 1_000_000));
        for (int i = first; i < due.size(); i++)
            runs.run(name, spec, state, due.get(i), i + 1 < due.size() ? due.get(i + 1) : found.next());
    }

    @Override
    public void load() {
        store.load();
    }

    @Override
    public boolean clear(int most) {
        return store.removeSome(most);
    }
}
