package io.floodgate.processor.simulation;

/** Ways to execute recorded logs again that must all come to the same state, by the same replies. */
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
}
