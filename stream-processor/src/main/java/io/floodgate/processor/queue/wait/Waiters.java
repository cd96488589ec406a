package io.floodgate.processor.queue.wait;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Quarantine.Subject;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.WaitRegistry;
import io.floodgate.processor.queue.state.Memory;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.json.JsonOut;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The fetches that wait for a job in this partition: whose, for what, until when, in the order they came. They are state, and
 * so survive a crash; and there is a limit to how many there can be. Producers that wait are in {@code Producers}.
 */
public final class Waiters implements Entity {
    static final int MOST = 50_000;
    public static final int MOST_OF_A_QUEUE = 10_000;
    /** Most bytes of memory for all waiters. */
    static final long MOST_BYTES = 64L * 1024 * 1024;

    private final Timers timers;
    private final Effects out;
    private final WaitRegistry<Waiter> registry;
    private final Map<String, WaitQueue> lines = new TreeMap<>();
    /** The share of each key: no key may take more than it leaves for all others. */
    private final Map<String, Share> byKey = new TreeMap<>();

    private long bytes;

    private record Share(int waiters, long bytes) {}

    private static final Share NONE = new Share(0, 0);

    public Waiters(PartitionContext context) {
        this.timers = context.timers();
        this.out = context.out();
        registry = new WaitRegistry<>(
                context.entities(), Keys.allParked(), Waiter.STORED::read, context.undo(), this::enter, this::leave);
    }

    @Override
    public void load() {
        lines.clear();
        byKey.clear();
        bytes = 0;
        registry.load();
    }

    /** Returns whether the waiter can be taken in. */
    public boolean hasRoomFor(Waiter waiter) {
        Share own = waiter.key() == null ? null : byKey.getOrDefault(waiter.key(), NONE);
        int left = MOST - registry.size() - 1;
        if (left < 0 || (own != null && own.waiters + 1 > left)) return false;
        long needed = Memory.WAITER + 2L * Memory.NAME_CHARS_OF_A_WAITER + waiter.bytesOfTypes();
        for (String name : waiter.queues()) {
            WaitQueue line = lines.get(name);
            if (line != null && line.size() >= MOST_OF_A_QUEUE) return false;
            needed += waiter.bytesAtQueue() + (line == null ? Memory.LINE + name.length() : 0);
        }
        long bytesLeft = MOST_BYTES - bytes - needed;
        return bytesLeft >= 0 && (own == null || own.bytes + needed <= bytesLeft);
    }

    public void add(Waiter waiter) {
        // A client that uses a number again has given up its request from before.
        Waiter before = find(waiter.replyTo());
        if (before != null) remove(before);
        registry.add(waiter, Waiter.STORED.write(waiter));
    }

    public void remove(Waiter waiter) {
        registry.remove(waiter);
    }

    private Waiter enter(Waiter given) {
        List<String> names = new ArrayList<>();
        for (String name : new LinkedHashSet<>(given.queues())) {
            WaitQueue line = lines.get(name);
            if (line == null) {
                line = new WaitQueue(name);
                lines.put(name, line);
                bytes += Memory.LINE + name.length();
            }
            line.add(given);
            names.add(line.queue);
        }
        Waiter waiter = given.at(names);
        timers.set(Timer.parked(waiter.until(), waiter.number()));
        count(waiter, 1);
        return waiter;
    }

    private void leave(Waiter waiter) {
        for (String name : waiter.queues()) {
            WaitQueue line = lines.get(name);
            if (line == null) continue;
            line.remove(waiter);
            if (line.size() > 0) continue;
            lines.remove(name);
            bytes -= Memory.LINE + name.length();
        }
        timers.cancel(Timer.parked(waiter.until(), waiter.number()));
        count(waiter, -1);
    }

    private void count(Waiter waiter, int sign) {
        long size = sign * waiter.bytes();
        bytes += size;
        if (waiter.key() == null) return;
        Share own = byKey.getOrDefault(waiter.key(), NONE);
        int waiters = own.waiters + sign;
        if (waiters == 0) byKey.remove(waiter.key());
        else byKey.put(waiter.key(), new Share(waiters, own.bytes + size));
    }

    @Override
    public boolean quarantine(Subject subject) {
        if (!isOfThese(subject)) return false;
        Waiter waiter = find(number(subject));
        if (waiter != null) registry.quarantine(waiter);
        return true;
    }

    @Override
    public void takeBack(Subject subject) {
        if (isOfThese(subject)) registry.takeBack(number(subject));
    }

    @Override
    public void discard(Subject subject) {
        if (isOfThese(subject)) registry.discard(number(subject));
    }

    private static boolean isOfThese(Subject subject) {
        return subject.kind().equals(Quarantine.WAITER);
    }

    private static long number(Subject subject) {
        return Long.parseLong(subject.name());
    }

    @Nullable
    public Waiter find(long number) {
        return registry.find(number);
    }

    @Nullable
    public Waiter find(ReplyTo replyTo) {
        return find(replyTo.requester(), replyTo.correlation());
    }

    @Nullable
    public Waiter find(String requester, long correlation) {
        return registry.find(requester, correlation);
    }

    public List<Waiter> of(String requester) {
        return registry.of(requester);
    }

    public List<Waiter> ofWorker(String worker) {
        return registry.all().stream().filter(waiter -> waiter.isOf(worker)).toList();
    }

    public List<Waiter> first(int most) {
        return registry.all().stream().limit(most).toList();
    }

    /** The waiters at the queue; null when there are none. */
    @Nullable
    public WaitQueue at(String queue) {
        return lines.get(queue);
    }

    public int size() {
        return registry.size();
    }

    public long bytes() {
        return bytes;
    }

    /** Gives the waiter what it has waited for, and lets it go. */
    public void answer(Waiter waiter, JsonOut lines) {
        out.replyTo(waiter.replyTo(), new Reply.Done(lines.toBytes()));
    }

    /** Answers a waiter whose time is up, without jobs. */
    public void sendAway(Waiter waiter) {
        remove(waiter);
        answer(waiter, waiter.watch() ? notReady() : new JsonOut(0));
    }

    public static JsonOut notReady() {
        return JsonOut.object().field("ready", false).endObject();
    }

    public static JsonOut ready(String queue) {
        return JsonOut.object().field("ready", true).field("queue", queue).endObject();
    }
}
