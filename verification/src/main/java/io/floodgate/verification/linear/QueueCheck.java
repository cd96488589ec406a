package io.floodgate.verification.linear;

import io.floodgate.verification.linear.QueueOperation.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Looks for an order of operations in which each is answered as {@link SmallQueueState} says, and comes between its begin and its
 * end: the search of Wing and Gong, which visits no pair of executed operations and state twice (Lowe). What changes nothing
 * is executed as soon as it can be: then it is in no other one's way.
 */
final class QueueCheck {
    enum Outcome {
        LINEARIZABLE,
        BROKEN,
        NOT_DECIDED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** @param why shows, of a broken history, the first answer that no order explains, and what was under way */
    record Verdict(Outcome outcome, String why) {}

    private static final int SHOWN = 12;

    /**
     * A set of executed operations, and the state after them.
     *
     * @param first operations are executed, and those of {@code later}, counted from there
     * @param lost fetches without an answer are executed: they are alike, so it is those that began first
     */
    private record Point(int first, BitSet later, int lost, SmallQueueState state) {
        Point executed(int operation, SmallQueueState next) {
            int done = first;
            BitSet more = (BitSet) later.clone();
            more.set(operation - first);
            if (more.get(0)) {
                int through = more.nextClearBit(0);
                done += through;
                more = more.get(through, Math.max(through, more.length()));
            }
            return new Point(done, more, lost, next);
        }
    }

    private final List<QueueOperation> known;
    private final List<QueueOperation> lost;
    private final int bound;
    private final int mostPoints;
    private final Set<Point> seen = new HashSet<>();
    private final Set<SmallQueueState> furthest = new LinkedHashSet<>();
    private long furthestDeadline = Long.MIN_VALUE;

    /** @param mostPoints after which the search is given up */
    QueueCheck(List<QueueOperation> history, int bound, int mostPoints) {
        List<QueueOperation> sorted = history.stream()
                .sorted(Comparator.comparingLong(QueueOperation::begun))
                .toList();
        known = sorted.stream()
                .filter(operation -> operation.kind() != Kind.LOST_FETCH)
                .toList();
        lost = sorted.stream()
                .filter(operation -> operation.kind() == Kind.LOST_FETCH)
                .toList();
        this.bound = bound;
        this.mostPoints = mostPoints;
    }

    Verdict verdict() {
        Deque<Point> open = new ArrayDeque<>(List.of(new Point(0, new BitSet(), 0, SmallQueueState.EMPTY)));
        while (!open.isEmpty()) {
            Point point = open.pop();
            if (!seen.add(point)) continue;
            if (point.first == known.size())
                return new Verdict(
                        Outcome.LINEARIZABLE,
                        "%d operations and %d fetches without an answer, in %d steps"
                                .formatted(known.size(), lost.size(), seen.size()));
            if (seen.size() > mostPoints)
                return new Verdict(Outcome.NOT_DECIDED, "given up after %,d steps".formatted(mostPoints));
            next(point).forEach(open::push);
        }
        return new Verdict(Outcome.BROKEN, why());
    }

    /** The likeliest one last. */
    private List<Point> next(Point point) {
        List<Integer> pending = new ArrayList<>();
        long deadline = Long.MAX_VALUE;
        for (int i = point.first; i < known.size() && known.get(i).begun() <= deadline; i++)
            if (!point.later.get(i - point.first)) {
                pending.add(i);
                deadline = Math.min(deadline, known.get(i).ended());
            }
        remember(deadline, point.state);
        pending.sort(
                Comparator.comparingLong((Integer i) -> known.get(i).ended()).reversed());
        List<Point> all = new ArrayList<>();
        for (SmallQueueState returned : point.state.afterReturns())
            all.add(new Point(point.first, point.later, point.lost, returned));
        if (point.lost < lost.size() && lost.get(point.lost).begun() <= deadline)
            point.state
                    .after(lost.get(point.lost), bound)
                    .ifPresent(taken -> all.add(new Point(point.first, point.later, point.lost + 1, taken)));
        for (int i : pending) {
            QueueOperation operation = known.get(i);
            Point after = point.state
                    .after(operation, bound)
                    .map(state -> point.executed(i, state))
                    .orElse(null);
            if (after == null) continue;
            if (operation.kind().changesNothing()) return List.of(after);
            all.add(after);
        }
        return all;
    }

    private void remember(long deadline, SmallQueueState state) {
        if (deadline > furthestDeadline) furthest.clear();
        furthestDeadline = Math.max(deadline, furthestDeadline);
        if (deadline == furthestDeadline && furthest.size() < 3) furthest.add(state);
    }

    private String why() {
        QueueOperation wrong = known.stream()
                .filter(operation -> operation.ended() == furthestDeadline)
                .findFirst()
                .orElseThrow();
        String beside = known.stream()
                .filter(other -> !other.equals(wrong))
                .filter(other -> other.ended() >= wrong.begun() && other.begun() <= wrong.ended())
                .limit(SHOWN)
                .map(other -> other.told(wrong.begun()))
                .collect(Collectors.joining(", "));
        String before = known.stream()
                .filter(other -> other.ended() < wrong.begun())
                .sorted(Comparator.comparingLong(QueueOperation::ended).reversed())
                .limit(SHOWN)
                .sorted(Comparator.comparingLong(QueueOperation::ended))
                .map(other -> other.told(wrong.begun()))
                .collect(Collectors.joining(", "));
        return "%s fits into no order; the queue can be %s then; under way (in ms): %s; before: %s"
                .formatted(
                        wrong.told(wrong.begun()),
                        furthest.stream().map(SmallQueueState::toString).collect(Collectors.joining(" or ")),
                        beside,
                        before);
    }
}
