package io.floodgate.processor.simulation;

import io.floodgate.processor.store.Stores;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Ways to carry out recorded logs again that must all come to the same state, by the same replies. */
final class Replays {
    private Replays() {}

    static void twice(long seed) {
        for (Recording recording : Recording.of(seed, 200)) {
            Replay first = new Replay(recording).toTheEnd();
            new Replay(recording).toTheEnd().mustHaveTheStateOf(first);
        }
    }

    /** Memory is lost after every record: whatever is kept in memory only, and matters, is missed at the next one. */
    static void withoutMemory(long seed) {
        for (Recording recording : Recording.of(seed, 200)) {
            Replay remembering = new Replay(recording);
            Replay forgetful = new Replay(recording);
            while (remembering.hasNext()) {
                remembering.next();
                forgetful.next();
                forgetful.loseMemory();
                if (remembering.position() % 16 == 0) forgetful.mustHaveTheStateOf(remembering);
            }
            forgetful.mustHaveTheStateOf(remembering);
        }
    }

    /** Cut at every point, and on to the end from there. */
    static void cutEverywhere(long seed) {
        for (Recording recording : Recording.of(seed, 60)) {
            Replay whole = new Replay(recording).toTheEnd();
            Replay upTo = new Replay(recording);
            while (upTo.hasNext()) {
                upTo.cutHere().toTheEnd().mustHaveTheStateOf(whole);
                upTo.next();
            }
        }
    }

    /** A task keeps several logs in the same stores; in which order it reads them is chance. */
    static void interleaved(long seed) {
        Chance chance = new Chance(seed);
        List<Recording> neighbours = Recording.neighbours(seed, 150);
        Map<String, String> alone = new TreeMap<>();
        neighbours.forEach(one -> alone.putAll(new Replay(one).toTheEnd().state()));
        Stores shared = Instance.Snapshot.EMPTY.copy();
        List<Replay> replays =
                neighbours.stream().map(one -> new Replay(one, shared)).toList();
        List<Replay> unfinished = new ArrayList<>(replays);
        while (!unfinished.isEmpty()) {
            Replay replay = chance.pick(unfinished);
            if (replay.hasNext()) replay.next();
            else unfinished.remove(replay);
            if (chance.oneIn(20)) replay.loseMemory();
        }
        if (!Prints.of(shared).equals(alone))
            throw new AssertionError(
                    "together, logs come to other states:%s".formatted(Prints.difference(alone, Prints.of(shared))));
    }
}
