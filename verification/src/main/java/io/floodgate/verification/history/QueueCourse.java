package io.floodgate.verification.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** How full a queue was at which time, and what it was allowed to hold. */
final class QueueCourse {
    /** From this time on, until the next one. */
    private record Level(Instant time, Room used, Room bounds, boolean blocks) {
        boolean hasRoomFor(Room more) {
            return fits(used.jobs() + more.jobs(), bounds.jobs()) && fits(used.bytes() + more.bytes(), bounds.bytes());
        }

        boolean canHold(Room alone) {
            return fits(alone.jobs(), bounds.jobs()) && fits(alone.bytes(), bounds.bytes());
        }

        private static boolean fits(long count, long bound) {
            return bound == 0 || count <= bound;
        }
    }

    private final List<Level> levels = new ArrayList<>();
    private final Map<String, Instant> arrivals = new HashMap<>();

    private QueueCourse() {
        levels.add(new Level(Instant.MIN, Room.NONE, Room.NONE, false));
    }

    /** @param sizes of jobs, at most, by id */
    static QueueCourse of(List<QueueEvent> events, Map<String, Long> sizes) {
        QueueCourse course = new QueueCourse();
        QueueCount count = new QueueCount(job -> sizes.getOrDefault(job, 0L));
        for (QueueEvent event : events) {
            if (count.apply(event) && event instanceof QueueEvent.JobMoved come)
                course.arrivals.put(come.job(), come.time());
            course.levels.add(new Level(
                    event.time(),
                    new Room(count.depth().count(), count.bytes().count()),
                    new Room(count.depth().bound(), count.bytes().bound()),
                    count.strategy().equals(QueueCount.BLOCK)));
        }
        return course;
    }

    /** When the job came in, the last time that it did; null if it never did. */
    @Nullable
    Instant arrivalOf(String job) {
        return arrivals.get(job);
    }

    /** What was so at any moment of a span of time. */
    record Course(List<Level> levels) {
        boolean alwaysHasRoomFor(Room more) {
            return levels.stream().allMatch(level -> level.hasRoomFor(more));
        }

        boolean alwaysCanHold(Room alone) {
            return levels.stream().allMatch(level -> level.canHold(alone));
        }

        boolean alwaysBlocks() {
            return levels.stream().allMatch(Level::blocks);
        }
    }

    Course between(Instant from, Instant to) {
        int first = Math.max(0, firstWhere(level -> !level.time.isBefore(from)) - 1);
        return new Course(levels.subList(first, firstWhere(level -> level.time.isAfter(to))));
    }

    /** The first level of which this is true, as it is of all that follow; their number if it is true of none. */
    private int firstWhere(Predicate<Level> later) {
        int low = 0;
        int high = levels.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (later.test(levels.get(middle))) high = middle;
            else low = middle + 1;
        }
        return low;
    }
}
