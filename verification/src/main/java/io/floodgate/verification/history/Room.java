package io.floodgate.verification.history;

/** What jobs take of the bounds of a queue. */
public record Room(long jobs, long bytes) {
    static final Room NONE = new Room(0, 0);

    Room with(Room more) {
        return new Room(jobs + more.jobs, bytes + more.bytes);
    }

    Room without(Room less) {
        return new Room(jobs - less.jobs, bytes - less.bytes);
    }

    @Override
    public String toString() {
        return "%,d jobs of %,d bytes".formatted(jobs, bytes);
    }
}
