package io.floodgate.topics.calendar;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When an expression is due in a time zone. Where clocks are set ahead, local times that do not exist have no run; where they are
 * set back, a local time that exists twice has one run, the first. An expression whose hours begin with a star is due whenever its
 * local time is: it goes on by elapsed time.
 */
public final class CronCalendar {
    /** A run that is due; or a number of skipped runs without a time, because clocks were set ahead then. */
    public record Due(Instant at, int skipped) {
        public boolean isGap() {
            return skipped > 0;
        }
    }

    private static final int MOST_OF_A_GAP = 100_000;

    /** Most changes of clocks between two runs: an expression for hours that never exist would never be found. */
    private static final int MOST_CHANGES = 50;

    private final CronExpression expression;
    private final ZoneId zone;
    private final ZoneRules rules;

    public CronCalendar(CronExpression expression, ZoneId zone) {
        this.expression = expression;
        this.zone = zone;
        rules = zone.getRules();
    }

    /** The runs after this time, up to {@code most}, and the gaps among them. */
    public List<Due> after(Instant from, int most) {
        List<Due> all = new ArrayList<>();
        Walk walk = new Walk(from, all);
        for (int runs = 0; runs < most; runs++) {
            Instant next = walk.next();
            if (next == null) break;
            all.add(new Due(next, 0));
        }
        return all;
    }

    /** The first run after this time; null if there is none for years. */
    public @Nullable Instant next(Instant from) {
        return new Walk(from, new ArrayList<>()).next();
    }

    /** A walk from run to run, and from one change of clocks to the next. */
    private final class Walk {
        private final List<Due> gaps;
        private ZoneOffset offset;
        private @Nullable ZoneOffsetTransition change;
        /** The last one that is not to be found: at first, the given time itself. */
        private LocalDateTime after;

        /** @param gaps takes those that are come upon */
        Walk(Instant from, List<Due> gaps) {
            this.gaps = gaps;
            offset = rules.getOffset(from);
            change = rules.nextTransition(from);
            after = LocalDateTime.ofEpochSecond(from.getEpochSecond(), 0, offset);
        }

        @Nullable
        Instant next() {
            for (int changes = 0; changes < MOST_CHANGES; changes++) {
                LocalDateTime local = nextIn(offset, after);
                if (local == null) return null;
                Instant at = local.toInstant(offset);
                if (change == null || at.isBefore(change.getInstant())) {
                    after = local;
                    return at;
                }
                pass(change);
            }
            return null;
        }

        private void pass(ZoneOffsetTransition passed) {
            if (passed.isGap() && !expression.isEveryHour()) {
                int skipped = skipped(passed);
                if (skipped > 0) gaps.add(new Due(passed.getInstant(), skipped));
            }
            offset = passed.getOffsetAfter();
            change = rules.nextTransition(passed.getInstant());
            after = passed.getDateTimeAfter().minusSeconds(1);
        }
    }

    /** The next local time by this offset that is not the second of its kind. */
    private @Nullable LocalDateTime nextIn(ZoneOffset offset, LocalDateTime after) {
        LocalDateTime local = expression.next(after);
        while (local != null && !expression.isEveryHour() && isSecond(local, offset)) local = expression.next(local);
        return local;
    }

    private boolean isSecond(LocalDateTime local, ZoneOffset offset) {
        if (rules.isFixedOffset()) return false;
        List<ZoneOffset> valid = rules.getValidOffsets(local);
        return valid.size() == 2 && valid.getLast().equals(offset);
    }

    private int skipped(ZoneOffsetTransition change) {
        int skipped = 0;
        LocalDateTime local = change.getDateTimeBefore().minusSeconds(1);
        while (skipped < MOST_OF_A_GAP) {
            local = expression.next(local);
            if (local == null || !local.isBefore(change.getDateTimeAfter())) break;
            skipped++;
        }
        return skipped;
    }

    /** Returns warnings of what may surprise those who register the expression. */
    public List<String> warnings(Instant now) {
        List<String> warnings = new ArrayList<>();
        if (expression.hasRareDays())
            warnings.add("Some of its days do not exist in every month: there is no run in such a month.");
        Walk walk = new Walk(now, new ArrayList<>());
        Instant last = now;
        Duration closest = Duration.ofDays(1);
        for (int run = 0; run < 100; run++) {
            Instant next = walk.next();
            if (next == null) break;
            if (run > 0) closest = min(closest, Duration.between(last, next));
            last = next;
        }
        if (closest.toSeconds() < 10) warnings.add("It is due more often than every 10 seconds.");
        Instant gap = gap(now);
        if (gap != null)
            warnings.add("Clocks are set ahead in %s at %s: what is due in the hour that does not exist is skipped."
                    .formatted(zone.getId(), gap));
        return warnings;
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** The first change of clocks within two years that a run falls into; null if there is none. */
    private @Nullable Instant gap(Instant now) {
        if (expression.isEveryHour()) return null;
        Instant end = now.plus(Duration.ofDays(731));
        ZoneOffsetTransition change = rules.nextTransition(now);
        while (change != null && change.getInstant().isBefore(end)) {
            if (change.isGap() && skipped(change) > 0) return change.getInstant();
            change = rules.nextTransition(change.getInstant());
        }
        return null;
    }
}
