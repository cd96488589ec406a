package io.floodgate.processor.queue.fetch;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.queue.state.FairOrder;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.WantedFilter;
import io.floodgate.processor.queue.wait.WaitQueue;
import io.floodgate.processor.queue.wait.Waiter;
import io.floodgate.processor.queue.wait.Waiters;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.limit.Held;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Serves those who wait as soon as something is ready, in the order they came, but fetches first. If a fetch waits at a
 * queue that has something to hand out, it is noted here when the queue is looked at again.
 */
public final class Serving implements Entity {
    /** A watcher that was woken for a job will come for it by then, or never. */
    static final Duration WOKEN = Duration.ofMillis(100);

    /** Most jobs that one step hands out; the rest follows with the next record. */
    static final int MOST_SERVED = 100;

    static final int MOST_BYTES = 256 * 1024;

    /** The kind of work that serving the rest is. */
    private static final String REST = "serve";

    /** Permits that are asked for at once, for all who wait at a queue. */
    private static final int MOST_WANTED = 1_000;

    /** The most waiters for other types that are passed over; and the most different type filters. */
    private static final int MOST_PASSED = 1_000;

    private static final int MOST_CHOICES = 50;

    private static final byte[] MORE = {1};
    private static final int MOST_QUEUES = 1_000;

    private final KeyValues entities;
    private final Queues queues;
    private final Waiters waiters;
    private final Fetches fetches;
    private final StartLimits limits;
    private final TenantSorting tenants;
    private final Timers timers;
    private final Undo undo;
    private final Effects out;
    private final Work work;
    /** Times at which queues are looked at again, since waiters that were woken for their jobs may not have come. */
    private final Map<String, Instant> again = new TreeMap<>();

    /** Queues that have something for those who wait, which was too much for a step. */
    private final TreeSet<String> unserved = new TreeSet<>();

    private int served;
    private long bytes;

    public Serving(
            Queues queues,
            Waiters waiters,
            Fetches fetches,
            StartLimits limits,
            TenantSorting tenants,
            PartitionContext context) {
        this.entities = context.entities();
        this.queues = queues;
        this.waiters = waiters;
        this.fetches = fetches;
        this.limits = limits;
        this.tenants = tenants;
        this.timers = context.timers();
        this.work = context.work();
        this.undo = context.undo();
        this.out = context.out();
        context.work().register(REST, piece -> takeUnserved());
    }

    @Override
    public void load() {
        again.clear();
        unserved.clear();
        byte[] woken = Keys.allWoken();
        entities.scan(woken, Keys.after(woken), (key, value) -> {
            put(Keys.nameAtEnd(key), new BinaryIn(value).time());
            return true;
        });
        byte[] rest = Keys.allUnserved();
        entities.scan(rest, Keys.after(rest), (key, value) -> unserved.add(Keys.nameAtEnd(key)));
        endStep();
    }

    /** Forgets all waiters that are to be served. */
    public void clear() {
        List.copyOf(again.keySet()).forEach(name -> note(name, null));
        List.copyOf(unserved).forEach(this::forgetUnserved);
    }

    @Override
    public void save() {
        endStep();
    }

    @Override
    public void rollBack() {
        endStep();
    }

    private void endStep() {
        served = 0;
        bytes = 0;
    }

    @Override
    public boolean fire(Timer timer) {
        if (timer.kind() != Timers.Kind.QUEUE) return false;
        lookAgain(timer.name());
        return true;
    }

    /** Looks at the queue again, since it is time. */
    private void lookAgain(String name) {
        note(name, null);
        Queue queue = queues.find(name);
        if (queue != null) queues.toServe(queue);
    }

    public void serve(List<Queue> toServe) {
        toServe.forEach(tenants::sortForWaiters);
        // A watcher may never come for the job that it is woken for: none is kept for it while a fetch waits.
        int[] spokenFor = new int[toServe.size()];
        serve(toServe, false, spokenFor);
        serve(toServe, true, spokenFor);
        limits.takeUnfinished().forEach(this::leaveUnserved);
        for (int at = 0; at < spokenFor.length; at++) {
            Queue queue = toServe.get(at);
            boolean more = isFull() && (candidate(queue, false, 0) != null || candidate(queue, true, 0) != null);
            if (more) leaveUnserved(queue.name);
            else if (spokenFor[at] > 0 && waiters.at(queue.name) != null)
                // mutant: watch-woken
                note(queue.name, out.now().plus(WOKEN));
        }
    }

    private boolean isFull() {
        return served >= MOST_SERVED || bytes >= MOST_BYTES;
    }

    /** A queue that has something for a waiter, and the number of the one that has waited longest there. */
    private record Candidate(long number, int queue) implements Comparable<Candidate> {
        @Override
        public int compareTo(Candidate other) {
            return number != other.number ? Long.compare(number, other.number) : Integer.compare(queue, other.queue);
        }
    }

    private void serve(List<Queue> toServe, boolean watch, int[] spokenFor) {
        TreeSet<Candidate> candidates = new TreeSet<>();
        for (int at = 0; at < toServe.size(); at++) consider(toServe, at, watch, spokenFor, candidates);
        for (Candidate next = candidates.pollFirst(); next != null && !isFull(); next = candidates.pollFirst()) {
            Long first = candidate(toServe.get(next.queue), watch, spokenFor[next.queue]);
            Waiter waiter = first == null || first != next.number ? null : waiters.find(first);
            if (waiter != null) serve(waiter, toServe.get(next.queue).name, next.queue, spokenFor);
            // The waiter served here may have waited elsewhere too, and others have moved up.
            consider(toServe, next.queue, watch, spokenFor, candidates);
        }
    }

    private void consider(List<Queue> toServe, int at, boolean watch, int[] spokenFor, Set<Candidate> candidates) {
        Long first = candidate(toServe.get(at), watch, spokenFor[at]);
        if (first != null) candidates.add(new Candidate(first, at));
    }

    /** The waiter to be served next at this queue; null when there is none, or nothing for any. */
    private @Nullable Long candidate(Queue queue, boolean watch, int spokenFor) {
        WaitQueue line = waiters.at(queue.name);
        if (line == null || line.isEmpty(watch)) return null;
        Held held = queue.held(out.now());
        if (held != null) {
            limits.announce(queue);
            if (held.until() != null) lookAgainBy(queue.name, held.until());
            return null;
        }
        if (queue.ready().size() <= spokenFor) return null;
        if (line.hasFiltered()) return filteredCandidate(queue, line, watch);
        return fetches.hasReadyFor(queue.name, new WantedFilter(WantedJobs.ALL), wanted(line))
                ? (Long) line.first(watch)
                : null;
    }

    /** The first who wants one of the jobs that are there. */
    private @Nullable Long filteredCandidate(Queue queue, WaitQueue line, boolean watch) {
        Long ofAll = candidateOfAll(queue, line, watch);
        Long ofSome = candidateOfTenants(queue, line, watch);
        return ofAll == null || (ofSome != null && ofSome < ofAll) ? ofSome : ofAll;
    }

    /** A waiter, and a tenant of which it wants jobs. */
    private record OfTenant(long number, String tenant) {}

    /** The first of those who want jobs of some tenants, looked for at the tenants that have jobs and those who wait. */
    private @Nullable Long candidateOfTenants(Queue queue, WaitQueue line, boolean watch) {
        PriorityQueue<OfTenant> next = new PriorityQueue<>(Comparator.comparingLong(OfTenant::number));
        for (String tenant : startableOf(queue, line.tenants(watch))) addNext(line, watch, tenant, -1, next);
        Map<WantedJobs, Boolean> ready = new LinkedHashMap<>();
        for (int left = MOST_PASSED; left > 0; left--) {
            OfTenant first = next.poll();
            Waiter waiter = first == null ? null : waiters.find(first.number);
            if (first == null || waiter == null) return null;
            if (isReady(queue, line, waiter, ready)) return first.number;
            addNext(line, watch, first.tenant, first.number, next);
        }
        return null;
    }

    private static void addNext(
            WaitQueue line, boolean watch, String tenant, long after, PriorityQueue<OfTenant> next) {
        Long number = line.firstOf(tenant, watch, n -> n > after);
        if (number != null) next.add(new OfTenant(number, tenant));
    }

    /** The tenants of these that may have a job that can start. */
    private static Iterable<String> startableOf(Queue queue, Set<String> names) {
        FairOrder fair = queue.fair();
        if (names.isEmpty() || fair == null) return List.of();
        if (names.size() <= fair.maxTenants())
            return names.stream().filter(fair::mayStart).toList();
        return fair.startableTenants().stream().filter(names::contains).toList();
    }

    private boolean isReady(Queue queue, WaitQueue line, Waiter waiter, Map<WantedJobs, Boolean> ready) {
        return ready.computeIfAbsent(
                waiter.fetch().types(),
                types -> fetches.hasReadyFor(queue.name, new WantedFilter(types), wanted(line)));
    }

    private @Nullable Long candidateOfAll(Queue queue, WaitQueue line, boolean watch) {
        Map<WantedJobs, Boolean> ready = new LinkedHashMap<>();
        int[] left = {MOST_PASSED};
        Long first = line.firstOfAll(watch, number -> {
            Waiter waiter = waiters.find(number);
            if (waiter == null) return false;
            if (left[0]-- == 0 || ready.size() == MOST_CHOICES) return true;
            return isReady(queue, line, waiter, ready);
        });
        Waiter found = first == null ? null : waiters.find(first);
        return found != null && ready.getOrDefault(found.fetch().types(), false) ? first : null;
    }

    /** Returns how many jobs the waiters could take: each of them one, and the first as many as it asked for. */
    private int wanted(WaitQueue line) {
        Waiter first = line.isEmpty(false) ? null : waiters.find(line.first(false));
        return Math.min(
                MOST_WANTED,
                line.size() - 1 + (first == null ? 1 : first.fetch().count()));
    }

    /** Workers wait at these queues: those that their own limits hold back are looked at when that is over. */
    void lookAtHeld(List<String> names) {
        for (String name : names) {
            Queue queue = queues.find(name);
            if (queue != null && queue.limit() != null) queues.toServe(queue);
        }
    }

    private void lookAgainBy(String name, Instant at) {
        Instant planned = again.get(name);
        if (planned == null || at.isBefore(planned)) note(name, at);
    }

    private void serve(Waiter waiter, String name, int queue, int[] spokenFor) {
        if (!waiter.until().isAfter(out.now())) {
            waiters.sendAway(waiter);
            return;
        }
        out.about(Quarantine.WAITER, waiter.number());
        waiters.remove(waiter);
        // Each watcher that was woken will take a job: no more are woken than there are jobs for.
        if (waiter.watch()) spokenFor[queue]++;
        JsonOut lines = waiter.watch() ? Waiters.ready(name) : fetches.claim(waiter.fetch(), waiter.replyTo());
        served++;
        bytes += lines.length();
        waiters.answer(waiter, lines);
    }

    /** A watch was answered, and its caller does not fetch: the next waiter has its turn now instead of after {@link #WOKEN}. */
    void declined(String name) {
        if (again.containsKey(name)) lookAgain(name);
    }

    /**
     * Returns whether a fetch has to wait, since one of these queues owes jobs to others. It is then served with them,
     * from whichever of its queues has something by then.
     */
    boolean isOwing(List<String> names) {
        if (unserved.isEmpty() || names.stream().noneMatch(this::isOwing)) return false;
        rest(names);
        return true;
    }

    private boolean isOwing(String name) {
        return unserved.contains(name) && fetches.hasReady(name);
    }

    /** Lets the next fetch wait, since these queues handed out large jobs at once: so other commands come between. */
    void rest(List<String> names) {
        names.stream().filter(fetches::hasReady).forEach(this::leaveUnserved);
    }

    private void leaveUnserved(String name) {
        if (!unserved.add(name)) return;
        undo.by(() -> unserved.remove(name));
        entities.put(Keys.unserved(name), new byte[0]);
        if (!work.has(REST, "")) work.begin(REST, "", null);
    }

    /** Serves the queues as this step ends, and leaves the rest for the next slice. */
    private byte @Nullable [] takeUnserved() {
        for (String name : unserved.stream().limit(MOST_QUEUES).toList()) {
            forgetUnserved(name);
            Queue queue = queues.find(name);
            if (queue != null) queues.toServe(queue);
        }
        return unserved.isEmpty() ? null : MORE;
    }

    private void forgetUnserved(String name) {
        unserved.remove(name);
        undo.by(() -> unserved.add(name));
        entities.delete(Keys.unserved(name));
    }

    /** Notes when the queue is looked at again; null for never. */
    private void note(String name, @Nullable Instant at) {
        Instant before = again.get(name);
        if (at == null) entities.delete(Keys.woken(name));
        else entities.put(Keys.woken(name), new BinaryOut().time(at).toBytes());
        put(name, at);
        undo.by(() -> put(name, before));
    }

    private void put(String name, @Nullable Instant at) {
        Instant before = at == null ? again.remove(name) : again.put(name, at);
        if (before != null) timers.cancel(Timer.queue(before, name));
        if (at != null) timers.set(Timer.queue(at, name));
    }
}
