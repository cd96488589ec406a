package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.JsonOut;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Parked fetches and watches: served as soon as something is ready, in the order they came, but fetches first. They are
 * state, and so survive a crash. Nobody is parked at a queue that has something to hand out.
 */
final class Waiting {
    private final KeyValues entities;
    private final Keys keys;
    private final Queues queues;
    private final Fetches fetches;
    private final Timers timers;
    private final Effects out;
    private final TreeMap<Long, Parked> parked = new TreeMap<>();

    Waiting(KeyValues entities, Keys keys, Queues queues, Fetches fetches, Timers timers, Effects out) {
        this.entities = entities;
        this.keys = keys;
        this.queues = queues;
        this.fetches = fetches;
        this.timers = timers;
        this.out = out;
    }

    void load() {
        parked.clear();
        byte[] prefix = keys.allParked();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            long number = new io.floodgate.processor.store.BinaryIn(
                            java.util.Arrays.copyOfRange(key, key.length - 8, key.length))
                    .fixed();
            enter(Parked.read(number, value));
            return true;
        });
    }

    void park(Parked waiting) {
        entities.put(keys.parked(waiting.number()), waiting.write());
        enter(waiting);
    }

    private void enter(Parked waiting) {
        parked.put(waiting.number(), waiting);
        timers.set(Timer.parked(waiting.until(), waiting.number()));
        for (String name : waiting.fetch().queues())
            line(queues.withWaiting(name), waiting.watch()).put(waiting.number(), waiting);
    }

    private void leave(Parked waiting) {
        parked.remove(waiting.number());
        entities.delete(keys.parked(waiting.number()));
        timers.cancel(Timer.parked(waiting.until(), waiting.number()));
        for (String name : waiting.fetch().queues()) {
            Queue queue = queues.find(name);
            if (queue == null) continue;
            line(queue, waiting.watch()).remove(waiting.number());
            queues.removeIfUnused(queue);
        }
    }

    /** The time is up: empty-handed is an answer, too. */
    void giveUp(long number) {
        Parked waiting = parked.get(number);
        if (waiting == null) return;
        leave(waiting);
        answer(waiting, waiting.watch() ? ready(false) : new JsonOut(0));
    }

    /** Sends up to so many away; true once nobody waits. */
    boolean giveUp(int most) {
        parked.keySet().stream().limit(most).toList().forEach((Long number) -> giveUp(number.longValue()));
        return parked.isEmpty();
    }

    int size() {
        return parked.size();
    }

    /** Serves those who wait at these queues, whoever came first to any of them first, while there is something for them. */
    void serve(List<Queue> stirred) {
        // A watcher may never come for the job it is told of: none is kept for it while a fetch waits.
        int[] spokenFor = new int[stirred.size()];
        serve(stirred, false, spokenFor);
        serve(stirred, true, spokenFor);
    }

    private void serve(List<Queue> stirred, boolean watch, int[] spokenFor) {
        for (int at = next(stirred, watch, spokenFor); at >= 0; at = next(stirred, watch, spokenFor)) {
            Parked waiting = line(stirred.get(at), watch).firstEntry().getValue();
            if (!waiting.until().isAfter(out.now())) {
                giveUp(waiting.number());
                continue;
            }
            leave(waiting);
            if (watch) {
                // Each watcher that was woken will take a job: no more are woken than there are jobs for.
                spokenFor[at]++;
                answer(waiting, ready(true));
            } else {
                answer(waiting, fetches.claim(waiting.fetch()));
            }
        }
    }

    /** The queue that has something for the one who has waited longest; -1 when none has anything for anybody. */
    private int next(List<Queue> stirred, boolean watch, int[] spokenFor) {
        int next = -1;
        long longest = Long.MAX_VALUE;
        for (int at = 0; at < spokenFor.length; at++) {
            Queue queue = stirred.get(at);
            var line = line(queue, watch);
            boolean hasSome = !line.isEmpty() && fetches.hasReady(queue.name) && queue.ready.size() > spokenFor[at];
            if (hasSome && line.firstKey() < longest) {
                longest = line.firstKey();
                next = at;
            }
        }
        return next;
    }

    private static NavigableMap<Long, Parked> line(Queue queue, boolean watch) {
        return watch ? queue.watches : queue.fetches;
    }

    private void answer(Parked waiting, JsonOut lines) {
        out.replyTo(waiting.replyTo(), new Reply.Done(lines.toBytes()));
    }

    static JsonOut ready(boolean ready) {
        return new JsonOut().beginObject().field("ready", ready).endObject();
    }
}
